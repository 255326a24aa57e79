package auth_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime/auth"
	"github.com/capgen/capgen/runtime/auth/authtest"
)

// Whatever an issuer answers but its keys, the token is neither accepted nor refused, and the error quotes no page.
func TestBrokenIssuers(t *testing.T) {
	const page = "<html>maintenance of db7.internal</html>"
	discovery := func(change fields) string {
		return string(must(json.Marshal(fields{"issuer": issuerURL, "jwks_uri": issuerURL + "/keys"}.with(change))))
	}
	for _, test := range []struct {
		name            string
		status          int
		media           string
		discovery, keys string // "" is the right one
		want            string
	}{
		{"500", 500, "text/html", page, "", "discovery: 500"},
		{"404", 404, "text/html", page, "", "discovery: 404"},
		{"401", 401, "application/json", `{"error":"x"}`, "", "discovery: 401"},
		{"HTML with 200", 200, "text/html", page, "", "got \"text/html\""},
		{"half a document", 200, "application/json", `{"issuer":`, "", "could not unmarshal as JSON"},
		{"another issuer", 200, "application/json", discovery(fields{"issuer": "https://login.example.org"}), "", "did not match the issuer URL returned by provider"},
		{"no issuer", 200, "application/json", discovery(fields{"issuer": nil}), "", "did not match the issuer URL returned by provider"},
		{"no jwks_uri", 200, "application/json", discovery(fields{"jwks_uri": nil}), "", "discovery: the document has no jwks_uri"},
		{"jwks_uri is a number", 200, "application/json", discovery(fields{"jwks_uri": 7}), "", "discovery: "},
		{"jwks_uri without https", 200, "application/json", discovery(fields{"jwks_uri": "http://127.0.0.1:9/keys"}), "", "is not https"},
		{"jwks_uri is a file", 200, "application/json", discovery(fields{"jwks_uri": "file:///etc/passwd"}), "", "is not https"},
		{"jwks_uri is no URL", 200, "application/json", discovery(fields{"jwks_uri": "https://%zz"}), "", "invalid URL escape"},
		{"endless discovery", 200, "application/json", strings.Repeat(" ", 2<<20), "", "the document has more than 1048576 bytes"},
		{"keys: 500", 500, "text/html", "", page, "/keys answers 500"},
		{"keys: HTML with 200", 200, "text/html", "", page, "is no key set"},
		{"keys: empty set", 200, "application/json", "", `{"keys":[]}`, "holds no key that can verify a signature"},
		{"keys: null", 200, "application/json", "", `null`, "holds no key that can verify a signature"},
		{"keys: none that is understood", 200, "application/json", "", `{"keys":[{"kty":"XYZ","kid":"rsa"},{"kty":"oct","k":"c2VjcmV0","kid":"rsa"},7]}`, "holds no key that can verify a signature"},
		{"keys: endless", 200, "application/json", "", strings.Repeat(" ", 2<<20), "the document has more than 1048576 bytes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			issuer := newStub(public("rsa", rsaKey))
			issuer.breakDown(func(r *http.Request) (*http.Response, error) {
				switch text := map[bool]string{true: test.keys, false: test.discovery}[r.URL.Path == "/keys"]; {
				case text != "":
					return answer(test.status, test.media, []byte(text)), nil
				case r.URL.Path == "/keys":
					return answer(http.StatusOK, "application/json", must(json.Marshal(fields{"keys": issuer.keys}))), nil
				}
				return answer(http.StatusOK, "application/json", []byte(discovery(nil))), nil
			})
			p, err := verify(issuer.verifier(t), sign(rsaKey, goodHeader(), goodClaims()))
			if err == nil || errors.Is(err, auth.ErrInvalidToken) || p.Identified() {
				t.Fatalf("the answer is %v, %v", p, err)
			}
			if prefix := "auth: the keys of the issuer " + issuerURL + " cannot be fetched: "; !strings.HasPrefix(err.Error(), prefix) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %q", err)
			}
			if strings.Contains(err.Error(), "db7") {
				t.Errorf("the error quotes the page: %q", err)
			}
		})
	}
}

// A key that nobody understands does not spoil the others (RFC 7517, section 5).
func TestKeysOfOtherKinds(t *testing.T) {
	issuer := newStub()
	good := string(must(json.Marshal(public("rsa", rsaKey))))
	issuer.breakDown(func(*http.Request) (*http.Response, error) {
		return answer(http.StatusOK, "application/json", []byte(`{"keys":[{"kty":"XYZ","kid":"rsa"},{"kty":"RSA","kid":"rsa","n":"?"},`+good+`]}`)), nil
	})
	v := issuer.verifier(t, func(c *auth.OIDC) { c.JWKSURL = "https://keys.example.com/login" })
	expectAccepted(t, v, "the key that is understood", sign(rsaKey, goodHeader(), goodClaims()))
	if discoveries, _ := issuer.counts(); discoveries != 1 {
		t.Errorf("the stub counts %d requests that are not for /keys, want the one for the configured address", discoveries)
	}
}

// A redirect may not lead out of https.
func TestRedirect(t *testing.T) {
	issuer := newStub(public("rsa", rsaKey))
	issuer.breakDown(func(r *http.Request) (*http.Response, error) {
		if r.URL.Scheme == "http" {
			t.Error("the redirect to http was followed")
		}
		response := answer(http.StatusFound, "text/plain", nil)
		response.Header.Set("Location", "http://login.example.com/keys")
		return response, nil
	})
	expectUndecided(t, issuer.verifier(t), "a redirect to http", sign(rsaKey, goodHeader(), goodClaims()))
}

// A panic of an application's HTTP client would end the process: it happens on a goroutine that no server's recover sees.
func TestPanickingClient(t *testing.T) {
	issuer := newStub(public("rsa", rsaKey))
	issuer.breakDown(func(*http.Request) (*http.Response, error) { panic("no proxy today") })
	expectUndecided(t, issuer.verifier(t), "a client that panics", sign(rsaKey, goodHeader(), goodClaims()))
}

// The tests below go over real connections.

func overHTTP(t *testing.T, url string) *auth.OIDCVerifier {
	t.Helper()
	return must(auth.NewOIDC(auth.OIDC{Issuer: url, Audience: resource, RequireTyped: true}))
}

func newIssuer(t *testing.T) *authtest.Issuer {
	t.Helper()
	issuer := must(authtest.NewIssuer())
	t.Cleanup(issuer.Close)
	return issuer
}

// Keys are rotated while callers call: none with a good token is refused, and none with a retired key passes.
func TestRotationMidRun(t *testing.T) {
	issuer := newIssuer(t)
	v := overHTTP(t, issuer.URL())
	issue := func() string { return must(issuer.Issue(authtest.Claims{Subject: "u-271828", Audience: resource})) }

	var current atomic.Value
	current.Store(issue())
	stop := make(chan struct{})
	var calls atomic.Int64
	var using sync.RWMutex // a token may be used until it is replaced
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				using.RLock()
				_, err := verify(v, current.Load().(string))
				using.RUnlock()
				if err != nil {
					t.Errorf("a good token: %v", err)
					return
				}
				calls.Add(1)
			}
		})
	}
	first := current.Load().(string)
	for round := range 4 {
		for before := calls.Load(); calls.Load() < before+50 && !t.Failed(); {
			time.Sleep(time.Millisecond)
		}
		if err := issuer.Rotate(); err != nil {
			t.Fatal(err)
		}
		current.Store(issue()) // used at once, by eight callers
		if round == 1 {
			using.Lock()
			issuer.Retire() // the next new key shows that the first one is gone
			using.Unlock()
		}
	}
	for before := calls.Load(); calls.Load() < before+50 && !t.Failed(); {
		time.Sleep(time.Millisecond)
	}
	close(stop)
	callers.Wait()
	expectRefused(t, v, "a retired key", first)
}

// The issuer goes away, and a server that knows its keys goes on, while one that does not answers that it cannot tell.
func TestIssuerStops(t *testing.T) {
	issuer := newIssuer(t)
	running, starting := overHTTP(t, issuer.URL()), overHTTP(t, issuer.URL())
	token := must(issuer.Issue(authtest.Claims{Subject: "u-271828", Audience: resource}))
	expectAccepted(t, running, "while the issuer is up", token)
	issuer.Close()
	expectAccepted(t, running, "with the keys at hand", token)
	expectUndecided(t, starting, "without keys", token)
}

// An issuer that accepts connections and says nothing holds a caller for as long as the caller wants.
func TestSilentIssuer(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	defer close(release)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := overHTTP(t, server.URL).Verify(ctx, sign(rsaKey, goodHeader(), goodClaims().with(fields{"iss": server.URL})))
	if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, auth.ErrInvalidToken) {
		t.Errorf("the answer is %v", err)
	}
}
