package runtime_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

func ExampleStartBridge() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(sum))
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, err := runtime.NewHandler(registry)
	if err != nil {
		fmt.Println(err)
		return
	}
	bridge, err := runtime.StartBridge(context.Background(), handler,
		runtime.BridgeRequestTimeout(time.Minute), runtime.BridgeResponseBytes(1<<20))
	if err != nil {
		fmt.Println(err)
		return
	}

	// An agent that this program starts gets the URL in its environment, or on its standard input.
	agent := func(url string) { callSum(url, "math_sum", map[string]any{"a": 2, "b": 3}) }
	agent(bridge.URL())
	fmt.Println(strings.HasPrefix(bridge.URL(), "http://127.0.0.1:"))

	fmt.Println("closed:", bridge.Close())
	// Output:
	// {"result":5}
	// true
	// closed: <nil>
}
