package source

import (
	"bytes"
	"go/ast"
	"regexp"
	"slices"
)

// plan says which packages are read from source.
type plan struct {
	listing *Listing
	source  []*listed // imports first
	chosen  map[string]bool
}

// split chooses what is read from source: the matched packages that mention a directive, or a marker that lacks one, and of what they
// import every package of the main module that mentions a directive, and whatever imports such a package. None of these may be asked
// for export data.
func split(l *Listing) *plan {
	p := &plan{listing: l, chosen: make(map[string]bool)}
	needed := make(map[string]bool)
	for _, pkg := range l.packages { // imports come first
		mentions := pkg.mayHoldDirectives() && pkg.mentionsDirective()
		pkg.marked = !mentions && !pkg.DepOnly && pkg.Module != nil && pkg.Module.Main && pkg.mentionsMarker()
		if mentions || pkg.marked {
			p.chosen[pkg.ImportPath] = true
			needed[pkg.ImportPath] = !pkg.DepOnly
		}
		if slices.ContainsFunc(pkg.Imports, func(path string) bool { return p.chosen[path] }) {
			p.chosen[pkg.ImportPath] = true
		}
	}
	for _, pkg := range slices.Backward(l.packages) {
		if needed[pkg.ImportPath] {
			for _, path := range pkg.Imports {
				needed[path] = true
			}
		}
	}
	p.collect(needed)
	return p
}

// collect fills source with what is chosen and needed.
func (p *plan) collect(needed map[string]bool) {
	for _, pkg := range p.listing.packages {
		if p.chosen[pkg.ImportPath] = p.chosen[pkg.ImportPath] && needed[pkg.ImportPath]; p.chosen[pkg.ImportPath] {
			p.source = append(p.source, pkg)
		}
	}
}

// imports returns the import paths that the sources leave to export data, sorted.
func (p *plan) imports() []string {
	if len(p.source) == 0 {
		return nil
	}
	paths := []string{"context"} // what we generate imports it
	for _, pkg := range p.source {
		for _, path := range pkg.Imports {
			if l := p.listing.byPath[path]; l != nil && !p.chosen[path] && path != "unsafe" && l.hasFiles() {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// addBroken adds to the sources the packages below them that have no export data, and returns those.
func (p *plan) addBroken(exports exports) []*listed {
	var broken []*listed
	needed := make(map[string]bool)
	for path := range p.chosen {
		needed[path] = p.chosen[path]
	}
	for _, pkg := range p.listing.packages {
		if exports.broken(pkg.ImportPath) && pkg.hasFiles() {
			p.chosen[pkg.ImportPath], needed[pkg.ImportPath] = true, true
			broken = append(broken, pkg)
		}
	}
	p.source = nil
	p.collect(needed)
	return broken
}

// mayHoldDirectives reports whether directives in the package are ours to read: it is the main module's, or is asked for by name.
func (l *listed) mayHoldDirectives() bool { return l.Module != nil && l.Module.Main || !l.DepOnly }

func (l *listed) hasFiles() bool { return len(l.GoFiles)+len(l.CgoFiles) > 0 }

var (
	// directive matches a comment that is a directive, or is one but for spaces, case or a sign.
	directive = regexp.MustCompile(`(?i)^(//|/\*(.*\n)*?)[ \t*+@]*capgen[ \t]*:`)
	// mention matches wherever a file's text may hold such a comment.
	mention = regexp.MustCompile(`(?im)(//|/\*|^)[ \t*+@]*capgen[ \t]*:`)
	// marker matches wherever a file's text may embed the marker of a capability.
	marker = regexp.MustCompile(`(?m)(^|[{;])[ \t]*([\pL_][\pL_\pN]*[ \t]*\.[ \t]*)?Returns[ \t]*\[`)
)

// mentionsDirective reports whether a file holds what may be a directive. It may be a string literal; see [Package.holdsDirective].
func (l *listed) mentionsDirective() bool {
	return slices.ContainsFunc(slices.Concat(l.GoFiles, l.CgoFiles), func(name string) bool {
		text := l.text(name)
		return bytes.Contains(bytes.ToLower(text), []byte("capgen")) && mention.Match(text)
	})
}

// mentionsMarker reports whether a file of the package may embed the marker.
func (l *listed) mentionsMarker() bool {
	return slices.Contains(l.Imports, capabilitiesPath) && slices.ContainsFunc(slices.Concat(l.GoFiles, l.CgoFiles), func(name string) bool {
		text := l.text(name)
		return bytes.Contains(text, []byte("Returns")) && marker.Match(text)
	})
}

// holdsDirective reports whether a comment of the package is a directive, or near one.
func (p *Package) holdsDirective() bool {
	return slices.ContainsFunc(p.Files, func(file *ast.File) bool {
		return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool {
			return slices.ContainsFunc(group.List, func(c *ast.Comment) bool { return directive.MatchString(c.Text) })
		})
	})
}
