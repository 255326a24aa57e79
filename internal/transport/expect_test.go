package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// expectation is what an answer must be.
type expectation struct {
	Status          oneOrMore[int]    `json:"status"`
	Headers         map[string]string `json:"headers"` // by name, patterns
	HeadersAbsent   []string          `json:"headers_absent"`
	HeadersNot      map[string]string `json:"headers_not"`
	BodyContains    oneOrMore[string] `json:"body_contains"`
	BodyNotContains []string          `json:"body_not_contains"`
	BodyEmpty       bool              `json:"body_empty"`
	MaxMS           int64             `json:"max_ms"`
	MaxHeaderMS     int64             `json:"max_header_ms"`
	MinOpen         bool              `json:"min_open"`
	Closed          bool              `json:"closed"`
	JSONRPC         *rpcExpectation   `json:"jsonrpc"`
	AnyOf           []expectation     `json:"any_of"`
	// SameSaved names two saved values that must be there and equal.
	SameSaved []string `json:"same_saved"`
}

// rpcExpectation is what the JSON-RPC response must be.
type rpcExpectation struct {
	ID        json.RawMessage `json:"id"`
	ErrorCode oneOrMore[int]  `json:"error_code"`
	HasResult bool            `json:"has_result"`
	Failed    bool            `json:"failed"` // an error, or a result that is one
}

// oneOrMore is a value or an array of alternatives.
type oneOrMore[T any] []T

func (v *oneOrMore[T]) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("[")) {
		return json.Unmarshal(text, (*[]T)(v))
	}
	*v = make([]T, 1)
	return json.Unmarshal(text, &(*v)[0])
}

// check returns what is wrong with an answer.
func (e *expectation) check(a *answer, saved values) []string {
	var wrong []string
	fail := func(is bool, format string, args ...any) {
		if is {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	fail(e.Status != nil && !slices.Contains(e.Status, a.status), "the status is %d, want one of %v", a.status, e.Status)
	for name, pattern := range e.Headers {
		value, ok := a.headers[strings.ToLower(name)]
		fail(!ok || !matches(saved.in(pattern), value), "the header %s is %q, want a match of %s", name, value, pattern)
	}
	for _, name := range e.HeadersAbsent {
		value, ok := a.headers[strings.ToLower(name)]
		fail(ok, "there is a header %s: %s", name, value)
	}
	for name, pattern := range e.HeadersNot {
		value, ok := a.headers[strings.ToLower(name)]
		fail(ok && matches(saved.in(pattern), value), "the header %s is %q, want no match of %s", name, value, pattern)
	}
	body := strings.ToValidUTF8(string(a.body), "\uFFFD")
	for _, text := range e.BodyContains {
		fail(!strings.Contains(body, saved.in(text)), "the body lacks %s", text)
	}
	for _, text := range e.BodyNotContains {
		fail(strings.Contains(body, saved.in(text)), "the body has %s", text)
	}
	fail(e.BodyEmpty && strings.TrimSpace(body) != "", "there is a body")
	fail(e.MaxMS > 0 && a.took.Milliseconds() > e.MaxMS, "it took %v, want at most %d ms", a.took, e.MaxMS)
	fail(e.MaxHeaderMS > 0 && (a.committed == 0 || a.committed.Milliseconds() > e.MaxHeaderMS), "the headers came after %v, want at most %d ms", a.committed, e.MaxHeaderMS)
	fail(e.MinOpen && a.closed, "the stream was closed after %v", a.took)
	fail(e.Closed && !a.closed, "the connection is still open after %v", a.took)
	if len(e.SameSaved) == 2 {
		one, other := saved[e.SameSaved[0]], saved[e.SameSaved[1]]
		fail(one != other || one == "" || one == missing || one == "null", "%s and %s differ, or are not there", e.SameSaved[0], e.SameSaved[1])
	}
	if e.JSONRPC != nil {
		wrong = append(wrong, e.JSONRPC.check(a.message())...)
	}
	return append(wrong, e.checkAny(a, saved)...)
}

func (e *expectation) checkAny(a *answer, saved values) []string {
	var all []string
	for _, alternative := range e.AnyOf {
		wrong := alternative.check(a, saved)
		if len(wrong) == 0 {
			return nil
		}
		all = append(all, strings.Join(wrong, "; "))
	}
	if all == nil {
		return nil
	}
	return []string{"no alternative fits: " + strings.Join(all, " | ")}
}

func (e *rpcExpectation) check(message map[string]any) []string {
	if message == nil {
		return []string{"there is no JSON-RPC response"}
	}
	var wrong []string
	if want := readValue(e.ID); e.ID != nil && !reflect.DeepEqual(message["id"], want) {
		wrong = append(wrong, fmt.Sprintf("the id is %v, want %v", message["id"], want))
	}
	failure, _ := message["error"].(map[string]any)
	if code, _ := failure["code"].(json.Number); e.ErrorCode != nil && !slices.ContainsFunc(e.ErrorCode, func(want int) bool { return fmt.Sprint(want) == code.String() }) {
		wrong = append(wrong, fmt.Sprintf("the error's code is %q, want one of %v", code, e.ErrorCode))
	}
	_, hasResult := message["result"]
	if e.HasResult && !hasResult {
		wrong = append(wrong, "there is no result")
	}
	_, hasError := message["error"]
	result, _ := message["result"].(map[string]any)
	if isError, _ := result["isError"].(bool); e.Failed && !hasError && !isError {
		wrong = append(wrong, "the call did not fail")
	}
	return wrong
}

var lookahead = regexp.MustCompile(`\(\?=(.*?)\)`)

// matches searches for a pattern, in any case. Go has no lookaheads; the patterns have them alone, for texts in any order.
func matches(pattern, value string) bool {
	patterns := []string{pattern}
	if found := lookahead.FindAllStringSubmatch(pattern, -1); found != nil {
		patterns = nil
		for _, m := range found {
			patterns = append(patterns, m[1])
		}
	}
	return !slices.ContainsFunc(patterns, func(p string) bool { return !regexp.MustCompile("(?i)" + p).MatchString(value) })
}
