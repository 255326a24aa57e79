package emit

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// chunkSize is how many functions a chunk holds.
const chunkSize = 100

// chunks are the parts of a file, each rendered and formatted while the next is made: for a package of a thousand structs that takes
// longer than all else.
type chunks struct {
	pkg     *model.Package
	imports *imports
	known   Formatted
	all     []*chunk
	started int
	working sync.WaitGroup
}

type chunk struct {
	file *jen.File
	// imported are the lines of its imports, and body is what follows them.
	imported []string
	body     []byte
	digest   string // of the body before it was formatted
	err      error
}

// next begins a chunk and has those before it rendered.
func (c *chunks) next() *jen.File {
	c.render()
	file := jen.NewFilePathName(c.pkg.Path, c.pkg.Name)
	file.NoFormat = true // a part of the file is formatted, not a file
	c.imports.declare(file)
	c.all = append(c.all, &chunk{file: file})
	return file
}

func (c *chunks) render() {
	for ; c.started < len(c.all); c.started++ {
		next := c.all[c.started]
		c.working.Go(func() { next.err = next.render(c.known) })
	}
}

func (c *chunk) render(known Formatted) (err error) {
	var b bytes.Buffer
	if err := c.file.Render(&b); err != nil {
		return err
	}
	body := cutLine(b.Bytes()) // the package clause
	if block, found := bytes.CutPrefix(body, []byte("import (\n")); found {
		lines, rest, _ := bytes.Cut(block, []byte("\n)\n"))
		c.imported, body = strings.Split(string(lines), "\n"), rest
	} else if line, found := bytes.CutPrefix(body, []byte("import ")); found {
		only, rest, _ := bytes.Cut(line, []byte("\n"))
		c.imported, body = []string{string(only)}, rest
	}
	c.body, c.digest, err = known.format(bytes.TrimSpace(body)) // space at the beginning would be taken for the indentation
	return err
}

// cutLine returns what follows the first line and the empty ones after it.
func cutLine(text []byte) []byte {
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	return bytes.TrimLeft(rest, "\n")
}

// join returns the whole file.
func (c *chunks) join() (File, error) {
	c.render()
	c.working.Wait()
	imported := map[string]bool{`_ "embed"`: true}
	for _, part := range c.all {
		if part.err != nil {
			return File{}, fmt.Errorf("the code of package %s does not render: %w", c.pkg.Path, part.err)
		}
		for _, line := range part.imported {
			imported[line] = true
		}
	}
	head, err := format.Source([]byte(Header + "\n\n" + lint + "\n\npackage " + c.pkg.Name + "\n\n" + c.imports.block(imported)))
	if err != nil {
		return File{}, err
	}
	text, parts := bytes.TrimSpace(head), make(map[string]Span)
	for _, part := range c.all {
		if len(part.body) > 0 {
			text = append(text, "\n\n"...)
			parts[part.digest] = Span{Offset: len(text), Length: len(part.body)}
			text = append(text, part.body...)
		}
	}
	return File{Text: append(text, '\n'), Parts: parts}, nil
}
