// Command capgen turns annotated Go structs into tools that agents can call, and calls them. Run capgen help.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // a third less time for a package of a thousand structs, whose 100 MB are gone in half a second
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
