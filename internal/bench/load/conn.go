package load

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"strconv"
	"time"

	"github.com/capgen/capgen/internal/bench/servers"
	"github.com/capgen/capgen/internal/bench/tools"
)

// conn is one caller: a connection that is kept, and one call at a time on it. It writes requests that are ready and reads only the
// headers that it needs, so that the client takes less than the servers do.
type conn struct {
	net    net.Conn
	reader *bufio.Reader
	answer bytes.Buffer

	request []byte
	idAt    int
	id      int
	checker checker
}

// dial connects to the server, with a session of its own where the era has them, and makes one call.
func dial(address string, kind servers.Kind, sample tools.Sample) (*conn, error) {
	c := &conn{id: firstID, checker: checker{kind: kind, sample: sample}}
	var err error
	if c.net, err = net.Dial("tcp", address); err != nil {
		return nil, err
	}
	c.reader = bufio.NewReaderSize(c.net, 16<<10)
	if err := c.allow(0); err != nil {
		return nil, errors.Join(err, c.net.Close())
	}
	header := Header(kind.Era, sample.Tool)
	if kind.Era == servers.Session {
		if err := c.openSession(address, header); err != nil {
			return nil, errors.Join(err, c.net.Close())
		}
	}
	c.request = render(address, header, Body(kind.Era, sample, c.id))
	c.idAt = bytes.Index(c.request, strconv.AppendInt(nil, int64(c.id), 10))
	if err := c.call(); err != nil {
		return nil, errors.Join(err, c.net.Close())
	}
	return c, nil
}

// allow gives the connection that long, and a while more, before it fails for want of an answer.
func (c *conn) allow(d time.Duration) error {
	return c.net.SetDeadline(time.Now().Add(d + 30*time.Second))
}

func render(address string, header http.Header, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST /mcp HTTP/1.1\r\nHost: %s\r\n", address)
	// A bytes.Buffer does not fail.
	_ = header.Write(&b)
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return b.Bytes()
}

func (c *conn) openSession(address string, header http.Header) error {
	status, session, err := c.roundTrip(render(address, header, []byte(initialize)))
	if err != nil || status != http.StatusOK || session == "" {
		return fmt.Errorf("initialize: status %d, error %v: %.300s", status, err, c.answer.Bytes())
	}
	header["Mcp-Session-Id"] = []string{session}
	if status, _, err = c.roundTrip(render(address, header, []byte(initialized))); err != nil || status != http.StatusAccepted {
		return fmt.Errorf("initialized: status %d, error %v", status, err)
	}
	return nil
}

// call makes the next call and checks its answer.
func (c *conn) call() error {
	c.id++
	strconv.AppendInt(c.request[:c.idAt], int64(c.id), 10)
	status, _, err := c.roundTrip(c.request)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s: status %d: %.300s", c.checker.sample.Tool, status, c.answer.Bytes())
	}
	return c.checker.check(c.answer.Bytes(), c.id)
}

// roundTrip sends a request and reads the answer's body into c.answer.
func (c *conn) roundTrip(request []byte) (status int, session string, err error) {
	if _, err := c.net.Write(request); err != nil {
		return 0, "", err
	}
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return 0, "", err
	}
	if len(line) < len("HTTP/1.1 200") {
		return 0, "", fmt.Errorf("status line %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, "", err
	}
	length, chunked := int64(0), false
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return 0, "", err
		}
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.ParseInt(string(value), 10, 32); err != nil {
				return 0, "", err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		case bytes.EqualFold(name, []byte("Mcp-Session-Id")):
			session = string(value)
		}
	}
	return status, session, c.readBody(length, chunked)
}

func (c *conn) readBody(length int64, chunked bool) error {
	c.answer.Reset()
	if !chunked {
		_, err := io.CopyN(&c.answer, c.reader, length)
		return err
	}
	if _, err := io.Copy(&c.answer, httputil.NewChunkedReader(c.reader)); err != nil {
		return err
	}
	// The chunked reader leaves the empty line after the last chunk.
	_, err := c.reader.Discard(len("\r\n"))
	return err
}
