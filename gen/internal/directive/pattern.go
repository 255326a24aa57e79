package directive

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// CheckPattern refuses a pattern that Go and JavaScript would not read alike: RE2's own syntax, and what RE2 lacks (JSON Schema
// core, section 6.4). The error says what such a pattern is or holds, and what to write instead.
func CheckPattern(pattern string) error {
	if _, err := regexp.Compile(pattern); err != nil {
		reason, _ := strings.CutPrefix(err.Error(), "error parsing regexp: ")
		return fmt.Errorf("is not a regular expression in the syntax that RE2 and ECMA-262 share: %s", strings.ReplaceAll(reason, "\n", `\n`))
	}
	if found, instead := onlyRE2(pattern); found != "" {
		return fmt.Errorf("holds %s, which RE2 and ECMA-262 do not read alike: %s", found, instead)
	}
	return nil
}

// DoubtsAbout says of a pattern that both read what they take for different characters.
func DoubtsAbout(pattern string) []string {
	var doubts []string
	for _, class := range []string{`\s`, `\S`} {
		if holdsEscape(pattern, class[1]) {
			doubts = append(doubts, "holds "+class+`, which is ASCII white space here and Unicode's in JavaScript: write a class such as [ \t\r\n]`)
		}
	}
	return doubts
}

// onlyRE2 returns syntax that compiles in Go and means something else, or nothing, in ECMA-262 with the flag u, which is how JSON
// Schema wants patterns read; and what to write instead.
func onlyRE2(pattern string) (found, instead string) {
	inClass := false
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			if instead := onlyRE2Escape(rest, inClass); instead != "" {
				_, size := utf8.DecodeRuneInString(rest[1:])
				return rest[:1+size], instead
			}
			if inClass && ranged.MatchString(rest) {
				return rest[:3] + " as one end of a range", `write \- for the hyphen`
			}
			i++
		case inClass:
			if strings.HasPrefix(rest, "[:") {
				return "a POSIX class", "write its characters, such as [a-z]"
			}
			inClass = rest[0] != ']'
		case strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:"):
			return rest[:min(len(rest), 3)], "write (?:…), and letters of both cases as [Aa]"
		case strings.HasPrefix(rest, "[]"), strings.HasPrefix(rest, "[^]"):
			return rest[:strings.IndexByte(rest, ']')+1], `write \] for a bracket in a class`
		case rest[0] == '[':
			inClass = true
		case rest[0] == ']', rest[0] == '}' && !closesCount(pattern[:i]), rest[0] == '{' && !count.MatchString(rest):
			return rest[:1] + " without its counterpart", `write \` + rest[:1]
		}
	}
	return "", ""
}

// ranged is a class of characters with a hyphen and more behind it.
var ranged = regexp.MustCompile(`^\\[dDwWsS]-[^]]`)

// count is a repetition, as {2,5}.
var count = regexp.MustCompile(`^\{[0-9]+(,[0-9]*)?\}`)

func closesCount(before string) bool {
	open := strings.LastIndexByte(before, '{')
	return open >= 0 && count.MatchString(before[open:]+"}")
}

// onlyRE2Escape returns what to write in place of the escape at the beginning of a text, or "" if both dialects read it alike.
func onlyRE2Escape(text string, inClass bool) (instead string) {
	switch escape := text[1]; {
	case strings.IndexByte("AzQECa", escape) >= 0:
		return `write ^, $ or the characters themselves`
	case strings.IndexByte("pP", escape) >= 0:
		return "write its characters, such as [a-z]"
	case strings.HasPrefix(text, `\x{`), '0' <= escape && escape <= '9':
		return "write the character itself"
	case escape == '-' && inClass, strings.IndexByte(`^$\.*+?()[]{}|/`, escape) >= 0, 'a' <= escape|0x20 && escape|0x20 <= 'z':
		return ""
	}
	return "write the character without the backslash"
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
