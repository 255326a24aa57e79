package docs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"

	"github.com/capgen/capgen/gen/internal/model"
)

// shaper describes one input or output. It gives each object a table, the first time that something leads to it.
type shaper struct {
	shape  *Shape
	input  bool
	anchor string
	// anchors holds those of the types that have a table, or wait for theirs.
	anchors map[*model.Type]string
	names   map[*model.Type]string
	taken   map[string]bool
	waiting []*model.Type
}

func newShape(t *model.Type, anchor string, input bool, valid Validator) *Shape {
	s := &shaper{shape: &Shape{Anchor: anchor}, input: input, anchor: anchor, anchors: map[*model.Type]string{}, names: map[*model.Type]string{}, taken: map[string]bool{}}
	if t.Kind == model.Struct {
		s.anchors[t] = anchor
		s.shape.Type = Line{plain("An object.")}
		s.shape.Tables = append(s.shape.Tables, s.table(t, ""))
	} else {
		s.shape.Type = s.typeOf(t)
		s.shape.Rules = s.rules(t, nil)
	}
	for len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.shape.Tables = append(s.shape.Tables, s.table(next, s.names[next]))
	}
	s.shape.Example = example(t, input, valid)
	return s.shape
}

// table describes an object, a union or a type with a schema of its own.
func (s *shaper) table(t *model.Type, name string) Table {
	table := Table{Anchor: s.anchors[t], Name: name, Text: textOf(t.Doc)}
	switch t.Kind {
	case model.Foreign:
		table.Schema = indented(t.Declared)
		return table
	case model.Union:
		for _, v := range t.Variants {
			rest := append(Line{plain("the other members are those of ")}, s.typeOf(v.Type)...)
			table.Rows = append(table.Rows, Row{Name: t.Discriminator, Type: Line{code(strconv.Quote(v.Name))}, Required: true, Rules: []Line{rest}})
		}
		return table
	}
	for _, f := range t.Fields {
		table.Rows = append(table.Rows, s.row(f))
	}
	table.Rules = s.rules(t, nil)
	return table
}

func (s *shaper) row(f *model.Field) Row {
	row := Row{Name: f.Name, Required: !f.Omittable(), Deprecated: f.Deprecated, Text: textOf(f.Doc)}
	if s.input {
		row.Required = !f.Optional()
	}
	if len(row.Text) == 0 && !hasTable(f.Type) {
		row.Text = textOf(f.Type.Doc)
	}
	row.Type = s.typeOf(f.Type)
	if f.Quoted {
		row.Type = append(Line{plain("string that holds: ")}, row.Type...)
	}
	if f.Nullable {
		row.Type = append(row.Type, plain(" or null"))
	}
	if hasTable(f.Type) {
		// What holds for the type wherever it is used is told at its own table.
		row.Rules = s.phrases(f.Keywords)
	} else {
		row.Rules = s.rules(f.Type, f.Keywords)
	}
	return row
}

// typeOf names a type in a few words, with links to the tables of the objects in it.
func (s *shaper) typeOf(t *model.Type) Line {
	switch t.Kind {
	case model.Struct, model.Union:
		return Line{s.link(t)}
	case model.List:
		return append(Line{plain("array of ")}, s.elemOf(t)...)
	case model.Map:
		return append(Line{plain("map of ")}, s.elemOf(t)...)
	case model.Any, model.RawMessage, model.Interface:
		return Line{plain("any value")}
	case model.Time:
		return Line{plain("string, date-time")}
	case model.Bytes:
		return Line{plain("string, base64")}
	case model.Text:
		if t.TextFormat != "" {
			return Line{plain("string, " + t.TextFormat)}
		}
	case model.Foreign:
		return Line{s.link(t)}
	}
	return Line{plain(t.JSONType())}
}

func (s *shaper) elemOf(t *model.Type) Line {
	line := s.typeOf(t.Elem)
	if t.ElemNullable {
		line = append(line, plain(" or null"))
	}
	return line
}

// hasTable reports whether a type is described in a table rather than in a cell.
func hasTable(t *model.Type) bool {
	return t.Kind == model.Struct || t.Kind == model.Union || t.Kind == model.Foreign
}

// link leads to a type's table, which it asks for.
func (s *shaper) link(t *model.Type) Part {
	if s.anchors[t] == "" {
		s.name(t)
		s.waiting = append(s.waiting, t)
	}
	return Part{Text: cmp.Or(s.names[t], "this object"), Anchor: s.anchors[t]}
}

var qualifier = regexp.MustCompile(`[\pL_][\pL\pN_]*\.`)

// name chooses what a type is called here: its name without the package's, unless another type has that, and then one with a number.
func (s *shaper) name(t *model.Type) {
	full := cmp.Or(t.Short, "object")
	name := qualifier.ReplaceAllString(full, "")
	if s.taken[anchorOf(name)] {
		name = full
	}
	for i := 2; s.taken[anchorOf(name)]; i++ {
		name = full + " " + strconv.Itoa(i)
	}
	s.taken[anchorOf(name)] = true
	s.names[t], s.anchors[t] = name, s.anchor+"-"+anchorOf(name)
}

// indented writes a JSON text that is known to be one with a member a line.
func indented(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// Described reports whether the tables begin with the whole of it.
func (s *Shape) Described() bool { return len(s.Tables) > 0 && s.Tables[0].Name == "" }
