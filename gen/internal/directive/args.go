package directive

import (
	"go/token"
	"strconv"
	"strings"
	"unicode"
)

// quotes are what may open a quoted value.
const quotes = "\"`"

func isQuote(c byte) bool { return c == '"' || c == '`' }

// splitArgs splits the text of a directive: bare words, and key= with a bare word, a Go string or a raw string behind it.
// (ast.Directive.ParseArgs knows no quoted value behind key=.) pos is where text begins. An argument that is not of that
// form goes to fault and is left out.
func splitArgs(text string, pos token.Pos, fault func(at token.Pos, message string)) []Arg {
	var args []Arg
	for i := 0; ; {
		i += len(text[i:]) - len(strings.TrimLeftFunc(text[i:], unicode.IsSpace))
		if i == len(text) {
			return args
		}
		found := scanArg(text[i:])
		at := pos + token.Pos(i)
		if found.fault != "" {
			fault(at+token.Pos(found.faultAt), found.fault)
		} else {
			arg := found.arg
			arg.Pos += at
			arg.ValuePos += at
			arg.Raw = text[i : i+found.size]
			args = append(args, arg)
		}
		i += found.size
	}
}

// scanned is the argument at the beginning of a text, its positions counted from there, or what is wrong with it.
type scanned struct {
	arg     Arg
	size    int
	fault   string
	faultAt int
}

func scanArg(text string) scanned {
	word := firstWord(text)
	equals := strings.IndexByte(word, '=')
	quote := strings.IndexAny(word, quotes)
	switch {
	case equals == 0:
		return scanned{size: len(word), fault: "nothing stands before =: write key=value, without spaces around the ="}
	case quote >= 0 && (equals < 0 || quote < equals):
		size := len(word)
		if prefix, err := strconv.QuotedPrefix(text[quote:]); err == nil {
			size = quote + len(prefix) + len(firstWord(text[quote+len(prefix):]))
		}
		return scanned{size: size, fault: "a quoted text needs a key before it: write key=\"…\"", faultAt: quote}
	case equals < 0:
		return scanned{arg: Arg{Value: word}, size: len(word)}
	}
	key, value := word[:equals], equals+len("=")
	switch {
	case value == len(word):
		return scanned{arg: Arg{Key: key, ValuePos: token.Pos(value)}, size: value}
	case isQuote(word[value]):
		return scanQuoted(text, key, value)
	case !isBare(word[value:]):
		return scanned{
			size:    len(word),
			fault:   "a value that holds quotes is quoted as a whole: write " + key + "=`…` or " + key + `="…"`,
			faultAt: value + strings.IndexAny(word[value:], quotes+"'"),
		}
	}
	return scanned{arg: Arg{Key: key, Value: word[value:], HasValue: true, ValuePos: token.Pos(value)}, size: len(word)}
}

// scanQuoted reads key= and the quoted value behind it, which begins at text[value].
func scanQuoted(text, key string, value int) scanned {
	literal, err := strconv.QuotedPrefix(text[value:])
	if err != nil {
		fault := "the text after " + key + "= has no closing " + text[value:value+1] + ", or an escape that Go does not know"
		if text[value] == '`' {
			fault = "the text after " + key + "= has no closing `"
		}
		return scanned{size: len(text), fault: fault, faultAt: value}
	}
	end := value + len(literal)
	if rest := firstWord(text[end:]); rest != "" {
		return scanned{size: end + len(rest), fault: "a closing quote ends the argument: write a space after it", faultAt: end}
	}
	unquoted, offsets := unquote(literal)
	return scanned{
		arg:  Arg{Key: key, Value: unquoted, HasValue: true, ValuePos: token.Pos(value + offsets[0])},
		size: end,
	}
}

// firstWord returns what stands before the first space.
func firstWord(text string) string {
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i]
	}
	return text
}

// unquote returns the text of a valid Go string or raw string, and for each of its bytes where in the literal that is
// written; one more offset is the closing quote's.
func unquote(literal string) (text string, offsets []int) {
	quote, end := literal[0], len(literal)-1
	var b []byte
	for i := 1; i < end; {
		r, multibyte, size := rune(literal[i]), false, 1
		switch {
		case quote == '`' && r == '\r': // strconv.Unquote drops it, as the language says
			i++
			continue
		case quote == '"':
			var rest string
			r, multibyte, rest, _ = strconv.UnquoteChar(literal[i:], quote)
			size = len(literal) - i - len(rest)
		}
		before := len(b)
		if multibyte {
			b = append(b, string(r)...)
		} else {
			b = append(b, byte(r))
		}
		for range len(b) - before {
			offsets = append(offsets, i)
		}
		i += size
	}
	return string(b), append(offsets, end)
}
