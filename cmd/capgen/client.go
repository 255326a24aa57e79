package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/capgen/capgen/gen"
)

func newClient() *cobra.Command {
	var flags sourceFlags
	var out string
	cmd := &cobra.Command{
		Use:   "client typescript -o DIR [packages]",
		Short: "Write typed clients of the capabilities that packages declare",
		Long: `Client writes a typed client in another language for the capabilities that the packages declare, by default those of the
one in this folder. For Go there is //capgen:client, see capgen help annotations.

For typescript it writes into DIR, which is made if it is not there, a file for each package, named as it is, and capgen.ts,
which they share. They need no dependency but the official SDK, of which they take a connected client: that of
@modelcontextprotocol/client, or of @modelcontextprotocol/sdk 1.x. The same declarations give the same files. A file that
capgen did not write is not overwritten, and none is removed.`,
		Example: `  capgen client typescript -o web/src/api ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usagef("the language is missing: write capgen client typescript -o DIR; typescript is the one there is")
			case args[0] != "typescript":
				return usagef("there are no clients in %q: the languages are typescript, and Go by //capgen:client", args[0])
			case out == "":
				return usagef("there is no folder to write to: write capgen client typescript -o DIR")
			}
			files, unmatched, err := gen.TypeScript(cmd.Context(), flags.config(args[1:]))
			if err != nil {
				return findings(err)
			}
			printUnmatched(cmd.ErrOrStderr(), unmatched)
			if len(files) == 0 {
				return failedf("the packages declare no capabilities, so there is nothing to write")
			}
			return writeClients(out, files)
		},
	}
	flags.register(cmd, false)
	cmd.Flags().StringVarP(&out, "output", "o", "", "the folder to write to")
	return cmd
}

// writeClients writes the files, or none if one of them is somebody else's.
func writeClients(dir string, files map[string][]byte) error {
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		path := filepath.Join(dir, name)
		if text, err := os.ReadFile(path); err == nil && !bytes.HasPrefix(text, []byte(gen.TypeScriptHeader)) {
			return failedf("%s was not written by capgen: move it, or write to another folder", filepath.ToSlash(path))
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return failedf("%v", err)
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o666); err != nil {
			return failedf("%v", err)
		}
	}
	return nil
}
