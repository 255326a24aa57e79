// Package directive reads the annotation language: the //capgen: lines of a file, and the constraint keywords in its struct
// tags. [Table] and [Keywords] are the language; the parser, its errors, [Help] and the reference in package capabilities
// all follow them.
//
// What is reported as wrong is not returned, so a later stage never reports it again.
package directive

import (
	"go/token"
	"strconv"
	"strings"
	"unicode"
)

// tool is the word before the colon of every directive.
const tool = "capgen"

// Directive is one annotation line, such as //capgen:capability ID risk=read access=public.
type Directive struct {
	// Name is the word after the colon: "capability".
	Name string
	// Pos is where the // is, NamePos the name, End the end of the line's text.
	Pos, NamePos, End token.Pos
	// Text is the rest of the line, without space around it, and TextPos its beginning.
	Text    string
	TextPos token.Pos
	// Args are what Text holds, in order; a directive whose Spec says Text has none.
	Args []Arg

	onPackage bool
}

// Arg is one argument: a bare word, or key=value.
type Arg struct {
	// Key is "" for a bare word.
	Key string
	// Value is the word, or what follows the =, unquoted.
	Value string
	// HasValue is false for a bare word, and for a key= that nothing follows.
	HasValue bool
	// Pos is where the argument begins, ValuePos where its value does, past an opening quote.
	Pos, ValuePos token.Pos
	// Raw is the argument as it is written.
	Raw string
}

// String returns the directive's name as it is written: //capgen:capability.
func (d Directive) String() string { return "//" + tool + ":" + d.Name }

// Arg returns the argument of a key, and whether there is one.
func (d Directive) Arg(key string) (Arg, bool) {
	for _, arg := range d.Args {
		if arg.Key == key && key != "" {
			return arg, true
		}
	}
	return Arg{}, false
}

// Has reports whether a bare word is among the arguments, as idempotent.
func (d Directive) Has(word string) bool {
	for _, arg := range d.Args {
		if arg.Key == "" && arg.Value == word {
			return true
		}
	}
	return false
}

// Word returns what the directive is about: the bare word that is none of its keys, as the ID of a capability.
func (d Directive) Word() (Arg, bool) {
	spec, _ := Lookup(d.Name)
	for _, arg := range d.Args {
		if _, flag := spec.Key(arg.Value); arg.Key == "" && !flag {
			return arg, true
		}
	}
	return Arg{}, false
}

// String returns a way to write the argument, which reads back as the same key and value.
func (a Arg) String() string {
	switch {
	case a.Key == "":
		return a.Value
	case !a.HasValue:
		return a.Key + "="
	case isBare(a.Value):
		return a.Key + "=" + a.Value
	}
	return a.Key + "=" + strconv.Quote(a.Value)
}

// at returns where the i-th byte of the value is written.
func (a Arg) at(i int) token.Pos {
	literal := a.Raw[len(a.Key)+len("="):]
	if literal == "" || !isQuote(literal[0]) {
		return a.ValuePos + token.Pos(i)
	}
	_, offsets := unquote(literal)
	return a.ValuePos + token.Pos(offsets[i]-offsets[0])
}

// isBare reports whether a value can stand after key= without quotes.
func isBare(value string) bool {
	return value != "" && value[0] != '\'' && !strings.ContainsAny(value, quotes) && strings.IndexFunc(value, unicode.IsSpace) < 0
}
