package capabilities

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Definition is what a capability promises, as its generated contract file says it. Treat it as read-only: every caller
// shares it.
type Definition struct {
	// ID names the capability and the major version of its contract.
	ID ID `json:"id"`
	// Tool is the name agents call it by, unless the server chooses names itself.
	Tool string `json:"tool"`
	// Title is a short name for people; may be empty.
	Title string `json:"title,omitempty"`
	// Description is the declaration's doc comment.
	Description string `json:"description,omitempty"`
	// Deprecated says what to use instead; empty while the capability is supported.
	Deprecated string `json:"deprecated,omitempty"`
	// Risk says what a call can do to the world.
	Risk Risk `json:"risk"`
	// Access says what a caller needs.
	Access Access `json:"access"`
	// Idempotent says that repeating a call with the same input changes nothing more.
	Idempotent bool `json:"idempotent,omitempty"`
	// OpenWorld says that a call reaches outside systems, such as the web.
	OpenWorld bool `json:"openworld,omitempty"`
	// Timeout is the longest a call may run, up to 300 s; 0 leaves it to the server.
	Timeout Timeout `json:"timeout,omitempty"`
	// Input is the JSON Schema, draft 2020-12, of the call's input; its root is an object. It has no white space between its tokens.
	Input json.RawMessage `json:"input"`
	// Output is the JSON Schema, draft 2020-12, of the result, written as Input is.
	Output json.RawMessage `json:"output"`
}

// Timeout is a time.Duration whose JSON is text such as "30s".
type Timeout time.Duration

// MarshalText writes the duration as time.Duration.String does.
func (t Timeout) MarshalText() ([]byte, error) { return []byte(time.Duration(t).String()), nil }

// UnmarshalText reads a duration by time.ParseDuration.
func (t *Timeout) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*t = Timeout(d)
	return err
}

// parseDefinition reads a generated contract. It checks what a wrong hand edit could weaken without anybody noticing; the
// schemas are checked when they are compiled.
func parseDefinition(contract string) (*Definition, error) {
	def, err := readDefinition([]byte(contract))
	if err != nil {
		return nil, fmt.Errorf("the embedded contract cannot be read: %w; run capgen generate", err)
	}
	return def, nil
}

// readDefinition reads a contract, whose text becomes its own. The schemas, most of the text, are walked once, to see that they are JSON, and
// not decoded: a server reads all its contracts when it starts.
func readDefinition(contract []byte) (*Definition, error) {
	text := jsontext.Value(contract)
	if err := text.Format(jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(false), jsontext.PreserveRawStrings(true)); err != nil {
		// The words of encoding/json are plainer, if it refuses the text too.
		return nil, cmp.Or(json.Unmarshal(contract, new(any)), err)
	}
	head, input, output := splitContract(text)
	def := new(Definition)
	if err := json.Unmarshal(head, def); err != nil {
		return nil, err
	}
	def.Input, def.Output = input, output
	return def, def.check(head)
}

// splitContract returns the schemas of a contract without white space, and all else of it. A text that is no object has no schemas.
func splitContract(text jsontext.Value) (head, input, output []byte) {
	if text.Kind() != '{' {
		return text, nil, nil
	}
	head = []byte{'{'}
	d := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true)) // they were looked for
	_, _ = d.ReadToken()                                                                // and so were all mistakes
	for d.PeekKind() == '"' {
		token, _ := d.ReadToken()
		name := token.String()
		value, _ := d.ReadValue()
		switch name {
		case "input":
			input = bytes.Clone(value)
		case "output":
			output = bytes.Clone(value)
		default:
			if len(head) > 1 {
				head = append(head, ',')
			}
			head, _ = jsontext.AppendQuote(head, name)
			head = append(append(head, ':'), value...)
		}
	}
	return append(head, '}'), input, output
}

// check takes the contract but for its schemas.
func (def *Definition) check(head []byte) error {
	// The zero Access is public, so that it is there at all must be looked up in the text.
	var written struct{ Access json.RawMessage }
	if err := json.Unmarshal(head, &written); err != nil {
		return err
	}
	switch timeout := time.Duration(def.Timeout); {
	case def.ID == ID{}, def.Risk == "", written.Access == nil:
		return errors.New("it has no id, risk or access")
	case def.Access.Public() && def.Risk != Read:
		return errors.New("public access goes with risk read alone")
	case timeout < 0 || timeout > MaxDeadline:
		return fmt.Errorf("timeout %v is not between 0 and %v", timeout, MaxDeadline)
	}
	return nil
}
