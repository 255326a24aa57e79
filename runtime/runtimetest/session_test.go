package runtimetest_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/runtimetest"
)

func TestSession(t *testing.T) {
	for _, revision := range []string{"", "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		t.Run("revision "+revision, func(t *testing.T) {
			s := runtimetest.ClientOf(t, revision, newRegistry())
			if agreed := s.MCP().InitializeResult().ProtocolVersion; revision != "" && agreed != revision || agreed == "" {
				t.Errorf("revision %q", agreed)
			}
			if tools := s.List(t); len(tools) != 1 || tools[0].Name != "album_lookup" {
				t.Errorf("%+v", tools)
			}

			// Every way of writing the same input.
			type slug struct {
				Slug string `json:"slug"`
			}
			for _, input := range []any{`{"slug": "night-drive"}`, []byte(`{"slug": "night-drive"}`), slug{"night-drive"},
				map[string]any{"slug": "night-drive"}, AlbumLookup{Slug: "night-drive"}} {
				result := s.Call(t, "album_lookup", input)
				if result.IsError || string(result.JSON) != `{"title":"Night Drive","plays":9007199254740993}` {
					t.Errorf("%T: %+v", input, result)
				}
				var album Album
				if result.Decode(t, &album); album.Plays != 1<<53+1 {
					t.Errorf("%T: %+v", input, album)
				}
			}

			result := s.Call(t, "album_lookup", AlbumLookup{Slug: "day-drive"})
			if !result.IsError || result.JSON != nil || result.Text != "unknown_album: there is no album day-drive: try night-drive" {
				t.Errorf("%+v", result)
			}
			result = s.Call(t, "album_lookup", nil)
			want := capabilities.Problems{{Keyword: "required", Message: `must have the property "slug"`}}
			if !result.IsError || !reflect.DeepEqual(result.Problems, want) {
				t.Errorf("%+v", result)
			}
			_, err := s.MCP().CallTool(t.Context(), &mcp.CallToolParams{Name: "nope"})
			var refused *jsonrpc.Error
			if !errors.As(err, &refused) || refused.Code != -32602 {
				t.Error(err)
			}
		})
	}
}

// TestRunningCallEndsWithTheTest: goleak, in TestMain, finds it if it does not.
func TestRunningCallEndsWithTheTest(t *testing.T) {
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			s := runtimetest.ClientOf(t, revision, newRegistry(), runtime.WithDeadline(time.Minute))
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := s.MCP().CallTool(ctx, &mcp.CallToolParams{Name: "album_lookup", Arguments: AlbumLookup{Slug: "wait"}})
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
	}
}

func TestOptionsReachTheServer(t *testing.T) {
	failed := make(chan runtime.ToolFailure, 1)
	s := runtimetest.Client(t, newRegistry(), runtime.WithDeadline(20*time.Millisecond),
		runtime.OnToolFailure(func(_ context.Context, f runtime.ToolFailure) { failed <- f }))
	if result := s.Call(t, "album_lookup", AlbumLookup{Slug: "wait"}); result.Text != "The call took too long and was stopped." {
		t.Errorf("%+v", result)
	}
	if f := <-failed; f.Kind != capabilities.DeadlineExceeded {
		t.Errorf("%+v", f)
	}
}

// TestWhatEndsATest checks the text that a test ends with.
func TestWhatEndsATest(t *testing.T) {
	call := func(tool string, input any) func(*recorder) {
		return func(r *recorder) { runtimetest.Client(r, newRegistry()).Call(r, tool, input) }
	}
	for want, f := range map[string]func(*recorder){
		"runtimetest: calling nope: ":                                        call("nope", nil),
		"runtimetest: calling album_lookup: ":                                call("album_lookup", AlbumLookup{Slug: "panic"}),
		"runtimetest: the input of album_lookup: it is not JSON":             call("album_lookup", `{"slug"}`),
		"runtimetest: the input of album_lookup: json: unsupported value: N": call("album_lookup", math.NaN()),
		"runtimetest: runtime: ":                                             func(r *recorder) { runtimetest.Client(r, nil) },
		"runtimetest: runtime.With": func(r *recorder) {
			runtimetest.Client(r, newRegistry(), runtime.WithDeadline(-1))
		},
		"runtimetest: connecting: ": func(r *recorder) { runtimetest.ClientOf(r, "1999-01-01", newRegistry()) },
		"runtimetest: the tool failed: unknown_album: there is no album x: try night-drive": func(r *recorder) {
			runtimetest.Client(r, newRegistry()).Call(r, "album_lookup", AlbumLookup{Slug: "x"}).Decode(r, new(Album))
		},
		"runtimetest: the result: json: cannot unmarshal object": func(r *recorder) {
			runtimetest.Client(r, newRegistry()).Call(r, "album_lookup", AlbumLookup{Slug: "night-drive"}).Decode(r, new(int))
		},
	} {
		r := new(recorder)
		if r.run(func() { f(r) }); !strings.HasPrefix(r.fatal, want) {
			t.Errorf("ends with %q, want %q", r.fatal, want)
		}
	}
}
