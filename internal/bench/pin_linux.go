package main

import (
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// cores returns one core for the servers and another for the client, of those that this process may use; -1 if there are not two.
func cores() (server, client int) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil || set.Count() < 2 {
		return -1, -1
	}
	var found []int
	for i := 0; len(found) < 2; i++ {
		if set.IsSet(i) {
			found = append(found, i)
		}
	}
	return found[0], found[1]
}

// pin keeps the process on a core, with one thread that runs Go; threads that begin later inherit it. A core below 0 does only the latter.
func pin(core int) error {
	runtime.GOMAXPROCS(1)
	if core < 0 {
		return nil
	}
	var set unix.CPUSet
	set.Set(core)
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			return err
		}
		// A thread may have ended meanwhile.
		if err := unix.SchedSetaffinity(id, &set); err != nil && err != unix.ESRCH {
			return err
		}
	}
	return nil
}
