package fidelity

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/fidelity.jsonl
var casesText string

// testCase is one line of the cases.
type testCase struct {
	ID           string
	Type         string
	Direction    string
	Go           string
	Facts        []fact
	Accept       []string
	Reject       []string
	RejectedBy   map[string]string `json:"rejected_by"`
	NeedsClosed  []string          `json:"needs_closed"`
	AcceptBytes  [][]byte          `json:"accept_b64"`
	RejectDeep   []deepText        `json:"reject_gen"`
	Values       []value
	ValueImports []string `json:"value_imports"`
	Decodes      decodes
	Constraints  map[string]map[string]json.RawMessage
	// Error is set when the declaration must be refused.
	Error string
}

type fact struct {
	Pointer string
	Value   any
	Absent  bool
}

type value struct {
	Expr, JSON   string
	MarshalError string `json:"marshal_error"`
}

// deepText is a text that is too long to write out.
type deepText struct {
	Open, Core, Close string
	Depth             int
}

func (d deepText) String() string {
	return strings.Repeat(d.Open, d.Depth) + d.Core + strings.Repeat(d.Close, d.Depth)
}

// decodes are texts with the values they stand for, a list or an object in the file.
type decodes []decoded

type decoded struct{ JSON, Expr string }

func (d *decodes) UnmarshalJSON(text []byte) error {
	if !bytes.HasPrefix(text, []byte("{")) {
		return json.Unmarshal(text, (*[]decoded)(d))
	}
	var byText map[string]string
	if err := json.Unmarshal(text, &byText); err != nil {
		return err
	}
	for text, expr := range byText {
		*d = append(*d, decoded{text, expr})
	}
	slices.SortFunc(*d, func(a, b decoded) int { return strings.Compare(a.JSON, b.JSON) })
	return nil
}

func (c *testCase) input() bool  { return c.Direction != "output" }
func (c *testCase) output() bool { return c.Direction != "input" }

// inputTexts are the texts that the decoder is asked about: those to accept, then those to refuse.
func (c *testCase) inputTexts() (accept, reject []string) {
	reject = slices.Clone(c.Reject)
	for _, text := range c.AcceptBytes {
		reject = append(reject, string(text)) // see overruled
	}
	for _, deep := range c.RejectDeep {
		reject = append(reject, deep.String())
	}
	return c.Accept, reject
}

// overruled are the parts of cases that contradict DESIGN.md, with the rule that says so; docs/decisions.md repeats them.
var overruled = map[string]string{
	"defined-over-rawmessage-loses-methods /properties/b/type": "null is admitted only for a pointer, any, RawMessage or interface, " +
		"and a nil byte slice is written \"\"",
	"invalid-utf8-input accept_b64":          "invalid UTF-8 is refused, an exception of invariant B",
	"duplicate-key-map-merge-bypass decodes": "duplicate names are refused, and the text is among those to reject",
	"duplicate-key-struct-merge decodes":     "duplicate names are refused, and the text is among those to reject",
}

func readCases(t *testing.T) []*testCase {
	t.Helper()
	var cases []*testCase
	for line := range strings.Lines(casesText) {
		c := &testCase{}
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(c); err != nil {
			t.Fatal(err)
		}
		c.Facts = slices.DeleteFunc(c.Facts, func(f fact) bool { return overruled[c.ID+" "+f.Pointer] != "" })
		if overruled[c.ID+" decodes"] != "" {
			c.Decodes = nil
		}
		if len(c.AcceptBytes) > 0 && overruled[c.ID+" accept_b64"] == "" {
			t.Fatalf("%s: accept_b64 is read as texts to refuse", c.ID)
		}
		cases = append(cases, c)
	}
	if len(cases) != 136 {
		t.Fatalf("%d cases, want 136", len(cases))
	}
	return cases
}
