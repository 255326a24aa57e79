//go:build unix

package main

import (
	"runtime"
	"syscall"
	"time"
)

// usage is what a process has used since it began.
type usage struct {
	CPU    time.Duration
	Bytes  uint64
	Allocs uint64
}

func (u usage) since(before usage) usage {
	return usage{u.CPU - before.CPU, u.Bytes - before.Bytes, u.Allocs - before.Allocs}
}

func ownUsage() (usage, error) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return usage{}, err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return usage{time.Duration(r.Utime.Nano() + r.Stime.Nano()), m.TotalAlloc, m.Mallocs}, nil
}
