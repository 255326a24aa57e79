package runtime_test

import (
	"github.com/capgen/capgen/runtime"
	"strings"
	"testing"
	"time"
)

// The race needs no raw tool.
func TestBatchRace(t *testing.T) {
	url := server(t, newFixture(), runtime.Timing(time.Millisecond, 0, 0, 0))
	s := open(t, url, "2025-03-26")
	var e []string
	for range 16 {
		e = append(e, `{"jsonrpc":"2.0","id":"`+string(rune('a'+len(e)%26))+strings.Repeat("x", len(e))+`","method":"tools/call","params":{"name":"slow","arguments":{"ms":30}}}`)
	}
	s.post("["+strings.Join(e, ",")+"]").send(t, url)
}
