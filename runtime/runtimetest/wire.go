package runtimetest

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// wire is a network in memory between one server and its clients. The HTTP on it is net/http's own on both sides, so that
// streams, disconnects and deadlines are what they are on a socket.
type wire struct {
	server    *http.Server
	transport *http.Transport

	dialled chan net.Conn
	done    chan struct{}
	once    sync.Once
	served  chan struct{}
}

func serve(handler http.Handler) *wire {
	w := &wire{
		server:  &http.Server{Handler: handler},
		dialled: make(chan net.Conn),
		done:    make(chan struct{}),
		served:  make(chan struct{}),
	}
	w.transport = &http.Transport{DialContext: w.dial}
	go func() {
		defer close(w.served)
		_ = w.server.Serve(w)
	}()
	return w
}

// close ends every connection and waits for the server's goroutine.
func (w *wire) close() {
	w.transport.CloseIdleConnections()
	_ = w.server.Close()
	<-w.served
}

func (w *wire) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case w.dialled <- local{server}:
		return client, nil
	case <-w.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept, Close and Addr implement net.Listener for the server.
func (w *wire) Accept() (net.Conn, error) {
	select {
	case conn := <-w.dialled:
		return conn, nil
	case <-w.done:
		return nil, net.ErrClosed
	}
}

func (w *wire) Close() error {
	w.once.Do(func() { close(w.done) })
	return nil
}

func (w *wire) Addr() net.Addr { return loopback }

// local is a connection that looks as one within this machine does, because the server treats those with more care.
type local struct{ net.Conn }

var loopback = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}

func (local) LocalAddr() net.Addr  { return loopback }
func (local) RemoteAddr() net.Addr { return loopback }
