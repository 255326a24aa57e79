package runtime_test

import (
	"net/http"
	"testing"

	"github.com/capgen/capgen/runtime"
)

func TestAllowedHosts(t *testing.T) {
	url := server(t, newFixture(), runtime.WithAllowedHosts("Tools.Example.com.", "10.0.0.7:8053", "[2001:DB8::1]", "secure.example.com:443", "my_service"))
	call := modernCall("1", "echo", `{"text":"x"}`)
	for host, status := range map[string]int{
		"tools.example.com":      200, // A16
		"TOOLS.example.COM:8443": 200,
		"tools.example.com.":     200,
		"tools.example.com.:80":  200,
		"10.0.0.7:8053":          200,
		"[2001:db8:0::1]:80":     200,
		"secure.example.com":     200,
		"secure.example.com:443": 200,
		"my_service:1":           200,
		"10.0.0.7":               403,
		"10.0.0.7:80":            403,
		"secure.example.com:80":  403,
		"other.example.com":      403, // A16
		"tools.example.com.evil": 403,
		"x.tools.example.com":    403,
		"tools.example.com..":    403,
		"tools.example.com:x":    403,
		"tools.example.com:0":    403,
		"localhost":              403,
		"127.0.0.1":              403,
		"[::1":                   403,
	} {
		if got := call.with("Host", host).send(t, url); got.status != status {
			t.Errorf("%s: %d %s", host, got.status, got.body)
		}
	}
	got := call.with("Host", "other.example.com").with("X-Forwarded-Host", "tools.example.com").send(t, url)
	if got.status != 403 || got.body != `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request: the Host header is none of the allowed hosts"}}` {
		t.Errorf("%d %s", got.status, got.body)
	}
	// Also of a preflight, and of what is none.
	for _, method := range []string{"GET", "DELETE", "OPTIONS", "PUT"} {
		r := request{method: method, header: http.Header{}}.with("Host", "other.example.com")
		if got := r.send(t, url); got.status != 403 {
			t.Errorf("%s: %d %s", method, got.status, got.body)
		}
	}
}

func TestAllowedHostsErrors(t *testing.T) {
	for _, entry := range []string{"", "*", "*.example.com", "https://tools.example.com", "tools.example.com/mcp", "tools.example.com:http", "tools.example.com:99999",
		"::1", "[10.0.0.7]", "[tools]:80", "täglich.example.com", "-x.example.com", "a..b", "two words"} {
		_, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithAllowedHosts(entry))
		want := `runtime.WithAllowedHosts: "` + entry + `" is not a host: write a name or an IP address, as in tools.example.com, tools.example.com:8053 or [::1]`
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v", entry, err)
		}
	}
	if _, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithAllowedHosts()); err == nil ||
		err.Error() != "runtime.WithAllowedHosts: there is no host, so that nobody could call; give one or more" {
		t.Error(err)
	}
}
