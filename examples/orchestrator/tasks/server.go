// Package tasks is the task server: it keeps tasks in a SQL database, works on them, and answers its clients in JSON over HTTP.
package tasks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/capgen/capgen/examples/orchestrator/api"
)

// Config says how a task server runs.
type Config struct {
	// Addr is where it listens. It must be on this machine alone: the task server asks nobody who they are, since that is the front's work.
	Addr string
	// Database is where the tasks are: see [Open].
	Database string
	// Workers is how many tasks are worked on at once, 0 to 64; with 0 they only wait.
	Workers int
	// Step is how long a step of a task takes, at most 10 s.
	Step time.Duration
	// OnListen is called when the server listens, with the address it listens on; may be nil.
	OnListen func(net.Addr)
	// Logger is where failures go; nil is slog.Default().
	Logger *slog.Logger
}

// drain is how long requests may take to end when the server does.
const drain = 5 * time.Second

// Run serves until ctx ends or a client stops it, and returns nil then. Tasks that are under way are given back and stay in the database.
func Run(ctx context.Context, config Config) error {
	if config.Workers < 0 || config.Workers > 64 || config.Step < 0 || config.Step > lease/3 {
		return errors.New("the task server has 0 to 64 workers, and a step takes at most 10 s")
	}
	logger := config.Logger
	if logger == nil {
		logger = slog.Default()
	}
	listener, err := listen(ctx, config.Addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	store, err := Open(ctx, config.Database)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	pool := newPool(store, config.Step, logger)
	s := &server{store: store, pool: pool, logger: logger, workers: config.Workers, started: time.Now().UTC(), stop: stop}
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		pool.run(ctx, config.Workers)
	}()
	if config.OnListen != nil {
		config.OnListen(listener.Addr())
	}
	err = serve(ctx, s.handler(), listener, logger)
	stop()
	<-worked
	return errors.Join(err, store.Close())
}

// listen refuses an address that others can reach.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	if at, ok := listener.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		return nil, errors.Join(fmt.Errorf("the task server asks nobody who they are, so that %s, which other machines can reach, is not for it: "+
			"listen on 127.0.0.1, and run a front beside it", addr), listener.Close())
	}
	return listener, nil
}

func serve(ctx context.Context, handler http.Handler, listener net.Listener, logger *slog.Logger) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      15 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	if server.Shutdown(grace) != nil {
		_ = server.Close()
	}
	<-served
	return nil
}

// server answers requests.
type server struct {
	store   *Store
	pool    *pool
	logger  *slog.Logger
	workers int
	started time.Time

	stop     func()
	stopping atomic.Bool
}

func (s *server) health(*http.Request) (any, error) {
	return api.Health{Database: s.store.Database(), Workers: s.workers, Stopping: s.stopping.Load(), StartedAt: s.started}, nil
}
