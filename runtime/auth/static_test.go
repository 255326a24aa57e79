package auth_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/auth"
)

const (
	oldToken = "old-0123456789abcdef0123456789"
	newToken = "new-0123456789abcdef0123456789"
)

func operator() capabilities.Principal {
	return capabilities.Principal{Issuer: "operations", Subject: "night-shift", Audience: resource, Scopes: []string{"albums:read"}}
}

// A token is rotated by accepting two for a while.
func TestStaticRotation(t *testing.T) {
	before := must(auth.NewStatic(auth.StaticToken{Token: oldToken, Principal: operator()}))
	between := must(auth.NewStatic(auth.StaticToken{Token: newToken, Principal: operator()}, auth.StaticToken{Token: oldToken, Principal: operator()}))
	after := must(auth.NewStatic(auth.StaticToken{Token: newToken, Principal: operator()}))
	for _, test := range []struct {
		name     string
		v        *auth.Static
		old, new bool
	}{{"before", before, true, false}, {"between", between, true, true}, {"after", after, false, true}} {
		for token, want := range map[string]bool{oldToken: test.old, newToken: test.new} {
			p, err := verify(test.v, token)
			if accepted := err == nil; accepted != want {
				t.Errorf("%s, %s…: %v", test.name, token[:3], err)
			}
			if err == nil {
				checkPrincipal(t, p, operator())
			}
		}
	}
}

func TestStaticRefused(t *testing.T) {
	v := must(auth.NewStatic(auth.StaticToken{Token: oldToken, Principal: operator()}))
	for _, token := range []string{
		"", "x", oldToken[:len(oldToken)-1], oldToken + "0", " " + oldToken, oldToken + "\n", strings.ToUpper(oldToken), newToken,
		strings.Repeat("x", auth.MaxTokenBytes+1),
	} {
		p, err := verify(v, token)
		if !errors.Is(err, auth.ErrInvalidToken) || p.Identified() {
			t.Errorf("a token of %d bytes: %v, %v", len(token), p, err)
			continue
		}
		if len(token) > 1 && strings.Contains(err.Error(), token) {
			t.Errorf("the error holds the token: %v", err)
		}
	}
}

func TestStaticExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := operator()
		p.ExpiresAt = time.Now().Add(time.Hour)
		v := must(auth.NewStatic(auth.StaticToken{Token: oldToken, Principal: p}))
		time.Sleep(time.Hour - time.Nanosecond)
		if _, err := verify(v, oldToken); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Nanosecond)
		if _, err := verify(v, oldToken); !errors.Is(err, auth.ErrInvalidToken) {
			t.Errorf("after its expiry: %v", err)
		}
	})
}

// No caller can change what the next one gets.
func TestStaticIsImmutable(t *testing.T) {
	given := operator()
	v := must(auth.NewStatic(auth.StaticToken{Token: oldToken, Principal: given}))
	given.Scopes[0] = "admin"
	got := must(verify(v, oldToken))
	checkPrincipal(t, got, operator())
	got.Scopes[0] = "admin"
	checkPrincipal(t, must(verify(v, oldToken)), operator())
}

// A mistake is named with its index, and never with the token: configuration errors are logged, and shown on dashboards.
func TestStaticFaults(t *testing.T) {
	_, err := auth.NewStatic()
	if want := "auth.NewStatic: there is no token, so that nobody could call; give one or more"; err == nil || err.Error() != want {
		t.Errorf("without a token: %v", err)
	}

	nobody, nowhere := operator(), operator()
	nobody.Subject, nowhere.Audience = "", ""
	_, err = auth.NewStatic(
		auth.StaticToken{Token: oldToken, Principal: operator()},
		auth.StaticToken{Token: "hunter2", Principal: operator()},
		auth.StaticToken{Token: newToken + "\n", Principal: operator()},
		auth.StaticToken{Token: strings.Repeat("long", 5000), Principal: operator()},
		auth.StaticToken{Token: oldToken, Principal: operator()},
		auth.StaticToken{Token: "nobody" + newToken, Principal: nobody},
		auth.StaticToken{Token: "nowhere" + newToken, Principal: nowhere},
	)
	want := `auth.NewStatic: token 1 has 7 bytes, it must be random and have 22 or more; ` + "`openssl rand -hex 16`" + ` prints one
auth.NewStatic: token 2 holds a character that a bearer token cannot have, such as a space or the newline at the end of a file
auth.NewStatic: token 3 has 20000 bytes, it must have at most 16384
auth.NewStatic: token 4 is token 0 once more
auth.NewStatic: token 5 stands for nobody: its principal needs an Issuer, and a Subject or a ClientID
auth.NewStatic: token 6 is for no resource: its principal needs an Audience`
	if got := fmt.Sprint(err); got != want {
		t.Errorf("the error is\n%s\nwant\n%s", got, want)
	}
}

// The verifier keeps digests: not even a dump of it holds a token.
func TestStaticKeepsNoToken(t *testing.T) {
	v := must(auth.NewStatic(auth.StaticToken{Token: oldToken, Principal: operator()}))
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(format, *v); strings.Contains(text, oldToken) {
			t.Errorf("%s prints %s", format, text)
		}
	}
}
