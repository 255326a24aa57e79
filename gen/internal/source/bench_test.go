package source_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// BenchmarkLoad compares Load with what the go command alone takes for the same imports, one after the other: the metric "x" is
// the ratio of their times.
func BenchmarkLoad(b *testing.B) {
	for _, structs := range []int{10, 1000} {
		b.Run(fmt.Sprintf("structs=%d", structs), func(b *testing.B) {
			dir := module(b, manyStructs(structs))
			load(b, dir)
			var floor, loading time.Duration
			for b.Loop() {
				start := time.Now()
				cmd := exec.Command("go", "list", "-export", "-deps", "net/url", "time", "github.com/capgen/capgen/capabilities")
				cmd.Dir = dir
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				floor += time.Since(start)

				start = time.Now()
				load(b, dir)
				loading += time.Since(start)
			}
			b.ReportMetric(float64(loading)/float64(floor), "x")
			b.ReportMetric(float64(floor.Milliseconds())/float64(b.N), "ms/go-list")
			b.ReportMetric(float64(loading.Milliseconds())/float64(b.N), "ms/load")
		})
	}
}

// manyStructs is a package of n capabilities in one file.
func manyStructs(n int) string {
	var text strings.Builder
	text.WriteString(`-- a/a.go --
package a

import (
	"net/url"
	"time"

	"github.com/capgen/capgen/capabilities"
)
`)
	for i := range n {
		fmt.Fprintf(&text, `
// In%d does something.
//
//capgen:capability example:in.x%d@1 risk=read access=public
type In%d struct {
	capabilities.Returns[Out%d]

	// Slug is a slug.
	Slug string `+"`json:\"slug\" minLength:\"1\"`"+`
	At   time.Time
	By   *url.URL
}

// Out%d is a result.
type Out%d struct{ A, B, C []string }
`, i, i, i, i, i, i)
	}
	return text.String()
}
