//go:build unix

package main

import (
	"fmt"
	"io"
	"time"
)

// columns are what is told of the turns; how writes the absolute value.
var columns = []struct {
	title string
	value func(measured) float64
	how   string
}{
	{"CPU µs a call", func(m measured) float64 { return float64(m.cpu) / float64(time.Microsecond) }, "%.1f"},
	{"req/s", func(m measured) float64 { return m.rate }, "%.0f"},
	{"B/op", func(m measured) float64 { return m.bytes }, "%.0f"},
	{"allocs/op", func(m measured) float64 { return m.allocs }, "%.1f"},
}

// printTable writes the results as Markdown: each value, and its ratio to that of the first server, the bare handler.
func printTable(w io.Writer, p plan, results []*result) {
	fmt.Fprintf(w, "\n%s: %d B of arguments, %d B of result; %d callers, %d rounds of %v. In parentheses the ratio to the bare handler.\n\n",
		p.sample.Tool, len(p.sample.Arguments), len(p.sample.Answer), p.callers, p.rounds, p.turn)
	fmt.Fprint(w, "| server |")
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", c.title)
	}
	fmt.Fprint(w, " p50 ms | p99 ms |\n|---|--:|--:|--:|--:|--:|--:|\n")
	bare := results[0]
	calls, busiest := 0, 0.0
	for _, r := range results {
		fmt.Fprintf(w, "| %s |", r.kind.Title)
		for _, c := range columns {
			fmt.Fprintf(w, " "+c.how+" (%.2f) |", r.median(c.value), r.ratio(bare, c.value))
		}
		for _, at := range []float64{0.5, 0.99} {
			took := r.percentile(at)
			fmt.Fprintf(w, " %.2f (%.2f) |", float64(took)/float64(time.Millisecond), float64(took)/float64(bare.percentile(at)))
		}
		fmt.Fprintln(w)
		for _, turn := range r.turns {
			calls += turn.calls
			busiest = max(busiest, turn.clientCPU)
		}
	}
	fmt.Fprintf(w, "\n%d calls, every answer as it must be. The client used at most %.2f of its core.\n", calls, busiest)
}
