package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// installed installs the TypeScript clients once, and only when the lock file is not that of the last time.
var installed = sync.OnceValue(func() error {
	lock, err := os.ReadFile("node/package-lock.json")
	if err != nil {
		return err
	}
	digest := sha256.Sum256(lock)
	want := hex.EncodeToString(digest[:])
	stamp := filepath.Join("node", "node_modules", ".capgen-lock")
	if got, err := os.ReadFile(stamp); err == nil && string(got) == want {
		return nil
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts")
	npm.Dir = "node"
	npm.Stdout, npm.Stderr = os.Stderr, os.Stderr
	if err := npm.Run(); err != nil {
		return err
	}
	return os.WriteFile(stamp, []byte(want), 0o644)
})

// askNode asks a server with a TypeScript client: "legacy", "modern" or "v1".
func askNode(t *testing.T, flavour, url string, steps []step) []answer {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatalf("these tests need Node 20 or later, with npm: %v", err)
	}
	if err := installed(); err != nil {
		t.Fatalf("npm ci in internal/e2e/node: %v", err)
	}
	input, err := json.Marshal(steps)
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	node := exec.CommandContext(t.Context(), "node", "ask.mjs", flavour, url)
	node.Dir, node.Stdin, node.Stderr = "node", bytes.NewReader(input), &stderr
	output, err := node.Output()
	if err != nil {
		t.Fatalf("node ask.mjs %s: %v\n%s", flavour, err, stderr.Bytes())
	}
	var answers []answer
	if err := json.Unmarshal(output, &answers); err != nil {
		t.Fatalf("node ask.mjs %s: %v in %s", flavour, err, output)
	}
	return answers
}
