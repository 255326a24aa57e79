package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// agent sends requests as an MCP client of revision 2026-07-28 does, for one caller.
type agent struct {
	name  string
	token string // none when it is empty
}

// answer is what an agent reads.
type answer struct {
	status    int
	challenge string   // of a 401 or 403
	tools     []string // that were listed
	text      string   // what a tool said, or why there is nothing else
	body      string
}

// said is the answer in a line.
func (a answer) said() string {
	switch {
	case a.status != http.StatusOK:
		return fmt.Sprintf("%d %s", a.status, a.text)
	case a.text != "":
		return a.text
	case len(a.tools) > 0:
		return strings.Join(a.tools, ", ")
	}
	return "none"
}

func (a agent) list(ctx context.Context, client *http.Client, url string) (answer, error) {
	return a.send(ctx, client, url, "tools/list", "", map[string]any{})
}

// call calls a tool with the arguments, a JSON object.
func (a agent) call(ctx context.Context, client *http.Client, url, tool, arguments string) (answer, error) {
	return a.send(ctx, client, url, "tools/call", tool, map[string]any{"name": tool, "arguments": json.RawMessage(arguments)})
}

func (a agent) send(ctx context.Context, client *http.Client, url, method, tool string, params map[string]any) (answer, error) {
	const revision = "2026-07-28"
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": struct{}{},
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return answer{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": revision, "Mcp-Method": method,
	} {
		request.Header.Set(name, value)
	}
	if tool != "" {
		request.Header.Set("Mcp-Name", tool)
	}
	if a.token != "" {
		request.Header.Set("Authorization", "Bearer "+a.token)
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	return read(response)
}

func read(response *http.Response) (answer, error) {
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, err
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		// An answer that took longer than a second is the only event of a stream.
		_, body, _ = bytes.Cut(body, []byte("data: "))
	}
	var message struct {
		Result struct {
			Tools   []struct{ Name string }
			Content []struct{ Text string }
		}
		Error struct{ Message string }
	}
	if err := json.Unmarshal(body, &message); err != nil {
		return answer{}, fmt.Errorf("%s: %w", response.Status, err)
	}
	got := answer{
		status: response.StatusCode, challenge: response.Header.Get("WWW-Authenticate"),
		text: message.Error.Message, body: strings.TrimSpace(string(body)),
	}
	for _, tool := range message.Result.Tools {
		got.tools = append(got.tools, tool.Name)
	}
	for _, content := range message.Result.Content {
		got.text += content.Text
	}
	return got, nil
}
