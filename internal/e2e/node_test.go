package e2e

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/capgen/capgen/internal/node"
)

// askNode asks a server, by its URL or its program, with a TypeScript client: "legacy", "modern" or "v1".
func askNode(t *testing.T, flavour, server string, steps []step) []answer {
	t.Helper()
	folder, err := node.Install(node.Clients)
	if err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(steps)
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	ask := exec.CommandContext(t.Context(), "node", "ask.mjs", flavour, server)
	ask.Dir, ask.Stdin, ask.Stderr = folder, bytes.NewReader(input), &stderr
	output, err := ask.Output()
	if err != nil {
		t.Fatalf("node ask.mjs %s: %v\n%s", flavour, err, stderr.Bytes())
	}
	var answers []answer
	if err := json.Unmarshal(output, &answers); err != nil {
		t.Fatalf("node ask.mjs %s: %v in %s", flavour, err, output)
	}
	return answers
}
