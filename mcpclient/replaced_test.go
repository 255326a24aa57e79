package mcpclient_test

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/quickstart/zones"
	"github.com/capgen/capgen/mcpclient"
	"github.com/capgen/capgen/runtime"
)

// TestReplaced: a server that is replaced under a client's session is asked for its contracts when a call fails as if they had changed.
func TestReplaced(t *testing.T) {
	var current atomic.Pointer[runtime.Handler]
	deploy := func(parts ...capabilities.Part) {
		registry, err := capabilities.NewRegistry(parts...)
		if err != nil {
			t.Fatal(err)
		}
		handler, err := runtime.NewHandler(registry)
		if err != nil {
			t.Fatal(err)
		}
		current.Store(handler)
	}
	deploy(zones.Bind(new(zones.Service)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// go-sdk's client keeps a list for the minute that the server allows, which the test does not wait for.
		answer := httptest.NewRecorder()
		current.Load().ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(answer.Code)
		_, _ = io.WriteString(w, strings.Replace(answer.Body.String(), `"ttlMs":60000`, `"ttlMs":0`, 1))
	}))
	defer server.Close()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil).
		Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL, DisableStandaloneSSE: true, MaxRetries: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	client := zones.NewCapabilityClient(mcpclient.New(session))
	find := func() error {
		_, err := client.ZoneFind(t.Context(), zones.ZoneFind{Query: "berlin", Limit: 50})
		return err
	}
	if err := find(); err != nil {
		t.Fatal(err)
	}

	expect := func(kind capabilities.Kind, text string) {
		t.Helper()
		err := find()
		var mismatch *capabilities.ContractMismatch
		var failure *capabilities.Failure
		if !errors.As(err, &mismatch) || !strings.Contains(err.Error(), text) {
			t.Fatalf("got %v, want a mismatch with %q", err, text)
		}
		if !errors.As(err, &failure) || failure.Kind != kind {
			t.Errorf("the cause is %v, want one of kind %s", mismatch.Cause, kind)
		}
	}
	def := zones.ZoneFind{}.Capability().Definition()
	declare := func(input string) {
		later = capabilities.Declare[Later, zones.Found](`{"id":"example.time:zone.find@1","tool":"zone_find","risk":"read","access":"public","input":` + input +
			`,"output":` + string(def.Output) + `}`)
	}
	declare(strings.Replace(string(def.Input), `"maximum":50`, `"maximum":20`, 1))
	deploy(capabilities.Handle(findLater))
	expect(capabilities.InvalidInput, "/input/properties/limit/maximum: 50 before, 20 now")

	// What was found stays so until somebody looks again.
	deploy(zones.Bind(new(zones.Service)))
	if err := client.CheckContracts(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := find(); err != nil {
		t.Fatal(err)
	}
	deploy()
	expect(capabilities.CapabilityMissing, "the server has no tool of it for this caller")

	// A server that cannot be reached has answered nothing.
	server.Close()
	var failure *capabilities.Failure
	var mismatch *capabilities.ContractMismatch
	if err := client.CheckContracts(t.Context()); err == nil || errors.As(err, &failure) || errors.As(err, &mismatch) {
		t.Errorf("got %v, want the transport's own error", err)
	}
}
