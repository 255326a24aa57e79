package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// exchange is one raw HTTP request. ${session} in a header is the session that the server gave.
type exchange struct {
	name   string
	method string // POST when empty
	header map[string]string
	body   string
}

// reply is what a server answered, in a form that two of them can be compared in.
type reply struct {
	status  int
	kind    string // "nothing", "text", "a result", or "an error" with its code
	session string // the session that it opened, if any
	// parts are the answer's values by name: "header NAME", "body" for one that is not JSON, or the JSON Pointer of each
	// leaf of one that is, with its JSON text.
	parts map[string]string
}

// volatile headers differ from answer to answer. Of a session ID only its presence is compared.
var volatile = []string{"Date", "Content-Length"}

func (x exchange) send(t *testing.T, url, session string) reply {
	t.Helper()
	method := x.method
	if method == "" {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(x.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range x.header {
		value = strings.ReplaceAll(value, "${session}", session)
		if name == "Host" {
			req.Host = value
			continue
		}
		req.Header[name] = []string{value}
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatalf("%s: %v", x.name, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", x.name, err)
	}
	r := reply{status: resp.StatusCode, kind: "nothing", session: resp.Header.Get("Mcp-Session-Id"), parts: map[string]string{}}
	r.addHeader(resp.Header)
	r.addBody(resp.Header.Get("Content-Type"), body)
	return r
}

func (r *reply) addHeader(header http.Header) {
	for name, values := range header {
		if slices.Contains(volatile, name) {
			continue
		}
		value := strings.Join(values, "\n")
		if name == "Mcp-Session-Id" {
			value = "(present)"
		}
		r.parts["header "+name] = value
	}
}

func (r *reply) addBody(contentType string, body []byte) {
	if len(body) == 0 {
		return
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if media, _, _ := mime.ParseMediaType(contentType); media != "application/json" || decoder.Decode(&value) != nil {
		r.kind, r.parts["body"] = "text", string(body)
		return
	}
	r.addValue("", value)
	r.kind = "a result"
	if code, failed := r.parts["/error/code"]; failed {
		r.kind = "an error " + code
	}
}

// addValue adds the leaves of a JSON value; an empty object or array is one.
func (r *reply) addValue(pointer string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			r.addValue(pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), member)
		}
		if len(value) > 0 {
			return
		}
	case []any:
		for i, item := range value {
			r.addValue(fmt.Sprintf("%s/%d", pointer, i), item)
		}
		if len(value) > 0 {
			return
		}
	}
	text, _ := json.Marshal(value)
	r.parts[pointer] = string(text)
}

// differs tells what two replies differ in, by part. Answers of two kinds have nothing more to compare than their headers.
func differs(ours, theirs reply) map[string]string {
	found := map[string]string{}
	if ours.status != theirs.status {
		found["status"] = fmt.Sprintf("ours %d, go-sdk's %d", ours.status, theirs.status)
	}
	if ours.kind != theirs.kind {
		found["answer"] = fmt.Sprintf("ours %s, go-sdk's %s", ours.kind, theirs.kind)
	}
	parts := maps.Clone(ours.parts)
	maps.Copy(parts, theirs.parts)
	for part := range parts {
		if ours.kind != theirs.kind && (!strings.HasPrefix(part, "header ") || slices.Contains(kindHeaders, part)) {
			continue
		}
		if ours.parts[part] != theirs.parts[part] {
			found[part] = fmt.Sprintf("ours %s, go-sdk's %s", orNone(ours.parts[part]), orNone(theirs.parts[part]))
		}
	}
	return found
}

// kindHeaders follow from the kind of an answer.
var kindHeaders = []string{"header Content-Type", "header X-Content-Type-Options"}

func orNone(value string) string {
	if value == "" {
		return "(none)"
	}
	return fmt.Sprintf("%.160s", value)
}
