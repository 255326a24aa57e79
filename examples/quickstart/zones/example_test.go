package zones_test

import (
	"context"
	"fmt"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/quickstart/zones"
)

// The client that is generated for //capgen:client calls in process, as in a test, or over MCP with package mcpclient.
func ExampleCapabilityClient() {
	registry, err := capabilities.NewRegistry(zones.Bind(new(zones.Service)))
	if err != nil {
		fmt.Println(err)
		return
	}
	client := zones.NewCapabilityClient(capabilities.InProcess(registry))
	found, err := client.ZoneFind(context.Background(), zones.ZoneFind{Query: "berlin", At: time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Zones[0].Name, found.Zones[0].Clock.Offset)

	_, err = client.ZoneFind(context.Background(), zones.ZoneFind{})
	fmt.Println(err)
	// Output:
	// Europe/Berlin +02:00
	// The input does not match the schema.
	// /query: must have at least 1 character (minLength)
}
