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
		// A run is so short that hardly any of its memory need be collected: for a package of a thousand structs a fifth less time, and
		// 120 MB at the most. A memory limit would cost what this saves, since the runtime gives pages back near it.
		debug.SetGCPercent(1000)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
