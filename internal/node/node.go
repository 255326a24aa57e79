// Package node installs the npm packages that tests need: what internal/e2e/node/package-lock.json pins. It needs Node 20 or later,
// with npm.
package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// installTime is how long npm may take. It needs seconds where the network does not keep it.
const installTime = 5 * time.Minute

// Install returns the folder whose node_modules has the packages, which it installs when they are not there or the lock file has changed.
// Processes that install at once take turns. Packages that are named are those among the optional ones that the caller
// cannot do without; npm leaves them out where there is none for the platform. The caller's working directory must be
// in this module.
func Install(packages ...string) (folder string, err error) {
	if folder, err = find(); err != nil {
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

// find returns the folder, from whichever folder of the module it is called in.
func find() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		folder := filepath.Join(at, "internal", "e2e", "node")
		if _, err := os.Stat(filepath.Join(folder, "package-lock.json")); err == nil {
			return folder, nil
		}
		parent := filepath.Dir(at)
		if parent == at {
			return "", errors.New("there is no internal/e2e/node/package-lock.json in any folder above this one")
		}
		at = parent
	}
}
