package codectest_test

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"unicode"
)

// mutator changes documents, by chance.
type mutator struct {
	*rand.Rand
	// pool are values and names of the same schema's documents.
	pool  []*node
	names []string
}

func newMutator(seed uint64, documents []*node) *mutator {
	m := &mutator{Rand: rand.New(rand.NewPCG(seed, 1))}
	for _, document := range documents {
		for _, n := range document.all() {
			m.pool = append(m.pool, n)
			m.names = append(m.names, n.names...)
		}
	}
	return m
}

func pick[T any](m *mutator, list ...T) T { return list[m.IntN(len(list))] }

// mutate returns a document's text after a few changes, mostly still JSON.
func (m *mutator) mutate(document *node) []byte {
	root := document.clone()
	for range 1 + m.IntN(3)*m.IntN(2) {
		m.change(root)
	}
	var b bytes.Buffer
	m.write(&b, root, m.IntN(3) == 0)
	text := b.Bytes()
	switch m.IntN(60) {
	case 0:
		return append(text, pick(m, " ", "\n", "x", ",", "}", "1", "\x00", "{}")...)
	case 1:
		i := m.IntN(len(text))
		return append(text[:i:i], text[i+1:]...)
	case 2:
		i := m.IntN(len(text))
		text[i] = byte(m.IntN(256))
	case 3:
		return text[:m.IntN(len(text)+1)]
	}
	return text
}

func (m *mutator) change(root *node) {
	n := pick(m, root.all()...)
	switch m.IntN(5) {
	case 0:
		*n = *m.value()
	case 1:
		*n = *pick(m, m.pool...).clone()
	default:
		switch {
		case n.kind == '{':
			m.changeObject(n)
		case n.kind == '[':
			m.changeArray(n)
		case n.kind == '"':
			n.text = m.changeText(n.text)
		case n.text[0] == '-' || unicode.IsDigit(rune(n.text[0])):
			n.text = m.changeNumber(n.text)
		default:
			*n = *m.value()
		}
	}
}

func (m *mutator) changeObject(n *node) {
	switch m.IntN(8) {
	case 0: // one more, perhaps known
		n.names, n.items = append(n.names, m.name()), append(n.items, m.value())
		return
	case 1:
		n.names, n.items = append(n.names, pick(m, m.names...)), append(n.items, pick(m, m.pool...).clone())
		return
	}
	if len(n.items) == 0 {
		return
	}
	i := m.IntN(len(n.items))
	switch m.IntN(5) {
	case 0: // one less
		n.names, n.items = append(n.names[:i:i], n.names[i+1:]...), append(n.items[:i:i], n.items[i+1:]...)
	case 1: // twice
		n.names, n.items = append(n.names, n.names[i]), append(n.items, n.items[i].clone())
	case 2:
		n.names[i] = m.name()
	case 3:
		n.names[i] = m.changeText(n.names[i])
	case 4: // another order
		m.Shuffle(len(n.items), func(i, j int) {
			n.names[i], n.names[j] = n.names[j], n.names[i]
			n.items[i], n.items[j] = n.items[j], n.items[i]
		})
	}
}

func (m *mutator) changeArray(n *node) {
	if len(n.items) == 0 {
		n.items = append(n.items, pick(m, m.pool...).clone())
		return
	}
	i := m.IntN(len(n.items))
	switch m.IntN(5) {
	case 0:
		n.items = append(n.items[:i:i], n.items[i+1:]...)
	case 1, 2: // twice, perhaps spelt otherwise
		again := n.items[i].clone()
		for _, below := range again.all() {
			if below.kind == 0 && below.text[0] != 'n' && m.IntN(2) == 0 {
				below.text = m.respell(below.text)
			}
		}
		n.items = append(n.items, again)
	case 3:
		for range m.IntN(30) {
			n.items = append(n.items, &node{text: fmt.Sprint(m.IntN(40))})
		}
	case 4:
		n.items[i], n.items[0] = n.items[0], n.items[i]
	}
}

func (m *mutator) name() string {
	return pick(m, "", "x", "body", "a/b~c", "é", "*", "0", "-1", "01", "127", "128", "ab", "AB", "Name", "NAME", "\u212aelvin", "kelvin", "Kelvin", "loud", "a-1", "toolongforaslug", "\xff", "~", pick(m, m.names...))
}

func (m *mutator) changeText(text string) string {
	runes := []rune(text)
	switch m.IntN(9) {
	case 0:
		return strings.ToUpper(text)
	case 1:
		return text + pick(m, "a", "é", "😀", "\n", "\x00", "\xff", "\ufffd", "-12", "-", "\u2028", `"`, "\r\n")
	case 2:
		return text + strings.Repeat(pick(m, "a", "é", "😀"), m.IntN(90))
	case 3:
		if len(runes) > 0 {
			return string(runes[:m.IntN(len(runes))])
		}
	case 4:
		if len(runes) > 0 {
			i := m.IntN(len(runes))
			runes[i] = pick(m, 'a', 'Z', '0', 'é', '\u212a', '\u017f', ' ', '=', '-', '"')
			return string(runes)
		}
	case 5:
		if len(text) > 0 {
			return strings.ToUpper(text[:1]) + text[1:]
		}
	case 6:
		return pick(m, "", "a", "ab", "abcé-12", "red", "quiet", "2026-02-30T00:00:00Z", "2026-01-31T12:00:00Z", "AA==", "AB==", "A\nA==", "::1", "1.0", "-0", "1e5", "true", `"x"`, `"x`, "9223372036854775808", "1e400", "NaN")
	}
	return text + text
}

func (m *mutator) changeNumber(text string) string {
	switch m.IntN(4) {
	case 0:
		return m.number()
	case 1:
		if r, ok := new(big.Rat).SetString(text); ok && len(text) < 40 {
			r.Add(r, pick(m, big.NewRat(1, 1), big.NewRat(-1, 1), big.NewRat(1, 2), big.NewRat(-1, 100), new(big.Rat).Neg(new(big.Rat).Mul(r, big.NewRat(2, 1)))))
			return strings.TrimSuffix(r.FloatString(3), ".000")
		}
	}
	return m.respell(text)
}

// respell writes the same number otherwise.
func (m *mutator) respell(text string) string {
	if strings.ContainsAny(text, "eE") || text == "true" || text == "false" {
		return text
	}
	whole, fraction, pointed := strings.Cut(text, ".")
	switch m.IntN(6) {
	case 0:
		if pointed {
			return text + "0"
		}
		return text + ".0"
	case 1:
		return text + pick(m, "e0", "E+00", "e-0")
	case 2:
		return whole + fraction + "E-" + fmt.Sprint(len(fraction))
	case 3:
		if !pointed {
			return whole + "0e-1"
		}
	case 4:
		if !pointed && len(whole) > 1 && whole[0] != '-' {
			return whole[:1] + "." + whole[1:] + "e" + fmt.Sprint(len(whole)-1)
		}
	}
	return text
}

func (m *mutator) number() string {
	return pick(m, "0", "-0", "1", "-1", "0.5", "1.5", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "65535", "65536", "2147483647", "2147483648", "-2147483649", "4294967295", "4294967296",
		"9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
		"1e2", "1e19", "1e20", "-1e20", "1e308", "1e309", "-1e309", "3.4e38", "3.5e38", "1e-400", "1e9999", "-1e-9999", "1e10000", "1e-10000", "1e1000001", "0e99999", "0.1", "0.10000000000000000001",
		"0.3", "0.29", "0.005", "100", "100.5", "-5.5", "7.5", "-5", "8", "1e21", "0.0", "01", "1.", "+1", ".5")
}

func (m *mutator) value() *node {
	switch m.IntN(11) {
	case 0, 1:
		return &node{text: "null"}
	case 2:
		return &node{text: pick(m, "true", "false")}
	case 3, 4:
		return &node{text: m.number()}
	case 5, 6:
		return &node{kind: '"', text: m.changeText("")}
	case 7:
		return &node{kind: '['}
	case 8:
		return &node{kind: '{'}
	case 9:
		n := pick(m, m.pool...).clone()
		for range 1 + m.IntN(2) {
			if m.IntN(2) == 0 {
				n = &node{kind: '[', items: []*node{n}}
			} else {
				n = &node{kind: '{', names: []string{m.name()}, items: []*node{n}}
			}
		}
		return n
	}
	if m.IntN(20) == 0 {
		depth := 990 + m.IntN(20)
		return &node{text: strings.Repeat("[", depth) + strings.Repeat("]", depth)}
	}
	return pick(m, m.pool...).clone()
}
