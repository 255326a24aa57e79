package executor_test

import (
	"context"
	"fmt"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/executor"
)

func ExampleExecutor_Invoke() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(func(_ context.Context, in Echo) (Said, error) {
		return Said{Text: in.Say}, nil
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := executor.New(registry, executor.Options{
		Deadline: 2 * time.Second,
		Observe: func(_ context.Context, o executor.Observation) {
			fmt.Printf("observed %v %q\n", o.ID, o.Kind)
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	outcome, err := e.Invoke(context.Background(), capabilities.Request{ID: echoID, Input: []byte(`{"say": "hello"}`)})
	fmt.Println(string(outcome.JSON), err)

	// An executor is a Caller, so that Go code calls through the same pipeline, typed.
	said, err := capabilities.Call(context.Background(), e, Echo{Say: "good evening"})
	fmt.Println(said.Text, err)
	// Output:
	// observed example:echo@1 ""
	// {"text":"hello"} <nil>
	// observed example:echo@1 ""
	// good evening <nil>
}
