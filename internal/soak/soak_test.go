package soak

import (
	"flag"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

var soak = flag.Bool("soak", false, "misuse a server for half a minute")

const (
	abandonedSessions = 10_000
	maxSessions       = 20_000
	halfBodies        = 200
	slowHeaders       = 200
	vanishedStreams   = 200
	listenStreams     = 200

	// sessionTimeout is how long the abandoned sessions stay: long enough for all to be open at once.
	sessionTimeout = 20 * time.Second
	// patience is how long the server may bear a body or headers that do not end. It takes 10 s.
	patience = 15 * time.Second
	// limit is how long everything may take.
	limit = 60 * time.Second

	// spareHeap and spareGoroutines are how much more than at the start there may be at the end. The runtime of Go keeps the descriptors of
	// goroutines that have ended, some 500 bytes each, and its maps keep their size.
	spareHeap       = 24 << 20
	spareGoroutines = 20
)

// While the server is misused it answers every caller who behaves, and afterwards it is as it was before.
func TestSoak(t *testing.T) {
	if !*soak {
		t.Skip("make soak")
	}
	defer goleak.VerifyNone(t)
	began := time.Now()
	s := startServer(t)
	defer s.stop()
	s.call(t, "warm up") // what is made once
	heap, goroutines := heapInUse(), runtime.NumGoroutine()

	healthy := s.keepCalling(t)
	var misuses sync.WaitGroup
	for _, misuse := range []func(*testing.T){s.abandonSessions, s.halfSendBodies, s.trickleHeaders, s.vanishFromStreams, s.listen} {
		misuses.Go(func() { misuse(t) })
	}
	misuses.Wait()
	latencies := healthy()
	slices.Sort(latencies)
	t.Logf("%d healthy calls, median %v, p99 %v, slowest %v", len(latencies), latencies[len(latencies)/2], latencies[len(latencies)*99/100], latencies[len(latencies)-1])
	if len(latencies) < 1000 {
		t.Errorf("%d healthy calls are too few to tell anything", len(latencies))
	}

	s.client.CloseIdleConnections()
	waitUntil(t, "memory and goroutines return to the start", func() bool {
		return heapInUse() <= heap+spareHeap && runtime.NumGoroutine() <= goroutines+spareGoroutines
	})
	t.Logf("heap %d KiB, %d at the start, %d with all sessions; %d goroutines, %d at the start",
		heapInUse()>>10, heap>>10, s.fullHeap>>10, runtime.NumGoroutine(), goroutines)
	if s.fullHeap < heap+2*spareHeap {
		t.Error("all sessions hold so little that it tells nothing what is left of them")
	}
	if took := time.Since(began); took > limit {
		t.Errorf("it took %v, want less than %v", took, limit)
	}
}

func heapInUse() uint64 {
	runtime.GC()
	runtime.GC() // what the first one's finalizers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("not so after %v: %s (heap %d KiB, %d goroutines)", patience, what, heapInUse()>>10, runtime.NumGoroutine())
			return
		}
	}
}
