//go:build unix && !linux

package main

import "runtime"

// cores leaves it to the system which cores are used.
func cores() (server, client int) { return -1, -1 }

// pin has the process use one core at a time.
func pin(int) error {
	runtime.GOMAXPROCS(1)
	return nil
}
