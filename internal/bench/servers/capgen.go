package servers

import (
	"log/slog"
	"net/http"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/bench/tools"
	"github.com/capgen/capgen/runtime"
)

// newCapgen is our server as it is by default, but that it logs nothing; the others do not either.
func newCapgen() http.Handler {
	registry := must(capabilities.NewRegistry(tools.Bind(tools.Service{})))
	return must(runtime.NewHandler(registry, runtime.WithLogger(slog.New(slog.DiscardHandler))))
}
