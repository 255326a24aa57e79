package envelope_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

// FuzzParse holds the reader against encoding/json: what is accepted, encoding/json accepts with the same values, also when it
// folds letter case.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":[1,-2.5e3,true,null,"\n"]},"_meta":{}}}`,
		`{"jsonrpc":"2.0","method":"notifications/x","params":[1]}`,
		`{"jsonrpc":"2.0","id":"é\u00e9","result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":{}}`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"\u0061":2}}`,
		`{"jsonrpc":"2.0","id":1,"Method":"m","paramſ":{}}`,
		`{"jsonrpc":"2.0","id":1.0,"method":"\ud83d\ude00"}`,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"\ud800"}`,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
		`{"jsonrpc":"2.0","id":1,"method":"m","params":` + nested(20) + `} x`,
		`[` + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"m"},`, 2) + `1]`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{` + manyNames("40") + `}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := envelope.Parse(body)
		if err != nil {
			if err.Code == envelope.InvalidRequest && !json.Valid(body) {
				t.Fatalf("JSON for us, and not for encoding/json: %q", body)
			}
			return
		}
		var theirs struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Method  string          `json:"method"`
			Params  json.RawMessage `json:"params"`
			Result  json.RawMessage `json:"result"`
			Error   json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(body, &theirs); err != nil {
			t.Fatalf("accepted, and not by encoding/json: %v", err)
		}
		if theirs.JSONRPC != "2.0" || theirs.Method != m.Method || !bytes.Equal(theirs.ID, m.ID) || !bytes.Equal(theirs.Params, m.Params) {
			t.Errorf("read as %s %q %s\nby encoding/json as %s %q %s", m.ID, m.Method, m.Params, theirs.ID, theirs.Method, theirs.Params)
		}
		if isResponse := theirs.Result != nil || theirs.Error != nil; isResponse != (m.Kind == envelope.Response) {
			t.Errorf("kind %v, result %s, error %s", m.Kind, theirs.Result, theirs.Error)
		}
		if m.Params == nil || m.Params[0] != '{' {
			return
		}
		var params map[string]json.RawMessage
		if err := json.Unmarshal(m.Params, &params); err != nil {
			t.Fatal(err)
		}
		for name, want := range params {
			if got := m.Param(name); !bytes.Equal(got, want) {
				t.Errorf("param %q is %s, by encoding/json %s", name, got, want)
			}
		}
		ours, ok := envelope.ReadObject(m.Params)
		if !ok || len(ours) != len(params) {
			t.Errorf("%d members, by encoding/json %d", len(ours), len(params))
		}
	})
}

// FuzzReadString holds it against encoding/json's reading of the same string.
func FuzzReadString(f *testing.F) {
	for _, seed := range []string{`""`, `"a\u0062\ud83d\ude00\/"`, `"\ud800"`, "\"\xff\"", `"a`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := envelope.ReadString(text)
		if !ok {
			return
		}
		var want string
		if err := json.Unmarshal(text, &want); err != nil || got != want {
			t.Errorf("%q, by encoding/json %q, %v", got, want, err)
		}
	})
}
