package reference_test

import (
	"encoding/json"
	"testing"

	"github.com/capgen/capgen/capabilities/internal/reference"
)

// TestNumbersStayNumbers: the engine takes encoding/json's Number for a string, and here it is not one.
func TestNumbersStayNumbers(t *testing.T) {
	text, err := reference.Encode(map[string]any{"a": json.Number("1.50"), "b": []json.Number{"", "1e5"}, "c": json.RawMessage(`1.0`)})
	if err != nil || string(text) != `{"a":1.50,"b":[0,1e5],"c":1.0}` {
		t.Errorf("%s %v", text, err)
	}
	for _, n := range []json.Number{"x", " 1", "1 ", "01", `"1"`, "1 2"} {
		if text, err := reference.Encode(n); err == nil {
			t.Errorf("%q is written %s", n, text)
		}
	}
	var back struct{ A, B json.Number }
	if err := reference.Unmarshal([]byte(`{"A":1.50,"B":null}`), &back); err != nil || back.A != "1.50" || back.B != "" {
		t.Errorf("%+v %v", back, err)
	}
}
