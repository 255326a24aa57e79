package sqlstore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/capgen/capgen/runtime/grants"
	"github.com/capgen/capgen/runtime/grants/sqlstore"
)

func ExampleOpen() {
	folder, err := os.MkdirTemp("", "grants")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)

	ctx := context.Background()
	// For PostgreSQL it is postgres://USER:PASSWORD@HOST/DATABASE.
	store, err := sqlstore.Open(ctx, "sqlite:"+filepath.Join(folder, "grants.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()

	key := grants.Key{
		Issuer: "https://login.example", Subject: "ada", ClientID: "agent",
		Application: "catalog", Audience: "https://catalog.example/mcp",
	}
	now := time.Now()
	grant := grants.Grant{ID: grants.NewID(), Key: key, Scopes: []string{"album:read"}, IssuedAt: now, ExpiresAt: now.AddDate(0, 1, 0)}
	fmt.Println("saved:", store.Save(ctx, grant))
	found, err := store.Find(ctx, key)
	fmt.Println("found:", len(found), err)

	fmt.Println("revoked:", store.Revoke(ctx, grant.ID, time.Now()))
	found, err = store.Find(ctx, key)
	fmt.Println("found:", len(found), err)

	listed, err := store.List(ctx, sqlstore.Filter{Revoked: true})
	fmt.Println("listed:", listed[0].Subject, listed[0].Scopes, !listed[0].RevokedAt.IsZero(), err)
	// Output:
	// saved: <nil>
	// found: 1 <nil>
	// revoked: <nil>
	// found: 0 <nil>
	// listed: ada [album:read] true <nil>
}
