package runtime

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Bridge lends a handler of this process to an agent in another process of this machine, under a URL that nobody else knows. Start
// one with [StartBridge]. It is safe for concurrent use.
type Bridge struct {
	config  *bridgeConfig
	handler http.Handler
	server  *http.Server
	host    string // the one Host that is answered
	path    string // the one path, with the secret in it
	cancel  context.CancelFunc
	served  chan struct{} // closed when nothing is accepted any more

	mu      sync.Mutex
	ended   bool
	conns   map[*bridgeConn]struct{} // those whose goroutine runs, also when they were cut
	drained chan struct{}            // closed when the bridge has ended and the last one is gone
}

// StartBridge serves the handler at [Bridge.URL], an ephemeral port of 127.0.0.1, until ctx ends or [Bridge.Close] is called. It is meant
// for an agent that the application itself has started on this machine, as a harness does. The handler is a *[Handler] as a rule and may be
// any other, also one that is served elsewhere at the same time: the bridge bounds what it can do and never ends it.
//
// The path holds a random secret, since every user of the machine can connect to the port. To know the URL is to be let in, and nothing
// more: the handler decides who may call what, as always. What is not a plain HTTP/1.1 request for exactly this URL is refused, in this
// order and with a JSON-RPC error:
//
//   - A connection that does not come from a loopback address is closed without a word.
//   - There are as many connections as [BridgeConnections] allows: 503.
//   - HTTP is 1.1 (505) and the target is a path (400): no CONNECT, no absolute URL.
//   - The Host header is the URL's, "127.0.0.1:PORT" to the letter; localhost is another name: else 403.
//   - There is no Origin header: else 403.
//   - Connection says no more than close or keep-alive, and there is no Upgrade: else 400.
//   - The path is the URL's: else 404.
//   - The body is within [BridgeRequestBytes]: else 413. It arrives within [BridgeReadTimeout]: else 408.
//
// The handler sees the path [EndpointPath], without the secret, a body that is there in full, and contexts with the values of ctx. Its
// ResponseWriter can flush, and can neither be hijacked nor be given deadlines: the limits of a response, [BridgeResponseBytes] and
// [BridgeRequestTimeout], would not hold. A client that reads nothing for 30 s while something is written to it is cut off. A response that a
// limit ends, or the end of the bridge, is an error to its client and never looks complete. A panic of the handler is logged and is
// answered with 500 or cuts the connection; http.ErrAbortHandler cuts it silently. A panic of a goroutine that the handler has
// started ends the process, as anywhere.
//
// The error is ctx's if it has ended already, that of listening, or names every option that is out of range; a nil handler is one too.
func StartBridge(ctx context.Context, handler http.Handler, options ...BridgeOption) (*Bridge, error) {
	config, err := newBridgeConfig(options)
	if handler == nil {
		err = errors.Join(errors.New("runtime.StartBridge: the handler is nil"), err)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return startBridgeOn(ctx, listener, handler, config), nil
}

func startBridgeOn(ctx context.Context, listener net.Listener, handler http.Handler, config *bridgeConfig) *Bridge {
	// The end of ctx must not reach a handler before its connection is closed: what it then returned would look complete.
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	b := &Bridge{
		config:  config,
		handler: handler,
		host:    listener.Addr().String(),
		path:    "/" + rand.Text() + EndpointPath,
		cancel:  cancel,
		served:  make(chan struct{}),
		conns:   map[*bridgeConn]struct{}{},
		drained: make(chan struct{}),
	}
	b.server = &http.Server{
		Handler:                      http.HandlerFunc(b.serve),
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            config.readTimeout,
		WriteTimeout:                 config.writeWait, // for what net/http says by itself
		IdleTimeout:                  config.idleTimeout,
		MaxHeaderBytes:               maxBridgeHeaderBytes,
		Protocols:                    new(http.Protocols),
		ErrorLog:                     slog.NewLogLogger(config.logger.Handler(), slog.LevelWarn),
		BaseContext:                  func(net.Listener) context.Context { return base },
		ConnContext:                  withBridgeConn,
		ConnState:                    b.release,
	}
	b.server.Protocols.SetHTTP1(true)
	go func() {
		defer close(b.served)
		defer context.AfterFunc(ctx, b.end)()
		if err := b.server.Serve(bridgeListener{listener, b}); !errors.Is(err, http.ErrServerClosed) {
			config.logger.LogAttrs(ctx, slog.LevelError, "the bridge cannot accept connections and ends", slog.Any("error", err))
			b.end()
		}
	}()
	return b
}

// URL is where the bridge serves, such as http://127.0.0.1:41234/SECRET/mcp. It stays the same, also after Close, and is a credential: hand it
// to the agent in its environment or on its standard input. Other users of the machine can read a command line.
func (b *Bridge) URL() string { return "http://" + b.host + b.path }

// Close ends the bridge: it takes no more connections, cuts those that it has, so that a client in the middle of a response gets an error,
// and ends the contexts of their requests. It touches nothing else: the handler, its sessions and other servers of it go on.
//
// Close waits up to a second for the handler to return from the bridge's requests. The error says how many it has not returned from:
// because it is deaf to its context, because it runs a call on a session, which a lost connection does not cancel, or because Close was called by
// the handler itself. The bridge has ended then nevertheless. Close may be called again, and by several at once: it waits again. The
// end of StartBridge's ctx does the same as Close, without the waiting.
func (b *Bridge) Close() error {
	b.end()
	wait := time.NewTimer(b.config.closeWait)
	defer wait.Stop()
	for _, done := range []<-chan struct{}{b.served, b.drained} {
		select {
		case <-done:
		case <-wait.C:
			return b.unfinished()
		}
	}
	return nil
}

func (b *Bridge) unfinished() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.conns) == 0 {
		return nil
	}
	return fmt.Errorf("runtime: the bridge has ended, but its handler has not returned from %d of its requests", len(b.conns))
}

// end is Close without the waiting for the handler. Connections are closed first and only then contexts: a handler that returns because
// of its context finds nobody to send the end of a response to.
func (b *Bridge) end() {
	if !b.stopAdmitting() {
		return
	}
	// Not under the lock, which accepting takes: it waits until nothing is being accepted, so that it misses no connection.
	_ = b.server.Close()
	b.cancel()
}

// stopAdmitting has no other connection admitted, and reports whether this is the end.
func (b *Bridge) stopAdmitting() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return false
	}
	b.ended = true
	if len(b.conns) == 0 {
		close(b.drained)
	}
	return true
}
