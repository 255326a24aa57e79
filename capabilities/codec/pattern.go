package codec

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that strings are held to. It is safe for concurrent use.
type Pattern struct {
	source   string
	compiled func() *regexp.Regexp
}

// NewPattern returns the pattern of a regular expression that the generator has compiled. It is compiled here when it is first used.
func NewPattern(source string) *Pattern {
	return &Pattern{source, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })}
}

// Check reports a string that no part of matches the pattern.
func (p *Pattern) Check(r *Report, text string) {
	if !p.compiled().MatchString(text) {
		r.Refuse("pattern", p.source)
	}
}

// OneOf reports whether a number equals one of some, exactly.
func OneOf(text []byte, values ...string) bool {
	for _, value := range values {
		if Compare(text, value) == 0 {
			return true
		}
	}
	return false
}
