package capabilities

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// Pack is the contracts of one package, which owns their namespace. It has no handlers: whoever imports it with [Compose] binds
// handlers of its own, or only calls. The zero Pack is refused by Compose. It does not change and is safe for concurrent use.
type Pack struct {
	path      string
	namespace string
	contracts []Contract
}

// NewPack returns the pack of what one package declares in its namespace. The package is that of the capability structs. Compose tells
// what is wrong with it. Generated code calls NewPack, where //capgen:namespace NS pack says so.
func NewPack(namespace string, contracts ...Contract) Pack {
	p := Pack{namespace: namespace, contracts: slices.Clone(contracts)}
	for _, c := range contracts {
		if c != nil {
			p.path = cmp.Or(p.path, c.packagePath())
		}
	}
	return p
}

// Namespace returns the namespace that the pack owns.
func (p Pack) Namespace() string { return p.namespace }

// Path returns the import path of the package that declares it.
func (p Pack) Path() string { return p.path }

// Contract is a member of a [Pack]: a [Capability], or what [Removed] returns.
type Contract interface {
	// packagePath is the import path of the package that declares it; empty where the contract does not tell.
	packagePath() string
	// contract returns the definition, and what to use instead of one that is removed.
	contract() (def *Definition, removed string, err error)
}

func (c *Capability[In, Out]) packagePath() string { return reflect.TypeFor[In]().PkgPath() }

func (c *Capability[In, Out]) contract() (*Definition, string, error) {
	def, err := c.definition()
	return def, "", err
}

// Removed returns the contract of a capability that is gone, which keeps its ID and its tool name from being used again. Generated code
// calls it.
func Removed(contract string) Contract { return removedContract(contract) }

type removedContract string

func (removedContract) packagePath() string { return "" }

func (c removedContract) contract() (*Definition, string, error) {
	def, err := parseDefinition(string(c))
	if err != nil {
		return nil, "", err
	}
	var note struct{ Removed string }
	if err := json.Unmarshal([]byte(c), &note); err != nil {
		return nil, "", err
	}
	if note.Removed == "" {
		return nil, "", fmt.Errorf("the embedded contract of %s does not say that it is removed; run capgen generate", def.ID)
	}
	return def, note.Removed, nil
}
