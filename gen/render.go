package gen

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/capgen/capgen/gen/internal/check"
	"github.com/capgen/capgen/gen/internal/docs"
	"github.com/capgen/capgen/gen/internal/emit"
	"github.com/capgen/capgen/gen/internal/model"
	"github.com/capgen/capgen/gen/internal/schema"
	"github.com/capgen/capgen/gen/internal/source"
)

// render adds a package's files, by their absolute paths. What the last run formatted is not formatted again.
func render(pkg *model.Package, last *memory, files map[string][]byte) error {
	for _, c := range pkg.Removed {
		files[contractFile(pkg, c)] = schema.Contract(c)
	}
	if len(pkg.Capabilities) == 0 {
		return nil
	}
	contracts := make([][]byte, len(pkg.Capabilities))
	var rendering sync.WaitGroup
	rendering.Go(func() {
		for i, c := range pkg.Capabilities {
			contracts[i] = schema.Contract(c)
		}
	})
	path := filepath.Join(pkg.Dir, emit.FileName)
	code, err := emit.Package(pkg, func(c *model.Capability) string { return schema.ContractPath(c.ID) }, last.formatted(path))
	rendering.Wait()
	if err != nil {
		return err
	}
	files[path] = code.Text
	last.format(path, code.Parts)
	for i, c := range pkg.Capabilities {
		files[contractFile(pkg, c)] = contracts[i]
	}
	return nil
}

func contractFile(pkg *model.Package, c *model.Capability) string {
	return filepath.Join(pkg.Dir, filepath.FromSlash(schema.ContractPath(c.ID)))
}

// ours reports whether a file is one that this generator wrote.
func ours(path string, content []byte) bool {
	if strings.HasSuffix(path, ".json") {
		return bytes.Contains(content[:min(len(content), 200)], []byte(schema.Marker))
	}
	if name := filepath.Base(path); name == docs.MarkdownName || name == docs.HTMLName {
		return len(bytes.TrimSpace(content)) == 0 || bytes.Contains(content[:min(len(content), 200)], []byte(docs.Marker))
	}
	return source.IsOutput(path, content)
}

// foldersOf lists where generated files may have been left behind.
func foldersOf(packages []*model.Package, program *source.Program) []string {
	folders := append([]string{}, program.Orphans...)
	for _, pkg := range packages {
		folders = append(folders, pkg.Dir)
	}
	return folders
}

// validator holds defaults and examples against the schema of their own field. Many fields have the same.
func validator() check.Validator {
	known := map[string]*jsonschema.Schema{}
	return func(f *model.Field, text string) bool {
		schemaText := string(schema.OfField(f, schema.Input).Compact())
		compiled, ok := known[schemaText]
		if !ok {
			compiled = compile(schemaText)
			known[schemaText] = compiled
		}
		var value any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		return compiled != nil && d.Decode(&value) == nil && compiled.Validate(value) == nil
	}
}

// compile returns a schema, or nil for a text that is none.
func compile(text string) *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	const location = "capgen:///field"
	if c.AddResource(location, strings.NewReader(text)) != nil {
		return nil
	}
	compiled, err := c.Compile(location)
	if err != nil {
		return nil
	}
	return compiled
}
