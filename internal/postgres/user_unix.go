//go:build unix

package postgres

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// nobody is the user that the server runs under when the tests are run by root, whom PostgreSQL refuses.
const nobody = 65534

// giveAway makes a folder and all that it holds nobody's, if the tests are run by root.
func giveAway(folder string) error {
	if os.Getuid() != 0 {
		return nil
	}
	for parent := filepath.Dir(folder); ; parent = filepath.Dir(parent) {
		info, err := os.Stat(parent)
		if err != nil {
			return err
		}
		if info.Mode()&0o001 == 0 {
			return fmt.Errorf("user %d, whom the server runs under, cannot enter %s: set TMPDIR to a folder that everybody can", nobody, parent)
		}
		if parent == filepath.Dir(parent) {
			break
		}
	}
	return filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, nobody, nobody))
	})
}

// unprivileged runs a command as nobody, if the tests are run by root, and in a process group of its own, so that an interrupt from
// the terminal does not reach it: its supervisor ends it in order.
func unprivileged(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		command.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
}

// kill ends a command and what it started.
func kill(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
