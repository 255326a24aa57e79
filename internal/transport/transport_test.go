package transport

import (
	"encoding/json"
	"flag"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/internal/fixture/fixturetest"
)

func TestMain(m *testing.M) {
	// Most cases wait for most of their time. What the command line says of it counts more.
	if err := flag.Set("test.parallel", "12"); err != nil {
		panic(err)
	}
	fixturetest.Main(m)
}

// missing is the value of what was to be saved and was not there.
const missing = "MISSING"

// stopTime is how long the process may take to end when its calls have.
const stopTime = 3 * time.Second

// Every case passes, on a fixture of its own: sessions and limits are shared by whoever calls one server.
func TestCases(t *testing.T) {
	cases := readCases(t)
	if len(cases) < 119 {
		t.Errorf("there are %d cases, want 119 or more", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			var args []string
			if c.Auth {
				args = append(args, "-auth")
			}
			r := newRun(t, &c, fixturetest.Start(t, string(c.Config), args...))
			for i := range c.Steps {
				r.take(i)
			}
			r.finish()
			if len(r.wrong) > 0 {
				t.Errorf("%s\n%s\nwhy: %s (%s)\nlast body: %.400s", c.Title, strings.Join(r.wrong, "\n"), c.Why, c.Spec, r.last.body)
			}
		})
	}
}

// run is a case that is being played.
type run struct {
	t       *testing.T
	c       *testCase
	fixture *fixturetest.Process
	address string

	saved     values
	collected map[string][]string
	behind    map[string]chan answer
	last      answer
	wrong     []string
	stopped   time.Time // when the process was told to stop
}

func newRun(t *testing.T, c *testCase, fixture *fixturetest.Process) *run {
	endpoint, err := url.Parse(fixture.URL)
	if err != nil {
		t.Fatal(err)
	}
	return &run{
		t: t, c: c, fixture: fixture, address: endpoint.Host,
		saved:     values{"host": endpoint.Hostname(), "port": endpoint.Port()},
		collected: map[string][]string{},
		behind:    map[string]chan answer{},
	}
}

// take plays the step of an index.
func (r *run) take(index int) {
	s := &r.c.Steps[index]
	switch {
	case s.WaitMS > 0:
		time.Sleep(time.Duration(s.WaitMS) * time.Millisecond)
	case s.Control != nil:
		r.control(*s.Control)
	case s.Join != "":
		r.judge(index, r.join(s.Join))
	case s.Background:
		answers := make(chan answer, 1)
		saved := maps.Clone(r.saved)
		go func() { answers <- s.send(r.address, saved) }()
		r.behind[s.Name] = answers
	default:
		r.judge(index, r.request(s))
	}
}

// request sends a request, if need be several times, and returns the last answer.
func (r *run) request(s *step) answer {
	var a answer
	for range max(1, s.Repeat) {
		a = s.send(r.address, r.saved)
		if name, ok := strings.CutPrefix(s.Collect, "header:"); ok {
			r.collected[s.Collect] = append(r.collected[s.Collect], a.headers[strings.ToLower(name)])
		}
	}
	return a
}

func (r *run) join(name string) answer {
	select {
	case a := <-r.behind[name]:
		return a
	case <-time.After(30 * time.Second):
		return answer{status: notJoined, closed: true}
	}
}

// judge saves parts of an answer and holds it against what is expected.
func (r *run) judge(index int, a answer) {
	s := &r.c.Steps[index]
	r.last = a
	for name, part := range s.Save {
		r.saved[name] = r.part(part, &a)
	}
	var e expectation
	expected := []json.RawMessage{s.Expect}
	if index == len(r.c.Steps)-1 {
		expected = []json.RawMessage{r.c.Expect, s.Expect}
	}
	for _, text := range expected {
		if text == nil {
			continue
		}
		if err := decode(text, &e); err != nil {
			r.t.Fatal(err)
		}
	}
	wrong := e.check(&a, r.saved)
	if got := slices.Sorted(slices.Values(r.collected[s.Collect])); s.CollectUnique && len(slices.Compact(got)) < len(r.collected[s.Collect]) {
		wrong = append(wrong, "values of "+s.Collect+" repeat")
	}
	for _, what := range wrong {
		r.wrong = append(r.wrong, "step "+s.Name+": "+what)
	}
}

func (r *run) part(part string, a *answer) string {
	if name, ok := strings.CutPrefix(part, "header:"); ok {
		if value, ok := a.headers[strings.ToLower(name)]; ok {
			return value
		}
		return missing
	}
	if pattern, ok := strings.CutPrefix(part, "regex:"); ok {
		if m := regexp.MustCompile(pattern).FindSubmatch(a.body); m != nil {
			return string(m[1])
		}
		return missing
	}
	if part != "tools" {
		r.t.Fatalf("nothing is known of saving %q", part)
	}
	result, _ := a.message()["result"].(map[string]any)
	text, err := json.Marshal(result["tools"])
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// control does something to the process.
func (r *run) control(what string) {
	if what != "SIGTERM" {
		r.t.Fatalf("nothing is known of the control %q", what)
	}
	r.fixture.Stop()
	r.stopped = time.Now()
}

// finish holds a process that was told to stop to its time, which a stream that is open must not stretch.
func (r *run) finish() {
	if r.stopped.IsZero() {
		return
	}
	select {
	case <-r.fixture.Ended():
	case <-time.After(time.Until(r.stopped.Add(stopTime))):
		r.wrong = append(r.wrong, "the process has not ended "+stopTime.String()+" after it was told to")
	}
}
