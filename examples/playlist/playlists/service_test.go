package playlists_test

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/playlist/playlists"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/runtimetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newService has a playlist of alice at acme, and one of carol at umbra.
func newService(t *testing.T) *playlists.Service {
	t.Helper()
	service, err := playlists.Open(t.Context(), filepath.Join(t.TempDir(), "100% of them?.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := service.Close(); err != nil {
			t.Error(err)
		}
	})
	for tenant, summary := range map[string]playlists.Summary{
		"acme":  {ID: "road-trip", Name: "Road Trip", Owner: "alice"},
		"umbra": {ID: "opening-night", Name: "Opening Night", Owner: "carol"},
	} {
		if err := service.Create(t.Context(), tenant, playlists.Playlist{Summary: summary, Tracks: []playlists.Track{"Ignition", "Tunnel", "Ignition"}}); err != nil {
			t.Fatal(err)
		}
	}
	return service
}

// as is a client of somebody whom scopes and grants stop nowhere.
func as(t *testing.T, service *playlists.Service, subject, tenant string) *runtimetest.Session {
	t.Helper()
	registry, err := capabilities.NewRegistry(service.Bindings())
	if err != nil {
		t.Fatal(err)
	}
	caller := capabilities.Principal{Issuer: "test", Subject: subject, ClientID: "agent", TenantID: tenant}
	for _, def := range registry.Definitions() {
		caller.Scopes = append(caller.Scopes, def.Access.Scopes...)
	}
	destructive := []capabilities.ID{playlists.PlaylistDelete{}.Capability().Definition().ID}
	return runtimetest.Client(t, registry,
		runtime.ResolveContext(func(*http.Request, *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
			return &caller, func(context.Context, *capabilities.Definition) (bool, error) { return true, nil }, nil
		}),
		runtime.WithExposure(runtime.Exposure{MCP: runtime.Surface{Destructive: destructive}}),
	)
}

func TestAnswers(t *testing.T) {
	const (
		unknown      = "unknown_playlist: there is no such playlist: find one with playlist_find"
		unauthorized = "The caller is not allowed to do this."
	)
	alice, bob, carol, nobody := [2]string{"alice", "acme"}, [2]string{"bob", "acme"}, [2]string{"carol", "umbra"}, [2]string{"alice", ""}
	client := [2]string{"", "acme"} // a program that acts for itself
	many := `"` + strings.Repeat(`x","`, 49) + `x"`
	for _, test := range []struct {
		name  string
		who   [2]string
		calls string // a tool and its input on each line
		want  string // of the last call
	}{
		{"all", alice, `playlist_find {}`, `{"playlists":[{"id":"road-trip","name":"Road Trip","owner":"alice"}],"total":1}`},
		{"a part of the name", bob, `playlist_find {"query": "AD tR"}`, `{"playlists":[{"id":"road-trip","name":"Road Trip","owner":"alice"}],"total":1}`},
		{"a pattern is no pattern", bob, `playlist_find {"query": "%"}`, `{"playlists":[],"total":0}`},
		{"another tenant's name", carol, `playlist_find {"query": "road"}`, `{"playlists":[],"total":0}`},
		{"without a tenant", nobody, `playlist_find {}`, `{"playlists":[],"total":0}`},
		{"a colleague reads", bob, `playlist_read {"id": "road-trip"}`, `{"id":"road-trip","name":"Road Trip","owner":"alice","tracks":["Ignition","Tunnel","Ignition"]}`},
		{"a program reads", client, `playlist_read {"id": "road-trip"}`, `{"id":"road-trip","name":"Road Trip","owner":"alice","tracks":["Ignition","Tunnel","Ignition"]}`},
		{"another tenant reads", carol, `playlist_read {"id": "road-trip"}`, unknown},
		{"nobody reads", nobody, `playlist_read {"id": "road-trip"}`, unknown},
		{"the owner edits", alice, `playlist_edit {"id": "road-trip", "name": "Detour", "remove": ["Ignition"], "add": ["Coast", "Coast"]}`,
			`{"id":"road-trip","name":"Detour","owner":"alice","tracks":["Tunnel","Ignition","Coast","Coast"]}`},
		{"and reads it then", alice, "playlist_edit {\"id\": \"road-trip\", \"remove\": [\"Tunnel\", \"Ignition\", \"Ignition\"]}\nplaylist_read {\"id\": \"road-trip\"}",
			`{"id":"road-trip","name":"Road Trip","owner":"alice","tracks":[]}`},
		{"a colleague edits", bob, `playlist_edit {"id": "road-trip", "name": "Bob's"}`, unauthorized},
		{"a program edits", client, `playlist_edit {"id": "road-trip", "name": "Mine"}`, unauthorized},
		{"another tenant edits", carol, `playlist_edit {"id": "road-trip", "name": "Carol's"}`, unknown},
		{"nothing", alice, `playlist_edit {"id": "road-trip", "add": []}`, "nothing_to_change: give a name, tracks to remove or tracks to add"},
		{"a track that is not there", alice, `playlist_edit {"id": "road-trip", "name": "Detour", "remove": ["Tunnel", "Tunnel"]}`,
			`unknown_track: the playlist has no track "Tunnel" to remove, or not so often: read it first`},
		{"nothing of that is done", alice, "playlist_edit {\"id\": \"road-trip\", \"name\": \"Detour\", \"remove\": [\"Coast\"]}\nplaylist_read {\"id\": \"road-trip\"}",
			`{"id":"road-trip","name":"Road Trip","owner":"alice","tracks":["Ignition","Tunnel","Ignition"]}`},
		{"too many", alice, strings.Repeat(`playlist_edit {"id": "road-trip", "add": [`+many+"]}\n", 10), "too_many_tracks: a playlist has at most 500 tracks: remove some"},
		{"the owner deletes", alice, `playlist_delete {"id": "road-trip"}`, `{}`},
		{"and deletes it again", alice, "playlist_delete {\"id\": \"road-trip\"}\nplaylist_delete {\"id\": \"road-trip\"}", unknown},
		{"a colleague deletes", bob, `playlist_delete {"id": "road-trip"}`, unauthorized},
		{"a program deletes", client, `playlist_delete {"id": "road-trip"}`, unauthorized},
		{"another tenant deletes", carol, `playlist_delete {"id": "road-trip"}`, unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			session := as(t, newService(t), test.who[0], test.who[1])
			var got runtimetest.Result
			for line := range strings.Lines(test.calls) {
				tool, input, _ := strings.Cut(strings.TrimSpace(line), " ")
				got = session.Call(t, tool, input)
			}
			text := got.Text
			if !got.IsError {
				text = string(got.JSON)
			}
			if text != test.want {
				t.Errorf("\n got %s\nwant %s", text, test.want)
			}
		})
	}
}

// Tenants may use the same ID, and neither notices.
func TestSameID(t *testing.T) {
	service := newService(t)
	theirs := playlists.Playlist{Summary: playlists.Summary{ID: "road-trip", Name: "Umbra's", Owner: "carol"}}
	for range 2 {
		if err := service.Create(t.Context(), "umbra", theirs); err != nil {
			t.Fatal(err)
		}
	}
	as(t, service, "carol", "umbra").Call(t, "playlist_edit", `{"id": "road-trip", "add": ["Coast"]}`)
	var read playlists.Playlist
	as(t, service, "alice", "acme").Call(t, "playlist_read", `{"id": "road-trip"}`).Decode(t, &read)
	if read.Name != "Road Trip" || len(read.Tracks) != 3 {
		t.Errorf("%+v", read)
	}
	as(t, service, "carol", "umbra").Call(t, "playlist_delete", `{"id": "road-trip"}`)
	as(t, service, "alice", "acme").Call(t, "playlist_read", `{"id": "road-trip"}`).Decode(t, &read)
}

// What no resource check has stopped finds nothing of another tenant's either.
func TestHandlersAlone(t *testing.T) {
	service := newService(t)
	ctx := capabilities.WithPrincipal(t.Context(), capabilities.Principal{Issuer: "test", Subject: "carol", TenantID: "umbra"})
	for _, ctx := range []context.Context{ctx, t.Context()} {
		if got, err := service.PlaylistRead(ctx, playlists.PlaylistRead{ID: "road-trip"}); err == nil {
			t.Errorf("read %+v", got)
		}
		if got, err := service.PlaylistEdit(ctx, playlists.PlaylistEdit{ID: "road-trip", Name: "Carol's"}); err == nil {
			t.Errorf("edited %+v", got)
		}
		if err := service.PlaylistDelete(ctx, playlists.PlaylistDelete{ID: "road-trip"}); err != nil {
			t.Error(err)
		}
	}
	var read playlists.Playlist
	as(t, service, "alice", "acme").Call(t, "playlist_read", `{"id": "road-trip"}`).Decode(t, &read)
	if read.Name != "Road Trip" {
		t.Errorf("%+v", read)
	}
}

// Nothing belongs to nobody, which is what a caller without a subject or a tenant is.
func TestCreateRefuses(t *testing.T) {
	service := newService(t)
	for tenant, owner := range map[string]string{"": "alice", "acme": ""} {
		if err := service.Create(t.Context(), tenant, playlists.Playlist{Summary: playlists.Summary{ID: "x", Name: "X", Owner: owner}}); err == nil {
			t.Errorf("a playlist of %q at %q", owner, tenant)
		}
	}
}

// Of edits at the same time none is lost.
func TestConcurrentEdits(t *testing.T) {
	service := newService(t)
	session := as(t, service, "alice", "acme")
	var editing sync.WaitGroup
	for range 20 {
		editing.Go(func() {
			if got := session.Call(t, "playlist_edit", `{"id": "road-trip", "add": ["Coast"]}`); got.IsError {
				t.Error(got.Text)
			}
		})
	}
	editing.Wait()
	var read playlists.Playlist
	session.Call(t, "playlist_read", `{"id": "road-trip"}`).Decode(t, &read)
	if len(read.Tracks) != 23 {
		t.Errorf("%d tracks, want 23", len(read.Tracks))
	}
}

// A database that fails says so to the log, and to nobody else.
func TestClosed(t *testing.T) {
	service := newService(t)
	session := as(t, service, "alice", "acme")
	if err := service.Close(); err != nil {
		t.Fatal(err)
	}
	if got := session.Call(t, "playlist_find", `{}`); got.Text != "The capability failed." {
		t.Errorf("%s", got.Text)
	}
	if _, err := playlists.Open(t.Context(), t.TempDir()); err == nil {
		t.Error("a folder is opened")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := playlists.Open(ended, filepath.Join(t.TempDir(), "new.db")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
