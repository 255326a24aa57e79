package e2e

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/node"
	"github.com/capgen/capgen/runtime/auth"
)

// issuer is oidc-provider, a certified OpenID provider that is no code of ours, as a process of its own.
type issuer struct {
	url, secret string
	stop        func()
}

func startIssuer(t *testing.T) issuer {
	t.Helper()
	folder, err := node.Install(node.Clients)
	if err != nil {
		t.Fatal(err)
	}
	i := issuer{secret: rand.Text()}
	var stderr bytes.Buffer
	provider := exec.CommandContext(t.Context(), "node", "issuer.mjs")
	provider.Dir, provider.Stderr, provider.Env = folder, &stderr, append(os.Environ(), "CLIENT_SECRET="+i.secret)
	stdin, err := provider.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := provider.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := provider.Start(); err != nil {
		t.Fatal(err)
	}
	stopped := false
	i.stop = func() {
		if !stopped {
			stopped = true
			_ = stdin.Close()
			_ = provider.Wait()
		}
	}
	t.Cleanup(i.stop)
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		i.stop()
		t.Fatalf("node issuer.mjs: %v\n%s", err, stderr.Bytes())
	}
	i.url = strings.TrimSpace(line)
	return i
}

// token asks for an access token, as a program does that calls for itself.
func (i issuer) token(t *testing.T, more url.Values) string {
	t.Helper()
	form := url.Values{"grant_type": {"client_credentials"}}
	for name, values := range more {
		form[name] = values
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, i.url+"/token", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth("nightly-import", i.secret)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.AccessToken == "" {
		t.Fatalf("the token endpoint answers %s %s", response.Status, text)
	}
	return answer.AccessToken
}

// Tokens of a real provider are accepted where they are meant for, nowhere else, and for as long as its keys are known.
func TestIssuer(t *testing.T) {
	const tools, billing = "https://tools.example.com/mcp", "https://billing.example.com/mcp"
	issuer := startIssuer(t)
	verifier := func(audience string) *auth.OIDCVerifier {
		v, err := auth.NewOIDC(auth.OIDC{Issuer: issuer.url, Audience: audience, RequireTyped: true})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	forTools, forBilling, idle := verifier(tools), verifier(billing), verifier(tools)

	token := issuer.token(t, url.Values{"resource": {tools}, "scope": {"albums:read albums:write"}}) // ES256
	got, err := forTools.Verify(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if left := time.Until(got.ExpiresAt); left < 240*time.Second || left > 300*time.Second {
		t.Errorf("it expires in %v, want some 300 s", left)
	}
	got.ExpiresAt = time.Time{}
	want := capabilities.Principal{Issuer: issuer.url, ClientID: "nightly-import", Audience: tools, Scopes: []string{"albums:read", "albums:write"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the principal differs (-want +got):\n%s", diff)
	}

	other := issuer.token(t, url.Values{"resource": {billing}, "scope": {"albums:read"}}) // RS256
	if p, err := forBilling.Verify(t.Context(), other); err != nil || len(p.Scopes) != 1 {
		t.Errorf("a token for billing at billing: %v, %v", p, err)
	}
	opaque := issuer.token(t, nil)
	forged := token[:strings.LastIndex(token, ".")] + other[strings.LastIndex(other, "."):]
	for name, refused := range map[string]string{"for another resource": other, "opaque": opaque, "with another's signature": forged} {
		if p, err := forTools.Verify(t.Context(), refused); !errors.Is(err, auth.ErrInvalidToken) || p.Identified() {
			t.Errorf("a token %s: %v, %v", name, p, err)
		}
	}

	issuer.stop()
	if _, err := forTools.Verify(t.Context(), token); err != nil {
		t.Errorf("after the issuer has stopped: %v", err)
	}
	if p, err := idle.Verify(t.Context(), token); err == nil || errors.Is(err, auth.ErrInvalidToken) || p.Identified() {
		t.Errorf("without its keys: %v, %v", p, err)
	}
}
