package runtime

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

// pipeAnswer is the http.ResponseWriter of a message that came on a line.
type pipeAnswer struct {
	pipe   *pipe
	call   *running
	header http.Header
	drop   bool // whether only events count: what is no request has no response
	status int
	text   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *pipeAnswer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *pipeAnswer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter. It never fails: the pipe ends everything when it breaks.
func (a *pipeAnswer) Write(text []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.text.Write(text)
	if a.isStream() {
		for event, ok := a.next(); ok; event, ok = a.next() {
			if data := eventData(event); len(data) > 0 {
				a.send(data)
			}
		}
	}
	return len(text), nil
}

// Flush implements http.Flusher.
func (a *pipeAnswer) Flush() { a.WriteHeader(http.StatusOK) }

func (a *pipeAnswer) isStream() bool {
	return strings.HasPrefix(a.header.Get("Content-Type"), mediaStream)
}

// next takes an event that is complete.
func (a *pipeAnswer) next() ([]byte, bool) {
	end := bytes.Index(a.text.Bytes(), []byte("\n\n"))
	if end < 0 {
		return nil, false
	}
	return a.text.Next(end + 2), true
}

// close sends what is one document.
func (a *pipeAnswer) close() {
	if !a.drop && !a.isStream() && a.text.Len() > 0 {
		a.send(a.text.Bytes())
	}
}

func (a *pipeAnswer) send(message []byte) {
	if !a.pipe.isSilent(a.call) {
		a.pipe.write(message)
	}
}

// eventData returns the message of a server-sent event; comments and events without one have none.
func eventData(event []byte) []byte {
	var data []byte
	for line := range bytes.Lines(event) {
		if text, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(data, bytes.TrimPrefix(text, []byte(" "))...)
		}
	}
	return bytes.TrimSpace(data)
}

// namedBy is the parameter that Mcp-Name repeats (2026-07-28, basic/transports/streamable-http).
var namedBy = map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

// header says in headers what a message says itself: lines have none, and the gate compares the two.
func (p *pipe) header(message *envelope.Message) http.Header {
	header := http.Header{"Accept": {mediaJSON + ", " + mediaStream}, "Content-Type": {mediaJSON}}
	if message != nil {
		if inMeta := metaVersion(message); inMeta != nil {
			version, isText := envelope.ReadString(inMeta)
			if !isText {
				version = string(modern)
			}
			header[versionHeader] = []string{version}
			header[methodHeader] = []string{message.Method}
			if param := namedBy[message.Method]; param != "" {
				name, _ := envelope.ReadString(message.Param(param))
				header[nameHeader] = []string{headerValue(name)}
			}
			return header
		}
	}
	if p.session != "" {
		header[sessionHeader] = []string{p.session}
	}
	return header
}

// headerValue writes a value as a client does, so that decodedValue reads it.
func headerValue(text string) string {
	plain, err := plainValue([]string{text})
	if err != nil || strings.TrimSpace(plain) != plain || strings.HasPrefix(plain, encodedPrefix) {
		return encodedPrefix + base64.StdEncoding.EncodeToString([]byte(text)) + encodedSuffix
	}
	return plain
}
