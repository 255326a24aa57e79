package codec

import (
	"reflect"
	"slices"
)

// Alloc returns what a pointer points at, which it makes where the pointer is nil.
func Alloc[T any](p **T) *T {
	if *p == nil {
		*p = new(T)
	}
	return *p
}

// Empty makes a slice empty and not nil.
func Empty[S ~[]E, E any](s *S) { *s = S{} }

// Grow appends a zero item to a slice that Empty made, and returns it, to be read into at once.
func Grow[S ~[]E, E any](s *S) *E {
	n := len(*s)
	if n == cap(*s) {
		*s = slices.Grow(*s, more(n))
	}
	*s = (*s)[:n+1] // which is zero, like all that is beyond the end
	return &(*s)[n]
}

// more returns how many items a slice is given room for beside those that it has: four at first, twice as many as there are while they are
// few, and later as many as append sees fit.
func more(items int) int {
	switch {
	case items == 0:
		return 4
	case items < 64:
		return 2 * items
	}
	return 1
}

// MakeMap makes a map empty and not nil.
func MakeMap[M ~map[K]V, K comparable, V any](m *M) { *m = M{} }

// Entry returns a zero value for a map's key, and ends the reading when the map has the key already: two names that decode to one
// key are as bad as one name twice.
func Entry[M ~map[K]V, K comparable, V any](d *Decoder, m M, key K) (zero V) {
	if _, twice := m[key]; twice {
		d.twice()
	}
	return zero
}

// Seen reports whether the member with a number was met; see [Decoder.Once].
func Seen(seen []uint64, number int) bool { return seen[number/64]&(1<<(number%64)) != 0 }

// Default reads a default's text by the code that reads the value. The generator has checked the text.
func (d *Decoder) Default(text string, read func(*Decoder)) {
	if !d.dead {
		read(&Decoder{Report: Report{text: []byte(text)}})
	}
}

// IsZero reports whether a value is its type's zero value.
func IsZero[T any](value *T) bool { return reflect.ValueOf(value).Elem().IsZero() }
