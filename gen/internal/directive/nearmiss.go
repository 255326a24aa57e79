package directive

import (
	"go/ast"
	"regexp"
	"strings"
)

// attempt is a comment that may have been meant as a directive: what stands before our name, our name, what stands between it
// and the directive's name, that name, and the rest.
var attempt = regexp.MustCompile(`(?is)^(//|/\*)([\s+@#]*)(capgen)(\s*:[\s:]*|[ ./-])([a-z-]*)(.*)$`)

// nearMiss returns the directive that a comment, which is none, was probably meant to be, or "". Prose is left alone: a comment
// with a space after // counts when a name of ours follows a colon.
func nearMiss(comment string) string {
	if d, ok := ast.ParseDirective(0, comment); ok {
		if spec, known := Lookup(d.Name); known && edits(d.Tool, tool) == 1 {
			return written(spec.Name, d.Args)
		}
	}
	parts := attempt.FindStringSubmatch(comment)
	if parts == nil {
		return ""
	}
	lead, between, word, rest := parts[2], parts[4], parts[5], parts[6]
	spaced := strings.TrimLeft(lead, " \t") != lead || parts[1] == "/*"
	gap := between != ":"
	name := strings.ToLower(word)
	spec, known := Lookup(name)
	switch {
	case !strings.Contains(between, ":"):
		if spaced || !known {
			return ""
		}
	case spaced && gap:
		if !known || spec.Text || !argumentative(rest) {
			return ""
		}
	case !known:
		near := Nearest(name, names())
		if near == "" && spaced {
			return ""
		}
		name = near
	}
	if parts[1] == "/*" {
		rest = strings.TrimSuffix(rest, "*/")
	}
	return written(name, strings.TrimSpace(rest))
}

// argumentative reports whether a text looks like arguments and not like prose.
func argumentative(text string) bool {
	return strings.ContainsAny(text, "=@") || len(strings.Fields(text)) == 1
}

// written shows a directive with as much of its arguments as fits in a message.
func written(name, args string) string {
	if name == "" {
		return "//" + tool + ":NAME, where NAME is one of " + strings.Join(names(), ", ")
	}
	if i := strings.IndexAny(args, "\r\n"); i >= 0 {
		args = args[:i]
	}
	if words := strings.Fields(args); len(words) > 0 {
		args = " " + words[0]
		if len(words) > 1 {
			args += " …"
		}
	}
	return "//" + tool + ":" + name + args
}
