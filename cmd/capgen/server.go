package main

import (
	"context"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/capgen/capgen/internal/client"
)

// serverFlags are the flags of the commands that speak to a server.
type serverFlags struct {
	header http.Header
	json   bool
}

func (f *serverFlags) register(cmd *cobra.Command, jsonUsage string) {
	f.header = http.Header{}
	cmd.Flags().Var(headerFlag(f.header), "header", "send a header with every request; repeat it for more")
	cmd.Flags().BoolVar(&f.json, "json", false, jsonUsage)
}

// connect connects to a server; a text that is no address is a wrong command line.
func (f *serverFlags) connect(ctx context.Context, endpoint string) (*client.Client, error) {
	if err := client.CheckURL(endpoint); err != nil {
		return nil, usagef("%s", err)
	}
	return client.Connect(ctx, endpoint, client.Options{Header: f.header})
}
