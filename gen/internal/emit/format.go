package emit

import (
	"bytes"
	"errors"
	"go/format"
	"runtime"
	"sync"
)

// boundary is where a file can be cut: between a declaration and a function without a comment.
var boundary = []byte("\n\nfunc ")

// formatFile formats a file's text as gofmt does, in parts at the same time, since a package of a thousand structs takes a fifth of a
// second.
func formatFile(text []byte) ([]byte, error) {
	parts := cut(text, runtime.GOMAXPROCS(0))
	found := make([]error, len(parts))
	var formatting sync.WaitGroup
	for i, part := range parts {
		formatting.Go(func() { parts[i], found[i] = format.Source(part) })
	}
	formatting.Wait()
	if err := errors.Join(found...); err != nil {
		return nil, err
	}
	return bytes.Join(parts, nil), nil
}

// cut cuts a text at boundaries into parts of about one size; the first one holds the package clause.
func cut(text []byte, count int) [][]byte {
	size := max(len(text)/count, 1<<15)
	var parts [][]byte
	for len(text) > size {
		i := bytes.Index(text[size:], boundary)
		if i < 0 {
			break
		}
		parts = append(parts, text[:size+i+2])
		text = text[size+i+2:]
	}
	return append(parts, text)
}
