package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/capgen/capgen/runtime"
)

// stage is where the walk takes place: a server on a free port, its database in a folder of its own, and the demonstration's issuer.
type stage struct {
	config  config
	demo    *demonstration
	app     *app
	handler *runtime.Handler

	serving atomic.Pointer[http.ServeMux]
	undo    []func() error // what close does, the last first
}

func newStage(ctx context.Context) (*stage, error) {
	s := new(stage)
	if err := s.set(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *stage) set(ctx context.Context) (err error) {
	if s.demo, err = startDemonstration(); err != nil {
		return err
	}
	s.undo = append(s.undo, func() error { s.demo.Close(); return nil })
	folder, err := os.MkdirTemp("", "playlist")
	if err != nil {
		return err
	}
	s.undo = append(s.undo, func() error { return os.RemoveAll(folder) })

	// The port before the handler, since tokens and grants are for the endpoint's URL.
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.config = config{
		file: filepath.Join(folder, defaultFile), resource: "http://" + listener.Addr().String() + runtime.EndpointPath,
		issuer: s.demo.URL(), tenantClaim: tenantClaim, logger: slog.New(slog.DiscardHandler),
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serving.Load().ServeHTTP(w, r) })}
	s.undo = append(s.undo, func() error { _ = listener.Close(); return nil }) // the server may have closed it
	if err := s.start(ctx); err != nil {
		return err
	}
	s.undo = append(s.undo, s.stop, server.Close)
	go func() { _ = server.Serve(listener) }()
	return nil
}

// start opens the database and serves it.
func (s *stage) start(ctx context.Context) error {
	a, err := open(ctx, s.config.file)
	if err != nil {
		return err
	}
	handler, err := a.handler(s.config)
	if err != nil {
		return errors.Join(err, a.Close())
	}
	mux := http.NewServeMux()
	mux.Handle(runtime.EndpointPath, handler)
	if metadata, ok := handler.Metadata(); ok {
		mux.Handle(runtime.MetadataPath, metadata)
		mux.Handle(runtime.MetadataPath+runtime.EndpointPath, metadata)
	}
	s.app, s.handler = a, handler
	s.serving.Store(mux)
	return nil
}

// stop ends what start began. All that is known afterwards is what the database holds.
func (s *stage) stop() error {
	return errors.Join(s.handler.Shutdown(context.Background()), s.app.Close())
}

func (s *stage) close() error {
	var errs []error
	for _, undo := range slices.Backward(s.undo) {
		errs = append(errs, undo())
	}
	return errors.Join(errs...)
}
