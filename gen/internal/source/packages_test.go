package source_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/capgen/capgen/gen/internal/source"
)

func TestWhatIsATarget(t *testing.T) {
	dir := module(t, `
-- plain/a.go --
package plain

// The line //capgen:capability x is only quoted here.
const text = "//capgen:capability x"
-- near/a.go --
package near

type A struct{} // capgen:capability x
-- shout/a.go --
package shout

//Capgen:capability x
type A struct{}
-- block/a.go --
package block

/*
 capgen:capability x
*/
type A struct{}
-- clause/a.go --
//capgen:namespace x

package clause
-- test/a.go --
package test
-- test/a_test.go --
package test

//capgen:capability x
type A struct{ Missing }
-- xtest/a.go --
package xtest
-- xtest/a_test.go --
package xtest_test

//capgen:capability x
type A struct{ Missing }
-- nested/go.mod --
module example.com/nested
-- nested/a.go --
package nested

//capgen:capability x
type A struct{}
`)
	p := load(t, dir)
	wantDiagnostics(t, p, dir)
	wantTargets(t, p, "block", "clause", "near", "shout")
}

func TestBuildContext(t *testing.T) {
	dir := module(t, `
-- a/a.go --
package a

//capgen:capability x
type A struct{ B }
-- a/lab.go --
//go:build lab

package a

type B int8
-- a/nolab.go --
//go:build !lab

package a

type B int16
-- a/a_plan9.go --
package a

type B int32
`)
	for flag, want := range map[string]string{"-tags=": "int16", "-tags=lab": "int8"} {
		p := loadWith(t, source.Config{Dir: dir + "/a", BuildFlags: []string{flag}})
		wantDiagnostics(t, p, dir)
		if got := target(t, p, "a").Lookup("B").Type().Underlying().String(); got != want {
			t.Errorf("%s: B is %s, want %s", flag, got, want)
		}
	}
}

func TestCgo(t *testing.T) {
	dir := module(t, `
-- a/a.go --
package a

import (
	"net"
	"unsafe"

	"example.com/m/c"
)

// #include <stdint.h>
import "C"

//capgen:capability x
type A struct {
	N C.int
	P unsafe.Pointer
	I net.IP
	E c.C
}

const Size = C.INT64_MAX
-- c/c.go --
package c

import "C"

type C struct{ N int }
`)
	p := load(t, dir)
	wantDiagnostics(t, p, dir)
	wantTargets(t, p, "a")
}

// TestOtherModules loads a package that uses types of another module, which the module replaces or vendors.
func TestOtherModules(t *testing.T) {
	dir := module(t, `
-- a/a.go --
package a

import (
	"time"

	. "example.com/other/shape"
)

//capgen:capability x
type A struct {
	S Shape
	P *Shape
	Names, More []string
	T time.Duration
}
-- other/go.mod --
module example.com/other

go 1.26
-- other/shape/shape.go --
package shape

// Shape has
// sides.
//
//capgen:schema title=x
type Shape struct {
	// Sides is their number.
	Sides int
}
`)
	write(t, dir, "go.mod", goMod(t)+"\nrequire example.com/other v1.0.0\nreplace example.com/other => ./other\n")
	check := func(t *testing.T, shapeDir string) {
		p := load(t, dir)
		wantDiagnostics(t, p, dir)
		wantTargets(t, p, "a")
		fields := target(t, p, "a").Lookup("A").Type().Underlying().(*types.Struct)

		shape := fields.Field(0).Type().(*types.Named).Obj()
		pkg, decl, spec := p.TypeSpec(shape)
		if pkg == nil || pkg.Main || pkg.Dir != shapeDir || pkg.Types != nil || decl.Doc.Text() != "Shape has\nsides.\n" || spec.Name.Name != "Shape" {
			t.Errorf("TypeSpec(Shape) = %+v, %v, %v", pkg, decl, spec)
		}
		if at := p.Fset.Position(spec.Pos()); at.Filename != shapeDir+"/shape.go" || at.Line != 7 {
			t.Errorf("Shape is at %v", at)
		}
		if !p.Standard("time") || p.Standard("example.com/other/shape") || p.Standard("example.com/m/a") {
			t.Error("the standard library is not told from modules")
		}
		duration := fields.Field(4).Type().(*types.Named).Obj()
		if pkg, decl, _ := p.TypeSpec(duration); pkg == nil || !strings.HasPrefix(decl.Doc.Text(), "A Duration represents") {
			t.Errorf("TypeSpec(time.Duration) = %v, %v", pkg, decl)
		}
		if pkg, _, _ := p.TypeSpec(types.Universe.Lookup("error").(*types.TypeName)); pkg != nil {
			t.Errorf("TypeSpec(error) is in %s", pkg.Path)
		}
	}
	t.Run("replaced", func(t *testing.T) { check(t, dir+"/other/shape") })
	t.Run("vendored", func(t *testing.T) {
		cmd := exec.Command("go", "mod", "vendor")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		check(t, dir+"/vendor/example.com/other/shape")
	})
}

func TestField(t *testing.T) {
	p := load(t, module(t, `
-- a/a.go --
package a

import "time"

//capgen:capability x
type A struct {
	time.Time
	B, C int    // both
	_    string // blank
	D    bool   // last
}
`))
	a := target(t, p, "a").Lookup("A").(*types.TypeName)
	_, _, spec := p.TypeSpec(a)
	for i, want := range []string{"", "both\n", "both\n", "blank\n", "last\n"} {
		if got := source.Field(spec.Type.(*ast.StructType), i); got.Comment.Text() != want {
			t.Errorf("field %d has comment %q, want %q", i, got.Comment.Text(), want)
		}
	}
	if source.Field(spec.Type.(*ast.StructType), 5) != nil {
		t.Error("there is a field too many")
	}
}

// TestWorkspace loads two modules that are developed together, the outputs of both deleted.
func TestWorkspace(t *testing.T) {
	dir := module(t, twoPackages+`
-- go.work --
go 1.26.0

use .
use ./two
-- two/go.mod --
module example.com/two

go 1.26.0
-- two/c/c.go --
package c

import (
	"example.com/m/a"
	"github.com/capgen/capgen/capabilities"
)

//capgen:capability x
type C struct{ capabilities.Returns[a.Lookup] }

var _ a.Handlers
`)
	p := load(t, dir+"/two")
	wantDiagnostics(t, p, dir)
	wantTargets(t, p, "example.com/two/c")
	if c := target(t, p, "c"); !c.Main || p.ModulePath != "example.com/two" || p.ModuleDir != dir+"/two" {
		t.Errorf("main module is %s in %s", p.ModulePath, p.ModuleDir)
	}
}

// TestIdentity makes sure that a type is one type, from wherever it is reached.
func TestIdentity(t *testing.T) {
	dir := module(t, `
-- a/a.go --
package a

import (
	"net/http"
	"net/url"

	"example.com/m/plain"
)

//capgen:capability x
type A struct {
	U *url.URL
	R http.Request
	P plain.P
}

var _ *url.URL = http.Request{}.URL
var _ *url.URL = plain.P{}.URL
-- plain/plain.go --
package plain

import "net/url"

type P struct{ *url.URL }
`)
	p := load(t, dir)
	wantDiagnostics(t, p, dir)
}

func TestDeterminism(t *testing.T) {
	dir := module(t, twoPackages)
	describe := func() string {
		p := load(t, dir)
		var b strings.Builder
		for _, pkg := range p.Targets {
			for _, file := range pkg.Files {
				fmt.Fprintln(&b, file.Pos(), p.Fset.Position(file.Package))
			}
			for _, name := range pkg.Types.Scope().Names() {
				obj := pkg.Types.Scope().Lookup(name)
				fmt.Fprintln(&b, obj, obj.Pos())
			}
		}
		return b.String()
	}
	first := describe()
	for range 3 {
		if next := describe(); next != first {
			t.Fatalf("first:\n%s\nthen:\n%s", first, next)
		}
	}
}
