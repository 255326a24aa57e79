package fidelity

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// constrain puts a case's keywords on the fields of its sources, as struct tags. A map's propertyNames become a named type of its
// keys; what is to be declared for that is returned.
func constrain(sources map[string]string, c *testCase) (declarations string, err error) {
	for _, pointer := range sortedKeys(c.Constraints) {
		fileOf, structs, err := parseSources(sources)
		if err != nil {
			return "", err
		}
		at, err := findField(structs, c.Type, pointer)
		if err != nil {
			return "", fmt.Errorf("%s: %w", pointer, err)
		}
		var tag strings.Builder
		var keyType string
		for _, keyword := range sortedKeys(c.Constraints[pointer]) {
			text := c.Constraints[pointer][keyword]
			if keyword == "propertyNames" {
				keyType = at.Names[0].Name + "Name"
				declarations += namedKey(keyType, text)
				continue
			}
			fmt.Fprintf(&tag, " %s:%s", keyword, strconv.Quote(tagValue(text)))
		}
		file := fileOf[at]
		source := []byte(sources[file])
		if tag.Len() > 0 {
			end := int(at.Tag.End()) - 2 // before the closing quote; positions count from 1
			source = slices.Insert(source, end, []byte(tag.String())...)
		}
		if keyType != "" {
			key := at.Type.(*ast.MapType).Key
			source = slices.Replace(source, int(key.Pos())-1, int(key.End())-1, []byte(keyType)...)
		}
		sources[file] = string(source)
	}
	return declarations, nil
}

// namedKey declares a string type with constraints.
func namedKey(name string, keywords json.RawMessage) string {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(keywords, &all); err != nil {
		panic(err)
	}
	line := "//capgen:schema"
	for _, keyword := range sortedKeys(all) {
		line += " " + keyword + "=" + strconv.Quote(tagValue(all[keyword]))
	}
	return "\n" + line + "\ntype " + name + " string\n"
}

// tagValue writes a keyword's value as a tag does: a string as it is, else as JSON.
func tagValue(text json.RawMessage) string {
	var s string
	if json.Unmarshal(text, &s) == nil {
		return s
	}
	return string(text)
}

// parseSources parses files of one package each by itself, so that a position is the offset in its file plus one, and returns the
// struct types by name.
func parseSources(sources map[string]string) (fileOf map[*ast.Field]string, structs map[string]*ast.StructType, err error) {
	fileOf, structs = map[*ast.Field]string{}, map[string]*ast.StructType{}
	for _, name := range sortedKeys(sources) {
		file, err := parser.ParseFile(token.NewFileSet(), name, sources[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				t, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if s, ok := t.Type.(*ast.StructType); ok {
					structs[t.Name.Name] = s
					for _, field := range s.Fields.List {
						fileOf[field] = name
					}
				}
			}
		}
	}
	return fileOf, structs, nil
}

// findField follows a JSON Pointer of names through structs.
func findField(structs map[string]*ast.StructType, typeName, pointer string) (*ast.Field, error) {
	name, rest, below := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	s := structs[typeName]
	if s == nil {
		return nil, fmt.Errorf("%s is not a struct", typeName)
	}
	for _, field := range s.Fields.List {
		if field.Tag == nil {
			continue
		}
		text, err := strconv.Unquote(field.Tag.Value)
		if err != nil {
			return nil, err
		}
		if tagged, _, _ := strings.Cut(reflect.StructTag(text).Get("json"), ","); tagged != name {
			continue
		}
		if !below {
			return field, nil
		}
		ident, ok := field.Type.(*ast.Ident)
		if !ok {
			return nil, fmt.Errorf("%s is not of a named type", name)
		}
		return findField(structs, ident.Name, "/"+rest)
	}
	return nil, fmt.Errorf("%s has no field %s", typeName, name)
}
