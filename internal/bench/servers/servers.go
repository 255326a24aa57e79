// Package servers makes the HTTP handlers that are compared. All offer the tools of package tools, and do the same work for them.
package servers

import (
	"net/http"

	"github.com/capgen/capgen/internal/bench/tools"
)

// Era is the way in which a server is called.
type Era string

// The eras.
const (
	// Session is 2025-11-25 with a session.
	Session Era = "session"
	// Stateless is 2025-11-25 without one.
	Stateless Era = "2025-11-25"
	// Modern is 2026-07-28.
	Modern Era = "2026-07-28"
)

// Bare is the kind that the others are compared with.
const Bare = "bare"

// Kind is a server that can be measured.
type Kind struct {
	// Name is how the command line calls it.
	Name string
	// Title says for people what it is.
	Title string
	Era   Era
	// Fixed servers answer without a look at the request, so that the ID in the answer is not the request's.
	Fixed bool
	// Wrapped results are {"result": VALUE}, as Capgen's are; the others' are the value.
	Wrapped bool
	New     func() http.Handler
}

// Kinds returns all of them, the bare handler first.
func Kinds() []Kind {
	return []Kind{
		{Name: Bare, Title: "net/http + encoding/json", Era: Modern, New: newBare},
		{Name: "constant", Title: "net/http, constant bytes", Era: Modern, Fixed: true, New: newConstant},
		{Name: "capgen", Title: "Capgen, 2026-07-28", Era: Modern, Wrapped: true, New: newCapgen},
		{Name: "capgen-session", Title: "Capgen, 2025-11-25 with a session", Era: Session, Wrapped: true, New: newCapgen},
		{Name: "gosdk", Title: "go-sdk, typed tools, 2026-07-28", Era: Modern, New: newSDKStateless},
		{Name: "gosdk-stateless", Title: "go-sdk, typed tools, 2025-11-25 stateless", Era: Stateless, New: newSDKStateless},
		{Name: "gosdk-session", Title: "go-sdk, typed tools, 2025-11-25 with a session", Era: Session, New: newSDKSession},
		{Name: "mcpgo", Title: "mcp-go, no validation, 2025-11-25 stateless", Era: Stateless, New: newMCPGo},
		{Name: "mcpgo-validating", Title: "mcp-go, validation, 2025-11-25 stateless", Era: Stateless, New: newMCPGoValidating},
	}
}

// Find returns the kind of that name.
func Find(name string) (Kind, bool) {
	for _, kind := range Kinds() {
		if kind.Name == name {
			return kind, true
		}
	}
	return Kind{}, false
}

// The schemas that every server which validates does so by.
var (
	albumDefinition = tools.AlbumLookup{}.Capability().Definition()
	orderDefinition = tools.OrderQuote{}.Capability().Definition()
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
