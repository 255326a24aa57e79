// Package capabilities is the vocabulary of Capgen: what a program declares, generated code implements, and a server or
// another program calls.
//
// A capability is something that an agent can ask a program to do. It is declared as a struct, and the struct is the call: its
// fields are the input, the embedded [Returns] names the type of the result, its doc comment is the description that agents read.
//
//	package catalog
//
//	//go:generate go tool capgen generate
//
//	// AlbumLookup looks up a public album by its slug.
//	//
//	//capgen:capability example.catalog:album.lookup@1 risk=read access=public tool=album_lookup
//	type AlbumLookup struct {
//		capabilities.Returns[Album]
//
//		// Slug is the album's URL-safe identifier, such as "night-drive".
//		Slug string `json:"slug" minLength:"1" maxLength:"80" pattern:"^[a-z0-9]+(-[a-z0-9]+)*$"`
//	}
//
// From this, go generate writes the contract with its JSON Schemas, the method that makes AlbumLookup [Declared], and an interface
// Handlers with one method a capability, which Bind turns into [Bindings]. A program joins bindings into a [Registry], serves the
// registry over MCP with package runtime, or calls a capability itself with [Call].
//
// # Writing directives
//
// A directive is a line of a doc comment that begins with //capgen: and the directive's name, without a space before or in
// it. Its arguments are separated by spaces: bare words, and key=value. A value that holds spaces or quotes is a Go string,
// key="…", or a raw string, key=`…`. The rest of a line that takes text is the text, without quotes.
//
// A directive belongs to the declaration whose doc comment it is in. One that stands elsewhere, or is not quite one, is an error
// of the generator, and so are unknown directives, keys and keywords: each error names what to write.
//
// # Directives
//
// On a struct type:
//
//	//capgen:capability ID risk=… access=public|scopes=… key=value…
//
// Declares the struct as a capability. ID is namespace:name@major, such as
// example.catalog:album.lookup@1, or name@major where the package has a namespace.
//
//   - risk=read|write|destructive (required): What a call can do: read changes nothing, write adds
//     or changes and destroys nothing, destructive may delete or overwrite what cannot be had
//     back.
//   - access=public: Anybody may call; only with risk=read. Either this or scopes= is required.
//   - scopes=SCOPE,…: A caller must hold all of these OAuth scopes.
//   - tool=NAME: The name agents call it by, in place of the one made from the ID.
//   - timeout=DURATION: The longest a call may run, such as 30s, at most 300s; the server's own
//     deadline otherwise.
//   - idempotent: Repeating a call with the same input changes nothing more.
//   - openworld: A call reaches systems outside, such as the web.
//   - reviewed-by=NAME: Who agreed to what //capgen:migrates or //capgen:removed says of it; it
//     goes with one of them.
//
// On a struct type:
//
//	//capgen:title TEXT
//
// A short name for people.
//
// On a struct type:
//
//	//capgen:deprecated TEXT
//
// Says that the capability is deprecated and what to use instead. A "Deprecated:" paragraph of the
// doc comment serves too.
//
// On a struct type:
//
//	//capgen:migrates TEXT
//
// Says what changed in meaning since the major before, for whoever moves from one to the other.
// Every major of a family but its first has it, and names in reviewed-by= who agreed.
//
// On a struct type:
//
//	//capgen:removed TEXT
//
// Says that the capability is gone and what to use instead. It was deprecated before, and
// reviewed-by= names who agreed. Nothing is generated but a contract without schemas, which keeps
// its ID and its tool name from being used again; the struct needs no fields.
//
// On the package clause:
//
//	//capgen:namespace NS
//
// The namespace of the package's capabilities, so that their IDs can be written name@major.
//
//   - pack: The package is a pack: it owns the namespace, and Pack is generated, which
//     capabilities.Compose takes. All of its capabilities are in the namespace, and nobody else's.
//
// On the package clause:
//
//	//capgen:names handlers=NAME bind=NAME pack=NAME
//
// Renames what is generated, where it clashes with the package's own names.
//
//   - handlers=NAME: The interface, Handlers by default.
//   - bind=NAME: The function, Bind by default.
//   - pack=NAME: The function of a pack, Pack by default.
//
// On the package clause:
//
//	//capgen:client
//
// Generates CapabilityClient and NewCapabilityClient too, which call the package's capabilities
// over MCP or in process, typed. What results are made of must then be readable as well.
//
// On the package clause:
//
//	//capgen:docs dir=DIR
//
// Writes the reference of the package's capabilities into a folder, as capabilities.md and
// capabilities.html, and has capgen check tell when it is stale.
//
//   - dir=DIR (required): The folder, relative to the package's, with slashes; . is the package's
//     own.
//   - packages=PATTERN,…: The packages to document in the place of this one, as the go command
//     names them from its folder, such as ./...
//
// On a named type or the package clause:
//
//	//capgen:schema keyword=value…
//
// Constrains the type wherever it is used. The arguments are the keywords below, as in a struct
// tag. With file= it declares the schema of a type that encodes itself; on the package clause,
// with type= too, that of another package's.
//
//   - file=FILE: A JSON Schema, draft 2020-12, relative to the package's folder.
//   - type=TYPE: The type, as its import path, a dot and its name; on the package clause only.
//
// On an interface type:
//
//	//capgen:union discriminator=NAME
//
// Declares the interface, which must have an unexported method, as a union of the types of its
// package that implement it. The member NAME of each object tells which it is.
//
//   - discriminator=NAME (required): The member's name, such as kind; no variant may have one of
//     that name.
//
// On a named type:
//
//	//capgen:variant NAME
//
// The name by which a union's discriminator knows the type, in place of one made from the type's
// own.
//
// # Keywords
//
// A keyword is the key of a struct tag, or an argument of //capgen:schema.
//
//   - minLength (on string; a whole number from 0): The fewest characters (Unicode code points).
//   - maxLength (on string; a whole number from 0): The most characters (Unicode code points).
//   - pattern (on string; a regular expression): What some part of the text must match, in the
//     syntax that RE2 and ECMA-262 share; anchor it with ^ and $.
//   - minimum (on integer, number; a number): The least value.
//   - maximum (on integer, number; a number): The greatest value.
//   - exclusiveMinimum (on integer, number; a number): What the value must be greater than.
//   - exclusiveMaximum (on integer, number; a number): What the value must be less than.
//   - multipleOf (on integer, number; a number): What the value must be a multiple of; greater
//     than 0.
//   - minItems (on array; a whole number from 0): The fewest elements.
//   - maxItems (on array; a whole number from 0): The most elements.
//   - uniqueItems (on array; true or false): No element may occur twice.
//   - minProperties (on object; a whole number from 0): The fewest members.
//   - maxProperties (on object; a whole number from 0): The most members.
//   - additionalProperties (on object; true or false): Whether members that the struct does not
//     name are admitted.
//   - enum (on string, integer, number, boolean; values, separated by commas or as a JSON array):
//     The only values there are. A named type with typed constants has them without this.
//   - default (on any; a value of the field's own kind): What an absent value means; the field
//     carries omitzero or omitempty.
//   - format (on string; text): A format that JSON Schema names, such as email; it tells and does
//     not check.
//   - title (on any; text): A short name for people.
//   - example (on any; a value of the field's own kind): A value to show.
//   - deprecated (on any; true or false): Callers should stop using it.
//   - readOnly (on any; true or false): The service sets it; callers do not send it.
//   - writeOnly (on any; true or false): Callers send it; the service never shows it.
//   - x-mcp-header (on string, integer, boolean; the header's name, without Mcp-Param-): A
//     parameter that clients mirror in the header Mcp-Param-NAME.
//   - unit (on integer, number; a symbol of at most 32 characters, without spaces and quotes):
//     What the number counts, such as ms or USD; the schema has it as x-unit.
//
// # Values
//
// For a field of a string kind the text of the tag is the value; for others it is one JSON value. An enum is a JSON array if it
// begins with [, else a list separated by commas. Numbers keep their spelling.
//
//	Mode  string   `json:"mode,omitzero" enum:"fast,exact" default:"fast"`
//	Limit int      `json:"limit,omitzero" minimum:"1" maximum:"100" default:"20"`
//	Tags  []string `json:"tags" maxItems:"8" uniqueItems:"true" example:"[\"jazz\", \"live\"]"`
//
// A keyword on a field whose kind it does not go with is an error. On a named type the keywords hold wherever it is used:
//
//	// Slug is a URL-safe identifier.
//	//
//	//capgen:schema minLength=1 maxLength=80 pattern=`^[a-z0-9]+(-[a-z0-9]+)*$`
//	type Slug string
//
// # Names
//
// A namespace and a capability's name match [a-z][a-z0-9]*([.-][a-z0-9]+)* and have at most 64 characters; a major version is a
// whole number from 1, and a scope matches [a-z][a-z0-9:._-]{0,63}. The name that agents call is that of [ToolName], such as
// example_catalog__album_lookup_v1, or the one that tool= gives: a letter, then at most 63 letters, digits, _ and -. Tool names of
// one program must differ in more than letter case and the choice of - or _.
//
// The name of a capability's type begins with a letter that has a capital form, since a method of Handlers is named after it.
package capabilities
