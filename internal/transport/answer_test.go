package transport

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// What stands in the place of a status when there is none.
const (
	noAnswer     = 0
	aborted      = -1
	notJoined    = -2
	notConnected = -3
)

// answer is what came back on a connection.
type answer struct {
	status  int
	headers map[string]string // by lower-case name; lines of one name are joined
	body    []byte
	// committed is when the headers were there, 0 if they never were; took is when reading ended.
	committed, took time.Duration
	// closed: the server ended the connection.
	closed bool
}

var headEnd = []byte("\r\n\r\n")

// parseAnswer reads the last answer of a connection: others are interim.
func parseAnswer(raw []byte) answer {
	a := answer{status: noAnswer, headers: map[string]string{}}
	head, body, found := bytes.Cut(raw, headEnd)
	for found {
		a.status = statusOf(head)
		if a.status != 100 || !bytes.Contains(body, headEnd) {
			break
		}
		head, body, found = bytes.Cut(body, headEnd)
	}
	if !found {
		return a
	}
	for line := range strings.SplitSeq(string(head), "\r\n") {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			continue // the status line
		}
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		if before, twice := a.headers[name]; twice {
			value = before + ", " + value
		}
		a.headers[name] = value
	}
	a.body = body
	if strings.Contains(a.headers["transfer-encoding"], "chunked") {
		a.body = unchunk(body)
	}
	return a
}

func statusOf(head []byte) int {
	line, _, _ := strings.Cut(string(head), "\r\n")
	if fields := strings.Fields(line); len(fields) > 1 && strings.HasPrefix(fields[0], "HTTP/") {
		status, _ := strconv.Atoi(fields[1])
		return status
	}
	return noAnswer
}

// unchunk joins the chunks that are there; the last may be cut.
func unchunk(body []byte) []byte {
	var joined []byte
	for {
		line, rest, _ := bytes.Cut(body, []byte("\r\n"))
		size, _, _ := strings.Cut(string(line), ";")
		n, err := strconv.ParseUint(size, 16, 31)
		if err != nil || n == 0 {
			return joined
		}
		joined = append(joined, rest[:min(int(n), len(rest))]...)
		body = rest[min(int(n)+2, len(rest)):]
	}
}

var contentLength = regexp.MustCompile(`(?i)\r\ncontent-length:\s*(\d+)`)

// isWhole reports whether an answer has ended, as its framing says.
func isWhole(raw []byte) bool {
	head, body, found := bytes.Cut(raw, headEnd)
	if !found {
		return false
	}
	if status := statusOf(head); status == 204 || status == 304 {
		return true
	}
	if m := contentLength.FindSubmatch(head); m != nil {
		n, _ := strconv.Atoi(string(m[1]))
		return len(body) >= n
	}
	return bytes.Contains(bytes.ToLower(head), []byte("chunked")) && bytes.HasSuffix(body, []byte("0\r\n\r\n"))
}

var eventEnd = regexp.MustCompile(`\r?\n\r?\n`)

// message is the last JSON-RPC response in the body, or nil: the body itself, or the data of an event.
func (a *answer) message() map[string]any {
	texts := []string{string(a.body)}
	if strings.Contains(a.headers["content-type"], "event-stream") {
		texts = nil
		for _, event := range eventEnd.Split(string(a.body), -1) {
			var data []string
			for line := range strings.Lines(event) {
				if part, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "data:"); ok {
					data = append(data, strings.TrimLeft(part, " "))
				}
			}
			texts = append(texts, strings.Join(data, "\n"))
		}
	}
	var last map[string]any
	for _, text := range texts {
		message, _ := readValue([]byte(text)).(map[string]any)
		if _, ok := message["result"]; ok {
			last = message
		}
		if _, ok := message["error"]; ok {
			last = message
		}
	}
	return last
}

// readValue reads one JSON value with its numbers as they are written. What is none is nil.
func readValue(text []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil || decoder.More() {
		return nil
	}
	return value
}
