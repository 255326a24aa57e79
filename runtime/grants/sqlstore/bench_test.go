package sqlstore_test

import (
	"fmt"
	"testing"
)

// BenchmarkFind is what admission costs a call: one grant among many of others.
func BenchmarkFind(b *testing.B) {
	for _, database := range databases {
		b.Run(database.name, func(b *testing.B) {
			store := open(b, database.create(b))
			for i := range 1000 {
				g := newGrant(fmt.Sprintf("g-%d", i))
				g.Subject = fmt.Sprintf("subject-%d", i)
				if err := store.Save(b.Context(), g); err != nil {
					b.Fatal(err)
				}
			}
			key := newGrant("").Key
			key.Subject = "subject-500"
			b.ReportAllocs()
			for b.Loop() {
				if found, err := store.Find(b.Context(), key); err != nil || len(found) != 1 {
					b.Fatal(found, err)
				}
			}
		})
	}
}
