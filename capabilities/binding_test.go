package capabilities_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/capgen/capgen/capabilities"
)

func retire(context.Context, AlbumRetire) error { return nil }

func owns(context.Context, AlbumRetire, capabilities.Principal) error { return nil }

// TestBindOptionsThatContradict: each with the text that says what to write.
func TestBindOptionsThatContradict(t *testing.T) {
	const protected = "it is protected, so say how its resource is authorised: bind it with capabilities.AuthorizeResource" +
		"(func(context.Context, capabilities_test.AlbumRetire, capabilities.Principal) error), or with capabilities.NoResource() if its input names nothing that is somebody's"
	var noCheck func(context.Context, AlbumRetire, capabilities.Principal) error
	for name, test := range map[string]struct {
		options []capabilities.BindOption
		want    string
	}{
		"nothing said":             {nil, protected},
		"said of another":          {[]capabilities.BindOption{capabilities.For[AlbumLookup](capabilities.NoResource())}, protected},
		"a nil option":             {[]capabilities.BindOption{nil, capabilities.NoResource()}, "a bind option is nil"},
		"a nil check":              {[]capabilities.BindOption{capabilities.AuthorizeResource(noCheck)}, "capabilities.AuthorizeResource: the function is nil"},
		"two checks":               {[]capabilities.BindOption{capabilities.AuthorizeResource(owns), capabilities.AuthorizeResource(owns)}, "capabilities.AuthorizeResource is given twice: give one function that asks both"},
		"a check, and no resource": {[]capabilities.BindOption{capabilities.AuthorizeResource(owns), capabilities.NoResource()}, "it has both capabilities.AuthorizeResource and capabilities.NoResource: write capabilities.For[T](capabilities.NoResource()) for each capability T that has no resource (this one is capabilities_test.AlbumRetire)"},
		"no target":                {[]capabilities.BindOption{capabilities.On(), capabilities.NoResource()}, "capabilities.On names no target: write TargetServer or TargetLocal"},
		"another target":           {[]capabilities.BindOption{capabilities.On("moon"), capabilities.NoResource()}, "capabilities.On: there is no target moon: write TargetServer or TargetLocal"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := capabilities.NewRegistry(capabilities.Do(retire, test.options...), capabilities.Handle(lookup))
			if err == nil || err.Error() != "example.catalog:album.retire@1: "+test.want {
				t.Errorf("\n got %v\nwant %s", err, test.want)
			}
		})
	}
	_, err := capabilities.NewRegistry(capabilities.Handle(lookup, capabilities.AuthorizeResource(owns)))
	if err == nil || err.Error() != "a bind option is meant for capabilities_test.AlbumRetire, which is not bound" {
		t.Errorf("%v", err)
	}
}

// AlbumOpen is a second declaration of AlbumRetire's ID, which asks less of its callers.
type AlbumOpen struct {
	capabilities.Returns[capabilities.Nothing]
}

var openCapability = capabilities.Declare[AlbumOpen, capabilities.Nothing](`{"id": "example.catalog:album.retire@1", "tool": "album_retire",
	"risk": "read", "access": "public", "input": {"type": "object"}, "output": {"type": "object"}}`)

func (AlbumOpen) Capability() *capabilities.Capability[AlbumOpen, capabilities.Nothing] {
	return openCapability
}

// One ID has one declaration, even if the bindings could be told apart: the one's policy would decide about the other's handler.
func TestTwoDeclarations(t *testing.T) {
	_, err := capabilities.NewRegistry(
		capabilities.Do(func(context.Context, AlbumOpen) error { return nil }, capabilities.On(capabilities.TargetLocal)),
		capabilities.Do(retire, capabilities.On(capabilities.TargetServer), capabilities.NoResource()))
	const want = "example.catalog:album.retire@1: it is declared by capabilities_test.AlbumOpen and by capabilities_test.AlbumRetire: give one of them another ID"
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

// TestOptionsOfABind: what a generated Bind gives to all its bindings reaches the one that it is for.
func TestOptionsOfABind(t *testing.T) {
	bind := func(opts ...capabilities.BindOption) capabilities.Bindings {
		return capabilities.Bindings{capabilities.Handle(lookup, opts...), capabilities.Do(retire, opts...)}
	}
	registry, err := capabilities.NewRegistry(bind(
		capabilities.AuthorizeResource(owns),
		capabilities.For[AlbumLookup](capabilities.Named("memory"), capabilities.NoResource()),
	))
	if err != nil {
		t.Fatal(err)
	}
	for _, def := range registry.Definitions() {
		bound := registry.Bindings(def.ID, capabilities.TargetServer)
		if len(bound) != 1 || (bound[0].Name() == "memory") != (def.Tool == "album_lookup") {
			t.Errorf("%s: %d bindings", def.ID, len(bound))
		}
	}
}

func TestSelect(t *testing.T) {
	named := func(name string, targets ...capabilities.Target) capabilities.Binding {
		return capabilities.Handle(lookup, capabilities.Named(name), capabilities.On(targets...))
	}
	registry, err := capabilities.NewRegistry(
		named("a", capabilities.TargetServer), named("b", capabilities.TargetServer, capabilities.TargetLocal), named("a", capabilities.TargetLocal),
		capabilities.Do(retire, capabilities.NoResource(), capabilities.On(capabilities.TargetLocal)),
	)
	if err != nil {
		t.Fatal(err)
	}
	album, retired := albumCapability.Definition().ID, retireCapability.Definition().ID
	for _, test := range []struct {
		id     capabilities.ID
		target capabilities.Target
		name   string
		want   capabilities.Kind
	}{
		{album, capabilities.TargetServer, "", capabilities.BindingAmbiguous},
		{album, capabilities.TargetServer, "a", ""},
		{album, capabilities.TargetServer, "c", capabilities.BindingUnavailable},
		{retired, capabilities.TargetServer, "", capabilities.BindingUnavailable},
		{retired, capabilities.TargetLocal, "", ""},
		{capabilities.ID{}, capabilities.TargetLocal, "", capabilities.CapabilityMissing},
	} {
		b, failure := registry.Select(test.id, test.target, test.name)
		switch {
		case failure == nil && (test.want != "" || !b.Serves(test.target)), failure != nil && failure.Kind != test.want:
			t.Errorf("%+v: %v", test, failure)
		}
	}
	// The same name for the same target cannot be chosen.
	_, err = capabilities.NewRegistry(named("a", capabilities.TargetServer), named("a", capabilities.TargetServer, capabilities.TargetLocal))
	if err == nil || !strings.Contains(err.Error(), `it is bound twice as "a"`) {
		t.Errorf("%v", err)
	}
}

// TestResourceCheck ends a resource check in every way, and sees that the handler runs only after a yes.
func TestResourceCheck(t *testing.T) {
	var nilError *capabilities.Error
	for name, test := range map[string]struct {
		check func(context.Context) error
		kind  capabilities.Kind
		text  string
	}{
		"yes":               {func(context.Context) error { return nil }, "", ""},
		"no":                {func(context.Context) error { return capabilities.ErrUnauthorized }, capabilities.Unauthorized, "The caller is not allowed to do this."},
		"no, wrapped":       {func(context.Context) error { return fmt.Errorf("row 7: %w", capabilities.ErrUnauthorized) }, capabilities.Unauthorized, "The caller is not allowed to do this."},
		"in its own words":  {func(context.Context) error { return capabilities.Errorf("unknown", "there is no such album") }, capabilities.Declined, "unknown: there is no such album"},
		"cannot tell":       {func(context.Context) error { return errors.New("the database at db7 is down") }, capabilities.AuthorizationError, "Whether the caller is allowed to do this could not be decided."},
		"a nil error":       {func(context.Context) error { return nilError }, capabilities.AuthorizationError, "Whether the caller is allowed to do this could not be decided."},
		"panics":            {func(context.Context) error { panic("boom") }, capabilities.AuthorizationError, "Whether the caller is allowed to do this could not be decided."},
		"ends its thread":   {func(context.Context) error { runtime.Goexit(); return nil }, capabilities.AuthorizationError, "Whether the caller is allowed to do this could not be decided."},
		"takes too long":    {func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, capabilities.DeadlineExceeded, "The call took too long and was stopped."},
		"is deaf":           {func(context.Context) error { time.Sleep(time.Second); return nil }, capabilities.DeadlineExceeded, "The call took too long and was stopped."},
		"an unreadable one": {func(context.Context) error { return unreadable{} }, capabilities.AuthorizationError, "Whether the caller is allowed to do this could not be decided."},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ran atomic.Bool
				want := capabilities.Principal{Issuer: "i", Subject: "s"}
				released := make(chan struct{})
				binding := capabilities.Do(
					func(context.Context, AlbumRetire) error { ran.Store(true); return nil },
					capabilities.AuthorizeResource(func(ctx context.Context, in AlbumRetire, p capabilities.Principal) error {
						if in.Slug != "night-drive" || p.Subject != want.Subject {
							t.Errorf("asked about %+v for %+v", in, p)
						}
						return test.check(ctx)
					}))
				_, failure := binding.Invoke(capabilities.WithPrincipal(t.Context(), want), []byte(`{"slug": "night-drive"}`),
					capabilities.Limits{Release: func() { close(released) }})
				if failure == nil && test.kind != "" || failure != nil && (failure.Kind != test.kind || failure.Text() != test.text) {
					t.Errorf("%v", failure)
				}
				<-released
				if ran.Load() != (test.kind == "") {
					t.Errorf("the handler ran: %v", ran.Load())
				}
			})
		})
	}
}

type unreadable struct{}

func (unreadable) Error() string { panic("an error that cannot be read") }
func (unreadable) Unwrap() error { panic("an error that cannot be looked through") }
