package soak

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime"
)

// openers is how many clients open sessions at once.
const openers = 16

// abandonSessions opens sessions and says nothing more in them, and goes on until there may be no more. They stay for as long as a session may
// lie idle, and are then gone.
func (s *server) abandonSessions(t *testing.T) {
	began := time.Now()
	var opening sync.WaitGroup
	var opened, refused atomic.Int64
	for range openers {
		opening.Go(func() {
			for opened.Load() < maxSessions && refused.Load() == 0 {
				switch id, status := s.openSession(t); {
				case id != "":
					opened.Add(1)
				case status == http.StatusServiceUnavailable && opened.Load() >= abandonedSessions:
					refused.Add(1)
				default:
					t.Errorf("initialize was answered with %d after %d sessions", status, opened.Load())
					return
				}
			}
		})
	}
	opening.Wait()
	t.Logf("%d sessions opened in %v", opened.Load(), time.Since(began).Round(time.Millisecond))
	if refused.Load() == 0 {
		t.Errorf("there is no end of sessions")
	}
	s.fullHeap = heapInUse()
	time.Sleep(sessionTimeout + time.Second)
	if id, status := s.openSession(t); id == "" {
		t.Errorf("after the sessions have expired, initialize is answered with %d", status)
	}
}

// openSession opens a session. Without one the ID is empty.
func (s *server) openSession(t *testing.T) (id string, status int) {
	response, err := s.send(t.Context(), http.MethodPost, initialize, legacy)
	if err != nil {
		t.Error(err)
		return "", 0
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.Header.Get("Mcp-Session-Id"), response.StatusCode
}

// halfSendBodies sends half of what it announced, and waits.
func (s *server) halfSendBodies(t *testing.T) {
	s.each(t, halfBodies, func(c net.Conn) error {
		_, err := io.WriteString(c, s.head(http.MethodPost, legacy)+"Content-Length: 400\r\n\r\n"+initialize)
		if err != nil {
			return err
		}
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusRequestTimeout {
			return fmt.Errorf("half a body was answered with %s", response.Status)
		}
		_, err = io.Copy(io.Discard, c)
		return err
	})
}

// trickleHeaders sends a header a second, and no end of them.
func (s *server) trickleHeaders(t *testing.T) {
	s.each(t, slowHeaders, func(c net.Conn) error {
		ended := make(chan error, 1)
		go func() {
			_, err := io.Copy(io.Discard, c)
			ended <- err
		}()
		if _, err := io.WriteString(c, s.head(http.MethodPost, legacy)); err != nil {
			return err
		}
		for {
			select {
			case err := <-ended:
				return err
			case <-time.After(time.Second):
				// That it fails is what the reader waits for.
				_, _ = io.WriteString(c, "X-More: 1\r\n")
			}
		}
	})
}

// each plays the same on many connections, which the server must end in time.
func (s *server) each(t *testing.T, connections int, play func(net.Conn) error) {
	var playing sync.WaitGroup
	for range connections {
		playing.Go(func() {
			c, err := net.Dial("tcp", s.address)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(patience))
			if err := play(c); err != nil && !strings.Contains(err.Error(), "connection reset") && !strings.Contains(err.Error(), "broken pipe") {
				t.Error(err)
			}
		})
	}
	playing.Wait()
}

// head is a request line and headers, without the empty line after them.
func (s *server) head(method string, headers map[string]string) string {
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\n", method, runtime.EndpointPath, s.address)
	for name, value := range headers {
		head += name + ": " + value + "\r\n"
	}
	return head
}

// vanishFromStreams opens the streams of sessions and is gone without a word.
func (s *server) vanishFromStreams(t *testing.T) {
	s.each(t, vanishedStreams, func(c net.Conn) error {
		id, _ := s.openSession(t)
		_, err := io.WriteString(c, s.head(http.MethodGet, map[string]string{"Accept": "text/event-stream", "Mcp-Session-Id": id})+"\r\n")
		if err != nil {
			return err
		}
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return err
		}
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("a session's stream was answered with %s", response.Status)
		}
		return c.(*net.TCPConn).SetLinger(0)
	})
}

// listen opens streams of the other era, and leaves them open while everything else goes on.
func (s *server) listen(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var listening sync.WaitGroup
	for i := range listenStreams {
		listening.Go(func() {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},%s}}`, i, meta)
			response, err := s.send(ctx, http.MethodPost, body, modern("subscriptions/listen"))
			if err != nil {
				t.Error(err)
				return
			}
			defer response.Body.Close()
			first, _ := bufio.NewReader(response.Body).ReadString('}')
			if response.StatusCode != http.StatusOK || !strings.Contains(first, "notifications/subscriptions/acknowledged") {
				t.Errorf("listening was answered with %s %.200s", response.Status, first)
			}
			_, _ = io.Copy(io.Discard, response.Body)
		})
	}
	listening.Wait()
}
