package capabilities

import (
	"context"
	"slices"
	"sync"
	"time"
)

// callContext is the context of one handler. Most handlers never wait for its end, so nothing is made for that before somebody asks, and no
// timer is its own: whoever waits for the handler watches the deadline and the parent, and ends it.
type callContext struct {
	parent   context.Context
	deadline time.Time
	attached attachments

	mu    sync.Mutex
	err   error         // why it ended
	done  chan struct{} // nil until somebody asks
	after []*func()     // what begins at its end
}

var _ context.Context = (*callContext)(nil)

// Deadline implements context.Context.
func (c *callContext) Deadline() (time.Time, bool) {
	if above, ok := c.parent.Deadline(); ok && above.Before(c.deadline) {
		return above, true
	}
	return c.deadline, true
}

// Done implements context.Context.
func (c *callContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		c.done = make(chan struct{})
		if c.err != nil {
			close(c.done)
		}
	}
	return c.done
}

// Err implements context.Context. It asks the parent, whose end whoever waits for the handler hears of a moment later.
func (c *callContext) Err() error {
	if err := c.parent.Err(); err != nil {
		c.end(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Value implements context.Context.
func (c *callContext) Value(key any) any {
	if key == (attachKey{}) {
		return &c.attached
	}
	return c.parent.Value(key)
}

// AfterFunc has f run on a goroutine of its own when the context ends. Package context looks for this method, and without it would start a
// goroutine for every context that is derived from this one.
func (c *callContext) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	c.after = append(c.after, &f)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.after, &f)
		if i < 0 {
			return false
		}
		c.after = slices.Delete(c.after, i, i+1)
		return true
	}
}

// end ends the context; only the first time counts.
func (c *callContext) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err
	if c.done != nil {
		close(c.done)
	}
	for _, f := range c.after {
		go (*f)()
	}
	c.after = nil
}
