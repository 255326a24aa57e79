package runtime

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/capgen/capgen/capabilities"
)

const (
	// DefaultAddress is where [Run] listens when it is told nothing else: on this machine alone.
	DefaultAddress = "127.0.0.1:8053"
	// EndpointPath is the path under which [Run] serves MCP.
	EndpointPath = "/mcp"
)

// OnListen has a function called once by [Run], when it listens and before it serves, with the address it listens on: the
// port is the real one if 0 was asked for. Every option adds a function.
func OnListen(f func(net.Addr)) Option {
	return func(c *config) {
		if f == nil {
			c.refuse("runtime.OnListen: the function is nil")
			return
		}
		c.onListen = append(c.onListen, f)
	}
}

// Run serves the registry's capabilities at http://ADDR/mcp until ctx ends, and then stops gracefully: it takes no more
// connections, ends streams, lets running calls go on for up to 10 s, cancels and answers those that are left, and returns
// nil. An empty addr means [DefaultAddress]. Any other error is that of an option, of listening or of serving.
//
// Without [WithBearer] or [ResolveContext] nobody is asked who they are: on an address that other machines reach, everybody who can connect
// can call the public reads.
func Run(ctx context.Context, registry *capabilities.Registry, addr string, options ...Option) error {
	config, err := newConfig(options)
	if err != nil {
		return err
	}
	handler, err := newHandler(registry, config)
	if err != nil {
		return err
	}
	if addr == "" {
		addr = DefaultAddress
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	announce(ctx, config, listener.Addr())
	return serve(ctx, handler, listener)
}

func announce(ctx context.Context, config *config, addr net.Addr) {
	config.logger.LogAttrs(ctx, slog.LevelInfo, "serving MCP", slog.String("url", "http://"+addr.String()+EndpointPath))
	if !isLoopbackAddr(addr) && config.access.bearer == nil && config.access.resolve == nil {
		config.logger.LogAttrs(ctx, slog.LevelWarn, "serving without authentication on an address that other machines may reach")
	}
	for _, f := range config.onListen {
		f(addr)
	}
}

// serve runs an HTTP server on the listener until ctx ends. There is no write timeout: streams are bounded write by write,
// and bodies by the handler.
func serve(ctx context.Context, handler *Handler, listener net.Listener) error {
	mux := http.NewServeMux()
	mux.Handle(EndpointPath, handler)
	if metadata, ok := handler.Metadata(); ok {
		// Some clients look below the endpoint's path, others for the one document of the host.
		mux.Handle(MetadataPath, metadata)
		mux.Handle(MetadataPath+EndpointPath, metadata)
	}
	server := &http.Server{
		Handler:           mux,
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
