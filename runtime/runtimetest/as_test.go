package runtimetest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/runtimetest"
)

// AlbumRetire is a destructive capability.
type AlbumRetire struct {
	capabilities.Returns[string]

	Slug string `json:"slug"`
}

var retireCapability = capabilities.Declare[AlbumRetire, string](`{"id": "example.catalog:album.retire@1", "tool": "album_retire",
	"risk": "destructive", "access": {"scopes": ["album:delete"]},
	"input": {"type": "object", "properties": {"slug": {"type": "string"}}, "required": ["slug"], "additionalProperties": false},
	"output": {"type": "string"}}`)

func (AlbumRetire) Capability() *capabilities.Capability[AlbumRetire, string] {
	return retireCapability
}

func retireRegistry() *capabilities.Registry {
	registry, err := capabilities.NewRegistry(capabilities.Handle(
		func(ctx context.Context, in AlbumRetire) (string, error) {
			p, _ := capabilities.PrincipalFrom(ctx)
			return in.Slug + " is retired by " + p.Subject, nil
		},
		capabilities.AuthorizeResource(func(_ context.Context, in AlbumRetire, p capabilities.Principal) error {
			if p.TenantID != "acme" {
				return capabilities.ErrUnauthorized
			}
			return nil
		})))
	if err != nil {
		panic(err)
	}
	return registry
}

func ExampleClientAs() {
	exampleTest(func(t testing.TB) {
		for _, p := range []capabilities.Principal{{Subject: "alice", TenantID: "acme"}, {Subject: "carol", TenantID: "umbra"}} {
			fmt.Println(runtimetest.ClientAs(t, p, retireRegistry()).Call(t, "album_retire", AlbumRetire{Slug: "night-drive"}).Text)
		}
	})
	// Output:
	// {"result":"night-drive is retired by alice"}
	// The caller is not allowed to do this.
}

// A principal with scopes of its own keeps to them.
func TestClientAsKeepsScopes(t *testing.T) {
	s := runtimetest.ClientAs(t, capabilities.Principal{Subject: "alice", TenantID: "acme", Scopes: []string{"album:read"}}, retireRegistry())
	if tools := s.List(t); len(tools) != 0 {
		t.Errorf("%v", tools)
	}
}
