//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/capgen/capgen/internal/bench/servers"
)

// serve serves a kind until in ends. It says where it listens in the first line of out, and answers each line of in with what the
// process has used so far.
func serve(kind servers.Kind, listen string, in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: kind.New()}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	if _, err := fmt.Fprintln(out, listener.Addr()); err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	for lines := bufio.NewScanner(in); lines.Scan(); {
		used, err := ownUsage()
		if err != nil {
			return err
		}
		if err := encoder.Encode(used); err != nil {
			return err
		}
	}
	err = server.Close()
	if serveErr := <-served; !errors.Is(serveErr, http.ErrServerClosed) {
		err = errors.Join(err, serveErr)
	}
	return err
}

// child is a server that this process started.
type child struct {
	kind    servers.Kind
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	address string
}

func startAll(kinds []servers.Kind, core int, profiles string) ([]*child, error) {
	var children []*child
	for _, kind := range kinds {
		c, err := start(kind, core, profiles)
		if err != nil {
			stopAll(children)
			return nil, fmt.Errorf("%s: %w", kind.Name, err)
		}
		children = append(children, c)
	}
	return children, nil
}

func start(kind servers.Kind, core int, profiles string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"server", "-kind", kind.Name, "-core", strconv.Itoa(core)}
	if profiles != "" {
		args = append(args, "-profile", filepath.Join(profiles, kind.Name+".pprof"))
	}
	c := &child{kind: kind, command: exec.Command(self, args...)}
	c.command.Stderr = os.Stderr
	if c.in, err = c.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.stop()
		return nil, fmt.Errorf("it did not say where it listens: %w", err)
	}
	c.address = line[:len(line)-1]
	return c, nil
}

// usage asks the server what it has used.
func (c *child) usage() (used usage, err error) {
	if _, err := io.WriteString(c.in, "\n"); err != nil {
		return used, err
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return used, err
	}
	return used, json.Unmarshal(line, &used)
}

func stopAll(children []*child) {
	for _, c := range children {
		c.stop()
	}
}

// stop ends the server: it ends when its input does. How it ended does not matter any more.
func (c *child) stop() {
	_ = c.in.Close()
	_ = c.command.Wait()
}
