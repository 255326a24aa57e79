package tasks

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/capgen/capgen/examples/orchestrator/api"
)

func TestHTTPRefuses(t *testing.T) {
	client, _ := serveTasks(t, Config{Database: "sqlite:" + t.TempDir() + "/tasks.db"})
	defer http.DefaultClient.CloseIdleConnections()
	json := http.Header{"Content-Type": {"application/json"}}
	for _, test := range []struct {
		method, path, body string
		header             http.Header
		status             int
		want               string
	}{
		{"POST", "/v1/tasks", `{"goal": "a"}`, nil, 400, "the Content-Type must be application/json"},
		{"POST", "/v1/tasks", `{"goal": "a"}`, http.Header{"Content-Type": {"text/plain"}}, 400, "the Content-Type must be application/json"},
		{"POST", "/v1/tasks", `{"goal": "a", "speed": 1}`, json, 400, `unknown field \"speed\"`},
		{"POST", "/v1/tasks", `{"goal": 1}`, json, 400, "cannot unmarshal number"},
		{"POST", "/v1/tasks", `{"goal": "a"} {}`, json, 400, "the body goes on after its JSON"},
		{"POST", "/v1/tasks", `{"goal": "` + strings.Repeat("a", maxBody) + `"}`, json, 400, "request body too large"},
		{"POST", "/v1/stop", `{}`, json, 400, "unfinished must be"},
		{"POST", "/v1/tasks/t-aaaaaaaaaaaaaaaa/approve", `{}`, json, 404, "unknown_task"},
		{"POST", "/v1/tasks/..%2f/approve", `{}`, json, 404, "unknown_task"},
		{"GET", "/v1/tasks?limit=many", "", nil, 400, "the limit is not a number"},
		{"GET", "/v1/nothing", "", nil, 404, "not found"},
		{"DELETE", "/v1/tasks", "", nil, 405, "Not Allowed"},
		{"POST", "/v1/tasks", `{"goal": "a"}`, http.Header{"Content-Type": {"application/json"}, "Origin": {"https://evil.example"}}, 403, "cross-origin"},
		{"GET", "/v1/tasks", "", http.Header{"Host": {"evil.example"}}, 403, "the Host header does not name this machine"},
	} {
		request, err := http.NewRequestWithContext(t.Context(), test.method, client.Server()+test.path, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range test.header {
			request.Header[name] = values
		}
		request.Host = request.Header.Get("Host")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != test.status || !strings.Contains(string(text), test.want) {
			t.Errorf("%s %s %.40s: %d %s %v", test.method, test.path, test.body, response.StatusCode, text, err)
		}
	}
}

func TestStopEndsTheServer(t *testing.T) {
	database := "sqlite:" + t.TempDir() + "/tasks.db"
	client, stop := serveTasks(t, Config{Database: database})
	if _, err := client.Create(t.Context(), "", api.NewTask{Goal: "a"}); err != nil {
		t.Fatal(err)
	}
	report, err := client.Stop(t.Context(), api.StopOrder{Unfinished: api.Keep})
	if err != nil || report.Kept != 1 {
		t.Fatal(report, err)
	}
	stop()
	_, err = client.Health(t.Context())
	var lost *api.Unreachable
	if !errors.As(err, &lost) || lost.Sent {
		t.Errorf("asked after the end: %v", err)
	}
	client, _ = serveTasks(t, Config{Database: database})
	if counts := summary(t, client).Counts; counts != (api.Counts{Pending: 1}) {
		t.Errorf("after the next start: %+v", counts)
	}
}

func TestConfigIsRefused(t *testing.T) {
	database := "sqlite:" + t.TempDir() + "/tasks.db"
	for _, test := range []struct {
		config Config
		want   string
	}{
		{Config{Addr: "0.0.0.0:0", Database: database}, "the task server asks nobody who they are, so that 0.0.0.0:0, which other machines can reach, is not for it: " +
			"listen on 127.0.0.1, and run a front beside it"},
		{Config{Addr: "127.0.0.1:0", Database: database, Workers: 65}, "the task server has 0 to 64 workers, and a step takes at most 10 s"},
		{Config{Addr: "127.0.0.1:0", Database: "x"}, "the database is neither sqlite:PATH nor postgres://USER:PASSWORD@HOST/DATABASE"},
	} {
		if err := Run(t.Context(), test.config); fmt.Sprint(err) != test.want {
			t.Errorf("%+v: %v", test.config, err)
		}
	}
}
