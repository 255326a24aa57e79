// Package lazyctx has a context that costs next to nothing until somebody waits for its end, which most of what runs under one never does.
package lazyctx

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Context is a context that ends with its parent, or when End is called. Make one with [New], or call Init on a field. It is safe for concurrent use.
type Context struct {
	parent context.Context

	mu    sync.Mutex
	err   error           // why it ended
	done  chan struct{}   // nil until somebody asks
	after []*func()       // what begins at its end
	onEnd func(err error) // what else does, if it was End that was called

	unwatch func() bool // nil until the parent is watched
}

var _ context.Context = (*Context)(nil)

// New returns a context below parent.
func New(parent context.Context) *Context {
	c := new(Context)
	c.Init(parent)
	return c
}

// Init makes a zero Context usable.
func (c *Context) Init(parent context.Context) { c.parent = parent }

// Deadline implements context.Context with the parent's.
func (c *Context) Deadline() (time.Time, bool) { return c.parent.Deadline() }

// Value implements context.Context with the parent's.
func (c *Context) Value(key any) any { return c.parent.Value(key) }

// Done implements context.Context.
func (c *Context) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		c.done = make(chan struct{})
		if c.err != nil {
			close(c.done)
		}
	}
	c.watch()
	return c.done
}

// Err implements context.Context. It asks the parent, which may have ended without being watched.
func (c *Context) Err() error {
	if err := c.parent.Err(); err != nil {
		c.end(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// AfterFunc has f run on a goroutine of its own when the context ends. Package context looks for this method, and without it would start a
// goroutine for every context that is derived from this one.
func (c *Context) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	c.after = append(c.after, &f)
	c.watch()
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

// OnEnd has f run on a goroutine of its own if the context is ended by [Context.End], with the error. It does not watch the parent, which is what costs
// something. There is one such function; it is not called if the context has ended by now, of which OnEnd's result tells.
func (c *Context) OnEnd(f func(err error)) (ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onEnd = f
	return c.err != nil
}

// End ends the context with an error, which must not be nil; only the first time counts.
func (c *Context) End(err error) {
	if f := c.end(err); f != nil {
		go f(err)
	}
}

// end ends the context and returns what is to be told of it.
func (c *Context) end(err error) (onEnd func(error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil
	}
	c.err = err
	if c.done != nil {
		close(c.done)
	}
	for _, f := range c.after {
		go (*f)()
	}
	c.after = nil
	if c.unwatch != nil {
		c.unwatch()
	}
	return c.onEnd
}

// watch has the context end with its parent, from the first time on that somebody waits.
func (c *Context) watch() {
	if c.unwatch == nil && c.err == nil {
		c.unwatch = context.AfterFunc(c.parent, func() { c.end(c.parent.Err()) })
	}
}
