package check

import (
	"regexp"
	"strings"

	"github.com/capgen/capgen/gen/internal/model"
)

// checkPattern refuses a pattern that Go and JavaScript would not read alike: RE2's own syntax, and what RE2 lacks (JSON Schema
// core, section 6.4).
func (c *checker) checkPattern(k *model.Keyword) {
	if _, err := regexp.Compile(k.Text); err != nil {
		reason, _ := strings.CutPrefix(err.Error(), "error parsing regexp: ")
		c.report.Errorf(k.ValuePosition, "the pattern is not a regular expression in the syntax that RE2 and ECMA-262 share: %s", reason)
		return
	}
	if found, instead := onlyRE2(k.Text); found != "" {
		c.report.Errorf(k.ValuePosition, "the pattern holds %s, which RE2 and ECMA-262 do not read alike: %s", found, instead)
		return
	}
	for _, class := range []string{`\s`, `\S`} {
		if holdsEscape(k.Text, class[1]) {
			c.report.Warnf(k.ValuePosition, `the pattern holds %s, which is ASCII white space here and Unicode's in JavaScript: write a class such as [ \t\r\n]`, class)
		}
	}
}

// onlyRE2 returns syntax that compiles in Go and means something else, or nothing, in ECMA-262; and what to write instead.
func onlyRE2(pattern string) (found, instead string) {
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:"):
			return rest[:min(len(rest), 3)], "write (?:…), and letters of both cases as [Aa]"
		case strings.HasPrefix(rest, "[[:"):
			return "a POSIX class", "write its characters, such as [a-z]"
		case rest[0] == '\\' && len(rest) > 1:
			switch escape := rest[1]; {
			case strings.IndexByte("AzQECa", escape) >= 0:
				return rest[:2], `write ^, $ or the characters themselves`
			case strings.IndexByte("pP", escape) >= 0:
				return rest[:2], "write its characters, such as [a-z]"
			case strings.HasPrefix(rest, `\x{`):
				return `\x{`, "write the character itself"
			}
			i++
		}
	}
	return "", ""
}

func holdsEscape(pattern string, letter byte) bool {
	for i := 0; i+1 < len(pattern); i++ {
		if pattern[i] == '\\' {
			if pattern[i+1] == letter {
				return true
			}
			i++
		}
	}
	return false
}
