package directive

import "strings"

// Place says where a directive may stand. Places are bits: a declaration can be several.
type Place uint8

// The places.
const (
	OnStruct Place = 1 << iota
	OnInterface
	OnType
	OnPackage

	onType = OnStruct | OnInterface | OnType
)

// String names a place as in "write it in the doc comment of …".
func (p Place) String() string {
	switch p {
	case OnStruct:
		return "a struct type"
	case OnInterface:
		return "an interface type"
	case OnType:
		return "a named type"
	case OnType | OnPackage:
		return "a named type or the package clause"
	}
	return "the package clause"
}

// Spec describes one directive.
type Spec struct {
	Name  string
	Place Place
	// Word names the bare word that the directive is about, such as ID; "" when it has none.
	Word string
	// Text says that the rest of the line is text for people and is not split.
	Text bool
	// Usage is what follows the name, in brief; "" for nothing.
	Usage string
	// Doc is a sentence or two for help and reference.
	Doc string
	// Keys are its arguments, in the order of the reference.
	Keys []Key
	// OneOf are keys of which exactly one is written.
	OneOf []string
	// Beside names the directive without which this one says nothing.
	Beside string
	// Repeats says that it may stand on a package clause more than once.
	Repeats bool
}

// Key describes one argument of a directive.
type Key struct {
	Name string
	// Form shows what the value is; "" for a flag, which is written without =.
	Form     string
	Doc      string
	Required bool
	// Keyword marks the arguments that are constraint keywords.
	Keyword bool
}

// Table is every directive there is, in the order of the reference.
var Table = []Spec{
	{
		Name: "capability", Place: OnStruct, Word: "ID", Usage: "ID risk=… access=public|scopes=… key=value…",
		Doc: "Declares the struct as a capability. ID is namespace:name@major, such as example.catalog:album.lookup@1, " +
			"or name@major where the package has a namespace.",
		OneOf: []string{"access", "scopes"},
		Keys: []Key{
			{Name: "risk", Form: "read|write|destructive", Required: true, Doc: "What a call can do: read changes nothing, " +
				"write adds or changes and destroys nothing, destructive may delete or overwrite what cannot be had back."},
			{Name: "access", Form: "public", Doc: "Anybody may call; only with risk=read. Either this or scopes= is required."},
			{Name: "scopes", Form: "SCOPE,…", Doc: "A caller must hold all of these OAuth scopes."},
			{Name: "tool", Form: "NAME", Doc: "The name agents call it by, in place of the one made from the ID."},
			{Name: "timeout", Form: "DURATION", Doc: "The longest a call may run, such as 30s, at most 300s; the server's own deadline otherwise."},
			{Name: "idempotent", Doc: "Repeating a call with the same input changes nothing more."},
			{Name: "openworld", Doc: "A call reaches systems outside, such as the web."},
			{Name: "reviewed-by", Form: "NAME", Doc: "Who agreed to what //capgen:migrates or //capgen:removed says of it; it goes with one of them."},
		},
	},
	{
		Name: "title", Place: OnStruct, Text: true, Usage: "TEXT", Beside: "capability",
		Doc: "A short name for people.",
	},
	{
		Name: "deprecated", Place: OnStruct, Text: true, Usage: "TEXT", Beside: "capability",
		Doc: `Says that the capability is deprecated and what to use instead. A "Deprecated:" paragraph of the doc comment serves too.`,
	},
	{
		Name: "migrates", Place: OnStruct, Text: true, Usage: "TEXT", Beside: "capability",
		Doc: "Says what changed in meaning since the major before, for whoever moves from one to the other. Every major of a family but its " +
			"first has it, and names in reviewed-by= who agreed.",
	},
	{
		Name: "removed", Place: OnStruct, Text: true, Usage: "TEXT", Beside: "capability",
		Doc: "Says that the capability is gone and what to use instead. It was deprecated before, and reviewed-by= names who agreed. Nothing is " +
			"generated but a contract without schemas, which keeps its ID and its tool name from being used again; the struct needs no fields.",
	},
	{
		Name: "namespace", Place: OnPackage, Word: "NS", Usage: "NS",
		Doc: "The namespace of the package's capabilities, so that their IDs can be written name@major.",
		Keys: []Key{
			{Name: "pack", Doc: "The package is a pack: it owns the namespace, and Pack is generated, which capabilities.Compose takes. All of its " +
				"capabilities are in the namespace, and nobody else's."},
		},
	},
	{
		Name: "names", Place: OnPackage, Usage: "handlers=NAME bind=NAME pack=NAME",
		Doc: "Renames what is generated, where it clashes with the package's own names.",
		Keys: []Key{
			{Name: "handlers", Form: "NAME", Doc: "The interface, Handlers by default."},
			{Name: "bind", Form: "NAME", Doc: "The function, Bind by default."},
			{Name: "pack", Form: "NAME", Doc: "The function of a pack, Pack by default."},
		},
	},
	{
		Name: "client", Place: OnPackage,
		Doc: "Generates CapabilityClient and NewCapabilityClient too, which call the package's capabilities over MCP or in process, typed. " +
			"What results are made of must then be readable as well.",
	},
	{
		Name: "docs", Place: OnPackage, Usage: "dir=DIR",
		Doc: "Writes the reference of the package's capabilities into a folder, as capabilities.md and capabilities.html, and has capgen check tell " +
			"when it is stale.",
		Keys: []Key{
			{Name: "dir", Form: "DIR", Required: true, Doc: "The folder, relative to the package's, with slashes; . is the package's own."},
			{Name: "packages", Form: "PATTERN,…", Doc: "The packages to document in the place of this one, as the go command names them from its folder, such as ./..."},
		},
	},
	{
		Name: "schema", Place: OnType | OnPackage, Usage: "keyword=value…", Repeats: true,
		Doc: "Constrains the type wherever it is used. The arguments are the keywords below, as in a struct tag. With file= it declares the " +
			"schema of a type that encodes itself; on the package clause, with type= too, that of another package's.",
		Keys: append(keywordKeys(),
			Key{Name: "file", Form: "FILE", Doc: "A JSON Schema, draft 2020-12, relative to the package's folder."},
			Key{Name: "type", Form: "TYPE", Doc: "The type, as its import path, a dot and its name; on the package clause only."}),
	},
	{
		Name: "union", Place: OnInterface, Usage: "discriminator=NAME",
		Doc: "Declares the interface, which must have an unexported method, as a union of the types of its package that implement it. " +
			"The member NAME of each object tells which it is.",
		Keys: []Key{
			{Name: "discriminator", Form: "NAME", Required: true, Doc: "The member's name, such as kind; no variant may have one of that name."},
		},
	},
	{
		Name: "variant", Place: OnType, Word: "NAME", Usage: "NAME",
		Doc: "The name by which a union's discriminator knows the type, in place of one made from the type's own.",
	},
}

// keywordKeys returns the keywords that a type can carry, as arguments of //capgen:schema.
func keywordKeys() []Key {
	var keys []Key
	for _, k := range Keywords {
		if !k.FieldOnly {
			keys = append(keys, Key{Name: k.Name, Form: "…", Doc: k.Doc, Keyword: true})
		}
	}
	return keys
}

// Lookup returns the description of a directive, and whether there is one of that name.
func Lookup(name string) (Spec, bool) {
	for _, spec := range Table {
		if spec.Name == name {
			return spec, true
		}
	}
	return Spec{}, false
}

// Key returns the description of a key, and whether the directive has it.
func (s Spec) Key(name string) (Key, bool) {
	for _, key := range s.Keys {
		if key.Name == name {
			return key, true
		}
	}
	return Key{}, false
}

// String returns how the directive is written in brief: //capgen:namespace NS.
func (s Spec) String() string {
	return strings.TrimRight("//"+tool+":"+s.Name+" "+s.Usage, " ")
}

// Label returns the key as it is named in a sentence: risk=, or idempotent.
func (k Key) Label() string {
	if k.Form == "" {
		return k.Name
	}
	return k.Name + "="
}

// String returns how the key is written: risk=read|write|destructive, or idempotent.
func (k Key) String() string { return k.Label() + k.Form }

// example returns the key with a value of its form.
func (k Key) example() string {
	if keyword, ok := LookupKeyword(k.Name); ok && k.Keyword {
		return k.Label() + keyword.Value.sample()
	}
	return k.String()
}

// names returns the names of the directives.
func names() []string {
	var names []string
	for _, spec := range Table {
		names = append(names, spec.Name)
	}
	return names
}

// labels returns the labels of the keys.
func (s Spec) labels() []string {
	var labels []string
	for _, key := range s.Keys {
		labels = append(labels, key.Label())
	}
	return labels
}
