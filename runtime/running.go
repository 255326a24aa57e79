package runtime

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/capgen/capgen/internal/lazyctx"
)

// running is a call on its way.
type running struct {
	ctx *lazyctx.Context
	// silent: the client cancelled the call and wants no answer.
	silent bool

	// Its neighbours in a part of runningCalls.
	part           *runningPart
	next, previous *running
}

func (r *running) cancel() { r.ctx.End(context.Canceled) }

// runningCalls are calls that end with the server. They are kept in parts, each with a lock of its own, so that calls on several cores do not wait
// for each other, as they would at a context that they share.
type runningCalls struct {
	parts [16]runningPart
}

type runningPart struct {
	mu    sync.Mutex
	first *running
	ended bool
	_     [64]byte // keeps the locks of two parts off one line of a core's cache
}

// add notes a call, which is cancelled at once if everything has ended.
func (c *runningCalls) add(call *running) {
	part := &c.parts[rand.IntN(len(c.parts))]
	part.mu.Lock()
	defer part.mu.Unlock()
	if part.ended {
		call.cancel()
		return
	}
	call.part, call.next = part, part.first
	if part.first != nil {
		part.first.previous = call
	}
	part.first = call
}

// remove forgets a call and ends its context. It may be called twice.
func (c *runningCalls) remove(call *running) {
	part := call.part
	if part == nil {
		return
	}
	part.mu.Lock()
	defer part.mu.Unlock()
	if call.previous != nil {
		call.previous.next = call.next
	} else {
		part.first = call.next
	}
	if call.next != nil {
		call.next.previous = call.previous
	}
	call.part, call.next, call.previous = nil, nil, nil
	call.cancel()
}

// end cancels all calls, those that are still to come too.
func (c *runningCalls) end() {
	for i := range c.parts {
		part := &c.parts[i]
		part.mu.Lock()
		part.ended = true
		for call := part.first; call != nil; call = call.next {
			call.cancel()
		}
		part.mu.Unlock()
	}
}
