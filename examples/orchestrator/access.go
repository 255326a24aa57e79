package main

import (
	"context"
	"net/http"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/orchestrator/tools"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth"
)

// operator is whom the orchestrator belongs to: the one person, or program of theirs, that may do all that it offers.
var operator = capabilities.Principal{
	Issuer:  "orchestrator",
	Subject: "operator",
	Scopes:  []string{"orchestrator:write", "orchestrator:approve", "orchestrator:stop"},
}

// access says who may call what. What reads is public by its declaration. What writes needs a caller who is known and holds its scopes, and
// what destroys has to be let out by its ID besides: nothing of that follows from where the server listens, so that it is said here.
func (f front) access() ([]runtime.Option, error) {
	options := []runtime.Option{
		runtime.ResolveContext(f.resolve),
		runtime.WithExposure(runtime.Exposure{MCP: runtime.Surface{Destructive: []capabilities.ID{
			tools.Stop{}.Capability().Definition().ID,
		}}}),
	}
	if f.token == "" {
		return options, nil
	}
	url := f.url
	if url == "" {
		url = "http://" + f.addr + runtime.EndpointPath
	}
	holder := operator
	holder.Audience = url
	verifier, err := auth.NewStatic(auth.StaticToken{Token: f.token, Principal: holder})
	if err != nil {
		return nil, err
	}
	// Goals say what somebody is working on: where others can reach the server, reads need the token too.
	required := true
	return append(options, runtime.WithBearer(runtime.Bearer{Verifier: verifier, Resource: url, Required: &required})), nil
}

// resolve says who calls. With a token that is whom the token stands for. Without one the server listens on this machine alone, and
// refuses what a browser sends for a page, so that whoever calls is already inside: it is the operator.
func (f front) resolve(_ *http.Request, holder *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
	if f.token == "" {
		local := operator.Clone()
		return &local, admitAll, nil
	}
	return holder, admitAll, nil
}

// admitAll adds nothing to the scopes: there is one operator, and no permission to take away without taking the token.
func admitAll(context.Context, *capabilities.Definition) (bool, error) { return true, nil }
