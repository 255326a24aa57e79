package check

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"

	"github.com/capgen/capgen/gen/internal/model"
)

// valueJSON returns the JSON of a value as an annotation writes it: the text itself for what is a string, else one JSON value.
func valueJSON(t *model.Type, text string) (string, bool) {
	if t.Kind == model.String || t.Kind == model.Time {
		return quoteJSON(text), true
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err != nil {
		return "", false
	}
	return compact.String(), true
}

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
			items = append(items, enumText{string(item), true})
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

// quoteJSON writes a string without the escapes that only HTML needs.
func quoteJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always has a JSON form
	return strings.TrimSuffix(b.String(), "\n")
}
