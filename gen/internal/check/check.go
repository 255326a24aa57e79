// Package check is the stage that holds the model against the rules that no single type shows: names that clash, constraints that do
// not fit what they constrain, defaults that their own schema refuses.
package check

import (
	"slices"

	"github.com/capgen/capgen/gen/internal/diag"
	"github.com/capgen/capgen/gen/internal/model"
)

// Validator reports whether a JSON text is a value that a field's own schema allows.
type Validator func(f *model.Field, text string) bool

// Options say how to check.
type Options struct {
	Valid Validator
	// Descriptions says whether a field without a description is warned of.
	Descriptions bool
}

// Packages checks every package of a run and fills in the JSON of its keywords. What is wrong goes to the report.
func Packages(packages []*model.Package, options Options, report *diag.List) {
	c := &checker{report: report, valid: options.Valid, descriptions: options.Descriptions, seen: map[*model.Type]bool{}}
	for _, pkg := range packages {
		c.checkNames(pkg)
		for _, capability := range slices.Concat(pkg.Capabilities, pkg.Misdeclared) {
			c.checkType(capability.Input)
			c.checkType(capability.Output)
			c.checkHeaders(capability)
			c.checkDirections(capability, pkg.Client)
		}
	}
	c.checkTools(packages)
	c.checkFamilies(packages)
	c.checkPacks(packages)
}

type checker struct {
	report *diag.List
	valid  Validator
	// descriptions says whether a field without a description is warned of.
	descriptions bool
	seen         map[*model.Type]bool
}

// checkType checks a type and all below it, once.
func (c *checker) checkType(t *model.Type) {
	if t == nil || c.seen[t] {
		return
	}
	c.seen[t] = true
	c.checkKeywords(t.Keywords, t, t.Short)
	c.checkType(t.Key)
	c.checkType(t.Elem)
	for _, v := range t.Variants {
		c.checkType(v.Type)
	}
	c.checkUnion(t)
	c.checkCase(t)
	for _, f := range t.Fields {
		c.checkType(f.Type)
		c.checkDescribed(f)
		if c.checkEncoded(f) {
			c.checkKeywords(f.Keywords, f.Type, f.GoName)
		}
		c.checkTogether(f)
	}
	c.checkTypeDefault(t)
	for _, f := range t.Fields {
		c.checkDefault(f)
	}
}

// checkDescribed warns of a field of which an agent is told nothing but its name.
func (c *checker) checkDescribed(f *model.Field) {
	if c.descriptions && f.Own && f.Doc == "" && f.Type.Doc == "" {
		c.report.Warnf(f.Position, "%s has no description, and agents go by it: say in a comment above the field what it holds", f.GoName)
	}
}
