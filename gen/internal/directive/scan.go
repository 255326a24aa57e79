package directive

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/capgen/capgen/gen/internal/diag"
)

// File is the directives of one source file. A type's and the package clause's are those of their own doc comments.
type File struct {
	Package []Directive
	Types   map[*ast.TypeSpec][]Directive
}

// Scan finds the directives of a file that was parsed with comments, and reports each that is unknown, misplaced, nearly one, or
// not what [Table] says. Values it leaves to [ParseCapability] and [ParsePackage], those of keywords apart.
func Scan(fset *token.FileSet, file *ast.File, report *diag.List) File {
	s := &scan{at: fset.Position, report: report}
	places := &sites{fset: fset, file: file}
	found := File{Types: map[*ast.TypeSpec][]Directive{}}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			d, ok := s.parse(comment)
			if !ok {
				continue
			}
			site, spec := places.of(group, comment), mustLookup(d.Name)
			if !s.placed(d, spec, site) {
				continue
			}
			s.arguments(&d, spec)
			if site.spec != nil {
				found.Types[site.spec] = append(found.Types[site.spec], d)
			} else {
				d.onPackage = true
				found.Package = append(found.Package, d)
			}
		}
	}
	found.Package = s.together(found.Package)
	for spec, directives := range found.Types {
		found.Types[spec] = s.together(directives)
	}
	return found
}

// scan is one reading of something, with where its findings go.
type scan struct {
	at     func(token.Pos) token.Position
	report *diag.List
}

func (s *scan) errorf(pos token.Pos, format string, args ...any) {
	s.report.Errorf(s.at(pos), format, args...)
}

// parse reads a comment that is a directive of ours, and reports one that seems meant to be.
func (s *scan) parse(comment *ast.Comment) (Directive, bool) {
	parsed, ok := ast.ParseDirective(comment.Slash, comment.Text)
	if !ok || parsed.Tool != tool {
		if meant := nearMiss(comment.Text); meant != "" {
			s.errorf(comment.Slash, "this comment is no directive: write %s", meant)
		}
		return Directive{}, false
	}
	d := Directive{
		Name:    parsed.Name,
		Pos:     parsed.Slash,
		NamePos: parsed.Slash + token.Pos(len("//"+tool+":")),
		End:     parsed.End(),
		Text:    parsed.Args,
		TextPos: parsed.ArgsPos,
	}
	_, known := Lookup(d.Name)
	if !known {
		s.errorf(d.NamePos, "unknown directive %s: %s", d, instead(d.Name, "//"+tool+":", names(), "the directives are"))
	}
	return d, known
}

// placed reports whether a directive is where it can be.
func (s *scan) placed(d Directive, spec Spec, at site) bool {
	switch {
	case at.is&spec.Place != 0:
		return true
	default:
		remedy := "write it in the doc comment of " + spec.Place.String()
		if at.remedy != "" && at.near&spec.Place != 0 {
			remedy = at.remedy
		}
		s.errorf(d.Pos, "%s %s: %s", d, at.what, remedy)
	}
	return false
}

// together checks what the directives of one place say about each other.
func (s *scan) together(directives []Directive) []Directive {
	present := map[string]bool{}
	for _, d := range directives {
		present[d.Name] = true
	}
	var kept []Directive
	seen := map[string]bool{}
	for _, d := range directives {
		beside := mustLookup(d.Name).Beside
		switch {
		case seen[d.Name] && !(mustLookup(d.Name).Repeats && d.onPackage):
			s.errorf(d.Pos, "%s is written twice: keep one", d)
			continue
		case beside != "" && !present[beside]:
			s.errorf(d.Pos, "%s says more about a %s, which this type is not: add %s", d, beside, mustLookup(beside))
			continue
		}
		seen[d.Name] = true
		kept = append(kept, d)
	}
	return kept
}

func mustLookup(name string) Spec {
	spec, _ := Lookup(name)
	return spec
}

// instead says what may have been meant by a word, or else what there is.
func instead(word, prefix string, candidates []string, all string) string {
	if near := Nearest(word, candidates); near != "" {
		return "did you mean " + prefix + near + "?"
	}
	return all + " " + strings.Join(candidates, ", ")
}
