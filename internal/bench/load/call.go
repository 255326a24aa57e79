// Package load calls a server in a closed loop and checks every answer.
package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/capgen/capgen/internal/bench/servers"
	"github.com/capgen/capgen/internal/bench/tools"
)

// Bodies that open a session.
const (
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// meta is what 2026-07-28 says in each request.
const meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}}`

// firstID begins the IDs of a connection. All have as many digits, so that a request is written once and its ID replaced in place.
const firstID = 10_000_000

// Header returns the headers of a call, without those of a session.
func Header(era servers.Era, tool string) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	if era == servers.Modern {
		h["Mcp-Protocol-Version"] = []string{string(servers.Modern)}
		h["Mcp-Method"], h["Mcp-Name"] = []string{"tools/call"}, []string{tool}
	} else {
		h["Mcp-Protocol-Version"] = []string{string(servers.Stateless)}
	}
	return h
}

// Body returns the body of a call.
func Body(era servers.Era, sample tools.Sample, id int) []byte {
	more := ""
	if era == servers.Modern {
		more = meta
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`,
		id, sample.Tool, sample.Arguments, more)
}

// Check holds an answer of a server of that kind against what the tool must answer.
func Check(answer []byte, kind servers.Kind, sample tools.Sample, id int) error {
	var message struct {
		ID     int
		Error  json.RawMessage
		Result struct {
			IsError           bool
			Content           []struct{ Type, Text string }
			StructuredContent json.RawMessage
		}
	}
	if err := json.Unmarshal(answer, &message); err != nil {
		return fmt.Errorf("the answer is not JSON: %w", err)
	}
	result := message.Result
	switch {
	case message.Error != nil || result.IsError:
		return fmt.Errorf("the call failed: %.300s", answer)
	case message.ID != id && !kind.Fixed:
		return fmt.Errorf("the answer to %d has the ID %d", id, message.ID)
	case len(result.Content) != 1 || result.Content[0].Type != "text":
		return errors.New("the answer is not one text")
	}
	wanted := sample.Answer
	if kind.Wrapped {
		wanted = fmt.Appendf(nil, `{"result":%s}`, wanted)
	}
	for _, got := range [][]byte{result.StructuredContent, []byte(result.Content[0].Text)} {
		same, err := equal(got, wanted)
		if err != nil || !same {
			return fmt.Errorf("%s answers %.300s", sample.Tool, got)
		}
	}
	return nil
}

// equal reports whether two texts are the same but for the order of members and white space.
func equal(a, b []byte) (bool, error) {
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		return false, err
	}
	// Marshal sorts members.
	left, err := json.Marshal(x)
	if err != nil {
		return false, err
	}
	right, err := json.Marshal(y)
	return bytes.Equal(left, right), err
}

// checker compares answers with the first one, which it has looked at closely.
type checker struct {
	kind   servers.Kind
	sample tools.Sample
	good   []byte
	idAt   int
}

func (c *checker) check(answer []byte, id int) error {
	var digits [20]byte
	text := strconv.AppendInt(digits[:0], int64(id), 10)
	if c.good != nil && len(answer) == len(c.good) {
		end := c.idAt + len(text)
		if c.kind.Fixed && bytes.Equal(answer, c.good) {
			return nil
		}
		if !c.kind.Fixed && bytes.Equal(answer[:c.idAt], c.good[:c.idAt]) && bytes.Equal(answer[c.idAt:end], text) && bytes.Equal(answer[end:], c.good[end:]) {
			return nil
		}
	}
	if err := Check(answer, c.kind, c.sample, id); err != nil {
		return err
	}
	if at := bytes.Index(answer, append([]byte(`"id":`), text...)); at >= 0 || c.kind.Fixed {
		c.good, c.idAt = bytes.Clone(answer), at+len(`"id":`)
	}
	return nil
}
