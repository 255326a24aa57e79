package runtimetest_test

import (
	"fmt"
	"testing"

	"github.com/capgen/capgen/runtime/runtimetest"
)

// In a test of your own, t is its *testing.T.
func ExampleClient() {
	exampleTest(func(t testing.TB) {
		s := runtimetest.Client(t, newRegistry())

		var album Album
		s.Call(t, "album_lookup", AlbumLookup{Slug: "night-drive"}).Decode(t, &album)
		fmt.Println(album.Title)

		failed := s.Call(t, "album_lookup", `{"slug": ""}`)
		fmt.Println(failed.IsError)
		fmt.Println(failed.Text)
	})
	// Output:
	// Night Drive
	// true
	// The input does not match the schema.
	// /slug: must have at least 1 character (minLength)
}

func exampleTest(f func(testing.TB)) {
	r := new(recorder)
	r.run(func() { f(r) })
}
