package postgres

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/capgen/capgen/internal/node"
)

// unpack puts the binaries into a new folder. They are copied, 60 MB in less than a tenth of a second, because the user that the server runs
// under may not be able to reach those of npm, and so that the links are made where no other process makes them too.
func unpack(to string) error {
	name, err := packageName()
	if err != nil {
		return err
	}
	folder, err := node.Install(node.Clients, name)
	if err != nil {
		return err
	}
	installed := filepath.Join(folder, "node_modules", filepath.FromSlash(name))
	if err := os.CopyFS(filepath.Join(to, "native"), os.DirFS(filepath.Join(installed, "native"))); err != nil {
		return err
	}
	// npm keeps no symbolic links; a script of the package makes them, in the folder that it is started in.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	links := exec.CommandContext(ctx, "node", filepath.Join(installed, "scripts", "hydrate-symlinks.js"))
	links.Dir = to
	if output, err := links.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", links, err, output)
	}
	return nil
}

// packageName is what npm calls the binaries for this platform.
func packageName() (string, error) {
	cpu, known := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if !known || runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		return "", fmt.Errorf("internal/e2e/node/package.json pins no binaries for %s on %s", runtime.GOOS, runtime.GOARCH)
	}
	return "@embedded-postgres/" + runtime.GOOS + "-" + cpu, nil
}
