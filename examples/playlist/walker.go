package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/capgen/capgen/runtime"
)

// walker does what the steps of the walk say, and tells of it. After an error, which ends the walk with its step, what it does has no meaning.
type walker struct {
	ctx    context.Context
	stage  *stage
	out    io.Writer
	client *http.Client
	err    error

	reading string // the ID of Alice's first grant
}

func newWalker(ctx context.Context, s *stage, out io.Writer) *walker {
	return &walker{ctx: ctx, stage: s, out: out, client: &http.Client{Transport: new(http.Transport)}}
}

func (w *walker) check(err error) { w.err = errors.Join(w.err, err) }

func (w *walker) say(text string) { fmt.Fprintf(w.out, "\n%s\n\n", text) }

// tell prints what somebody did and what came of it.
func (w *walker) tell(who, what string, results ...string) {
	fmt.Fprintf(w.out, "  %s: %s\n", who, what)
	for _, result := range results {
		if result != "" {
			fmt.Fprintf(w.out, "      %s\n", result)
		}
	}
}

func (w *walker) agent(u user, scopes ...string) agent {
	token, err := w.stage.demo.token(u, w.stage.config.resource, scopes...)
	w.check(err)
	return agent{name: u.name + "@" + u.tenant, token: token}
}

func (w *walker) list(a agent) {
	got, err := a.list(w.ctx, w.client, w.stage.config.resource)
	w.check(err)
	w.tell(a.name, "lists the tools", got.said(), got.challenge)
}

func (w *walker) call(a agent, tool, arguments string) {
	got, err := a.call(w.ctx, w.client, w.stage.config.resource, tool, arguments)
	w.check(err)
	w.tell(a.name, tool+" "+arguments, got.said(), got.challenge)
}

func (w *walker) get(path string) {
	request, err := http.NewRequestWithContext(w.ctx, http.MethodGet, strings.TrimSuffix(w.stage.config.resource, runtime.EndpointPath)+path, nil)
	if err != nil {
		w.check(err)
		return
	}
	response, err := w.client.Do(request)
	if err != nil {
		w.check(err)
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	w.check(err)
	w.tell("nobody", "GET "+path, strings.TrimSpace(string(body)))
}

// grant returns the ID of what it grants.
func (w *walker) grant(u user, scopes ...string) string {
	told := fmt.Sprintf("grants issue -subject %s -client %s -tenant %s -scopes %s", u.name, demoClient, u.tenant, strings.Join(scopes, ","))
	return w.operate(told, append(strings.Fields(told), "-db", w.stage.config.file, "-issuer", w.stage.config.issuer, "-resource", w.stage.config.resource))
}

func (w *walker) revoke(id string) {
	w.operate("grants revoke ID", []string{"grants", "revoke", "-db", w.stage.config.file, id})
}

// operate runs a command of this program and returns what it prints. It tells what matters here.
func (w *walker) operate(told string, args []string) string {
	var printed strings.Builder
	w.check(run(w.ctx, args, &printed))
	w.tell("operator", "playlist "+told)
	return strings.TrimSpace(printed.String())
}

// restart ends the server and starts it again, changed.
func (w *walker) restart(command string, change func(*config)) {
	w.check(w.stage.stop())
	change(&w.stage.config)
	w.check(w.stage.start(w.ctx))
	w.tell("operator", "stops the server and starts it with "+command)
}

// table draws which tools each agent is shown. In a test, runtimetest.Matrix draws what becomes of calls, too.
func (w *walker) table(agents ...agent) {
	table := tabwriter.NewWriter(w.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "  TOOL")
	shown := make([]answer, len(agents))
	for i, a := range agents {
		var err error
		shown[i], err = a.list(w.ctx, w.client, w.stage.config.resource)
		w.check(err)
		fmt.Fprint(table, "\t", strings.ToUpper(a.name))
	}
	fmt.Fprintln(table)
	for _, tool := range slices.Sorted(maps.Keys(w.stage.handler.Tools())) {
		fmt.Fprint(table, "  ", tool)
		for _, got := range shown {
			cell := "-"
			if got.status != http.StatusOK {
				cell = fmt.Sprint(got.status)
			} else if slices.Contains(got.tools, tool) {
				cell = "list"
			}
			fmt.Fprint(table, "\t", cell)
		}
		fmt.Fprintln(table)
	}
	w.check(table.Flush())
}
