package capabilities

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

var scopeForm = regexp.MustCompile(`^[a-z][a-z0-9:._-]{0,63}$`)

// Access says what a caller needs to use a capability: nothing, or every one of some scopes.
// The zero Access is public.
type Access struct {
	// Scopes are the OAuth scopes a caller must hold, all of them. Empty means public.
	Scopes []string
}

// Public reports whether anybody may call.
func (a Access) Public() bool { return len(a.Scopes) == 0 }

// String returns "public", or the scopes joined by commas.
func (a Access) String() string {
	if a.Public() {
		return "public"
	}
	return strings.Join(a.Scopes, ",")
}

// CheckScope reports why a text cannot be a scope, or nil when it can.
func CheckScope(scope string) error {
	if !scopeForm.MatchString(scope) {
		return fmt.Errorf("scope %q is not of the form %s", scope, strings.Trim(scopeForm.String(), "^$"))
	}
	return nil
}

// MarshalJSON writes "public", or {"scopes": […]}.
func (a Access) MarshalJSON() ([]byte, error) {
	if a.Public() {
		return []byte(`"public"`), nil
	}
	return json.Marshal(scoped(a))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Access) UnmarshalJSON(text []byte) error {
	if string(text) == `"public"` {
		*a = Access{}
		return nil
	}
	var s scoped
	if err := json.Unmarshal(text, &s); err != nil || len(s.Scopes) == 0 {
		return fmt.Errorf(`access is neither "public" nor {"scopes": [...]}`)
	}
	*a = Access(s)
	return nil
}

type scoped struct {
	Scopes []string `json:"scopes"`
}
