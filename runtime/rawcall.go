package runtime

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callHeader names a request that is handed to go-sdk. On a session, what go-sdk hands to the application's code derives from the request that
// opened the session: its principal is that of then, and nothing ends it but its deadline. By the name the code gets the caller of now.
const callHeader = "X-Capgen-Call"

// keptAfter is how long a request is known after its HTTP answer ended: its client may have left before go-sdk began.
const keptAfter = 10 * time.Second

// rawCalls are the requests that go-sdk answers, by name.
type rawCalls struct{ byName sync.Map }

type rawCall struct {
	values context.Context // says who calls
	end    context.Context // ends the call, with its session or the server
}

// begin names a request; the caller calls done when go-sdk has answered.
func (c *rawCalls) begin(r *http.Request, values, end context.Context) (done func()) {
	name := rand.Text()
	r.Header.Set(callHeader, name)
	c.byName.Store(name, rawCall{values: values, end: end})
	return func() { time.AfterFunc(keptAfter, func() { c.byName.Delete(name) }) }
}

// context returns the context for the application's code, and false for a request that has no name.
func (c *rawCalls) context(ctx context.Context, request mcp.Request) (context.Context, context.CancelFunc, bool) {
	extra := request.GetExtra()
	if extra == nil || extra.Header == nil {
		return nil, nil, false
	}
	name := extra.Header.Get(callHeader)
	extra.Header.Del(callHeader)
	found, ok := c.byName.LoadAndDelete(name)
	if !ok {
		return nil, nil, false
	}
	call := found.(rawCall)
	ctx, cancel := until(valuesOf{ctx, call.values}, call.end)
	return ctx, cancel, true
}

// valuesOf is a context with the values of another one before its own.
type valuesOf struct {
	context.Context
	values context.Context
}

func (v valuesOf) Value(key any) any {
	if value := v.values.Value(key); value != nil {
		return value
	}
	return v.Context.Value(key)
}

// bare is a context without values, so that a session does not keep who opened it.
type bare struct{ context.Context }

func (bare) Value(any) any { return nil }
