package mcpclient_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/quickstart/zones"
	"github.com/capgen/capgen/mcpclient"
	"github.com/capgen/capgen/runtime"
)

// A program calls the capabilities of a server as it calls its own functions: the package that declares them has a client.
func Example() {
	url, stop := serveZones()
	defer stop()

	ctx := context.Background()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "v1"}, nil).
		Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()

	client := zones.NewCapabilityClient(mcpclient.New(session))
	found, err := client.ZoneFind(ctx, zones.ZoneFind{Query: "berlin"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Total, found.Zones[0].Name)

	_, err = client.ZoneTransitions(ctx, zones.ZoneTransitions{Zone: "Mars/Olympus", Year: 2026})
	var declined *capabilities.Error
	fmt.Println(errors.As(err, &declined), declined.Code)

	fmt.Println(client.CheckContracts(ctx))
	// Output:
	// 1 Europe/Berlin
	// true unknown_zone
	// <nil>
}

func serveZones() (url string, stop func()) {
	registry, err := capabilities.NewRegistry(zones.Bind(new(zones.Service)))
	if err != nil {
		panic(err)
	}
	handler, err := runtime.NewHandler(registry)
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(handler)
	return server.URL, server.Close
}
