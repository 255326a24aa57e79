//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkGenerate compares whole processes: capgen generate with what the go command alone takes for the same imports, one after the
// other in each round. The metric "x" is the ratio of their times; at most 2.2 is asked of a package where nothing changed, 2.5 after an
// edit of a file with 10 structs and 3.5 with 1,000, and a peak of 150 MB. Each run leaves a record for the next one, which holds where
// nothing changed, and is looked at in vain after an edit.
func BenchmarkGenerate(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "capgen")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, structs := range []int{10, 1000} {
		for _, edited := range []bool{false, true} {
			b.Run(fmt.Sprintf("structs=%d/edited=%t", structs, edited), func(b *testing.B) {
				compare(b, binary, structs, edited)
			})
		}
	}
}

// ownImports are what the benchmark's package imports.
var ownImports = []string{"net/url", "time", "github.com/capgen/capgen/capabilities"}

func compare(b *testing.B, binary string, structs int, edited bool) {
	dir := benchModule(b, structs)
	b.Setenv("CAPGEN_CACHE", b.TempDir())
	file := filepath.Join(dir, "a.go")
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	generate := []string{binary, "generate", "-descriptions=false"}
	floor := append([]string{"go", "list", "-export", "-deps"}, ownImports...)
	measure(b, dir, generate)
	measure(b, dir, floor)

	var took, least time.Duration
	var peak int64
	for round := 0; b.Loop(); round++ {
		if edited {
			edit := strings.Replace(string(text), `minLength:"1"`, fmt.Sprintf(`minLength:"%d"`, 2+round), 1)
			if err := os.WriteFile(file, []byte(edit), 0o666); err != nil {
				b.Fatal(err)
			}
		}
		first, _ := measure(b, dir, floor)
		second, memory := measure(b, dir, generate)
		least, took, peak = least+first, took+second, max(peak, memory)
	}
	b.ReportMetric(float64(took)/float64(least), "x")
	b.ReportMetric(float64(least.Milliseconds())/float64(b.N), "ms/go-list")
	b.ReportMetric(float64(took.Milliseconds())/float64(b.N), "ms/generate")
	b.ReportMetric(float64(peak)/1e6, "MB-peak")
	b.ReportMetric(0, "ns/op")
}

// measure runs a command and returns how long it took and how many bytes of memory it held at most, with its own children.
func measure(b *testing.B, dir string, command []string) (took time.Duration, peak int64) {
	b.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took = time.Since(start)
	if err != nil {
		b.Fatalf("%v: %v\n%s", command, err, out)
	}
	peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS != "darwin" {
		peak *= 1024 // there it is kilobytes (getrusage(2))
	}
	return took, peak
}

// benchModule makes a module with one package, of half as many capabilities as structs, each with its result.
func benchModule(b *testing.B, structs int) string {
	b.Helper()
	dir := b.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		b.Fatal(err)
	}
	if err := writeModule(root, dir, "example.com/bench"); err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("package bench\n\nimport (\n\t\"net/url\"\n\t\"time\"\n\n\t\"github.com/capgen/capgen/capabilities\"\n)\n")
	for i := range structs / 2 {
		fmt.Fprintf(&text, `
// In%[1]d does something.
//
//capgen:capability example:in.x%[1]d@1 risk=read access=public
type In%[1]d struct {
	capabilities.Returns[Out%[1]d]

	// Slug is a slug.
	Slug string `+"`json:\"slug\" minLength:\"1\" maxLength:\"80\"`"+`
	// Limit bounds the result.
	Limit int `+"`json:\"limit,omitzero\" default:\"20\" minimum:\"1\"`"+`
	// At is when.
	At time.Time `+"`json:\"at\"`"+`
}

// Out%[1]d is a result.
type Out%[1]d struct {
	Home  *url.Userinfo `+"`json:\"-\"`"+`
	Names []string `+"`json:\"names\"`"+`
	Sizes map[string]int `+"`json:\"sizes\"`"+`
}
`, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text.String()), 0o666); err != nil {
		b.Fatal(err)
	}
	return dir
}
