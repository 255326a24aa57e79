// Package node installs the npm packages that tests need, as the lock files in this module pin them. It needs Node 20 or later, with npm.
package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// What is pinned, by folder in the module.
const (
	// Clients has the official TypeScript clients, the TypeScript compiler, an OpenID provider and the binaries of PostgreSQL.
	Clients = "internal/e2e/node"
	// Conformance has the official conformance suite.
	Conformance = "internal/conformance"
	// Browser has the library that drives a Chromium.
	Browser = "internal/browser"
)

// installTime is how long npm may take. It needs seconds where the network does not keep it.
const installTime = 5 * time.Minute

// Install returns the path of a folder of the module, with the packages in its node_modules, which it installs when they are not there
// or the lock file has changed. Processes that install at once take turns. Packages that are named are those among the optional ones
// that the caller cannot do without; npm leaves them out where there is none for the platform. The caller's working directory must
// be in this module.
func Install(of string, packages ...string) (folder string, err error) {
	if folder, err = find(of); err != nil {
		return "", err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(folder, "node_modules.lock")).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()

	pinned, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256(pinned)
	want := hex.EncodeToString(digest[:])
	stamp := filepath.Join(folder, "node_modules", ".capgen-lock")
	if got, err := os.ReadFile(stamp); err == nil && string(got) == want && missing(folder, packages) == "" {
		return folder, nil
	}
	if err := run(folder); err != nil {
		return "", err
	}
	if name := missing(folder, packages); name != "" {
		return "", fmt.Errorf("npm left out %s: either it has none for this platform, or could not download it", name)
	}
	return folder, os.WriteFile(stamp, []byte(want), 0o644)
}

func run(folder string) error {
	if _, err := exec.LookPath("npm"); err != nil {
		return fmt.Errorf("these tests need Node 20 or later, with npm: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), installTime)
	defer cancel()
	npm := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts")
	npm.Dir = folder
	npm.WaitDelay = 10 * time.Second
	output, err := npm.CombinedOutput()
	if ctx.Err() != nil {
		err = fmt.Errorf("it took more than %v", installTime)
	}
	if err != nil {
		return fmt.Errorf("npm ci in %s: %w\n%s", folder, err, output)
	}
	return nil
}

// missing returns the first of the packages that is not installed.
func missing(folder string, packages []string) string {
	for _, name := range packages {
		if _, err := os.Stat(filepath.Join(folder, "node_modules", filepath.FromSlash(name), "package.json")); err != nil {
			return name
		}
	}
	return ""
}

// find returns the path of a folder of the module, from whichever of its folders it is called in.
func find(of string) (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		folder := filepath.Join(at, filepath.FromSlash(of))
		if _, err := os.Stat(filepath.Join(folder, "package-lock.json")); err == nil {
			return folder, nil
		}
		parent := filepath.Dir(at)
		if parent == at {
			return "", fmt.Errorf("there is no %s/package-lock.json in any folder above this one", of)
		}
		at = parent
	}
}
