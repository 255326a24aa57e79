package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// What follows is what capgen generates, written by hand: this package's tests do not depend on the generator.

// contract is a generated contract of a public read with the properties of its input and the schema of its output.
func contract(name, properties, output string) string {
	return fmt.Sprintf(`{"id": "test:%s@1", "tool": "%s", "title": "The %[2]s", "description": "Does %[2]s.", "risk": "read", "access": "public",
		"input": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {%[3]s}, "additionalProperties": false},
		"output": %[4]s}`, name, name, properties, output)
}

const text = `{"type": "string"}`

// Echo answers its text.
type Echo struct {
	capabilities.Returns[string]

	Text string `json:"text"`
}

var echoCapability = capabilities.Declare[Echo, string](`{"id": "test:echo@1", "tool": "echo", "risk": "read", "access": "public",
	"input": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 100}}, "required": ["text"], "additionalProperties": false},
	"output": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string", "maxLength": 50}}`)

func (Echo) Capability() *capabilities.Capability[Echo, string] { return echoCapability }

// Slow waits and honours its context.
type Slow struct {
	capabilities.Returns[string]

	MS  int    `json:"ms"`
	Key string `json:"key,omitempty"`
}

var slowCapability = capabilities.Declare[Slow, string](contract("slow", `"ms": {"type": "integer"}, "key": {"type": "string"}`, text))

func (Slow) Capability() *capabilities.Capability[Slow, string] { return slowCapability }

// Probe tells what became of a slow call.
type Probe struct {
	capabilities.Returns[string]

	Key string `json:"key"`
}

var probeCapability = capabilities.Declare[Probe, string](contract("probe", `"key": {"type": "string"}`, text))

func (Probe) Capability() *capabilities.Capability[Probe, string] { return probeCapability }

// Deaf waits and ignores its context.
type Deaf struct {
	capabilities.Returns[string]

	MS int `json:"ms"`
}

var deafCapability = capabilities.Declare[Deaf, string](contract("deaf", `"ms": {"type": "integer"}`, text))

func (Deaf) Capability() *capabilities.Capability[Deaf, string] { return deafCapability }

// Panic panics.
type Panic struct {
	capabilities.Returns[string]
}

var panicCapability = capabilities.Declare[Panic, string](contract("panic", "", text))

func (Panic) Capability() *capabilities.Capability[Panic, string] { return panicCapability }

// Boom fails with a text that must not get out.
type Boom struct {
	capabilities.Returns[string]
}

var boomCapability = capabilities.Declare[Boom, string](contract("boom", "", text))

func (Boom) Capability() *capabilities.Capability[Boom, string] { return boomCapability }

// Region has mirrored inputs.
type Region struct {
	capabilities.Returns[string]

	Region string `json:"region,omitempty"`
	N      int    `json:"n,omitempty"`
	Flag   bool   `json:"flag,omitempty"`
	Where  struct {
		Zone string `json:"zone,omitempty"`
	} `json:"where,omitzero"`
}

const regionProperties = `"region": {"type": "string", "x-mcp-header": "Region"},
	"n": {"type": "integer", "x-mcp-header": "N"},
	"flag": {"type": "boolean", "x-mcp-header": "Flag"},
	"where": {"type": "object", "properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}}}`

var regionCapability = capabilities.Declare[Region, string](contract("region", regionProperties, text))

func (Region) Capability() *capabilities.Capability[Region, string] { return regionCapability }

// Hidden is a write, which the default policy admits for nobody. It has a mirrored input.
type Hidden struct {
	capabilities.Returns[capabilities.Nothing]

	Region string `json:"region"`
}

var hiddenCapability = capabilities.Declare[Hidden, capabilities.Nothing](`{"id": "test:secret.tool@1", "tool": "secret_tool", "risk": "write",
	"access": {"scopes": ["secret:write"]}, "input": {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}},
	"output": {"type": "object"}}`)

func (Hidden) Capability() *capabilities.Capability[Hidden, capabilities.Nothing] {
	return hiddenCapability
}

// Node is a result that refers to itself and to a definition.
type Node struct {
	Name     string `json:"name"`
	Children []Node `json:"children"`
}

// Tree returns a Node.
type Tree struct {
	capabilities.Returns[Node]
}

var treeCapability = capabilities.Declare[Tree, Node](contract("tree", "", `{"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object", "required": ["name", "children"],
	"properties": {"name": {"$ref": "#/$defs/Name"}, "children": {"$ref": "#/$defs/Forest"}},
	"$defs": {"Name": {"type": "string", "enum": ["root", "leaf"]}, "Forest": {"type": "array", "items": {"anyOf": [{"$ref": "#"}]}}}}`))

func (Tree) Capability() *capabilities.Capability[Tree, Node] { return treeCapability }

// fixture is the handlers of the test's capabilities, and what they know of each other.
type fixture struct {
	started chan string // gets the key of each slow call that begins, if anybody listens
	release chan struct{}

	mu    sync.Mutex
	state map[string]string
}

func newFixture() *fixture {
	return &fixture{started: make(chan string, 100), release: make(chan struct{}), state: map[string]string{}}
}

func (f *fixture) set(key, state string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state[key] = state
}

func (f *fixture) get(key string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state[key]
}

func (f *fixture) slow(ctx context.Context, in Slow) (string, error) {
	f.set(in.Key, "running")
	select {
	case f.started <- in.Key:
	default:
	}
	select {
	case <-time.After(time.Duration(in.MS) * time.Millisecond):
		f.set(in.Key, "done")
		return "slept", nil
	case <-ctx.Done():
		f.set(in.Key, "cancelled")
		return "", ctx.Err()
	}
}

func (f *fixture) probe(_ context.Context, in Probe) (string, error) {
	if state := f.get(in.Key); state != "" {
		return "state=" + state, nil
	}
	return "state=none", nil
}

func (f *fixture) bindings() []capabilities.Part {
	return []capabilities.Part{
		capabilities.Handle(func(_ context.Context, in Echo) (string, error) {
			if in.Text == "nobody" {
				return "", capabilities.Errorf("nobody_home", "there is nobody: try somebody")
			}
			return in.Text, nil
		}),
		capabilities.Handle(f.slow),
		capabilities.Handle(f.probe),
		capabilities.Handle(func(_ context.Context, in Deaf) (string, error) {
			f.started <- "deaf"
			select {
			case <-time.After(time.Duration(in.MS) * time.Millisecond):
			case <-f.release:
			}
			return "heard", nil
		}),
		capabilities.Handle(func(context.Context, Panic) (string, error) { panic("CANARY-SECRET") }),
		capabilities.Handle(func(context.Context, Boom) (string, error) { return "", errors.New("CANARY-SECRET") }),
		capabilities.Handle(func(_ context.Context, in Region) (string, error) { return in.Region, nil }),
		capabilities.Do(func(context.Context, Hidden) error { return nil }, capabilities.NoResource()),
		capabilities.Handle(func(context.Context, Tree) (Node, error) {
			return Node{Name: "root", Children: []Node{{Name: "leaf"}}}, nil
		}),
	}
}
