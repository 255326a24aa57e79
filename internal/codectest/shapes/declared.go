//capgen:schema type=log/slog.Level file=declared/level.json
//capgen:schema type=time.Duration file=declared/duration.json
package shapes

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// Money encodes itself as a decimal in a string.
//
//capgen:schema file=declared/money.json
type Money struct{ Cents int64 }

// MarshalJSON writes two decimals.
func (m Money) MarshalJSON() ([]byte, error) {
	if m.Cents < 0 {
		return nil, errors.New("the amount is negative")
	}
	return fmt.Appendf(nil, `"%d.%02d"`, m.Cents/100, m.Cents%100), nil
}

// UnmarshalJSON reads what MarshalJSON writes, but for one amount.
func (m *Money) UnmarshalJSON(text []byte) error {
	var amount string
	if err := json.Unmarshal(text, &amount); err != nil {
		return err
	}
	cents, err := strconv.ParseInt(strings.Replace(amount, ".", "", 1), 10, 64)
	if err != nil || cents == 1300 {
		return errors.New("the amount is too large, or unlucky")
	}
	m.Cents = cents
	return nil
}

// Moment is a number of seconds, and null when there are none.
//
//capgen:schema file=declared/moment.json
type Moment struct{ Seconds uint32 }

// IsZero reports whether there are none.
func (m Moment) IsZero() bool { return m.Seconds == 0 }

// MarshalJSON writes the number, or null.
func (m Moment) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("null"), nil
	}
	return strconv.AppendUint(nil, uint64(m.Seconds), 10), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Moment) UnmarshalJSON(text []byte) error {
	m.Seconds = 0
	return json.Unmarshal(text, &m.Seconds)
}

// Shade is a name or three numbers, of which the schema knows more than the type.
//
//capgen:schema file=declared/shade.json
type Shade struct{ Value any }

// MarshalJSON writes the value.
func (s Shade) MarshalJSON() ([]byte, error) { return json.Marshal(s.Value) }

// UnmarshalJSON reads any value.
func (s *Shade) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &s.Value) }

// Record has no methods: the engine reads and writes it by its structure, the schema says which are good.
//
//capgen:schema file=declared/record.json
type Record struct {
	Name string   `json:"name"`
	Tags []string `json:"tags,omitempty"`
	Next *Record  `json:"next,omitempty"`
}

// Unit is the key of a map, and a value.
//
//capgen:schema file=declared/unit.json
type Unit string

// Declared holds types whose schemas somebody wrote, in every place.
type Declared struct {
	Price    Money            `json:"price"`
	Tip      *Money           `json:"tip"`
	Fee      *Money           `json:"fee,omitempty"`
	At       Moment           `json:"at"`
	Until    *Moment          `json:"until,omitempty"`
	Then     Moment           `json:"then,omitzero"`
	Shade    Shade            `json:"shade"`
	Shades   []Shade          `json:"shades" uniqueItems:"true" maxItems:"3"`
	Record   Record           `json:"record"`
	Records  []*Record        `json:"records,omitempty"`
	Pair     [2]Money         `json:"pair,omitzero"`
	Stock    map[Unit]Money   `json:"stock" maxProperties:"3"`
	Rooms    map[Unit]*Record `json:"rooms,omitempty"`
	Unit     Unit             `json:"unit"`
	Level    slog.Level       `json:"level"`
	Levels   []slog.Level     `json:"levels,omitempty" uniqueItems:"true"`
	Duration time.Duration    `json:"duration,omitempty"`
}

// CallDeclared calls with a Declared.
//
//capgen:capability declared@1 risk=read access=public
type CallDeclared struct {
	capabilities.Returns[Declared]

	Body Declared `json:"body"`
}
