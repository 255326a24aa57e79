package typescript

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// types renders the schemas of a file as types. A definition that several refer to is declared once.
type types struct {
	out   *strings.Builder
	taken map[string]bool
	known map[string]string // the names of declared definitions, by what they say
	// pending are the definitions that were referred to and are not written yet.
	pending []func()
}

// root is the schema that references are relative to, and whether it is an input's.
type root struct {
	*schema
	input bool
}

// declare writes a named type and what it refers to.
func (t *types) declare(name, doc string, s *schema, r root) {
	comment(t.out, "", doc)
	text := t.expr(s, r, "")
	if strings.HasPrefix(text, "{\n") && strings.Index(text, "\n}") == len(text)-len("\n}") { // one object, since those in it are indented
		fmt.Fprintf(t.out, "export interface %s %s\n\n", name, text)
	} else {
		fmt.Fprintf(t.out, "export type %s = %s;\n\n", name, text)
	}
}

func (t *types) flush() {
	for len(t.pending) > 0 {
		next := t.pending[0]
		t.pending = t.pending[1:]
		next()
	}
}

// expr returns a schema as a type expression. What TypeScript has no word for, such as a pattern, is not in it: the server checks it.
func (t *types) expr(s *schema, r root, indent string) string {
	if s.members == nil {
		if s.always {
			return "unknown"
		}
		return "never"
	}
	var all []string
	if ref := s.text("$ref"); ref != "" {
		all = append(all, t.reference(ref, r))
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if s.get(keyword) != nil {
			all = append(all, t.union(s.list(keyword), r, indent))
		}
	}
	for _, part := range s.list("allOf") {
		all = append(all, t.expr(must(part), r, indent))
	}
	switch {
	case s.get("const") != nil:
		all = append(all, literal(s.get("const")))
	case s.get("enum") != nil:
		all = append(all, union(s.list("enum"), literal))
	case s.get("type") != nil:
		if one := union(s.list("type"), func(v jsontext.Value) string { return t.typed(s, stringOf(v), r, indent) }); len(all) == 0 || one != "unknown" {
			all = append(all, one)
		}
	}
	all = slices.DeleteFunc(all, func(one string) bool { return one == "unknown" })
	switch len(all) {
	case 0:
		return "unknown"
	case 1:
		return all[0]
	}
	for i := range all {
		all[i] = grouped(all[i])
	}
	return strings.Join(all, " & ")
}

func (t *types) union(alternatives []jsontext.Value, r root, indent string) string {
	return union(alternatives, func(v jsontext.Value) string { return t.expr(must(v), r, indent) })
}

// union joins alternatives, each once.
func union(alternatives []jsontext.Value, write func(jsontext.Value) string) string {
	var all []string
	for _, alternative := range alternatives {
		if one := write(alternative); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	if slices.Contains(all, "unknown") {
		return "unknown"
	}
	return strings.Join(all, " | ")
}

// grouped puts a union or an intersection in parentheses.
func grouped(expr string) string {
	depth, quoted := 0, false
	for i, c := range expr {
		switch {
		case c == '"' && (i == 0 || expr[i-1] != '\\'):
			quoted = !quoted
		case quoted:
		case strings.ContainsRune("{[(<", c):
			depth++
		case strings.ContainsRune("}])>", c):
			depth--
		case depth == 0 && (c == '|' || c == '&'):
			return "(" + expr + ")"
		}
	}
	return expr
}

// typed returns the values of one JSON type that a schema admits.
func (t *types) typed(s *schema, kind string, r root, indent string) string {
	switch kind {
	case "string", "boolean", "null":
		return kind
	case "integer", "number":
		return "number"
	case "array":
		return t.array(s, r, indent)
	case "object":
		return t.object(s, r, indent)
	}
	return "unknown"
}

func (t *types) array(s *schema, r root, indent string) string {
	item := "unknown"
	if items := s.get("items"); items != nil {
		item = t.expr(must(items), r, indent)
	}
	first := s.list("prefixItems")
	if len(first) == 0 {
		return grouped(item) + "[]"
	}
	var all []string
	for _, each := range first {
		all = append(all, t.expr(must(each), r, indent))
	}
	if item != "never" {
		all = append(all, "..."+grouped(item)+"[]")
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func (t *types) object(s *schema, r root, indent string) string {
	rest := s.get("additionalProperties")
	properties := must(orEmpty(s.get("properties"))).members
	if len(properties) == 0 {
		switch {
		case rest.Kind() == 'f':
			return "Record<string, never>"
		case rest == nil:
			return "Record<string, unknown>"
		}
		return "Record<string, " + t.expr(must(rest), r, indent) + ">"
	}
	required := map[string]bool{}
	for _, name := range s.list("required") {
		required[stringOf(name)] = true
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, p := range properties {
		value := must(p.value)
		comment(&b, indent+"  ", docOf(value))
		optional := "?"
		if required[p.name] {
			optional = ""
		}
		fmt.Fprintf(&b, "%s  %s%s: %s;\n", indent, property(p.name), optional, t.expr(value, r, indent+"  "))
	}
	b.WriteString(indent + "}")
	if rest != nil && rest.Kind() == '{' {
		return b.String() + " & Record<string, unknown>" // members of both kinds, whose values TypeScript cannot tell apart
	}
	return b.String()
}

func orEmpty(value jsontext.Value) jsontext.Value {
	if value == nil {
		return jsontext.Value("{}")
	}
	return value
}

// reference returns the name of a definition, and has it written.
func (t *types) reference(ref string, r root) string {
	name, ok := strings.CutPrefix(ref, "#/$defs/")
	if !ok {
		return "unknown"
	}
	name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	definition := must(orEmpty(r.get("$defs"))).get(name)
	if definition == nil {
		return "unknown"
	}
	key := fmt.Sprint(r.input, name, string(definition))
	if declared, known := t.known[key]; known {
		return declared
	}
	base := identifier(name)
	if r.input {
		base += "Input"
	}
	declared := base
	for i := 2; t.taken[declared]; i++ {
		declared = base + strconv.Itoa(i)
	}
	t.taken[declared], t.known[key] = true, declared
	t.pending = append(t.pending, func() {
		s := must(definition)
		t.declare(declared, docOf(s), s, r)
	})
	return declared
}

// identifier turns a definition's name, such as tree.Node[int], into a type's.
func identifier(name string) string {
	if head, own, found := strings.Cut(name, "."); found && !strings.ContainsAny(head, "[") {
		name = own
	}
	var b strings.Builder
	upper := true
	for _, c := range name {
		switch {
		case !unicode.IsLetter(c) && (!unicode.IsDigit(c) || b.Len() == 0):
			upper = true
			continue
		case upper:
			c = unicode.ToUpper(c)
		}
		upper = false
		b.WriteRune(c)
	}
	if b.Len() == 0 || reserved[b.String()] {
		return b.String() + "Type"
	}
	return b.String()
}

// reserved are types of JavaScript's own that a file is written with.
var reserved = map[string]bool{"Record": true, "Promise": true, "Error": true, "Object": true, "String": true, "Number": true, "Boolean": true, "Array": true}

var plain = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// property writes a member's name, quoted where it is no identifier.
func property(name string) string {
	if plain.MatchString(name) {
		return name
	}
	quoted, err := jsontext.AppendQuote(nil, name)
	if err != nil {
		panic(err) // it was read from JSON
	}
	return literal(quoted)
}

// literal writes a value as a type of its own. Line separators, which JSON admits, are escaped.
func literal(value jsontext.Value) string {
	switch value.Kind() {
	case '[', '{':
		return "unknown"
	}
	return strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`).Replace(string(value))
}
