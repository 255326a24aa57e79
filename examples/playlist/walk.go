package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/capgen/capgen/runtime"
)

// walk shows, step by step, what several callers see of a server of its own.
func walk(ctx context.Context, args []string, stdout io.Writer) (err error) {
	if err := parse(flag.NewFlagSet("walk", flag.ContinueOnError), args, 0, stdout); err != nil {
		return err
	}
	s, err := newStage(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := seed(ctx, s.app.playlists); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "Playlists of two tenants, in one database, at %s\n", s.config.resource)
	w := newWalker(ctx, s, stdout)
	defer w.client.CloseIdleConnections()
	for _, step := range []func(*walker){
		(*walker).nobody, (*walker).noGrant, (*walker).granted, (*walker).otherTenant,
		(*walker).destroying, (*walker).steppingUp, (*walker).revoked, (*walker).everybody,
	} {
		if step(w); w.err != nil {
			return w.err
		}
	}
	return nil
}

func (w *walker) nobody() {
	w.say("1. Nobody. A request without a token is told where to get one.")
	w.list(agent{name: "nobody"})
	w.get(runtime.MetadataPath + runtime.EndpointPath)
}

func (w *walker) noGrant() {
	w.say("2. Alice of acme has an agent with a token for every scope, and has granted it nothing.")
	w.list(w.agent(alice, allScopes...))
	w.call(w.agent(alice, allScopes...), "playlist_find", `{}`)
}

func (w *walker) granted() {
	w.say("3. It is granted reading and editing. Alice may read what her colleague Bob has, and edit what is hers.")
	w.reading = w.grant(alice, scopeRead, scopeEdit)
	agent := w.agent(alice, allScopes...)
	w.list(agent)
	w.call(agent, "playlist_find", `{}`)
	w.call(agent, "playlist_edit", `{"id": "road-trip", "add": ["Coast"]}`)
	w.call(agent, "playlist_read", `{"id": "late-night"}`)
	w.call(agent, "playlist_edit", `{"id": "late-night", "name": "Alice was here"}`)
}

func (w *walker) otherTenant() {
	w.say("4. Carol of umbra has granted everything. A playlist of acme's answers her like one that does not exist.")
	w.grant(carol, allScopes...)
	agent := w.agent(carol, allScopes...)
	w.call(agent, "playlist_find", `{}`)
	w.call(agent, "playlist_read", `{"id": "road-trip"}`)
	w.call(agent, "playlist_read", `{"id": "no-such-list"}`)
}

func (w *walker) destroying() {
	w.say("5. Alice grants deleting, too. Nobody can delete until the operator starts the server with -delete.")
	w.grant(alice, scopeDelete)
	agent := w.agent(alice, allScopes...)
	w.list(agent)
	w.call(agent, "playlist_delete", `{"id": "rainy-day"}`)
	w.restart("playlist serve -delete", func(c *config) { c.deletes = true })
	w.list(agent)
	w.call(agent, "playlist_delete", `{"id": "late-night"}`)
	w.call(agent, "playlist_delete", `{"id": "rainy-day"}`)
	w.call(agent, "playlist_read", `{"id": "rainy-day"}`)
}

func (w *walker) steppingUp() {
	w.say("6. Bob has granted editing, and his agent has a token for reading. It is told which scope to ask for.")
	w.grant(bob, scopeRead, scopeEdit)
	w.list(w.agent(bob, scopeRead))
	w.call(w.agent(bob, scopeRead), "playlist_edit", `{"id": "late-night", "remove": ["Tunnel"]}`)
	w.tell("bob@acme", "gets a token for "+scopeRead+" and "+scopeEdit)
	w.call(w.agent(bob, scopeRead, scopeEdit), "playlist_edit", `{"id": "late-night", "remove": ["Tunnel"]}`)
}

func (w *walker) revoked() {
	w.say("7. Alice's first grant is revoked. Her agent's token is as good as before, and its next call is refused. The other grant stays.")
	agent := w.agent(alice, allScopes...)
	w.call(agent, "playlist_read", `{"id": "road-trip"}`)
	w.revoke(w.reading)
	w.call(agent, "playlist_read", `{"id": "road-trip"}`)
	w.list(agent)
}

func (w *walker) everybody() {
	w.say("8. What each of them is shown in the end.")
	w.table(agent{name: "nobody"}, w.agent(alice, allScopes...), w.agent(bob, scopeRead), w.agent(carol, allScopes...))
}
