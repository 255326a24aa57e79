// Package client calls the tools of an MCP server over Streamable HTTP, on go-sdk's client. It is what capgen tools and
// capgen call stand on, and what the tests call servers with.
package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// handshake bounds how long a server may take to answer the first request.
const handshake = 10 * time.Second

// Options say how to connect. The zero Options are those of a caller without credentials.
type Options struct {
	// Header is sent with every request; may be nil.
	Header http.Header
	// Revision is the protocol revision to ask for, such as "2025-11-25"; empty asks for the newest.
	Revision string
}

// Client is a connection to one server. It is safe for concurrent use.
type Client struct {
	session *mcp.ClientSession
	wire    *wire
}

// Connect connects to the server at an http or https URL. The caller closes the client. An *[Unreachable] error says
// that nothing there speaks MCP, or not to this caller; any other that the URL is not one.
func Connect(ctx context.Context, endpoint string, opts Options) (*Client, error) {
	if err := CheckURL(endpoint); err != nil {
		return nil, err
	}
	wire := newWire(endpoint, opts.Header)
	transport := &mcp.StreamableClientTransport{
		Endpoint:             endpoint,
		HTTPClient:           wire.client(),
		DisableStandaloneSSE: true, // nothing here listens to what a server says unasked
	}
	ctx, cancel := context.WithDeadlineCause(ctx, wire.deadline, errNoAnswer)
	defer cancel()

	caller := mcp.NewClient(&mcp.Implementation{Name: "capgen", Version: version()}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := caller.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: opts.Revision})
	if err != nil {
		return nil, wire.explain(ctx, err)
	}
	wire.connected.Store(true)
	wire.status.Store(0) // an older server has refused server/discover before it agreed to initialize
	return &Client{session: session, wire: wire}, nil
}

// CheckURL reports why a text cannot be the address of a server, or nil when it can.
func CheckURL(endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is not a server's address: write it as http://127.0.0.1:8053/mcp", endpoint)
	}
	return nil
}

// Revision returns the protocol revision that was agreed on.
func (c *Client) Revision() string { return c.session.InitializeResult().ProtocolVersion }

// List returns the server's tools, all pages, in the server's order.
func (c *Client) List(ctx context.Context) ([]*mcp.Tool, error) {
	tools := []*mcp.Tool{}
	for tool, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return nil, c.wire.explain(ctx, err)
		}
		tools = append(tools, tool)
	}
	return tools, nil
}

// Call calls a tool with a JSON object, sent as it is spelled; an empty input is {}. A tool's own failure is a result
// whose IsError is set, not an error. Call [Client.List] once before: on 2026-07-28 go-sdk's client takes from it which
// parts of the input are mirrored in headers, and a server refuses a call without them.
func (c *Client) Call(ctx context.Context, tool string, input json.RawMessage) (*mcp.CallToolResult, error) {
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: input})
	if err != nil {
		return nil, c.wire.explain(ctx, err)
	}
	keepSpelling(result)
	return result, nil
}

// Close ends the connection, and the session on revisions that have one.
func (c *Client) Close() error { return c.session.Close() }

func version() string {
	if build, ok := debug.ReadBuildInfo(); ok && build.Main.Version != "" {
		return build.Main.Version
	}
	return "(devel)"
}
