package directive

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/capgen/capgen/gen/internal/diag"
)

// Tag is one key:"value" of a struct tag, or one keyword of a //capgen:schema line.
type Tag struct {
	Key, Value string
	// Pos is where the key begins, ValuePos the value, past its opening quote.
	Pos, ValuePos token.Pos
}

// ParseTag returns the pairs of a struct tag, those of other libraries too; lit may be nil. It reports what reflect.StructTag
// would drop in silence, a keyword whose value has the wrong form, and what seems to be a misspelt keyword.
func ParseTag(lit *ast.BasicLit, at func(token.Pos) token.Position, report *diag.List) []Tag {
	if lit == nil || lit.Kind != token.STRING {
		return nil
	}
	if _, err := strconv.Unquote(lit.Value); err != nil {
		return nil // the parser has reported it
	}
	text, offsets := unquote(lit.Value)
	p := tags{scan: &scan{at: at, report: report}, text: text, pos: func(i int) token.Pos { return lit.ValuePos + token.Pos(offsets[i]) }}
	p.read()
	return p.found
}

// KeywordArgs returns the keywords of a //capgen:schema line.
func KeywordArgs(d Directive) []Tag {
	var found []Tag
	for _, arg := range d.Args {
		if _, ok := LookupKeyword(arg.Key); ok {
			found = append(found, Tag{Key: arg.Key, Value: arg.Value, Pos: arg.Pos, ValuePos: arg.ValuePos})
		}
	}
	return found
}

// tags is the reading of one struct tag.
type tags struct {
	*scan
	text  string
	pos   func(i int) token.Pos
	found []Tag
}

// read follows the grammar of reflect.StructTag.Lookup, which gives up where this reports.
func (p *tags) read() {
	for i := 0; ; {
		i += len(p.text[i:]) - len(strings.TrimLeft(p.text[i:], " "))
		if i == len(p.text) {
			return
		}
		key := tagKey(p.text[i:])
		colon := i + len(key)
		if problem := p.malformed(i, key); problem != "" {
			p.dropped(i, problem)
			return
		}
		open := colon + len(":")
		literal, err := strconv.QuotedPrefix(p.text[open:])
		if err != nil {
			p.errorf(p.pos(open), `the value of %s has no closing quote, or an escape that Go does not know: reflect drops it, write \\ for a backslash`, key)
			return
		}
		value, offsets := unquote(literal)
		p.keep(Tag{Key: key, Value: value, Pos: p.pos(i), ValuePos: p.pos(open + offsets[0])})
		i = open + len(literal)
	}
}

// dropped reports what reflect drops: a warning, as it is encoding/json's own rule, unless a constraint goes with it.
func (p *tags) dropped(i int, problem string) {
	for _, k := range Keywords {
		if strings.Contains(p.text[i:], k.Name) {
			p.errorf(p.pos(i), "%s", problem)
			return
		}
	}
	p.report.Warnf(p.at(p.pos(i)), "%s", problem)
}

// tagKey returns the key at the beginning of a text, as reflect sees it.
func tagKey(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r == ':' || r == '"' || r == 0x7f })
	if end < 0 {
		return text
	}
	return text[:end]
}

// malformed says what is wrong with a pair that begins with key, up to its opening quote.
func (p *tags) malformed(i int, key string) string {
	rest := p.text[i+len(key):]
	switch {
	case key == "" && (rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r'):
		return "a tab or line break in a struct tag: reflect drops what follows, write a space"
	case key == "":
		return `a struct tag holds key:"value" pairs: reflect drops what follows`
	case strings.ContainsAny(key[:1], ",;"):
		return "the pairs of a struct tag are separated by spaces: write a space in place of " + key[:1]
	case strings.HasPrefix(rest, `:"`):
		return ""
	case strings.HasPrefix(rest, ":"):
		value := firstWord(strings.TrimLeft(rest[1:], " "))
		if strings.HasPrefix(value, `"`) {
			return "a space after " + key + `: in a struct tag: reflect drops what follows, write ` + key + `:"…"`
		}
		return "the value of " + key + " is not quoted: reflect drops it, write " + key + ":" + strconv.Quote(strings.Trim(value, "'"))
	}
	if name, value, found := strings.Cut(key, "="); found {
		if quoted, err := strconv.QuotedPrefix(rest); value == "" && err == nil {
			value, _ = unquote(quoted)
		}
		return key + ` is not key:"value": reflect drops it, write ` + name + ":" + strconv.Quote(value)
	}
	return key + ` has no value: reflect drops it, write ` + key + `:"…"`
}

// keep adds a pair unless it is wrong. Foreign keys are their libraries' own affair, also when repeated.
func (p *tags) keep(tag Tag) {
	_, known := LookupKeyword(tag.Key)
	for _, other := range p.found {
		if other.Key == tag.Key && (known || tag.Key == "json") {
			p.errorf(tag.Pos, "%s is written twice in this tag: keep one", tag.Key)
			return
		}
	}
	if known && !p.keyword(tag, `%s:%q`) {
		return
	}
	if !known {
		if near := misspelt(tag.Key); near != "" {
			p.errorf(tag.Pos, "unknown keyword %s: did you mean %s?", tag.Key, near)
			return
		}
	}
	p.found = append(p.found, tag)
}

// keyword checks one keyword; form is how it is written where it was found.
func (s *scan) keyword(tag Tag, form string) bool {
	k, _ := LookupKeyword(tag.Key)
	if !k.Value.matches(tag.Value) {
		s.errorf(tag.ValuePos, "the value of %s is %s, not %q: write one such as "+form, tag.Key, k.Value, tag.Value, tag.Key, k.Value.sample())
		return false
	}
	return true
}

// misspelt returns the keyword that a tag key of another name was probably meant to be, or "". Other libraries have keys of their
// own, so it must be very near.
func misspelt(key string) string {
	if key == "json" {
		return "" // nearly every field has it
	}
	for _, k := range Keywords {
		if strings.EqualFold(key, k.Name) || len(k.Name) >= 6 && edits(key, k.Name) == 1 {
			return k.Name
		}
	}
	return ""
}
