package runtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// OnListen has a function called once by [Run], when it listens and before it serves, with the address it listens on: the
// port is the real one if 0 was asked for. A panic in the function is logged. Every option adds a function.
func OnListen(f func(net.Addr)) Option {
	return func(c *config) {
		if f == nil {
			c.refuse("runtime.OnListen: the function is nil")
			return
		}
		c.onListen = append(c.onListen, f)
	}
}

// Run serves the registry's capabilities at the Config's Host, Port and Path until ctx ends, and then stops gracefully: it takes no
// more connections, ends streams, lets running calls go on for up to 10 s, cancels and answers those that are left, and returns
// nil. The options come after those of the Config, so that they count over it. Any other error is that of the Config, of an option,
// of listening or of serving.
//
// Beside the endpoint it serves the paths of [WithDialect]; the metadata of [Handler.Metadata]; GET /healthz, which answers 200 while the process runs; and GET
// /readyz, which answers 503 instead once the server stops.
//
// On a Host that other machines reach it listens only if callers are asked who they are: by the Config's Auth, [WithBearer] or
// [ResolveContext].
func Run(ctx context.Context, registry *capabilities.Registry, c Config, options ...Option) error {
	c = c.complete()
	config, err := newConfig(append(c.Options(), options...))
	if err == nil {
		err = errors.Join(checkExposed(c, config), checkDialects(c, config))
	}
	if err != nil {
		return err
	}
	handler, err := newHandler(registry, config)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.address())
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	config.logger.LogAttrs(ctx, slog.LevelInfo, "serving MCP", slog.String("url", c.URL(listener.Addr())))
	for _, f := range config.onListen {
		tell(ctx, config.logger, f, listener.Addr())
	}
	return serve(ctx, handler, c.Path, listener)
}

// checkExposed refuses to serve the network without asking who calls.
func checkExposed(c Config, config *config) error {
	if c.isLocal() || config.access.bearer != nil || config.access.resolve != nil {
		return nil
	}
	return fmt.Errorf("runtime.Run: the Host %q can be reached from other machines, and nobody is asked who they are: "+
		"set CAPGEN_AUTH=bearer and CAPGEN_TOKEN_FILE or CAPGEN_TOKEN, or CAPGEN_AUTH=oidc and CAPGEN_ISSUER; or listen on this machine alone, with -host %s", c.Host, DefaultHost)
}

// tell has a hook of the application's told; a panic in it does not keep the server from serving.
func tell(ctx context.Context, logger *slog.Logger, f func(net.Addr), addr net.Addr) {
	defer func() {
		if value := recover(); value != nil {
			logger.LogAttrs(ctx, slog.LevelError, "the function of runtime.OnListen panicked", slog.String("panic", fmt.Sprint(value)))
		}
	}()
	f(addr)
}

// serve runs an HTTP server on the listener until ctx ends. There is no write timeout: streams are bounded write by write,
// and bodies by the handler.
func serve(ctx context.Context, handler *Handler, path string, listener net.Listener) error {
	server := &http.Server{
		Handler:           newMux(handler, path),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(handler.config.logger.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return errors.Join(err, handler.Shutdown(context.WithoutCancel(ctx)))
	case <-ctx.Done():
	}
	stop(server, handler)
	<-served
	return nil
}

func newMux(handler *Handler, path string) *http.ServeMux {
	mux := http.NewServeMux()
	for _, at := range append(slices.Collect(maps.Keys(handler.families)), path) {
		if at == "/" {
			at = "/{$}"
		}
		mux.Handle(at, handler)
	}
	if metadata, ok := handler.Metadata(); ok {
		// Some clients look below the endpoint's path, others for the one document of the host. A proxy may keep the prefix of the
		// public URL, which is where the challenge points.
		paths := []string{MetadataPath, MetadataPath + strings.TrimSuffix(path, "/")}
		if public, err := url.Parse(handler.config.access.bearer.metadataURL()); err == nil && endpointPath.MatchString(public.Path) {
			paths = append(paths, public.Path)
		}
		slices.Sort(paths)
		for _, at := range slices.Compact(paths) {
			mux.Handle(at, metadata)
		}
	}
	mountHealth(mux, handler.Ready)
	return mux
}

// stop stops both at once: the server lets go of a connection only when its request is answered, and the handler answers them.
func stop(server *http.Server, handler *Handler) {
	drain, cancel := context.WithTimeout(context.Background(), handler.config.drainWait)
	defer cancel()
	handled := make(chan struct{})
	go func() {
		defer close(handled)
		_ = handler.Shutdown(drain)
	}()
	if server.Shutdown(drain) != nil {
		// What is cancelled now is still answered.
		<-handled
		last, cancel := context.WithTimeout(context.Background(), handler.config.cancelWait)
		defer cancel()
		_ = server.Shutdown(last)
	}
	<-handled
	_ = server.Close()
}
