package runtime

import (
	"context"
	"net"
	"net/http"
)

// bridgeListener accepts what a bridge may serve.
type bridgeListener struct {
	net.Listener
	b *Bridge
}

func (l bridgeListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if admitted := l.b.admit(conn); admitted != nil {
			return admitted, nil
		}
		_ = conn.Close()
	}
}

// bridgeConn is a connection of a bridge.
type bridgeConn struct {
	net.Conn
	// surplus: it is past the limit, and is there to be told so.
	surplus bool
}

// CloseWrite lets net/http end a connection so that the last answer is not lost when a request was left unread.
func (c *bridgeConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Close()
}

// admit counts a connection, or returns nil if it may not be served.
func (b *Bridge) admit(conn net.Conn) net.Conn {
	// The listener cannot be reached from elsewhere; a rule of the firewall that forwards to it is somebody's mistake.
	if !isLoopbackAddr(conn.RemoteAddr()) || !isLoopbackAddr(conn.LocalAddr()) {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended || len(b.conns) >= b.config.connections+spareConnections {
		return nil
	}
	admitted := &bridgeConn{Conn: conn, surplus: len(b.conns) >= b.config.connections}
	b.conns[admitted] = struct{}{}
	return admitted
}

// release is the server's hook: a connection is closed for it when its goroutine has done with it, and so has the handler.
func (b *Bridge) release(conn net.Conn, state http.ConnState) {
	released, ok := conn.(*bridgeConn)
	if !ok || state != http.StateClosed {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.conns, released)
	if b.ended && len(b.conns) == 0 {
		close(b.drained)
	}
}

type bridgeConnKey struct{}

func withBridgeConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, bridgeConnKey{}, conn)
}
