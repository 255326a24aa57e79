package runtime_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

type viewKey struct{}

// views is a handler of n capabilities, each described by a text, that shows a caller those whose bits are set in the context.
func views(t *testing.T, n int, description string) (handler *runtime.Handler, list func(view int) string) {
	t.Helper()
	var parts []capabilities.Part
	for i := range n {
		manyCapability = capabilities.Declare[many, string](strings.Replace(contract(fmt.Sprintf("n%02d", i), "", text), "Does", description, 1))
		parts = append(parts, capabilities.Handle(func(context.Context, many) (string, error) { return "", nil }))
	}
	registry, err := capabilities.NewRegistry(parts...)
	if err != nil {
		t.Fatal(err)
	}
	handler, err = runtime.NewHandler(registry, runtime.CanDiscover(func(ctx context.Context, def *capabilities.Definition) bool {
		var i int
		_, err := fmt.Sscanf(def.ID.Name, "n%d", &i)
		return err == nil && ctx.Value(viewKey{}).(int)&(1<<i) != 0
	}))
	if err != nil {
		t.Fatal(err)
	}
	return handler, func(view int) string {
		return modernRequest("1", "tools/list", "").record(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), viewKey{}, view)))
		})).body
	}
}

// TestViews: callers who see the same share a page, and nobody is sent one of somebody who sees something else, whoever was first and however
// many ask at once.
func TestViews(t *testing.T) {
	const tools = 5
	handler, list := views(t, tools, "Does")
	check := func(view int) {
		body := list(view)
		for i := range tools {
			if name := fmt.Sprintf(`"name":"n%02d"`, i); strings.Contains(body, name) != (view&(1<<i) != 0) {
				t.Errorf("view %b: %s", view, body)
			}
		}
	}
	var callers sync.WaitGroup
	for c := range 4 {
		callers.Go(func() {
			for view := range 1 << tools {
				check(view ^ c)
			}
		})
	}
	callers.Wait()
	for _, view := range slices.Backward([]int{0, 31, 1, 30, 31}) {
		check(view)
	}
	if count, _ := runtime.KeptPages(handler); count != 1<<tools {
		t.Errorf("%d pages are kept of %d views", count, 1<<tools)
	}
}

// TestPagesAreBounded: what is kept stays under its limit whatever callers there are, and lists go on being right.
func TestPagesAreBounded(t *testing.T) {
	handler, list := views(t, 5, strings.Repeat("long ", runtime.MaxPages/20))
	for _, view := range []int{1, 2, 4, 3, 6, 8, 16, 24, 31, 30, 17, 1, 0} {
		if got := strings.Count(list(view), `"name":"n`); got != strings.Count(fmt.Sprintf("%b", view), "1") {
			t.Errorf("view %b lists %d tools", view, got)
		}
		if count, bytes := runtime.KeptPages(handler); bytes > runtime.MaxPages || count == 0 {
			t.Errorf("view %b: %d pages of %d bytes are kept", view, count, bytes)
		}
	}
}
