package runtime_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

func TestOptionErrors(t *testing.T) {
	names := func(name string) runtime.Option {
		return runtime.WithToolNames(func(id capabilities.ID) string {
			if id.Name == "echo" || id.Name == "slow" {
				return name
			}
			return id.Name
		})
	}
	byLetter := runtime.WithToolNames(func(id capabilities.ID) string {
		switch id.Name {
		case "echo":
			return "A-b"
		case "slow":
			return "a_B"
		}
		return id.Name
	})
	tests := []struct {
		option runtime.Option
		want   string
	}{
		{nil, "runtime: an option is nil"},
		{runtime.WithInfo("", "v1"), `runtime.WithInfo("", "v1"): the name and the version must not be empty`},
		{runtime.WithInfo("a", "v1", nil), "runtime.WithInfo: an option is nil"},
		{runtime.WithMaxRequestBytes(0), "runtime.WithMaxRequestBytes(0): the limit must be from 1 to 1048576 bytes"},
		{runtime.WithMaxRequestBytes(1<<20 + 1), "runtime.WithMaxRequestBytes(1048577): the limit must be from 1 to 1048576 bytes"},
		{runtime.WithDeadline(0), "runtime.WithDeadline(0s): the deadline must be more than 0 and at most 5m0s"},
		{runtime.WithDeadline(301 * time.Second), "runtime.WithDeadline(5m1s): the deadline must be more than 0 and at most 5m0s"},
		{runtime.WithMaxCalls(0), "runtime.WithMaxCalls(0): the limit must be 1 or more"},
		{runtime.WithMaxSessions(0), "runtime.WithMaxSessions(0): the limit must be 1 or more"},
		{runtime.WithSessionTimeout(0), "runtime.WithSessionTimeout(0s): the timeout must be more than 0"},
		{runtime.WithToolNames(nil), "runtime.WithToolNames: the function is nil"},
		{runtime.OnToolFailure(nil), "runtime.OnToolFailure: the function is nil"},
		{runtime.OnListen(nil), "runtime.OnListen: the function is nil"},
		{runtime.OnListen(func(net.Addr) {}), "runtime.OnListen: only runtime.Run listens, the option has no meaning for runtime.NewHandler"},
		{runtime.WithLogger(nil), "runtime.WithLogger: the logger is nil; slog.New(slog.DiscardHandler) logs nothing"},
		{names("same"), `runtime: test:echo@1 and test:slow@1 have tool names that some clients cannot tell apart, "same" and "same"`},
		{byLetter, `runtime: test:echo@1 and test:slow@1 have tool names that some clients cannot tell apart, "A-b" and "a_B"`},
		{runtime.WithToolNames(func(id capabilities.ID) string {
			if id.Name == "echo" {
				return "two words"
			}
			return id.Name
		}), `runtime: test:echo@1: tool name "two words" is not 1 to 128 characters of A-Z a-z 0-9 _ . -`},
	}
	for _, test := range tests {
		_, err := runtime.NewHandler(registry(t, newFixture()), test.option)
		if err == nil || err.Error() != test.want {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
	// All at once.
	_, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithDeadline(-1), runtime.WithMaxCalls(-1))
	if want := "runtime.WithDeadline(-1ns): the deadline must be more than 0 and at most 5m0s\nruntime.WithMaxCalls(-1): the limit must be 1 or more"; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	if _, err := runtime.NewHandler(nil); err == nil || err.Error() != "runtime: the registry is nil" {
		t.Error(err)
	}
}

// mirrored is a declaration whose contract a test chooses.
type mirrored struct {
	capabilities.Returns[string]
}

var mirroredCapability *capabilities.Capability[mirrored, string]

func (mirrored) Capability() *capabilities.Capability[mirrored, string] { return mirroredCapability }

// TL12, TL13, TL14: what clients would refuse the tool for is refused when the handler is built.
func TestMirrorErrors(t *testing.T) {
	const stray = "runtime: test:m@1: an x-mcp-header is somewhere other than on a property of the input, or of an object in it"
	for properties, want := range map[string]string{
		`"a": {"type": "string", "x-mcp-header": ""}`:                                                "runtime: test:m@1: the x-mcp-header of a is not a header token",
		`"a": {"type": "string", "x-mcp-header": "a b"}`:                                             "runtime: test:m@1: the x-mcp-header of a is not a header token",
		`"a": {"type": "string", "x-mcp-header": 5}`:                                                 "runtime: test:m@1: the x-mcp-header of a is not a header token",
		`"a": {"type": "string", "x-mcp-h\u0065ader": ""}`:                                           "runtime: test:m@1: the x-mcp-header of a is not a header token",
		`"a": {"type": "number", "x-mcp-header": "A"}`:                                               "runtime: test:m@1: a has an x-mcp-header and is neither a string, an integer nor a boolean",
		`"o": {"properties": {"a": {"x-mcp-header": "A"}}}`:                                          "runtime: test:m@1: o.a has an x-mcp-header and is neither a string, an integer nor a boolean",
		`"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}`:                   stray,
		`"a": {"type": "string", "x-mcp-header": "A", "not": {"x-mcp-h\u0065ader": "A"}}`:            stray,
		`"a": {"anyOf": [{"type": "string", "x-mcp-header": "A"}]}`:                                  stray,
		`"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}`: `runtime: test:m@1: the x-mcp-header "a" is there twice`,
	} {
		mirroredCapability = capabilities.Declare[mirrored, string](contract("m", properties, text))
		registry, err := capabilities.NewRegistry(capabilities.Handle(func(context.Context, mirrored) (string, error) { return "", nil }))
		if err != nil {
			t.Fatal(err)
		}
		_, err = runtime.NewHandler(registry)
		if err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
