package codec

import (
	"cmp"
	"encoding"
	"slices"
	"strconv"
	"unicode/utf8"
)

// IntKey reads the current member's name as an integer map key, spelt as encoding/json writes it.
func (d *Decoder) IntKey(bits int) (value int64, ok bool) {
	value, err := strconv.ParseInt(string(d.Name()), 10, bits)
	if err != nil || strconv.FormatInt(value, 10) != string(d.Name()) {
		d.Refuse("pattern", "^(0|-?[1-9][0-9]*)$")
		return 0, false
	}
	return value, true
}

// UintKey reads the current member's name as an integer map key that is not negative.
func (d *Decoder) UintKey(bits int) (value uint64, ok bool) {
	value, err := strconv.ParseUint(string(d.Name()), 10, bits)
	if err != nil || strconv.FormatUint(value, 10) != string(d.Name()) {
		d.Refuse("pattern", "^(0|[1-9][0-9]*)$")
		return 0, false
	}
	return value, true
}

// MapKey is a map's key and the name that stands for it.
type MapKey[K any] struct {
	Key  K
	Name string
}

// SortedKeys returns a map's keys by name, which makes what is written the same every time. Two keys with one name have no JSON form.
func SortedKeys[M ~map[K]V, K ~string, V any](e *Encoder, m M) []MapKey[K] {
	return sortedKeys(e, m, func(key K) string { return string(key) })
}

// SortedIntKeys is SortedKeys for integers.
func SortedIntKeys[M ~map[K]V, K ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr, V any](e *Encoder, m M) []MapKey[K] {
	return sortedKeys(e, m, func(key K) string {
		if key < 0 {
			return strconv.FormatInt(int64(key), 10)
		}
		return strconv.FormatUint(uint64(key), 10)
	})
}

// SortedTextKeys is SortedKeys for types that encode themselves.
func SortedTextKeys[M ~map[K]V, K interface {
	comparable
	encoding.TextMarshaler
}, V any](e *Encoder, m M) []MapKey[K] {
	return sortedKeys(e, m, func(key K) string {
		text, err := key.MarshalText()
		if err != nil {
			e.fail(err)
		}
		return string(text)
	})
}

func sortedKeys[M ~map[K]V, K comparable, V any](e *Encoder, m M, name func(K) string) []MapKey[K] {
	keys := make([]MapKey[K], 0, len(m))
	for key := range m {
		keys = append(keys, MapKey[K]{key, written(name(key))})
	}
	slices.SortFunc(keys, func(a, b MapKey[K]) int { return cmp.Compare(a.Name, b.Name) })
	for i := 1; i < len(keys); i++ {
		if keys[i].Name == keys[i-1].Name {
			e.fail(errTwoKeys)
		}
	}
	return keys
}

// written returns a name as it will be read: each byte that is not UTF-8 becomes U+FFFD, so that names may become the same.
func written(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return string([]rune(name))
}
