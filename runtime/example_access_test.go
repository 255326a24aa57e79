package runtime_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth"
	"github.com/capgen/capgen/runtime/auth/authtest"
	"github.com/capgen/capgen/runtime/grants"
	"github.com/capgen/capgen/runtime/runtimetest"
)

// readNote is the handler of NoteRead, a protected read of the scope note:read, and ownsNote its resource check.
func readNote(ctx context.Context, in NoteRead) (string, error) {
	p, _ := capabilities.PrincipalFrom(ctx)
	return "a note for " + p.Subject, nil
}

func ownsNote(_ context.Context, in NoteRead, p capabilities.Principal) error {
	return ofTenant(in.ID, p)
}

func ExampleWithGrants() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(readNote, capabilities.AuthorizeResource(ownsNote)))
	if err != nil {
		fmt.Println(err)
		return
	}
	// An issuer for tests and demonstrations; a program gives the URL of its own.
	issuer, err := authtest.NewIssuer()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer issuer.Close()
	const resource = "https://notes.example.com/mcp"
	verifier, err := auth.NewOIDC(auth.OIDC{Issuer: issuer.URL(), Audience: resource, TenantClaim: "tenant"})
	if err != nil {
		fmt.Println(err)
		return
	}
	store := grants.NewMemory() // sqlstore.Open keeps them
	handler, err := runtime.NewHandler(registry,
		runtime.WithBearer(runtime.Bearer{Verifier: verifier, Resource: resource, AuthorizationServers: []string{issuer.URL()}}),
		runtime.WithGrants(runtime.Grants{Store: store, Application: "notes"}),
		runtime.DiscoverProtected(func(context.Context, *capabilities.Definition, capabilities.Principal) bool { return true }),
	)
	if err != nil {
		fmt.Println(err)
		return
	}

	// Alice lets the client "assistant" read her notes for an hour.
	err = store.Save(context.Background(), grants.Grant{
		ID: grants.NewID(),
		Key: grants.Key{Issuer: issuer.URL(), Subject: "alice", ClientID: "assistant", TenantID: "acme", Application: "notes",
			Audience: resource},
		Scopes: []string{"note:read"}, IssuedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var callers []runtimetest.Caller
	for _, subject := range []string{"alice", "bob"} {
		token, err := issuer.Issue(authtest.Claims{Subject: subject, ClientID: "assistant", Audience: resource,
			Scopes: []string{"note:read"}, More: map[string]any{"tenant": "acme"}})
		if err != nil {
			fmt.Println(err)
			return
		}
		callers = append(callers, runtimetest.Caller{Name: subject, Token: token})
	}
	callers = append(callers, runtimetest.Caller{Name: "anonymous"})
	exampleTest(func(t testing.TB) {
		fmt.Print(runtimetest.Matrix(t, handler, callers, map[string]any{"note_read": NoteRead{ID: "acme-1"}}))
	})
	// Output:
	// TOOL       ALICE      BOB  ANONYMOUS
	// note_read  list call  -    401
}

func ExampleResolveContext() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(readNote, capabilities.AuthorizeResource(ownsNote)))
	if err != nil {
		fmt.Println(err)
		return
	}
	// The application knows its users by a cookie, and keeps what they may do in its own way.
	sessions := map[string]*capabilities.Principal{
		"s1": {Issuer: "notes", Subject: "alice", TenantID: "acme", Scopes: []string{"note:read"}},
	}
	handler, err := runtime.NewHandler(registry, runtime.ResolveContext(
		func(r *http.Request, _ *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
			cookie, err := r.Cookie("session")
			if err != nil {
				return nil, nil, nil // anonymous
			}
			mayCall := func(context.Context, *capabilities.Definition) (bool, error) { return true, nil }
			return sessions[cookie.Value], mayCall, nil
		}))
	if err != nil {
		fmt.Println(err)
		return
	}
	exampleTest(func(t testing.TB) {
		fmt.Print(runtimetest.Matrix(t, handler, []runtimetest.Caller{
			{Name: "alice", Header: http.Header{"Cookie": {"session=s1"}}},
			{Name: "anonymous"},
		}, nil))
	})
	// Output:
	// TOOL       ALICE      ANONYMOUS
	// note_read  list call  -
}

// exampleTest lends an example the *testing.T that a test has.
func exampleTest(f func(testing.TB)) { f(background{}) }

type background struct{ testing.TB }

func (background) Helper()                   {}
func (background) Context() context.Context  { return context.Background() }
func (background) Fatalf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }
