package check

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/capgen/capgen/gen/internal/model"
)

// valueJSON returns the JSON of a value as an annotation writes it: the text itself for what is a string, else one JSON value.
func valueJSON(t *model.Type, text string) (string, bool) {
	if t.Kind == model.String || t.Kind == model.Time {
		return quoteJSON(text), true
	}
	return compactJSON([]byte(text))
}

// compactJSON returns one JSON value without white space. A number whose exponent no codec here takes is refused: the reference
// validator would compute it.
func compactJSON(text []byte) (string, bool) {
	var value any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var compact bytes.Buffer
	if d.Decode(&value) != nil || hugeNumber(value) || json.Compact(&compact, text) != nil {
		return "", false
	}
	return compact.String(), true
}

func hugeNumber(value any) bool {
	switch v := value.(type) {
	case json.Number:
		i := strings.IndexAny(v.String(), "eE")
		return i >= 0 && len(strings.TrimLeft(v.String()[i+1:], "+-0")) > maxExponent
	case []any:
		return slices.ContainsFunc(v, hugeNumber)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), hugeNumber)
	}
	return false
}

// maxExponent is how many digits the exponent of a number may have.
const maxExponent = 4

type enumText struct {
	text   string
	isJSON bool
}

// enumTexts splits an enum.
func enumTexts(text string) ([]enumText, bool) {
	var items []enumText
	if strings.HasPrefix(text, "[") {
		var raw []json.RawMessage
		if err := json.Unmarshal([]byte(text), &raw); err != nil {
			return nil, false
		}
		for _, item := range raw {
			text, ok := compactJSON(item)
			if !ok {
				return nil, false
			}
			items = append(items, enumText{plain(text), true})
		}
		return items, true
	}
	if text == "" {
		return nil, true
	}
	for item := range strings.SplitSeq(text, ",") {
		items = append(items, enumText{strings.TrimSpace(item), false})
	}
	return items, true
}

// fits reports whether a JSON text is of a scalar type's kind.
func fits(t *model.Type, text string) bool {
	var value any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return false
	}
	switch v := value.(type) {
	case string:
		return t.Kind.JSONType() == "string"
	case bool:
		return t.Kind == model.Bool
	case json.Number:
		n, ok := new(big.Rat).SetString(v.String())
		return ok && (t.Kind == model.Number || t.Kind == model.Integer && n.IsInt())
	}
	return false
}

// plain spells a JSON string as every other one is spelt, and leaves other values alone.
func plain(text string) string {
	var s string
	if !strings.HasPrefix(text, `"`) || json.Unmarshal([]byte(text), &s) != nil {
		return text
	}
	return quoteJSON(s)
}

// equal reports whether two scalars are the same value: 1 and 1.0 are.
func equal(a, b string) bool {
	if a == b {
		return true
	}
	x, isNumber := new(big.Rat).SetString(a)
	y, both := new(big.Rat).SetString(b)
	return isNumber && both && x.Cmp(y) == 0
}

// quoteJSON writes a string without the escapes that only HTML needs.
func quoteJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always has a JSON form
	return strings.TrimSuffix(b.String(), "\n")
}
