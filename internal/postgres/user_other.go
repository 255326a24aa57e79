//go:build !unix

package postgres

import "os/exec"

// There are no binaries for these platforms either.

func giveAway(string) error { return nil }

func unprivileged(*exec.Cmd) {}

func kill(command *exec.Cmd) { _ = command.Process.Kill() }
