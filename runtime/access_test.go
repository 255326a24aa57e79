package runtime_test

import (
	"context"
	"log/slog"
	"net/http"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth"
	"github.com/capgen/capgen/runtime/grants"
)

// TestAccessOptions: every combination that cannot work, each with what to write instead.
func TestAccessOptions(t *testing.T) {
	verifier := auth.VerifierFunc(func(context.Context, string) (capabilities.Principal, error) { return capabilities.Principal{}, nil })
	var (
		bearer   = runtime.WithBearer(runtime.Bearer{Verifier: verifier, Resource: resource})
		granted  = runtime.WithGrants(runtime.Grants{Store: grants.NewMemory(), Application: application})
		discover = runtime.DiscoverProtected(func(context.Context, *capabilities.Definition, capabilities.Principal) bool { return true })
		resolve  = runtime.ResolveContext(func(*http.Request, *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
			return nil, nil, nil
		})
		exposed = func(ids ...capabilities.ID) runtime.Option {
			return runtime.WithExposure(runtime.Exposure{MCP: runtime.Surface{Destructive: ids}})
		}
		drop, read = noteDrop.Definition().ID, noteRead.Definition().ID
	)
	other, err := capabilities.ParseID("test:other@1")
	if err != nil {
		t.Fatal(err)
	}
	n := newNotes(t)
	for name, test := range map[string]struct {
		options []runtime.Option
		want    string // "": it works
	}{
		"nothing":                     {nil, ""},
		"bearer alone":                {[]runtime.Option{bearer}, ""},
		"bearer, grants, discovery":   {[]runtime.Option{bearer, granted, discover}, ""},
		"with exposure":               {[]runtime.Option{bearer, granted, discover, exposed(drop)}, ""},
		"the application's":           {[]runtime.Option{resolve, exposed(drop)}, ""},
		"the application's on tokens": {[]runtime.Option{resolve, bearer}, ""},
		"both decide": {[]runtime.Option{resolve, bearer, granted},
			"runtime.ResolveContext and runtime.WithGrants both say what a caller may do: leave one out"},
		"both show": {[]runtime.Option{resolve, discover},
			"runtime.ResolveContext and runtime.DiscoverProtected both say what a caller may see: have the Authorizer decide"},
		"grants for nobody": {[]runtime.Option{granted, discover}, "runtime.WithGrants needs callers that are known: add runtime.WithBearer"},
		"grants unseen": {[]runtime.Option{bearer, granted},
			"runtime.WithGrants admits nobody while protected capabilities are not discovered: add runtime.DiscoverProtected"},
		"nothing granted": {[]runtime.Option{bearer, discover}, "runtime.DiscoverProtected shows what is granted: add runtime.WithGrants"},
		"exposed to nobody": {[]runtime.Option{bearer, exposed(drop)},
			"runtime.WithExposure lets nothing out while nobody is admitted: add runtime.WithGrants or runtime.ResolveContext"},
		"exposed and unknown": {[]runtime.Option{resolve, exposed(other)},
			"runtime.WithExposure: test:other@1 is not served here: bind it, or take it from the list"},
		"exposed and harmless": {[]runtime.Option{resolve, exposed(read)},
			"runtime.WithExposure: test:note.read@1 is not destructive, so it needs no exposure: take it from the list"},
		"exposed twice": {[]runtime.Option{resolve, exposed(drop, drop)}, "runtime.WithExposure: test:note.drop@1 is there twice"},
		"step-up to nothing": {[]runtime.Option{runtime.WithBearer(runtime.Bearer{Verifier: verifier, Resource: resource, ChallengeScopes: true})},
			"Bearer.ChallengeScopes asks for scopes that admit nobody: add runtime.WithGrants or runtime.ResolveContext"},
		"no verifier": {[]runtime.Option{runtime.WithBearer(runtime.Bearer{Resource: resource})},
			"runtime.WithBearer: the Verifier is nil: make one with package auth"},
		"no resource": {[]runtime.Option{runtime.WithBearer(runtime.Bearer{Verifier: verifier})},
			`runtime.WithBearer: the Resource "" is not an absolute http or https URL: write the endpoint's URL as clients know it, such as https://tools.example.com/mcp`},
		"a resource with a fragment": {[]runtime.Option{runtime.WithBearer(runtime.Bearer{Verifier: verifier, Resource: resource + "#x"})},
			`runtime.WithBearer: the Resource "https://tools.example.com/mcp#x" has a fragment: write the endpoint's URL as clients know it, such as https://tools.example.com/mcp`},
		"an authorization server without a host": {[]runtime.Option{runtime.WithBearer(runtime.Bearer{Verifier: verifier, Resource: resource, AuthorizationServers: []string{"id"}})},
			`runtime.WithBearer: the authorization server "id" is not an absolute http or https URL: write its issuer URL`},
		"a scope that is none": {[]runtime.Option{runtime.WithBearer(runtime.Bearer{Verifier: verifier, Resource: resource, RequiredScopes: []string{"a b"}})},
			`runtime.WithBearer: scope "a b" is not of the form [a-z][a-z0-9:._-]{0,63}`},
		"a scope of refreshing": {[]runtime.Option{runtime.WithBearer(runtime.Bearer{Verifier: verifier, Resource: resource, RequiredScopes: []string{"offline_access"}})},
			"runtime.WithBearer: the scope offline_access is between a client and its authorization server: leave it out"},
		"scopes of nobody": {[]runtime.Option{runtime.WithBearer(runtime.Bearer{Verifier: verifier, Resource: resource, RequiredScopes: []string{"a"}, Required: new(false)})},
			"runtime.WithBearer: RequiredScopes say that everybody needs scopes, and Required that nobody needs a token: leave one out"},
		"no store": {[]runtime.Option{bearer, discover, runtime.WithGrants(runtime.Grants{Application: "x"})},
			"runtime.WithGrants: the Store is nil: make one with package grants or sqlstore"},
		"no application": {[]runtime.Option{bearer, discover, runtime.WithGrants(runtime.Grants{Store: grants.NewMemory()})},
			"runtime.WithGrants: the Application is empty: write the name that grants are issued for"},
		"nil resolver":  {[]runtime.Option{runtime.ResolveContext(nil)}, "runtime.ResolveContext: the function is nil"},
		"nil discovery": {[]runtime.Option{runtime.DiscoverProtected(nil)}, "runtime.DiscoverProtected: the function is nil: return true to show all that is granted"},
		"nil narrowing": {[]runtime.Option{runtime.CanDiscover(nil)}, "runtime.CanDiscover: the function is nil"},
	} {
		t.Run(name, func(t *testing.T) {
			options := append(test.options, runtime.WithLogger(slog.New(slog.DiscardHandler)))
			_, err := runtime.NewHandler(n.registry(t, true), options...)
			if test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != test.want) {
				t.Errorf("\n got %v\nwant %s", err, test.want)
			}
		})
	}
}
