package codectest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// node is a JSON value that can be mutated, and made into what is not one.
type node struct {
	// kind is '{', '[', '"' for a string whose contents are text, or 0 for what is written as its text is.
	kind  byte
	text  string
	names []string
	items []*node
}

// parseNode reads a text that is JSON, or returns nil.
func parseNode(text []byte) *node {
	if !json.Valid(text) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return readNode(d)
}

func readNode(d *json.Decoder) *node {
	token, err := d.Token()
	if err != nil {
		return &node{text: "null"}
	}
	switch t := token.(type) {
	case json.Delim:
		n := &node{kind: byte(t)}
		for d.More() {
			if t == '{' {
				name, _ := d.Token()
				n.names = append(n.names, name.(string))
			}
			n.items = append(n.items, readNode(d))
		}
		_, _ = d.Token()
		return n
	case string:
		return &node{kind: '"', text: t}
	case json.Number:
		return &node{text: t.String()}
	}
	return &node{text: strings.TrimSpace(fmt.Sprint(map[any]any{nil: "null", true: "true", false: "false"}[token]))}
}

func (n *node) clone() *node {
	c := &node{kind: n.kind, text: n.text, names: append([]string(nil), n.names...)}
	for _, item := range n.items {
		c.items = append(c.items, item.clone())
	}
	return c
}

// all lists the node and what is below it.
func (n *node) all() []*node {
	list := []*node{n}
	for _, item := range n.items {
		list = append(list, item.all()...)
	}
	return list
}

// write writes a document; strange with escapes and white space where they change nothing.
func (m *mutator) write(b *bytes.Buffer, n *node, strange bool) {
	space := func() {
		if strange && m.IntN(8) == 0 {
			b.WriteString(pick(m, " ", "\n\t", "\r\n"))
		}
	}
	space()
	switch n.kind {
	case 0:
		b.WriteString(n.text)
	case '"':
		m.writeString(b, n.text, strange)
	default:
		b.WriteByte(n.kind)
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			if n.kind == '{' {
				space()
				m.writeString(b, n.names[i], strange)
				space()
				b.WriteByte(':')
			}
			m.write(b, item, strange)
		}
		space()
		b.WriteByte(n.kind + 2)
	}
	space()
}

func (m *mutator) writeString(b *bytes.Buffer, text string, strange bool) {
	b.WriteByte('"')
	for i, r := range text {
		switch {
		case r == unicode.ReplacementChar && text[i] != 0xef: // a byte that is not UTF-8 stays one
			b.WriteByte(text[i])
		case r < ' ' || r == '"' || r == '\\' || strange && m.IntN(6) == 0:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(b, pick(m, `\u%04x`, `\u%04X`), unit)
			}
		case strange && m.IntN(400) == 0:
			b.WriteString(pick(m, `\ud800`, `\udc00`, `\/`, `\b`, `\x`))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
