package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// Timeout is how long the client waits for an answer. It is less than the tools' own five seconds, so that an agent learns that the task
	// server is down and not that something took too long.
	Timeout = 4 * time.Second

	// maxAnswer is the largest answer that is read, in bytes: a full page needs about a tenth of it.
	maxAnswer = 4 << 20

	// KeyHeader names the task to create, so that it is created once however often it is sent. Go's own transport knows the header and sends
	// such a request again when a connection that it kept turns out to be dead.
	KeyHeader = "Idempotency-Key"
)

// Client asks a task server. It is safe for concurrent use. Its errors are *[Error], *[Unreachable] and the context's.
type Client struct {
	base string
	http *http.Client
}

// NewClient returns a client of the task server at a URL such as http://127.0.0.1:8052.
func NewClient(server string) (*Client, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("the task server's URL %q is none: write it as http://127.0.0.1:8052", server)
	}
	return &Client{
		base: strings.TrimSuffix(server, "/"),
		http: &http.Client{
			Timeout:       Timeout,
			Transport:     &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Close closes the connections that are idle.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Server returns the task server's URL.
func (c *Client) Server() string { return c.base }

// Health asks how the task server is.
func (c *Client) Health(ctx context.Context) (health Health, err error) {
	return health, c.ask(ctx, http.MethodGet, "/v1/health", "", nil, &health)
}

// Create creates a task. The key makes it safe to ask again: what it has created already is returned.
func (c *Client) Create(ctx context.Context, key string, task NewTask) (created Task, err error) {
	return created, c.ask(ctx, http.MethodPost, "/v1/tasks", key, task, &created)
}

// Filter says which tasks to list.
type Filter struct {
	Status Status // only those; empty for all
	Parent TaskID // only its subtasks; empty for all
	Limit  int    // how many at most, 1 to 50; 0 is 20
	Cursor string // of the page before; empty for the first page
}

// Tasks lists tasks, the newest first.
func (c *Client) Tasks(ctx context.Context, f Filter) (page Page, err error) {
	query := url.Values{}
	for name, value := range map[string]string{"status": string(f.Status), "parent_id": string(f.Parent), "cursor": f.Cursor} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if f.Limit != 0 {
		query.Set("limit", strconv.Itoa(f.Limit))
	}
	return page, c.ask(ctx, http.MethodGet, "/v1/tasks?"+query.Encode(), "", nil, &page)
}

// Summary counts the tasks.
func (c *Client) Summary(ctx context.Context) (summary Summary, err error) {
	return summary, c.ask(ctx, http.MethodGet, "/v1/summary", "", nil, &summary)
}

// Costs asks what the work cost.
func (c *Client) Costs(ctx context.Context) (costs Costs, err error) {
	return costs, c.ask(ctx, http.MethodGet, "/v1/costs", "", nil, &costs)
}

// Approve lets a task that waits for it go on.
func (c *Client) Approve(ctx context.Context, id TaskID) (task Task, err error) {
	return task, c.ask(ctx, http.MethodPost, "/v1/tasks/"+url.PathEscape(string(id))+"/approve", "", struct{}{}, &task)
}

// Stop ends the task server.
func (c *Client) Stop(ctx context.Context, order StopOrder) (report StopReport, err error) {
	return report, c.ask(ctx, http.MethodPost, "/v1/stop", "", order, &report)
}

// ask sends one request and reads its answer.
func (c *Client) ask(ctx context.Context, method, path, key string, body, into any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set(KeyHeader, key)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return c.lost(ctx, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return c.lost(ctx, err)
	}
	return read(response, answer, into)
}

func read(response *http.Response, answer []byte, into any) error {
	foreign := Errorf(Internal, "what answers is no task server: it says %s", response.Status)
	media, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if media != "application/json" || len(answer) > maxAnswer {
		return foreign
	}
	if response.StatusCode < 300 {
		if json.Unmarshal(answer, into) != nil {
			return foreign
		}
		return nil
	}
	refusal := new(Error)
	if json.Unmarshal(answer, refusal) != nil || refusal.Code == "" {
		return foreign
	}
	return refusal
}

// lost tells a caller who gave up from a server that does not answer, and whether a request was on its way.
func (c *Client) lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var network *net.OpError
	dialling := errors.As(err, &network) && network.Op == "dial"
	return &Unreachable{Server: c.base, Sent: !dialling, cause: err}
}
