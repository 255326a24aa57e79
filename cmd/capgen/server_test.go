package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/fixture/tools"
	"github.com/capgen/capgen/runtime"
)

// ourServer serves the fixture's tools.
func ourServer(t *testing.T) http.Handler {
	t.Helper()
	registry, err := capabilities.NewRegistry(tools.Bind(new(tools.Service), capabilities.NoResource()))
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry, runtime.WithDeadline(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	return handler
}
