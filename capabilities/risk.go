package capabilities

import "fmt"

// Risk says what a capability can do to the world. It decides who may see it by default and the hints a client shows.
type Risk string

// The risks, from harmless to not.
const (
	// Read changes nothing.
	Read Risk = "read"
	// Write adds or changes state and destroys none.
	Write Risk = "write"
	// Destructive may delete or overwrite what cannot be had back.
	Destructive Risk = "destructive"
)

// ParseRisk reads a risk from its text form.
func ParseRisk(text string) (Risk, error) {
	switch risk := Risk(text); risk {
	case Read, Write, Destructive:
		return risk, nil
	}
	return "", fmt.Errorf("risk %q is none of read, write, destructive", text)
}

// UnmarshalText implements encoding.TextUnmarshaler by ParseRisk.
func (r *Risk) UnmarshalText(text []byte) error {
	parsed, err := ParseRisk(string(text))
	if err == nil {
		*r = parsed
	}
	return err
}

// Mutates reports whether a call may have changed something even though it failed.
func (r Risk) Mutates() bool { return r != Read }
