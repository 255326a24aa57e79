package runtime_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// A client whose connection breaks takes up the stream of its call where it was, while the call runs and after it (SS03).
func TestResume(t *testing.T) {
	f := newFixture()
	url := server(t, f, runtime.Timing(10*time.Millisecond, 0, 0, 0))
	s := open(t, url, "2025-11-25")
	ctx, leave := context.WithCancel(t.Context())
	response, err := s.call("7", "slow", `{"ms":200,"key":"k"}`).start(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(response.Body)
	var first string
	for lines.Scan() && first == "" {
		first, _ = strings.CutPrefix(lines.Text(), "id: ")
	}
	leave()
	_ = response.Body.Close()
	if !strings.HasPrefix(first, "capgen-") || !strings.HasSuffix(first, "_0") {
		t.Fatalf("the first event's id is %q", first)
	}
	get := func(last string) answer {
		return request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}, "Last-Event-Id": {last}}}.send(t, url)
	}
	for _, when := range []string{"while it runs", "after it"} {
		if got := get(first); got.status != 200 || !strings.Contains(got.message(), `"id":7`) || !strings.Contains(got.message(), "slept") {
			t.Errorf("%s: %d %s", when, got.status, got.body)
		}
	}
	if f.get("k") != "done" {
		t.Errorf("the call is %s", f.get("k"))
	}
	second := strings.TrimSuffix(first, "0") + "1"
	if got := get(second); got.status != 200 || got.body != "" {
		t.Errorf("nothing was missed: %d %s", got.status, got.body)
	}
	for _, unknown := range []string{"capgen-99_0", "capgen-1_x", "capgen-", "capgen-1_-5", "capgen-1_2", "capgen-1_9223372036854775807"} {
		if got := get(unknown); got.status != 400 || got.code(t) != -32600 {
			t.Errorf("%s: %d %s", unknown, got.status, got.body)
		}
	}
	// Another session cannot read it.
	other := open(t, url, "2025-11-25")
	s.id = other.id
	if got := get(first); got.status != 400 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// Older revisions have no events without a message, and nothing ends their streams before the response (SS03, SS05).
func TestNoPrimingBefore(t *testing.T) {
	url := server(t, newFixture(), runtime.Timing(10*time.Millisecond, 0, 0, 0))
	s := open(t, url, "2025-06-18")
	if got := s.call("1", "slow", `{"ms":50,"key":"k"}`).send(t, url); strings.Contains(got.body, "id: ") || !strings.Contains(got.message(), "slept") {
		t.Errorf("%s", got.body)
	}
}

// What is kept for resuming is bounded: a call that alone says more than that is not kept, and goes on.
func TestTranscriptsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 400<<10)
	find := func(ctx context.Context, in NoteFind) (string, error) {
		capabilities.Progress(ctx, 1, 0, "")
		return long + in.ID, nil
	}
	handler := finder(t, find)
	url := serveHandler(t, handler)
	s := open(t, url, "2025-11-25")
	const calls = 4
	for i := range calls { // each of 800 KiB, since a result is there twice
		call := s.call(strconv.Itoa(i), "note_find", fmt.Sprintf(`{"id":"call %d"}`, i))
		call.body = strings.Replace(call.body, `"arguments"`, `"_meta":{"progressToken":"p"},"arguments"`, 1)
		if got := call.send(t, url); !strings.Contains(got.body, fmt.Sprintf("call %d", i)) {
			t.Fatalf("%d bytes", len(got.body))
		}
	}
	for i := range calls {
		again := request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}, "Last-Event-Id": {fmt.Sprintf("capgen-%d_0", i+1)}}}.send(t, url)
		if isKept := again.status == 200; isKept != (i == calls-1) {
			t.Errorf("call %d: %d", i, again.status)
		}
	}
	tooLong := modernCall("1", "note_find", `{"id":"x"}`)
	tooLong.body = strings.Replace(tooLong.body, metaMembers, metaMembers+`,"progressToken":"`+strings.Repeat("t", 2000)+`"`, 1)
	if got := tooLong.send(t, url); got.code(t) != -32602 {
		t.Errorf("%d %.200s", got.status, got.body)
	}
}
