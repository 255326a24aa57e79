package capabilities_test

import (
	"errors"
	"testing"

	"github.com/capgen/capgen/capabilities"
)

// TestParseFailure: what a caller is told is read back as what was told.
func TestParseFailure(t *testing.T) {
	for _, failure := range []*capabilities.Failure{
		{Kind: capabilities.InvalidInput, Problems: capabilities.Problems{{Pointer: "/a", Keyword: "type", Message: "must be a string"}}},
		{Kind: capabilities.Unauthorized},
		{Kind: capabilities.HandlerFailed},
		{Kind: capabilities.DeadlineExceeded, MayHaveCompleted: true},
		{Kind: capabilities.Overloaded},
		{Kind: capabilities.Declined, Cause: &capabilities.Error{Code: "unknown_zone", Text: "there is no zone: Mars"}},
	} {
		got := capabilities.ParseFailure(failure.Text(), failure.Problems)
		if got.Kind != failure.Kind || got.Text() != failure.Text() || got.MayHaveCompleted != failure.MayHaveCompleted {
			t.Errorf("%+v was read as %+v", failure, got)
		}
	}
	var own *capabilities.Error
	if got := capabilities.ParseFailure("Something went wrong: again", nil); got.Kind != capabilities.Declined || !errors.As(got, &own) || own.Code != "" || own.Text != "Something went wrong: again" {
		t.Errorf("%+v", got)
	}
}
