package capabilities_test

import (
	"context"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
)

// variant declares a capability as a test wants it; each of its type arguments is a declaration of its own.
type variant[C contract] struct {
	capabilities.Returns[capabilities.Nothing]
}

type contract interface{ text() string }

func (variant[C]) Capability() *capabilities.Capability[variant[C], capabilities.Nothing] {
	var c C
	return capabilities.Declare[variant[C], capabilities.Nothing](c.text())
}

func bound[C contract]() capabilities.Binding {
	return capabilities.Do(func(context.Context, variant[C]) error { return nil })
}

func named(id, tool string) string {
	return `{"id": "` + id + `", "tool": "` + tool + `", "risk": "read", "access": "public", "input": {"type": "object"}, "output": {"type": "object"}}`
}

type (
	broken    struct{}
	badTool   struct{}
	clashing1 struct{}
	clashing2 struct{}
	clashing3 struct{}
	dynamic   struct{}
)

// edited is the contract of dynamic.
var edited string

func (broken) text() string    { return `{"id": "test:broken@1", ` }
func (badTool) text() string   { return named("test:bad@1", "not a name") }
func (clashing1) text() string { return named("test:one@1", "album_look-up") }
func (clashing2) text() string { return named("test:two@1", "Album_Look_Up") }
func (dynamic) text() string   { return edited }
func (clashing3) text() string { return named("test:three@1", "album_look_up") }

// TestRegistryNamesEveryContradiction: one build tells all there is to mend.
func TestRegistryNamesEveryContradiction(t *testing.T) {
	_, err := capabilities.NewRegistry(
		nil,
		capabilities.Binding{},
		capabilities.Handle[AlbumLookup, Album](nil),
		capabilities.Do[AlbumRetire](nil, capabilities.NoResource()),
		capabilities.Bindings{bound[badTool](), bound[badTool](), bound[broken]()},
		bound[clashing1](), bound[clashing2](), bound[clashing3](),
	)
	const want = `a part is nil
a binding is the zero Binding: make it with capabilities.Handle, capabilities.Do or a generated Bind
example.catalog:album.lookup@1: the handler is nil
example.catalog:album.retire@1: the handler is nil
test:bad@1: it is bound twice as "test:bad@1": remove one of the bindings, or name one with capabilities.Named
the embedded contract cannot be read: unexpected end of JSON input; run capgen generate
test:bad@1: tool name "not a name" is not of the form [A-Za-z][A-Za-z0-9_-]{0,63}
test:one@1 and test:three@1 have tool names that some clients cannot tell apart, "album_look-up" and "album_look_up": give one another name with tool=
test:one@1 and test:two@1 have tool names that some clients cannot tell apart, "album_look-up" and "Album_Look_Up": give one another name with tool=`
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

func TestContractsThatCannotBeRead(t *testing.T) {
	good := named("test:x@1", "x")
	for text, want := range map[string]string{
		``: "unexpected end of JSON input",
		strings.Replace(good, "test:x@1", "x@1", 1):       `capability ID "x@1" has no namespace`,
		strings.Replace(good, `"public"`, `"open"`, 1):    `access is neither "public" nor {"scopes": [...]}`,
		strings.Replace(good, `{`, `{"timeout": "x",`, 1): `time: invalid duration "x"`,
		strings.Replace(good, `"read"`, `"raed"`, 1):      `risk "raed" is none of read, write, destructive`,
		// A contract that lost a line must not turn out to promise less than it did.
		`{"tool": "x", "risk": "read", "access": "public"}`:  "it has no id, risk or access",
		`{"id": "test:x@1", "access": "public"}`:             "it has no id, risk or access",
		`{"id": "test:x@1", "risk": "read"}`:                 "it has no id, risk or access",
		strings.Replace(good, `"read"`, `"write"`, 1):        "public access goes with risk read alone",
		strings.Replace(good, `{`, `{"timeout": "301s",`, 1): "timeout 5m1s is not between 0 and 5m0s",
		strings.Replace(good, `{`, `{"timeout": "-1s",`, 1):  "timeout -1s is not between 0 and 5m0s",
	} {
		edited = text
		_, err := capabilities.NewRegistry(bound[dynamic]())
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "; run capgen generate") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestRegistryLookup(t *testing.T) {
	registry, err := capabilities.NewRegistry(bound[clashing2](), capabilities.Handle(lookup, capabilities.Named("memory")))
	if err != nil {
		t.Fatal(err)
	}
	defs := registry.Definitions()
	if len(defs) != 2 || defs[0].Tool != "album_lookup" || defs[1].Tool != "Album_Look_Up" {
		t.Errorf("%v", defs)
	}
	defs[0] = nil
	if registry.Definitions()[0] == nil {
		t.Error("the slice is not the caller's own")
	}
	b, failure := registry.Select(albumCapability.Definition().ID, capabilities.TargetServer, "")
	if failure != nil || b.Name() != "memory" || b.Definition() != albumCapability.Definition() {
		t.Errorf("%v, %s", failure, b.Name())
	}
	if b, _ := registry.Select(registry.Definitions()[1].ID, capabilities.TargetLocal, "test:two@1"); b.Name() != "test:two@1" {
		t.Error(b.Name())
	}
	if _, failure := registry.Select(capabilities.ID{}, capabilities.TargetServer, ""); failure == nil || failure.Kind != capabilities.CapabilityMissing {
		t.Error("the zero ID is bound")
	}
}

// A contract is read strictly: of two members with one name, readers differ in which counts. Its schemas lose their white space and nothing
// else.
func TestContractText(t *testing.T) {
	const schema = `{ "type": "object", "description": "a\u0062 \/ \"{}\"", "maxProperties": 1e1 }`
	good := strings.Replace(named("test:x@1", "x"), `{"type": "object"}`, schema, 1)
	edited = good
	def := variant[dynamic]{}.Capability().Definition()
	if want := `{"type":"object","description":"a\u0062 \/ \"{}\"","maxProperties":1e1}`; string(def.Input) != want || string(def.Output) != `{"type":"object"}` {
		t.Errorf("%s %s\nwant %s", def.Input, def.Output, want)
	}
	for text, want := range map[string]string{
		strings.Replace(good, `{`, `{"risk": "write", `, 1):          `duplicate object member name "risk"`,
		strings.Replace(good, `"maxP`, `"type": "object", "maxP`, 1): `duplicate object member name "type" within "/input"`,
		strings.Replace(good, `"a`, "\"a\xff", 1):                    "invalid UTF-8",
		`[` + good + `]`: "cannot unmarshal array",
		good + good:      "invalid character '{' after top-level value",
	} {
		edited = text
		if _, err := capabilities.NewRegistry(bound[dynamic]()); err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "; run capgen generate") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
