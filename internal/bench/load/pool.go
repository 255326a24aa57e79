package load

import (
	"errors"
	"sync"
	"time"

	"github.com/capgen/capgen/internal/bench/servers"
	"github.com/capgen/capgen/internal/bench/tools"
)

// Pool is a number of callers of one tool of one server.
type Pool struct{ conns []*conn }

// Open connects as many callers. The caller closes the pool.
func Open(address string, kind servers.Kind, sample tools.Sample, callers int) (*Pool, error) {
	p := new(Pool)
	for range callers {
		c, err := dial(address, kind, sample)
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		p.conns = append(p.conns, c)
	}
	return p, nil
}

// Close ends the connections.
func (p *Pool) Close() error {
	var errs []error
	for _, c := range p.conns {
		errs = append(errs, c.net.Close())
	}
	return errors.Join(errs...)
}

// Run has every caller make calls, one after the other, for that long, and returns how long each of them took. An answer that is
// wrong is an error.
func (p *Pool) Run(d time.Duration) ([]time.Duration, error) {
	end := time.Now().Add(d)
	var all []time.Duration
	var errs []error
	var mu sync.Mutex
	var callers sync.WaitGroup
	for _, c := range p.conns {
		callers.Go(func() {
			var took []time.Duration
			err := c.allow(d)
			for start := time.Now(); err == nil && start.Before(end); {
				err = c.call()
				now := time.Now()
				took = append(took, now.Sub(start))
				start = now
			}
			mu.Lock()
			defer mu.Unlock()
			all, errs = append(all, took...), append(errs, err)
		})
	}
	callers.Wait()
	return all, errors.Join(errs...)
}
