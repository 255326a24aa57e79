package auth_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/auth"
	"github.com/capgen/capgen/runtime/auth/authtest"
)

// Two tokens of one operator: the callers move from the old one to the new one, and then the old one is dropped.
func ExampleNewStatic() {
	operator := capabilities.Principal{
		Issuer:   "operations", // a name of the application's own
		ClientID: "nightly-import",
		Audience: "https://tools.example.com/mcp",
		Scopes:   []string{"albums:write"},
	}
	verifier, err := auth.NewStatic(
		auth.StaticToken{Token: "5e1f6c1a0b7d4e5f8a9b0c1d2e3f4a5b", Principal: operator}, // in a program, from its environment
		auth.StaticToken{Token: "0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f", Principal: operator},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := verifier.Verify(context.Background(), "0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f")
	fmt.Println(p.ClientID, p.Scopes, err)
	_, err = verifier.Verify(context.Background(), "guess")
	fmt.Println(err)
	// Output:
	// nightly-import [albums:write] <nil>
	// auth: the token is refused: it is none of the static tokens
}

// The issuer of the example is a real one, in this process; in a program it is the company's.
func ExampleNewOIDC() {
	issuer, err := authtest.NewIssuer()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer issuer.Close()

	verifier, err := auth.NewOIDC(auth.OIDC{
		Issuer:       issuer.URL(),
		Audience:     "https://tools.example.com/mcp",
		TenantClaim:  "tid",
		RequireTyped: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	token, err := issuer.Issue(authtest.Claims{
		Subject:  "ada",
		ClientID: "notebook",
		Audience: "https://tools.example.com/mcp",
		Scopes:   []string{"albums:read"},
		More:     map[string]any{"tid": "analytical-engines"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := verifier.Verify(context.Background(), token)
	fmt.Println(p.Subject, p.TenantID, p.ClientID, p.Scopes, err)

	other, err := issuer.Issue(authtest.Claims{Subject: "ada", Audience: "https://billing.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = verifier.Verify(context.Background(), other)
	fmt.Println(errors.Is(err, auth.ErrInvalidToken), err)
	// Output:
	// ada analytical-engines notebook [albums:read] <nil>
	// true auth: the token is refused: it is not for this audience
}

// An application that has sessions of its own asks them. What it does not know it refuses, and what it can't tell it says so of.
func ExampleVerifierFunc() {
	sessions := map[string]string{"s-9f8e7d": "ada"}
	var verifier auth.Verifier = auth.VerifierFunc(func(ctx context.Context, token string) (capabilities.Principal, error) {
		if err := ctx.Err(); err != nil {
			return capabilities.Principal{}, fmt.Errorf("asking for the session: %w", err) // a server answers with 503
		}
		user, found := sessions[token]
		if !found {
			return capabilities.Principal{}, fmt.Errorf("%w: there is no such session", auth.ErrInvalidToken) // 401
		}
		return capabilities.Principal{Issuer: "sessions", Subject: user, Audience: "https://tools.example.com/mcp"}, nil
	})

	p, err := verifier.Verify(context.Background(), "s-9f8e7d")
	fmt.Println(p.Subject, err)
	_, err = verifier.Verify(context.Background(), "s-000000")
	fmt.Println(err)
	// Output:
	// ada <nil>
	// auth: the token is refused: there is no such session
}
