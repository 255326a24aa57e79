package capabilities_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/capgen/capgen/capabilities"
)

func TestErrorf(t *testing.T) {
	err := capabilities.Errorf("no_such_album", "album %q: %w", "x", io.ErrUnexpectedEOF)
	wrapped := fmt.Errorf("store: %w", err)
	var declined *capabilities.Error
	if !errors.As(wrapped, &declined) || declined.Code != "no_such_album" || declined.Text != `album "x": unexpected EOF` {
		t.Errorf("%+v", declined)
	}
	if err.Error() != `no_such_album: album "x": unexpected EOF` || !errors.Is(wrapped, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	// Two errors may be wrapped at once, as with fmt.Errorf.
	if both := capabilities.Errorf("c", "%w %w", io.EOF, io.ErrClosedPipe); !errors.Is(both, io.EOF) || !errors.Is(both, io.ErrClosedPipe) {
		t.Error(both)
	}
	// An Error made without Errorf is as good.
	if plain := error(&capabilities.Error{Code: "c", Text: "t"}); plain.Error() != "c: t" || errors.Unwrap(plain) != nil {
		t.Error(plain)
	}
}

// TestEveryKindHasASentence, and no sentence tells a capability that is hidden from one that is missing.
func TestEveryKindHasASentence(t *testing.T) {
	for _, kind := range []capabilities.Kind{
		capabilities.InvalidIdentity, capabilities.ContextUnavailable, capabilities.CapabilityMissing, capabilities.NotExposed,
		capabilities.BindingUnavailable, capabilities.BindingAmbiguous, capabilities.Overloaded, capabilities.InvalidInput,
		capabilities.Unauthorized, capabilities.AuthorizationError, capabilities.Declined, capabilities.HandlerFailed,
		capabilities.HandlerPanicked, capabilities.DeadlineExceeded, capabilities.Cancelled, capabilities.InvalidOutput,
		capabilities.ResultNotSerializable, capabilities.AdapterError,
	} {
		if text := (&capabilities.Failure{Kind: kind, Cause: errors.New("secret")}).Text(); text == "" || text != kind.Sentence() {
			t.Errorf("%s: %q", kind, text)
		}
	}
	if capabilities.NotExposed.Sentence() != capabilities.CapabilityMissing.Sentence() {
		t.Error("a caller can tell a hidden capability from a missing one")
	}
}

func TestFailureTextIsBounded(t *testing.T) {
	declined := func(text string) string {
		return (&capabilities.Failure{Kind: capabilities.Declined, Cause: capabilities.Errorf("c", "%s", text)}).Text()
	}
	for _, text := range []string{strings.Repeat("a", 2000), strings.Repeat("é", 2000), strings.Repeat("😀", 400), strings.Repeat("a\xff", 400)} {
		got := declined(text)
		if len(got) > 1024 || len(got) < 1000 || !utf8.ValidString(got) {
			t.Errorf("%d bytes, valid: %v: …%q", len(got), utf8.ValidString(got), got[len(got)-8:])
		}
		if !strings.HasSuffix(got, "…") {
			t.Errorf("it does not say that it was cut: …%q", got[len(got)-8:])
		}
	}
	if got := declined("a\xffb"); got != "c: a\uFFFDb" {
		t.Errorf("%q", got)
	}
	if got := declined(strings.Repeat("a", 1021)); got != "c: "+strings.Repeat("a", 1021) {
		t.Errorf("a text of 1024 bytes was cut to %d", len(got))
	}
}

func TestFailureUnwraps(t *testing.T) {
	problems := capabilities.Problems{{Pointer: "/a", Keyword: "type", Message: "must be a string"}, {Keyword: "required", Message: "must have the property \"b\""}}
	failure := fmt.Errorf("wrapped: %w", &capabilities.Failure{Kind: capabilities.InvalidOutput, Problems: problems, Cause: io.EOF})
	var found capabilities.Problems
	if !errors.As(failure, &found) || len(found) != 2 || !errors.Is(failure, io.EOF) {
		t.Errorf("%v", found)
	}
	// The problems of a result are for the log: its caller cannot mend it.
	if failure.Error() != "wrapped: The capability's result does not match its schema." {
		t.Error(failure)
	}
	if found.Error() != `/a: must be a string; must have the property "b"` {
		t.Error(found)
	}
}
