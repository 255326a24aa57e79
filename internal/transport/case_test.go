package transport

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// testCase is a line of cases.jsonl.
type testCase struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Source   string `json:"source"`
	Era      string `json:"era"`
	Spec     string `json:"spec"`
	Why      string `json:"why"`
	Severity string `json:"severity"`
	// GoSDKToday is what go-sdk v1.8.0 does by itself.
	GoSDKToday json.RawMessage `json:"gosdk_today"`

	// Auth, Config and Needs are what the server must have: -auth, the settings of -config, and tools beside echo.
	Auth   bool            `json:"auth"`
	Config json.RawMessage `json:"config"`
	Needs  []string        `json:"needs"`

	Steps  []step          `json:"steps"`
	Expect json.RawMessage `json:"expect"` // of the last step, beside its own
}

// step is a request, or one of WaitMS, Control and Join.
type step struct {
	Name    string          `json:"name"`
	Method  string          `json:"method"`
	Path    string          `json:"path"`
	Headers headers         `json:"headers"`
	Expect  json.RawMessage `json:"expect"`

	Body       *string     `json:"body"`
	BodyBase64 *string     `json:"body_b64"`
	BodyRepeat *bodyRepeat `json:"body_repeat"`

	Transfer              string    `json:"transfer"` // length, which is the default, or chunked
	ContentLength         *int      `json:"content_length"`
	SlowBody              *slowBody `json:"slow_body"`
	StopAfterHeadersBytes int       `json:"stop_after_headers_bytes"`
	AbortAfterMS          *int      `json:"abort_after_ms"`
	ReadTimeoutMS         *int      `json:"read_timeout_ms"`

	Repeat        int    `json:"repeat"`
	Collect       string `json:"collect"`
	CollectUnique bool   `json:"collect_unique"`
	// Save keeps parts of the answer by name: header:NAME, regex:PATTERN or tools.
	Save map[string]string `json:"save"`

	Background bool    `json:"background"`
	Join       string  `json:"join"`
	WaitMS     int     `json:"wait_ms"`
	Control    *string `json:"control"`
}

// bodyRepeat is a body that would be too long to write down.
type bodyRepeat struct {
	Prefix string `json:"prefix"`
	Unit   string `json:"unit"`
	Middle string `json:"middle"`
	Unit2  string `json:"unit2"`
	Suffix string `json:"suffix"`
	Count  int    `json:"count"`
}

// slowBody is a body that is sent piece by piece.
type slowBody struct {
	Chunk    int `json:"chunk"`
	DelayMS  int `json:"delay_ms"`
	MaxBytes int `json:"max_bytes"` // 0 is all of it
}

// headers are lines in their order: an object, or an array of pairs where a name is sent twice.
type headers [][2]string

func (h *headers) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("[")) {
		return json.Unmarshal(text, (*[][2]string)(h))
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var value string
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		*h = append(*h, [2]string{name.(string), value})
	}
	return nil
}

func (h headers) has(name string) bool {
	for _, line := range h {
		if strings.EqualFold(line[0], name) {
			return true
		}
	}
	return false
}

// body is what a step sends; nil is no body.
func (s *step) body(saved values) []byte {
	switch {
	case s.BodyBase64 != nil:
		body, err := base64.StdEncoding.DecodeString(*s.BodyBase64)
		if err != nil {
			panic(err)
		}
		return body
	case s.BodyRepeat != nil:
		r := s.BodyRepeat
		return []byte(saved.in(r.Prefix) + strings.Repeat(r.Unit, r.Count) + r.Middle + strings.Repeat(r.Unit2, r.Count) + saved.in(r.Suffix))
	case s.Body != nil:
		return []byte(saved.in(*s.Body))
	}
	return nil
}

// values are what ${name} stands for.
type values map[string]string

func (v values) in(text string) string {
	for name, value := range v {
		text = strings.ReplaceAll(text, "${"+name+"}", value)
	}
	return text
}

func readCases(t *testing.T) []testCase {
	t.Helper()
	file, err := os.ReadFile("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var cases []testCase
	lines := bufio.NewScanner(bytes.NewReader(file))
	lines.Buffer(nil, len(file)+1)
	for lines.Scan() {
		var c testCase
		if err := decode(lines.Bytes(), &c); err != nil {
			t.Fatalf("%.60s…: %v", lines.Bytes(), err)
		}
		cases = append(cases, c)
	}
	return cases
}

// decode refuses what it does not know: what a case asks for must not be passed over.
func decode(text []byte, to any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(to)
}
