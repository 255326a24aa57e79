package capabilities_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
)

func ExampleAttach() {
	binding := capabilities.Handle(func(ctx context.Context, in AlbumLookup) (Album, error) {
		err := capabilities.Attach(ctx, capabilities.Image{Data: []byte("a cover"), MIMEType: "image/png"})
		return nightDrive, err
	})
	outcome, failure := binding.Invoke(context.Background(), []byte(`{"slug": "night-drive"}`), capabilities.Limits{})
	fmt.Printf("%T %v\n", outcome.Attached[0], failure)
	fmt.Println(capabilities.Attach(context.Background()))
	// Output:
	// capabilities.Image <nil>
	// capabilities.Attach: the context is not that of a handler's call
}

func ExampleProgress() {
	binding := capabilities.Do(func(ctx context.Context, in AlbumRetire) error {
		capabilities.Progress(ctx, 1, 2, "the tracks are gone")
		capabilities.Progress(ctx, 2, 2, "")
		return nil
	}, capabilities.NoResource())
	// A runtime does this for a caller that asks for progress.
	ctx := capabilities.WithProgress(context.Background(), func(done, total float64, message string) { fmt.Printf("%v of %v %q\n", done, total, message) })
	_, failure := binding.Invoke(ctx, []byte(`{"slug": "night-drive"}`), capabilities.Limits{})
	fmt.Println(failure)
	// Output:
	// 1 of 2 "the tracks are gone"
	// 2 of 2 ""
	// <nil>
}

func TestAttachRefuses(t *testing.T) {
	half := make([]byte, capabilities.MaxAttached/2)
	var kept context.Context
	var errs []string
	binding := capabilities.Handle(func(ctx context.Context, in AlbumLookup) (Album, error) {
		kept = ctx
		for _, contents := range [][]capabilities.Content{
			{nil},
			{&capabilities.Image{Data: half, MIMEType: "image/png"}},
			{(*capabilities.Image)(nil)},
			{capabilities.Image{MIMEType: "image/png"}},
			{capabilities.Audio{Data: half}},
			{capabilities.Resource{Text: "x"}},
			{capabilities.Resource{URI: "x:y", Text: "x", Blob: []byte("x")}},
			{capabilities.ResourceLink{URI: "x:y"}},
			{capabilities.Audio{Data: half, MIMEType: "audio/wav"}, capabilities.Audio{Data: half, MIMEType: "audio/wav"}},
		} {
			errs = append(errs, fmt.Sprint(capabilities.Attach(ctx, contents...)))
		}
		return nightDrive, capabilities.Attach(ctx, capabilities.ResourceLink{URI: "x:y", Name: "y"}, capabilities.Resource{URI: "x:z"})
	})
	outcome, failure := binding.Invoke(t.Context(), []byte(`{"slug": "night-drive"}`), capabilities.Limits{})
	if failure != nil || len(outcome.Attached) != 3 {
		t.Errorf("%v, %d contents", failure, len(outcome.Attached))
	}
	if _, isAudio := outcome.Attached[0].(capabilities.Audio); !isAudio {
		t.Errorf("%T", outcome.Attached[0])
	}
	const want = `capabilities.Attach: a content is nil
capabilities.Attach: a *capabilities.Image is no content: pass the value that it points at
capabilities.Attach: a *capabilities.Image is no content: pass the value that it points at
capabilities.Attach: an Image needs Data and a MIMEType
capabilities.Attach: an Audio needs Data and a MIMEType
capabilities.Attach: a Resource needs a URI
capabilities.Attach: a Resource has a Text or a Blob, not both
capabilities.Attach: a ResourceLink needs a URI and a Name
capabilities.Attach: the contents of a call are at most 1048576 bytes: attach a ResourceLink to what is larger`
	if got := strings.Join(errs, "\n"); got != want {
		t.Errorf("%s", got)
	}
	if err := capabilities.Attach(kept, capabilities.Resource{URI: "x:late"}); err == nil || err.Error() != "capabilities.Attach: the call is over" {
		t.Errorf("%v", err)
	}
}

// What is no number is no progress, and a total that is none is unknown.
func TestProgressOfNoNumbers(t *testing.T) {
	var got []string
	ctx := capabilities.WithProgress(t.Context(), func(done, total float64, _ string) { got = append(got, fmt.Sprint(done, total)) })
	for _, each := range [][2]float64{{math.NaN(), 1}, {math.Inf(1), 1}, {1, math.NaN()}, {2, math.Inf(1)}, {3, -1}, {4, 8}} {
		capabilities.Progress(ctx, each[0], each[1], "")
	}
	capabilities.Progress(t.Context(), 1, 1, "nobody asked")
	if fmt.Sprint(got) != "[1 0 2 0 3 0 4 8]" {
		t.Errorf("%v", got)
	}
}
