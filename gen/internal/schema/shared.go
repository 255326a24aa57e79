package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"

	"github.com/capgen/capgen/gen/internal/model"
)

// budget is how many nodes a schema may have with everything inlined. Past it, each named type that is used more than once is
// written once, so that types nested in pairs do not double with every level.
const budget = 2000

// sharedTypes returns the types that go under $defs, with their names there.
func sharedTypes(root *model.Type) map[*model.Type]string {
	w := walker{sizes: map[*model.Type]int{}, uses: map[*model.Type]int{}, onPath: map[*model.Type]bool{}, recursive: map[*model.Type]bool{}}
	size := w.walk(root)
	var chosen []*model.Type
	for _, t := range w.order {
		if w.recursive[t] || size > budget && w.uses[t] > 1 {
			chosen = append(chosen, t)
		}
	}
	return definitionNames(chosen)
}

// walker measures a type as if everything in it were inlined.
type walker struct {
	sizes     map[*model.Type]int
	uses      map[*model.Type]int
	onPath    map[*model.Type]bool
	recursive map[*model.Type]bool
	// order lists the named types as they were first met.
	order []*model.Type
}

func (w *walker) walk(t *model.Type) int {
	if t.Name != "" && t.Kind != model.Time {
		if w.uses[t]++; w.uses[t] == 1 {
			w.order = append(w.order, t)
		}
		if w.onPath[t] {
			w.recursive[t] = true
			return 1
		}
		if size, known := w.sizes[t]; known {
			return size
		}
		w.onPath[t] = true
		defer delete(w.onPath, t)
	}
	size := 1
	for _, f := range t.Fields {
		size += w.walk(f.Type)
	}
	for _, part := range []*model.Type{t.Key, t.Elem} {
		if part != nil {
			size += w.walk(part)
		}
	}
	for _, v := range t.Variants {
		size += w.walk(v.Type)
	}
	size = min(size, budget+1)
	w.sizes[t] = size
	return size
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// definitionNames gives each type a name that needs no escaping in a pointer. Types whose short names would be the same are told
// apart by a digest of their full names.
func definitionNames(types []*model.Type) map[*model.Type]string {
	taken := map[string]int{}
	for _, t := range types {
		taken[unsafe.ReplaceAllString(t.Short, "_")]++
	}
	names := map[*model.Type]string{}
	for _, t := range types {
		name := unsafe.ReplaceAllString(t.Short, "_")
		if taken[name] > 1 || name != t.Short {
			digest := sha256.Sum256([]byte(t.Name))
			name += "_" + hex.EncodeToString(digest[:4])
		}
		names[t] = name
	}
	return names
}
