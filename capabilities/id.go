package capabilities

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// maxPart is the longest namespace or name, in bytes.
const maxPart = 64

var partForm = regexp.MustCompile(`^[a-z][a-z0-9]*([.-][a-z0-9]+)*$`)

// ID names one major version of a capability, written namespace:name@major, as in example.catalog:album.lookup@1.
// Two capabilities are the same exactly when their IDs are equal; IDs are comparable and serve as map keys.
// The zero ID names nothing.
type ID struct {
	// Namespace says who owns the name. It matches [a-z][a-z0-9]*([.-][a-z0-9]+)* and has at most 64 characters.
	Namespace string
	// Name says what the capability does, under the same rule.
	Name string
	// Major is the contract's major version, 1 or more.
	Major int
}

// ParseID reads an ID from its text form. The error says which part is wrong and what its form is.
func ParseID(text string) (ID, error) {
	namespace, rest, found := strings.Cut(text, ":")
	if !found {
		return ID{}, fmt.Errorf("capability ID %q has no namespace: write namespace:name@major, such as example.catalog:album.lookup@1", text)
	}
	name, major, found := strings.Cut(rest, "@")
	if !found {
		return ID{}, fmt.Errorf("capability ID %q has no major version: write %s:%s@1", text, namespace, rest)
	}
	if err := checkPart("namespace", namespace); err != nil {
		return ID{}, err
	}
	if err := checkPart("name", name); err != nil {
		return ID{}, err
	}
	n, err := strconv.Atoi(major)
	if err != nil || n < 1 || strconv.Itoa(n) != major {
		return ID{}, fmt.Errorf("major version %q is not a whole number from 1, such as 1", major)
	}
	return ID{Namespace: namespace, Name: name, Major: n}, nil
}

// CheckNamespace reports why a namespace cannot be part of an ID, or nil when it can.
func CheckNamespace(namespace string) error { return checkPart("namespace", namespace) }

func checkPart(what, part string) error {
	if len(part) > maxPart {
		return fmt.Errorf("%s %q has %d characters, at most %d are allowed", what, part, len(part), maxPart)
	}
	if !partForm.MatchString(part) {
		return fmt.Errorf("%s %q is not of the form %s: write lower-case words joined by . or -", what, part, strings.Trim(partForm.String(), "^$"))
	}
	return nil
}

// String returns the text form, which ParseID reads back.
func (id ID) String() string {
	return id.Namespace + ":" + id.Name + "@" + strconv.Itoa(id.Major)
}

// MarshalText implements encoding.TextMarshaler with the text form.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler by ParseID.
func (id *ID) UnmarshalText(text []byte) error {
	parsed, err := ParseID(string(text))
	if err == nil {
		*id = parsed
	}
	return err
}
