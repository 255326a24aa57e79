package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// codeUndelivered is the code under which go-sdk reports a request that its transport could not deliver.
const codeUndelivered = -32005

var errNoAnswer = fmt.Errorf("no answer within %s", handshake)

// Unreachable says why a server could not be spoken to, and what to check.
type Unreachable struct {
	URL    string // the server's address
	Status int    // the HTTP status that it answered with; 0 when it answered with none
	Cause  string // what happened
	Check  string // what to check; may be empty
}

func (u *Unreachable) Error() string {
	text := fmt.Sprintf("cannot reach %s: %s", u.URL, u.Cause)
	if u.Status != 0 {
		text = fmt.Sprintf("%s %s", u.URL, u.Cause)
	}
	if u.Check != "" {
		text += ": " + u.Check
	}
	return text
}

// Refused is a request that the server answered with a JSON-RPC error.
type Refused struct {
	// Code is the JSON-RPC error's code, such as -32602.
	Code int64
	// Message is its message.
	Message string
}

func (r *Refused) Error() string {
	return fmt.Sprintf("the server refused the request: %s (code %d)", r.Message, r.Code)
}

// wire is the round tripper under go-sdk's client: it adds the caller's headers and remembers the last status that was not
// a success, which go-sdk's errors name by its text alone.
type wire struct {
	endpoint string
	header   http.Header
	status   atomic.Int32

	deadline  time.Time   // when the server must have answered for the first time
	connected atomic.Bool // whether it has
}

func newWire(endpoint string, header http.Header) *wire {
	return &wire{endpoint: endpoint, header: header, deadline: time.Now().Add(handshake)}
}

func (w *wire) client() *http.Client {
	return &http.Client{
		Transport: w,
		// A redirect would take the caller's headers, credentials among them, to an address nobody named.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	if !w.connected.Load() && time.Now().After(w.deadline) {
		return nil, errNoAnswer // go-sdk would wait 5 s more to tell a silent server that the request is cancelled
	}
	req = req.Clone(req.Context())
	for name, values := range w.header {
		req.Header[name] = values
	}
	if host := w.header.Get("Host"); host != "" {
		req.Host = host
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err == nil && resp.StatusCode >= 300 {
		w.status.Store(int32(resp.StatusCode))
	}
	return resp, err
}

// explain says in one line what an error of go-sdk's client means to the person who called.
func (w *wire) explain(ctx context.Context, err error) error {
	var refused *jsonrpc.Error
	var dial *net.OpError
	var request *url.Error
	switch {
	case context.Cause(ctx) == errNoAnswer:
		return w.unreachable(errNoAnswer.Error(), "is this the address of an MCP server?")
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &dial):
		return w.unreachable(dial.Error(), "is the server running, and is this its address?")
	case errors.As(err, &request):
		return w.unreachable(request.Err.Error(), "")
	case errors.As(err, &refused) && refused.Code != codeUndelivered:
		return &Refused{Code: refused.Code, Message: refused.Message}
	case w.status.Load() != 0:
		return w.badStatus(int(w.status.Load()))
	}
	return w.unreachable(err.Error(), "is this the address of an MCP server?")
}

func (w *wire) badStatus(status int) error {
	return &Unreachable{
		URL:    w.endpoint,
		Status: status,
		Cause:  fmt.Sprintf("answered %d %s", status, http.StatusText(status)),
		Check:  check(status),
	}
}

// check says what to look at when a server answers with an HTTP status and no more.
func check(status int) string {
	switch {
	case status == http.StatusUnauthorized:
		return "give a token with -header 'Authorization: Bearer …'"
	case status == http.StatusForbidden:
		return "the server does not admit this caller or this host name"
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status < 400:
		return "is the path right? The default is /mcp"
	case status == http.StatusServiceUnavailable, status == http.StatusTooManyRequests:
		return "the server is at its limit, try again later"
	}
	return ""
}

func (w *wire) unreachable(cause, check string) error {
	return &Unreachable{URL: w.endpoint, Cause: cause, Check: check}
}
