package directive

import (
	"go/token"
	"path"
	"strings"
)

// Docs is what a //capgen:docs says.
type Docs struct {
	// Dir is relative to the package's folder, with slashes; "" means that there is no such directive.
	Dir string
	// Patterns name the packages to document; none means the package itself.
	Patterns []string
	// Pos is that of the value of dir=.
	Pos token.Pos
}

func (p *Package) docs(d Directive, s *scan) {
	dir, ok := d.Arg("dir")
	switch {
	case !ok: // which is reported, since it is required
	case dir.Value == "" || path.IsAbs(dir.Value) || strings.ContainsAny(dir.Value, `\:`):
		s.errorf(dir.ValuePos, "dir= %q is not a folder relative to the package's: write one such as docs or ../docs", dir.Value)
	default:
		p.Docs.Dir, p.Docs.Pos = path.Clean(dir.Value), dir.ValuePos
	}
	packages, ok := d.Arg("packages")
	if !ok {
		return
	}
	i := 0
	for pattern := range strings.SplitSeq(packages.Value, ",") {
		if pattern == "" || strings.HasPrefix(pattern, "-") || strings.ContainsAny(pattern, " \t") {
			s.errorf(packages.at(i), "packages= %q names no packages: write patterns such as ./...", pattern)
		}
		p.Docs.Patterns = append(p.Docs.Patterns, pattern)
		i += len(pattern) + len(",")
	}
}
