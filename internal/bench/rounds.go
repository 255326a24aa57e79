//go:build unix

package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/capgen/capgen/internal/bench/load"
	"github.com/capgen/capgen/internal/bench/servers"
	"github.com/capgen/capgen/internal/bench/tools"
)

// warmUp is how long a server is called before it is measured.
const warmUp = 200 * time.Millisecond

// plan is what is done with one tool.
type plan struct {
	sample  tools.Sample
	rounds  int
	turn    time.Duration
	callers int
}

// measured is one turn of a server.
type measured struct {
	calls int
	// Per call.
	cpu           time.Duration
	bytes, allocs float64
	rate          float64
	// clientCPU is which part of a core the client used.
	clientCPU float64
}

// result is all turns of a server.
type result struct {
	kind  servers.Kind
	turns []measured
	took  []time.Duration
}

// run has every server called in every round. The order is another one in each.
func (p plan) run(children []*child) ([]*result, error) {
	results := make([]*result, len(children))
	pools := make([]*load.Pool, len(children))
	for i, c := range children {
		pool, err := load.Open(c.address, c.kind, p.sample, p.callers)
		if err == nil {
			defer pool.Close()
			_, err = pool.Run(warmUp)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.kind.Name, err)
		}
		results[i], pools[i] = &result{kind: c.kind}, pool
	}
	for round := range p.rounds {
		for i := range children {
			i = (i + round*2) % len(children)
			if err := p.measure(children[i], pools[i], results[i]); err != nil {
				return nil, fmt.Errorf("%s: %w", children[i].kind.Name, err)
			}
		}
	}
	return results, nil
}

func (p plan) measure(c *child, pool *load.Pool, into *result) error {
	ownBefore, ownErr := ownUsage()
	before, err := c.usage()
	if err := errors.Join(err, ownErr); err != nil {
		return err
	}
	begin := time.Now()
	took, err := pool.Run(p.turn)
	if err != nil {
		return err
	}
	elapsed := time.Since(begin)
	after, err := c.usage()
	ownAfter, ownErr := ownUsage()
	if err := errors.Join(err, ownErr); err != nil {
		return err
	}
	used, n := after.since(before), len(took)
	into.took = append(into.took, took...)
	into.turns = append(into.turns, measured{
		calls: n, cpu: used.CPU / time.Duration(n), rate: float64(n) / elapsed.Seconds(),
		bytes: float64(used.Bytes) / float64(n), allocs: float64(used.Allocs) / float64(n),
		clientCPU: ownAfter.since(ownBefore).CPU.Seconds() / elapsed.Seconds(),
	})
	return nil
}

// median of what f tells of each turn.
func (r *result) median(f func(measured) float64) float64 {
	values := make([]float64, len(r.turns))
	for i, turn := range r.turns {
		values[i] = f(turn)
	}
	return medianOf(values)
}

// ratio is the median of f's ratios to the other's turn in the same round.
func (r *result) ratio(to *result, f func(measured) float64) float64 {
	values := make([]float64, len(r.turns))
	for i, turn := range r.turns {
		values[i] = f(turn) / f(to.turns[i])
	}
	return medianOf(values)
}

func medianOf(values []float64) float64 {
	slices.Sort(values)
	middle := len(values) / 2
	if len(values)%2 == 1 {
		return values[middle]
	}
	return (values[middle-1] + values[middle]) / 2
}

// percentile of the calls' times, p from 0 to 1. It sorts them.
func (r *result) percentile(p float64) time.Duration {
	slices.Sort(r.took)
	return r.took[min(int(p*float64(len(r.took))), len(r.took)-1)]
}
