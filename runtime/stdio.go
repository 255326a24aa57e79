package runtime

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"github.com/capgen/capgen/capabilities"
)

// StdioPrincipal says who the client of [ServeStdio] is, for grants and for handlers: it needs an Issuer, and a Subject or a ClientID.
// The default is that nobody is known, so that public reads alone are served. It has no meaning for HTTP.
func StdioPrincipal(p capabilities.Principal) Option {
	return func(c *config) {
		if !p.Identified() {
			c.refuse("runtime.StdioPrincipal: the principal names nobody: it needs an Issuer, and a Subject or a ClientID")
		}
		principal := p.Clone()
		c.access.stdio = &principal
	}
}

// ServeStdio serves the registry's capabilities to the one client at the other end of in and out, one JSON-RPC message a line: as the
// child process that an agent's configuration names. Nil means [os.Stdin] and [os.Stdout]. Nothing else may write to out, so the
// program must not print; packages log and log/slog write to standard error.
//
// It is the server of [NewHandler], in both eras and with the same options. Requests run at once, notifications/cancelled cancels one,
// and a line is as long as [WithMaxRequestBytes] allows. [StdioPrincipal] says who calls, and [WithBearer] does not; hosts and
// origins have no meaning. [ResolveContext] is asked with a request that has neither an address nor headers of the caller's.
//
// It returns nil when in ends or ctx does, after running calls were answered: they may go on for up to 10 s and are then
// cancelled. Any other error is that of an option, of reading or of writing. When ctx ends first, a goroutine goes on waiting for
// in to yield a line or to end.
func ServeStdio(ctx context.Context, registry *capabilities.Registry, in io.Reader, out io.Writer, options ...Option) error {
	handler, err := NewHandler(registry, options...)
	if err != nil {
		return err
	}
	if in == nil {
		in = os.Stdin
	}
	if out == nil {
		out = os.Stdout
	}
	lines, done := make(chan line), make(chan struct{})
	defer close(done)
	go readLines(in, handler.config.maxRequestBytes, lines, done)
	p := newPipe(ctx, handler, out)
	err = p.serve(ctx, lines)
	return errors.Join(err, p.stop())
}

// line is what was read: the text of a message, or why there is none.
type line struct {
	text    []byte
	tooLong bool
	err     error
}

// readLines sends what is on each line, and closes the channel at the end. A line that is too long is not kept.
func readLines(in io.Reader, limit int, lines chan<- line, done <-chan struct{}) {
	defer close(lines)
	reader := bufio.NewReader(in)
	for ended := false; !ended; {
		var l line
		for more := true; more && !ended; {
			var part []byte
			var err error
			part, more, err = reader.ReadLine()
			if l.tooLong = l.tooLong || len(l.text)+len(part) > limit; !l.tooLong {
				l.text = append(l.text, part...)
			}
			if ended = err != nil; ended && !errors.Is(err, io.EOF) {
				l.err = err
			}
		}
		if l.err == nil && !l.tooLong && len(bytes.TrimSpace(l.text)) == 0 {
			continue
		}
		select {
		case lines <- l:
		case <-done:
			return
		}
	}
}
