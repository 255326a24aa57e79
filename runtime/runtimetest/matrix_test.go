package runtimetest_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/runtimetest"
)

// Anything is a capability that takes any arguments.
type Anything struct {
	capabilities.Returns[capabilities.Nothing]
}

var anythingCapability = capabilities.Declare[Anything, capabilities.Nothing](`{"id": "example.catalog:anything@1", "tool": "anything",
	"risk": "read", "access": "public", "input": {"type": "object"}, "output": {"type": "object"}}`)

func (Anything) Capability() *capabilities.Capability[Anything, capabilities.Nothing] {
	return anythingCapability
}

func matrixHandler(t testing.TB, ran *int, options ...runtime.Option) *runtime.Handler {
	registry, err := capabilities.NewRegistry(
		capabilities.Handle(func(ctx context.Context, in AlbumLookup) (Album, error) { *ran++; return lookup(ctx, in) }),
		capabilities.Do(func(context.Context, Anything) error { *ran++; return nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry, append(options, runtime.WithLogger(slog.New(slog.DiscardHandler)), runtime.WithMaxSessions(1))...)
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

// A tool without an input is asked about and not run; with one it is run.
func TestMatrix(t *testing.T) {
	ran := 0
	narrow := runtime.CanDiscover(func(ctx context.Context, def *capabilities.Definition) bool {
		p, _ := capabilities.PrincipalFrom(ctx)
		return p.Subject != "blind" || def.Tool == "anything"
	})
	resolve := runtime.ResolveContext(func(r *http.Request, _ *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
		switch name := r.Header.Get("X-User"); name {
		case "":
			return nil, nil, nil
		case "lost":
			return nil, nil, fmt.Errorf("no such user")
		default:
			return &capabilities.Principal{Issuer: "app", Subject: name}, nil, nil
		}
	})
	callers := []runtimetest.Caller{{Name: "anybody"}, {Name: "blind", Header: http.Header{"X-User": {"blind"}}}, {Name: "lost", Header: http.Header{"X-User": {"lost"}}}}
	got := runtimetest.Matrix(t, matrixHandler(t, &ran, narrow, resolve), callers, map[string]any{"anything": "{}"})
	const want = `TOOL          ANYBODY    BLIND      LOST
album_lookup  list call  -          503
anything      list call  list call  503
`
	if got != want || ran != 2 {
		t.Errorf("%d runs\n%s\nwant\n%s", ran, got, want)
	}
	got = runtimetest.Matrix(t, matrixHandler(t, &ran), callers[:1], map[string]any{"anything": Anything{}, "album_lookup": AlbumLookup{Slug: "none"}})
	if want := "TOOL          ANYBODY\nalbum_lookup  list declined unknown_album\nanything      list call\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestMatrixThatCannotBe(t *testing.T) {
	for want, inputs := range map[string]map[string]any{
		"anything takes any arguments":                        nil,
		`there is an input for "nothing", which is no tool`:   {"anything": "{}", "nothing": "{}"},
		"the input of album_lookup: The input does not match": {"anything": "{}", "album_lookup": "{}"},
		"the input of album_lookup: json: unsupported type":   {"anything": "{}", "album_lookup": func() {}},
		"anybody calls album_lookup: -32603":                  {"anything": "{}", "album_lookup": `{"slug": "panic"}`},
	} {
		r := new(recorder)
		ran := 0
		r.run(func() {
			runtimetest.Matrix(r, matrixHandler(t, &ran), []runtimetest.Caller{{Name: "anybody"}}, inputs)
		})
		if got := r.fatal; !strings.HasPrefix(got, "runtimetest: "+want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
