package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	// owner is the database user that owns everything.
	owner = "capgen"
	// startTime is how long a server may take from its start until it answers; it needs less than a second.
	startTime = time.Minute
	// stopTime is how long it may take to stop before it is killed.
	stopTime = 30 * time.Second
)

// settings are for tests: no network, and no waiting for the disk.
var settings = []string{
	"listen_addresses=", "fsync=off", "full_page_writes=off", "synchronous_commit=off",
	"shared_buffers=16MB", "max_connections=200", "autovacuum=off",
}

// supervise runs the server that its arguments are, until its standard input ends. That happens when this process closes
// the pipe and also when it dies, so that a test that is killed leaves no server behind. SIGINT is PostgreSQL's fast shutdown: it
// disconnects clients. The folder, $0, is removed with the server.
const supervise = `
exec 3<&0
"$@" 3<&- </dev/null &
server=$!
{ read -r line; kill -INT $server; } <&3 &
watch=$!
exec 3<&-
wait $server
code=$?
kill $watch
cd / && rm -rf "$0"
exit $code`

type server struct {
	folder  string // its socket, data and binaries
	output  *os.File
	process *exec.Cmd
	pipe    io.Closer
	ended   chan struct{}
	err     error // how it ended
}

// start makes a cluster and starts its server.
func start() (*server, error) {
	folder, err := os.MkdirTemp("", "capgen-pg-")
	if err != nil {
		return nil, err
	}
	s := &server{folder: folder, ended: make(chan struct{})}
	if err := s.start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return s, nil
}

func (s *server) start() error {
	if err := unpack(filepath.Join(s.folder, "pg")); err != nil {
		return err
	}
	if err := giveAway(s.folder); err != nil {
		return err
	}
	if err := s.initialise(); err != nil {
		return err
	}

	var err error
	if s.output, err = os.CreateTemp("", "capgen-pg-*.log"); err != nil {
		return err
	}
	// It is read through what is open.
	if err := os.Remove(s.output.Name()); err != nil {
		return err
	}
	args := []string{"-c", supervise, s.folder, s.binary("postgres"), "-D", s.data(), "-k", s.folder}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	s.process = exec.Command("sh", args...)
	s.process.Stdout, s.process.Stderr = s.output, s.output
	unprivileged(s.process)
	if s.pipe, err = s.process.StdinPipe(); err != nil {
		return err
	}
	if err := s.process.Start(); err != nil {
		return err
	}
	go func() {
		s.err = s.process.Wait()
		close(s.ended)
	}()
	if err := s.answers(); err != nil {
		_ = s.stop() // what it says of the end, the log says too
		return fmt.Errorf("%w\n%s", err, s.log())
	}
	return nil
}

func (s *server) binary(name string) string {
	return filepath.Join(s.folder, "pg", "native", "bin", name)
}

func (s *server) data() string { return filepath.Join(s.folder, "data") }

func (s *server) initialise() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	initdb := exec.CommandContext(ctx, s.binary("initdb"), "-D", s.data(), "-U", owner, "--auth=trust", "--no-sync",
		"--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en")
	initdb.Dir = s.folder
	initdb.WaitDelay = time.Second
	unprivileged(initdb)
	if output, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, output)
	}
	return nil
}

// answers waits until the server does.
func (s *server) answers() error {
	deadline := time.After(startTime)
	for {
		err := s.execute("SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case <-s.ended:
			return fmt.Errorf("the server ended: %w", s.err)
		case <-deadline:
			return fmt.Errorf("the server does not answer within %v: %w", startTime, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// stop stops the server and waits for it. Its folder is gone then.
func (s *server) stop() error {
	_ = s.pipe.Close()
	select {
	case <-s.ended:
	case <-time.After(stopTime):
		kill(s.process)
		<-s.ended
		return fmt.Errorf("it did not stop within %v and was killed\n%s", stopTime, s.log())
	}
	err := os.RemoveAll(s.folder)
	if s.err != nil {
		err = fmt.Errorf("the server ended: %w\n%s", s.err, s.log())
	}
	return err
}

// log is what the server has said.
func (s *server) log() string {
	text, err := io.ReadAll(io.NewSectionReader(s.output, 0, 1<<20))
	if err != nil {
		return err.Error()
	}
	return string(text)
}
