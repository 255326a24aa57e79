package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strconv"

	"github.com/capgen/capgen/runtime"
)

const (
	defaultAddress  = "127.0.0.1:8054"
	defaultResource = "http://" + defaultAddress + runtime.EndpointPath
	defaultFile     = "playlists.db"
)

// serve serves until ctx ends.
func serve(ctx context.Context, args []string, stdout io.Writer) error {
	c := config{logger: slog.Default()}
	listen, err := c.parse(args, stdout)
	if err != nil {
		return err
	}

	// 1. Who vouches for callers.
	var demo *demonstration
	if c.issuer == "" {
		if demo, err = startDemonstration(); err != nil {
			return err
		}
		defer demo.Close()
		c.issuer, c.tenantClaim = demo.URL(), tenantClaim
	}
	verifier, err := c.verifier()
	if err != nil {
		return err
	}
	if err := verifier.Ready(ctx); err != nil {
		c.logger.WarnContext(ctx, "no token can be verified yet", "cause", err)
	}

	// 2. What there is, and who has been permitted what.
	a, err := open(ctx, c.file)
	if err != nil {
		return err
	}
	defer a.Close()
	welcome := fmt.Sprintf("Serving at %s, for callers with a token of %s and a grant in %s.\n", c.resource, c.issuer, c.file)
	if demo != nil {
		if welcome, err = demo.welcome(ctx, a, c); err != nil {
			return err
		}
	}

	// 3. The server.
	registry, err := a.registry()
	if err != nil {
		return err
	}
	options := append(a.options(c, verifier), runtime.OnListen(func(net.Addr) { fmt.Fprint(stdout, welcome) }))
	return runtime.Run(ctx, registry, listen, options...)
}

// parse reads the flags of serve. It returns where to listen.
func (c *config) parse(args []string, stdout io.Writer) (runtime.Config, error) {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	addr := flags.String("addr", defaultAddress, "`address` to listen on")
	flags.StringVar(&c.resource, "resource", "", "`URL` of the endpoint as clients know it (default http://ADDRESS/mcp)")
	flags.StringVar(&c.issuer, "issuer", "", "`URL` of the OpenID provider whose tokens are accepted (default a demonstration issuer)")
	flags.StringVar(&c.tenantClaim, "tenant-claim", tenantClaim, "`name` of the claim in which a token says its user's tenant")
	flags.StringVar(&c.file, "db", defaultFile, "SQLite `file` of the playlists and the grants")
	flags.BoolVar(&c.deletes, "delete", false, "let agents delete playlists")
	if err := parse(flags, args, 0, stdout); err != nil {
		return runtime.Config{}, err
	}
	var listen runtime.Config
	if err := listen.SetAddress(*addr); err != nil {
		return listen, usagef("serve: -addr: %w", err)
	}
	if c.resource == "" {
		if ip := net.ParseIP(listen.Host); listen.Host == "" || ip.IsUnspecified() || listen.Port == runtime.FreePort {
			return listen, usagef("serve: -addr %s does not tell where clients find the server: add -resource, such as https://tools.example.com/mcp", *addr)
		}
		c.resource = "http://" + net.JoinHostPort(listen.Host, strconv.Itoa(listen.Port)) + runtime.EndpointPath
	}
	// The name in the URL is the one that the server may be called by.
	if public, err := url.Parse(c.resource); err == nil && public.Host != "" {
		listen.PublicURL = public.Scheme + "://" + public.Host
	}
	return listen, nil
}
