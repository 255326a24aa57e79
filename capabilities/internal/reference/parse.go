package reference

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxDepth bounds nesting, so that no text can exhaust the stack.
	maxDepth = 1000
	// maxExponent is how many digits a number's exponent may have: past it the reference validator would compute, or
	// crash on, numbers of millions of digits.
	maxExponent = 4
)

// parse reads a text strictly into the form the validator wants: one value, valid UTF-8, unique names, bounded depth and
// exponents, numbers as they are spelt.
func parse(text []byte) (any, *Problem) {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	value, err := parseValue(d)
	if err == nil {
		if _, err = d.ReadToken(); err == io.EOF {
			return value, nil
		} else if err == nil {
			err = errors.New("something follows the value")
		}
	}
	var p *Problem
	if errors.As(err, &p) {
		return nil, p
	}
	return nil, &Problem{Keyword: "syntax", Message: "is not JSON: " + syntaxReason(err)}
}

// Error makes a problem the error of the recursive reader.
func (p *Problem) Error() string { return p.Message }

func parseValue(d *jsontext.Decoder) (any, error) {
	token, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	if d.StackDepth() > maxDepth {
		return nil, &Problem{Keyword: "syntax", Message: fmt.Sprintf("is nested more than %d levels deep", maxDepth)}
	}
	switch token.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return token.Bool(), nil
	case '"':
		return token.String(), nil
	case '0':
		return parseNumber(token.String())
	case '[':
		list := []any{}
		for d.PeekKind() != ']' {
			item, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err = d.ReadToken()
		return list, err
	}
	object := map[string]any{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		// The token is only good until the next read.
		key := name.String()
		if object[key], err = parseValue(d); err != nil {
			return nil, err
		}
	}
	_, err = d.ReadToken()
	return object, err
}

func parseNumber(text string) (any, error) {
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(strings.TrimLeft(text[i+1:], "+-0")) > maxExponent {
		return nil, &Problem{Keyword: "syntax", Message: fmt.Sprintf("holds a number whose exponent has more than %d digits", maxExponent)}
	}
	return json.Number(text), nil
}

// syntaxReason says what is wrong with a text without quoting it.
func syntaxReason(err error) string {
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return "an object has the same name twice"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the text ends too early"
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return fmt.Sprintf("there is a mistake at byte %d", syntactic.ByteOffset)
	}
	return "something follows the value"
}

func refuse(string) (io.ReadCloser, error) {
	return nil, errors.New("references to other documents are not followed")
}
