package runtime_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime"
	"github.com/google/go-cmp/cmp"
)

const (
	operatorToken = "SECRET-0123456789abcdef"
	startOfTable  = "<!-- settings: go test ./runtime -run TestSettingsTable -update writes them -->\n"
)

var update = flag.Bool("update", false, "rewrite the table of settings in README.md")

func lookup(variables map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}
}

// Every field can be set by an operator, and has one name in each place.
func TestSettings(t *testing.T) {
	var fields []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[runtime.Config]()) {
		fields = append(fields, field.Name)
	}
	if listed := runtime.SettingsFields(); !slices.Equal(listed, fields) {
		t.Errorf("the settings are those of %v, and the fields %v", listed, fields)
	}
}

// README.md shows the settings as they are.
func TestSettingsTable(t *testing.T) {
	const name = "../README.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), startOfTable)
	shown, after, ended := strings.Cut(rest, "\n\n")
	if !found || !ended {
		t.Fatal("README.md has no table of settings")
	}
	want := strings.TrimSuffix(runtime.SettingsTable(), "\n")
	if shown == want {
		return
	}
	if !*update {
		t.Fatalf("README.md shows other settings (-update writes them):\n%s", cmp.Diff(shown, want))
	}
	if err := os.WriteFile(name, []byte(before+startOfTable+want+"\n\n"+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Flags count over the environment, and that over the code.
func TestPrecedence(t *testing.T) {
	origins := []string{"http://code.example"}
	config := runtime.Config{Host: "code", Path: "/code", Issuer: "https://code.example", CORSOrigins: origins, MaxCalls: 1}
	err := config.FromEnv(lookup(map[string]string{
		"CAPGEN_PATH": "/environment", "CAPGEN_ISSUER": "https://environment.example", "CAPGEN_CORS_ORIGINS": " http://a.example, ,http://b.example",
		"CAPGEN_SESSION_TIMEOUT": "90s", "CAPGEN_PORT": "0", "CAPGEN_TOKEN": operatorToken, "CAPGEN_MAX_CALLS": "",
	}))
	if err != nil {
		t.Fatal(err)
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	config.Flags(flags)
	if err := flags.Parse([]string{"-issuer", "https://flag.example", "-deadline=2s", "-allowed-hosts", "a.example,[::1]"}); err != nil {
		t.Fatal(err)
	}
	want := runtime.Config{
		Host: "code", Port: runtime.FreePort, Path: "/environment", Issuer: "https://flag.example", CORSOrigins: []string{"http://a.example", "http://b.example"},
		AllowedHosts: []string{"a.example", "[::1]"}, Token: operatorToken, SessionTimeout: 90 * time.Second, Deadline: 2 * time.Second, MaxCalls: 1,
	}
	if diff := cmp.Diff(want, config); diff != "" {
		t.Error(diff)
	}
	if origins[0] != "http://code.example" {
		t.Error("the code's own list is changed")
	}
}

func TestMalformedSettings(t *testing.T) {
	var config runtime.Config
	err := config.FromEnv(lookup(map[string]string{"CAPGEN_PORT": "http", "CAPGEN_MAX_CALLS": "0", "CAPGEN_DEADLINE": "10", "CAPGEN_MAX_SESSIONS": "-1"}))
	const want = `CAPGEN_PORT: "http" is not a port: write a number from 0 to 65535
CAPGEN_MAX_SESSIONS: "-1" is not a whole number of 1 or more
CAPGEN_DEADLINE: "10" is not a duration of more than 0: write a number and a unit, such as 30s or 1h
CAPGEN_MAX_CALLS: "0" is not a whole number of 1 or more`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	if diff := cmp.Diff(runtime.Config{}, config); diff != "" {
		t.Error(diff)
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	config.Flags(flags)
	if err := flags.Parse([]string{"-port", "65536"}); err == nil ||
		err.Error() != `invalid value "65536" for flag -port: it is not a port: write a number from 0 to 65535` {
		t.Error(err)
	}
	if err := flags.Parse([]string{"-token", operatorToken}); err == nil {
		t.Error("a token on the command line is accepted")
	}
}

func TestHelp(t *testing.T) {
	config := runtime.Config{MaxCalls: 5, Token: operatorToken}
	var help strings.Builder
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(&help)
	config.Flags(flags)
	flags.PrintDefaults()
	for _, want := range []string{
		"  -port port\n    \tTCP port to listen on; 0 takes a free one [$CAPGEN_PORT] (default 8053)\n",
		"  -public-url URL\n    \tURL by which clients reach the server, without the path [$CAPGEN_PUBLIC_URL]\n",
		"(default: the endpoint's public URL) [$CAPGEN_AUDIENCE]\n",
		"[$CAPGEN_MAX_CALLS] (default 5)\n",
		"[$CAPGEN_SESSION_TIMEOUT] (default 1h)\n",
	} {
		if !strings.Contains(help.String(), want) {
			t.Errorf("-help does not say %q:\n%s", want, help.String())
		}
	}
	if strings.Contains(help.String(), "SECRET") {
		t.Error("-help shows the token")
	}
}

// What cannot be served is said when the handler is built, all at once, and never with a secret.
func TestConfigErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	tests := []struct {
		config runtime.Config
		want   string
	}{
		{runtime.Config{Host: "http://localhost", Port: 70000, Path: "mcp/", PublicURL: "tools.example.com"},
			`runtime.Config: the Host "http://localhost" is neither a name nor an IP address: write one without a port, such as 127.0.0.1
runtime.Config: the Port 70000 is not from 1 to 65535: FreePort takes one that is free
runtime.Config: the Path "mcp/" is not a plain path: write one such as /mcp, without a slash at the end
runtime.Config: the PublicURL is not how a server is reached: write an http or https URL without query, fragment and user, such as https://tools.example.com`},
		{runtime.Config{Path: "/readyz"}, `runtime.Config: the Path "/readyz" is taken: Run serves something else there`},
		{runtime.Config{Path: "/a/{b}"}, `runtime.Config: the Path "/a/{b}" is not a plain path: write one such as /mcp, without a slash at the end`},
		{runtime.Config{PublicURL: "https://user:SECRET@tools.example.com"},
			`runtime.Config: the PublicURL is not how a server is reached: write an http or https URL without query, fragment and user, such as https://tools.example.com`},
		{runtime.Config{Host: "0.0.0.0", Auth: "bearer", Token: operatorToken},
			`runtime.Config: the Host "0.0.0.0" can be reached from other machines, and nothing says by which name: ` +
				`set PublicURL (CAPGEN_PUBLIC_URL or -public-url) to how clients reach it, or AllowedHosts (CAPGEN_ALLOWED_HOSTS or -allowed-hosts)`},
		{runtime.Config{Auth: "basic"}, `runtime.Config: the Auth "basic" is not known: write none, bearer or oidc`},
		{runtime.Config{Auth: "bearer"},
			"runtime.Config: the Auth is bearer and there is no token: set TokenFile (CAPGEN_TOKEN_FILE or -token-file) or Token (CAPGEN_TOKEN)"},
		{runtime.Config{Token: operatorToken},
			"runtime.Config: a token is set and the Auth is none, so that it is not asked for: set Auth (CAPGEN_AUTH or -auth) to bearer, or leave Token, TokenFile and TokenScopes out"},
		{runtime.Config{Auth: "bearer", Token: operatorToken, TokenFile: file},
			"runtime.Config: Token and TokenFile are both set: leave one out (CAPGEN_TOKEN, CAPGEN_TOKEN_FILE or -token-file)"},
		{runtime.Config{Auth: "bearer", TokenFile: file}, "runtime.Config: the TokenFile: open " + file + ": no such file or directory"},
		{runtime.Config{Auth: "bearer", Token: "SECRET"},
			"runtime.Config: auth.NewStatic: token 0 has 6 bytes, it must be random and have 22 or more; `openssl rand -hex 16` prints one"},
		{runtime.Config{Auth: "bearer", Token: operatorToken, TokenScopes: []string{"A B"}}, `runtime.Config: the TokenScopes: `},
		{runtime.Config{Auth: "bearer", Token: operatorToken, Port: runtime.FreePort},
			"runtime.Config: tokens are for one server, and its port is not known beforehand: set Audience (CAPGEN_AUDIENCE or -audience), or a Port"},
		{runtime.Config{Auth: "oidc"}, "runtime.Config: the Auth is oidc and there is no Issuer: set it (CAPGEN_ISSUER or -issuer) to the URL of the OpenID provider"},
		{runtime.Config{Host: "::", AllowedHosts: []string{"a"}, Auth: "oidc", Issuer: "https://id.example.com"},
			"runtime.Config: tokens are for one server, and nothing says what they call it: set PublicURL (CAPGEN_PUBLIC_URL or -public-url) or Audience (CAPGEN_AUDIENCE or -audience)"},
		{runtime.Config{Issuer: "https://id.example.com"},
			"runtime.Config: an Issuer is set and the Auth is none, so that its tokens are not asked for: set Auth (CAPGEN_AUTH or -auth) to oidc, or leave Issuer out"},
		{runtime.Config{MaxSessions: -1, CORSOrigins: []string{"x"}}, `runtime.WithCORSOrigins: "x" is not an origin: write scheme://host[:port] without a path, "*" or "null"
runtime.WithMaxSessions(-1): the limit must be 1 or more`},
	}
	for _, test := range tests {
		_, err := runtime.NewHandler(registry(t, newFixture()), test.config.Options()...)
		if err == nil || err.Error() != test.want && !(strings.HasSuffix(test.want, " ") && strings.HasPrefix(err.Error(), test.want)) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%v\nwant %s", err, test.want)
		}
		if ran := runtime.Run(t.Context(), registry(t, newFixture()), test.config); ran == nil || err != nil && ran.Error() != err.Error() {
			t.Errorf("Run: %v", ran)
		}
	}
}

// Other machines are let in only when callers are asked who they are (SX05).
func TestRunExposed(t *testing.T) {
	const want = `runtime.Run: the Host "0.0.0.0" can be reached from other machines, and nobody is asked who they are: set CAPGEN_AUTH=bearer and ` +
		`CAPGEN_TOKEN_FILE or CAPGEN_TOKEN, or CAPGEN_AUTH=oidc and CAPGEN_ISSUER; or listen on this machine alone, with -host 127.0.0.1`
	config := runtime.Config{Host: "0.0.0.0", Port: runtime.FreePort, PublicURL: "https://tools.example.com"}
	if err := runtime.Run(t.Context(), registry(t, newFixture()), config); err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	config.Auth, config.Token = runtime.AuthBearer, operatorToken
	server := runConfig(t, newFixture(), config)
	_, port, _ := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(server.url, "http://"), "/mcp"))
	url := "http://127.0.0.1:" + port + "/mcp"
	call := modernCall("1", "echo", `{"text":"x"}`).with("Host", "tools.example.com")
	if got := call.send(t, url); got.status != 401 || !strings.HasPrefix(got.header.Get("WWW-Authenticate"), "Bearer ") {
		t.Errorf("%d %v", got.status, got.header)
	}
	call = call.with("Authorization", "Bearer "+operatorToken)
	if got := call.send(t, url); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := call.with("Host", "127.0.0.1").send(t, url); got.status != 403 {
		t.Errorf("%d %s", got.status, got.body)
	}
	server.stop()
	server.ended(t)
}

// Behind a proxy on the same machine the public name counts, and the loopback names still do.
func TestRunBehindProxy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(operatorToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := runConfig(t, newFixture(), runtime.Config{
		Port: runtime.FreePort, Path: "/tools/mcp", PublicURL: "https://example.com/shop/", Auth: runtime.AuthOIDC, Issuer: "https://id.example.com",
	})
	call := modernCall("1", "echo", `{"text":"x"}`)
	for host, status := range map[string]int{"example.com": 401, "localhost": 401, "127.0.0.1": 401, "evil.example": 403} {
		if got := call.with("Host", host).send(t, server.url); got.status != status {
			t.Errorf("%s: %d %s", host, got.status, got.body)
		}
	}
	challenge := call.send(t, server.url).header.Get("WWW-Authenticate")
	if want := `Bearer scope="secret:write", resource_metadata="https://example.com/.well-known/oauth-protected-resource/shop/tools/mcp"`; challenge != want {
		t.Errorf("%s, want %s", challenge, want)
	}
	root := strings.TrimSuffix(server.url, "/tools/mcp")
	for _, path := range []string{"", "/tools/mcp", "/shop/tools/mcp"} {
		got := request{method: "GET"}.send(t, root+"/.well-known/oauth-protected-resource"+path)
		if got.status != 200 || !strings.Contains(got.body, `"resource":"https://example.com/shop/tools/mcp"`) {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	server.stop()
	server.ended(t)
}

// What looks after the process is answered whatever it calls the server, and without a token.
func TestHealth(t *testing.T) {
	f := newFixture()
	server := runConfig(t, f, runtime.Config{Port: runtime.FreePort, Audience: "https://tools.example.com/mcp", Auth: runtime.AuthBearer, Token: operatorToken})
	root := strings.TrimSuffix(server.url, "/mcp")
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := (request{method: "GET", header: http.Header{"Host": {"10.1.2.3"}}}).send(t, root+path); got.status != 200 || got.body != "ok\n" {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
		if got := (request{method: "POST"}).send(t, root+path); got.status != 405 {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	server.stop()
	server.ended(t)

	handler, err := runtime.NewHandler(registry(t, f))
	if err != nil || !handler.Ready() {
		t.Fatal(err)
	}
	if err := handler.Shutdown(context.Background()); err != nil || handler.Ready() {
		t.Error(err, handler.Ready())
	}
}

// Options count over the Config, and the Config's own are options like any other.
func TestConfigOptions(t *testing.T) {
	config := runtime.Config{MaxRequestBytes: 10, CORSOrigins: []string{inspector}}
	call := modernCall("1", "echo", `{"text":"x"}`).with("Origin", inspector)
	if got := call.send(t, server(t, newFixture(), config.Options()...)); got.status != 413 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := call.send(t, server(t, newFixture(), append(config.Options(), runtime.WithMaxRequestBytes(4096))...)); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestSetAddress(t *testing.T) {
	for address, want := range map[string]runtime.Config{
		"127.0.0.1:80": {Host: "127.0.0.1", Port: 80}, "[::1]:0": {Host: "::1", Port: runtime.FreePort}, ":8053": {Port: 8053},
	} {
		var got runtime.Config
		if err := got.SetAddress(address); err != nil || got.Host != want.Host || got.Port != want.Port {
			t.Errorf("%s: %s %d, %v", address, got.Host, got.Port, err)
		}
	}
	for _, address := range []string{"", "8053", "localhost", "localhost:http", "localhost:65536", "::1:80"} {
		var got runtime.Config
		want := fmt.Sprintf("the address %q is not of the form HOST:PORT, such as 127.0.0.1:8053", address)
		if err := got.SetAddress(address); err == nil || err.Error() != want || got.Host != "" {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
