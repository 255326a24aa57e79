package transport

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"time"
)

// readTime is how long an answer may take unless the step says otherwise.
const readTime = 8 * time.Second

// send sends a step's request on a connection of its own, byte by byte as the step wants it, and reads what comes back.
func (s *step) send(address string, saved values) answer {
	began := time.Now()
	connection, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		return answer{status: notConnected, body: []byte(err.Error()), closed: true}
	}
	defer connection.Close()
	head, body := s.head(address, saved), s.body(saved)
	_ = connection.SetWriteDeadline(began.Add(30 * time.Second))
	err = s.write(connection, head, body)
	closed := errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)
	if s.AbortAfterMS != nil {
		time.Sleep(time.Duration(*s.AbortAfterMS) * time.Millisecond)
		// A reset, as when a client is killed.
		_ = connection.(*net.TCPConn).SetLinger(0)
		return answer{status: aborted, took: time.Since(began), closed: true}
	}
	raw, committed, ended := s.read(connection, began)
	a := parseAnswer(raw)
	a.committed, a.took, a.closed = committed, time.Since(began), closed || ended
	return a
}

// head is the request line and the headers.
func (s *step) head(address string, saved values) string {
	method, path := s.Method, s.Path
	if method == "" {
		method = "POST"
	}
	if path == "" {
		path = "/mcp"
	}
	var head strings.Builder
	fmt.Fprintf(&head, "%s %s HTTP/1.1\r\n", method, saved.in(path))
	if !s.Headers.has("Host") {
		fmt.Fprintf(&head, "Host: %s\r\n", address)
	}
	for _, line := range s.Headers {
		fmt.Fprintf(&head, "%s: %s\r\n", line[0], saved.in(line[1]))
	}
	if body := s.body(saved); body != nil {
		switch {
		case s.Transfer == "chunked":
			head.WriteString("Transfer-Encoding: chunked\r\n")
		case s.ContentLength != nil:
			fmt.Fprintf(&head, "Content-Length: %d\r\n", *s.ContentLength)
		default:
			fmt.Fprintf(&head, "Content-Length: %d\r\n", len(body))
		}
	}
	return head.String() + "Connection: close\r\n\r\n"
}

func (s *step) write(to io.Writer, head string, body []byte) error {
	if n := s.StopAfterHeadersBytes; n > 0 {
		_, err := io.WriteString(to, head[:min(n, len(head))])
		return err
	}
	if _, err := io.WriteString(to, head); err != nil || body == nil {
		return err
	}
	switch {
	case s.SlowBody != nil:
		return s.SlowBody.write(to, body)
	case s.Transfer == "chunked":
		return writeChunks(to, body)
	}
	_, err := to.Write(body)
	return err
}

func (b *slowBody) write(to io.Writer, body []byte) error {
	if b.MaxBytes > 0 {
		body = body[:min(b.MaxBytes, len(body))]
	}
	for len(body) > 0 {
		n := min(b.Chunk, len(body))
		if _, err := to.Write(body[:n]); err != nil {
			return err
		}
		body = body[n:]
		time.Sleep(time.Duration(b.DelayMS) * time.Millisecond)
	}
	return nil
}

func writeChunks(to io.Writer, body []byte) error {
	for len(body) > 0 {
		n := min(4096, len(body))
		if _, err := fmt.Fprintf(to, "%x\r\n%s\r\n", n, body[:n]); err != nil {
			return err
		}
		body = body[n:]
	}
	_, err := io.WriteString(to, "0\r\n\r\n")
	return err
}

// read reads until the answer is whole, the server closes the connection, which ended tells, or the time is over.
func (s *step) read(connection net.Conn, began time.Time) (raw []byte, committed time.Duration, ended bool) {
	patience := readTime
	if s.ReadTimeoutMS != nil {
		patience = time.Duration(*s.ReadTimeoutMS) * time.Millisecond
	}
	_ = connection.SetReadDeadline(time.Now().Add(patience))
	buffer := make([]byte, 64<<10)
	for !isWhole(raw) {
		n, err := connection.Read(buffer)
		raw = append(raw, buffer[:n]...)
		if committed == 0 && strings.Contains(string(raw), string(headEnd)) {
			committed = time.Since(began)
		}
		if err != nil {
			return raw, committed, !errors.Is(err, os.ErrDeadlineExceeded)
		}
	}
	return raw, committed, false
}
