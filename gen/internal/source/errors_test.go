package source_test

import (
	"context"
	"strings"
	"testing"

	"github.com/capgen/capgen/gen/internal/source"
)

func TestErrorsInPackages(t *testing.T) {
	tests := map[string]struct {
		files string
		want  []string
	}{
		"type error": {`
-- a/a.go --
package a

//capgen:capability x
type A struct {
	Field, Other Missing ` + "`json:\"x\"`" + `
}

var x int = "text"

func body() { undefined() }
`, []string{"a/a.go:5:15: undefined: Missing", `a/a.go:8:13: cannot use "text" (untyped string constant) as int value in variable declaration`}},

		"several packages": {`
-- a/a.go --
package a

//capgen:capability x
type A struct{ B Missing }
-- b/b.go --
package b

import "example.com/m/a"

//capgen:capability x
type B struct{ A a.A; C a.Gone }
`, []string{"a/a.go:4:18: undefined: Missing", "b/b.go:6:27: undefined: a.Gone"}},

		"redeclared": {`
-- a/a.go --
package a

//capgen:capability x
type A struct{}
-- a/b.go --
package a

type A struct{}
`, []string{"a/b.go:3:6: A redeclared in this block (other declaration of A at a.go:4:6)"}},

		"unknown result": {`
-- a/a.go --
package a

import "github.com/capgen/capgen/capabilities"

//capgen:capability x
type A struct{ capabilities.Returns[Missing] }

var _ = A{}.Capability()
var _ = A{}.Capabilit()
`, []string{"a/a.go:6:37: undefined: Missing", "a/a.go:9:13: A{}.Capabilit undefined (type A has no field or method Capabilit)"}},

		"marker forgotten": {`
-- a/a.go --
package a

//capgen:capability x
type A struct{}

var _ = A{}.Capability()
`, []string{"a/a.go:6:13: A{}.Capability undefined (type A has no field or method Capability)"}},

		"syntax error": {`
-- a/a.go --
package a

//capgen:capability x
type A struct {
	B int json:"b"
}
-- a/b.go --
package a

func (
-- b/b.go --
package b

import "example.com/m/a"

//capgen:capability x
type B struct{ A a.A; C Missing }
`, []string{
			"a/a.go:5:8: expected ';', found json",
			"a/a.go:6:3: expected '}', found 'EOF'",
			"a/b.go:3:8: expected ')', found 'EOF'",
			"b/b.go:6:25: undefined: Missing",
		}},

		"imports that are not there": {`
-- a/a.go --
package a

import (
	"example.com/m/gone"
	"example.com/nowhere"
)

//capgen:capability x
type A struct { X gone.X; Y nowhere.Y; Z Missing }
`, []string{
			"a/a.go:4:2: no required module provides package example.com/m/gone; to add it: go get example.com/m/gone",
			"a/a.go:5:2: no required module provides package example.com/nowhere; to add it: go get example.com/nowhere",
			"a/a.go:9:42: undefined: Missing",
		}},

		"import cycle": {`
-- a/a.go --
package a

import "example.com/m/b"

//capgen:capability x
type A struct { B b.B }
-- b/b.go --
package b

import "example.com/m/a"

type B struct { A *a.A }
`, []string{"b/b.go:3:8: import cycle not allowed"}},

		"broken import": {`
-- a/a.go --
package a

import "example.com/m/b"

//capgen:capability x
type A struct { B b.B }
-- b/b.go --
package b

import "example.com/m/c"

type B struct { C c.C }
-- c/c.go --
package c

import "fmt"

type C struct { D Missing }

func f() int { return fmt.Sprint() }
`, []string{"c/c.go:5:19: undefined: Missing", "c/c.go:7:23: cannot use fmt.Sprint() (value of type string) as int value in return statement"}},

		"broken import that does not parse": {`
-- a/a.go --
package a

import "example.com/m/b"

//capgen:capability x
type A struct { B b.B }
-- b/b.go --
package b

type B struct {
`, []string{"b/b.go:3:17: expected '}', found 'EOF'"}},

		"import of a program": {`
-- a/a.go --
package a

import "example.com/m/b"

//capgen:capability x
type A struct { B main.B }
-- b/b.go --
package main

type B int
`, []string{`a/a.go:3:8: import "example.com/m/b" is a program, not an importable package`}},

		"another module's internals": {`
-- a/a.go --
package a

import "github.com/capgen/capgen/capabilities/internal/rule"

//capgen:capability x
type A struct{ X int }
`, []string{"a/a.go:3:8: use of internal package github.com/capgen/capgen/capabilities/internal/rule not allowed"}},

		"broken tests": {`
-- a/a.go --
package a

import "example.com/m/b"

//capgen:capability x
type A struct { B b.B }
-- a/a_test.go --
pack
-- b/b.go --
package b

import "net/http"

type B struct { H http.Header }
-- b/b_test.go --
package other

import "fmt
`, nil},

		"broken elsewhere": {`
-- a/a.go --
package a

//capgen:capability x
type A struct { B int }
-- b/b.go --
package b

import "example.com/m/a"

var _ a.Missing
`, nil},

		"two package names": {`
-- a/a.go --
package a

//capgen:capability x
type A struct { B int }
-- a/b.go --
package b
`, []string{"a/b.go:1:1: package b; expected package a"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := module(t, test.files)
			wantDiagnostics(t, load(t, dir), dir, test.want...)
		})
	}
}

func TestGoCommandFails(t *testing.T) {
	dir := module(t, `
-- a/a.go --
package a
-- never/never.go --
//go:build never

package never
-- nomod/go.mod --
modul
`)
	tests := []struct{ dir, pattern, want string }{
		{dir, "./nowhere", "nowhere: directory not found"},
		{dir, "./never", "build constraints exclude all Go files"},
		{dir, ".", "no Go files in"},
		{dir, "example.com/nowhere", "no required module provides package example.com/nowhere"},
		{t.TempDir(), ".", "go.mod file not found"},
		{dir + "/nomod", ".", "unknown directive: modul"},
		{dir + "/gone", ".", "no such file or directory"},
	}
	for _, test := range tests {
		_, err := source.Load(context.Background(), source.Config{Dir: test.dir, Patterns: []string{test.pattern}})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error is %v, want %q", test.pattern, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := source.Load(ctx, source.Config{Dir: dir}); err != context.Canceled {
		t.Errorf("error is %v, want context.Canceled", err)
	}
}
