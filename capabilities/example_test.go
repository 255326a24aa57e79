package capabilities_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/capgen/capgen/capabilities"
)

func ExampleParseID() {
	id, err := capabilities.ParseID("example.catalog:album.lookup@1")
	fmt.Println(id.Namespace, id.Name, id.Major, err)
	_, err = capabilities.ParseID("album.lookup@1")
	fmt.Println(err)
	// Output:
	// example.catalog album.lookup 1 <nil>
	// capability ID "album.lookup@1" has no namespace: write namespace:name@major, such as example.catalog:album.lookup@1
}

func ExampleCall() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(lookup))
	if err != nil {
		fmt.Println(err)
		return
	}
	album, err := capabilities.Call(context.Background(), registry, AlbumLookup{Slug: "night-drive"})
	fmt.Println(album.Title, err)

	_, err = capabilities.Call(context.Background(), registry, AlbumLookup{Slug: "Night Drive!"})
	fmt.Println(err)
	// Output:
	// Night Drive <nil>
	// The input does not match the schema.
	// /slug: must match the pattern ^[a-z-]+$ (pattern)
}

func ExampleErrorf() {
	registry, _ := capabilities.NewRegistry(capabilities.Handle(lookup))
	_, err := capabilities.Call(context.Background(), registry, AlbumLookup{Slug: "day-drive"})

	var declined *capabilities.Error
	fmt.Println(errors.As(err, &declined), declined.Code)
	fmt.Println(err)
	// Output:
	// true unknown_album
	// unknown_album: there is no album day-drive: try night-drive
}

func ExampleDo() {
	retire := capabilities.Do(func(_ context.Context, in AlbumRetire) error { return nil }, capabilities.NoResource())
	registry, err := capabilities.NewRegistry(retire, capabilities.Handle(lookup))
	fmt.Println(len(registry.Definitions()), err)
	// A registry alone admits public reads only.
	_, err = capabilities.Call(context.Background(), registry, AlbumRetire{Slug: "night-drive"})
	fmt.Println(err)
	// Output:
	// 2 <nil>
	// There is no such capability.
}

func ExampleAuthorizeResource() {
	owners := map[string]string{"night-drive": "alice"}
	retire := func(_ context.Context, in AlbumRetire) error { return nil }
	owns := func(_ context.Context, in AlbumRetire, p capabilities.Principal) error {
		if owners[in.Slug] != p.Subject {
			return capabilities.ErrUnauthorized
		}
		return nil
	}
	binding := capabilities.Do(retire, capabilities.AuthorizeResource(owns))

	// A runtime does this, with the principal of the caller's token.
	for _, subject := range []string{"alice", "bob"} {
		ctx := capabilities.WithPrincipal(context.Background(), capabilities.Principal{Issuer: "https://id.example.com", Subject: subject})
		_, failure := binding.Invoke(ctx, []byte(`{"slug": "night-drive"}`), capabilities.Limits{})
		fmt.Println(subject, failure)
	}
	_, err := capabilities.NewRegistry(capabilities.Do(retire))
	fmt.Println(err)
	// Output:
	// alice <nil>
	// bob The caller is not allowed to do this.
	// example.catalog:album.retire@1: it is protected, so say how its resource is authorised: bind it with capabilities.AuthorizeResource(func(context.Context, capabilities_test.AlbumRetire, capabilities.Principal) error), or with capabilities.NoResource() if its input names nothing that is somebody's
}

func ExamplePrincipalFrom() {
	whoami := func(ctx context.Context) string {
		if p, known := capabilities.PrincipalFrom(ctx); known {
			return p.Subject + " of " + p.TenantID
		}
		return "anonymous"
	}
	fmt.Println(whoami(context.Background()))
	fmt.Println(whoami(capabilities.WithPrincipal(context.Background(), capabilities.Principal{Subject: "alice", TenantID: "acme"})))
	// Output:
	// anonymous
	// alice of acme
}

func ExampleVia() {
	cached := func(context.Context, AlbumLookup) (Album, error) { return Album{Title: "From the cache"}, nil }
	registry, _ := capabilities.NewRegistry(
		capabilities.Handle(lookup, capabilities.Named("store")),
		capabilities.Handle(cached, capabilities.Named("cache"), capabilities.On(capabilities.TargetLocal)),
	)
	in := AlbumLookup{Slug: "night-drive"}
	_, err := capabilities.Call(context.Background(), registry, in)
	fmt.Println(err)
	album, err := capabilities.Call(context.Background(), registry, in, capabilities.Via("cache"))
	fmt.Println(album.Title, err)
	// Output:
	// The capability has several bindings and the call names none.
	// From the cache <nil>
}

func ExampleCapability_Decode() {
	_, err := albumCapability.Decode([]byte(`{"slug": "", "year": 1999}`))
	var problems capabilities.Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			fmt.Printf("%q %s: %s\n", p.Pointer, p.Keyword, p.Message)
		}
	}
	// Output:
	// "" additionalProperties: has a property that is not known; the properties are slug
	// "/slug" minLength: must have at least 1 character
	// "/slug" pattern: must match the pattern ^[a-z-]+$
}

func ExampleCapability_Encode() {
	text, err := albumCapability.Encode(nightDrive)
	fmt.Println(string(text), err)
	_, err = albumCapability.Encode(Album{})
	fmt.Println(err)
	// Output:
	// {"title":"Night Drive","tracks":[],"released":"1999-03-04T00:00:00Z"} <nil>
	// /title: must have at least 1 character
}

func ExampleToolName() {
	id, _ := capabilities.ParseID("example.catalog:album.lookup@1")
	fmt.Println(capabilities.ToolName(id))
	id, _ = capabilities.ParseID("example:lookup@1")
	fmt.Println(capabilities.LengthEncodedToolName(id))
	// Output:
	// example_catalog__album_lookup_v1
	// cap_7_example_6_lookup_v1
}
