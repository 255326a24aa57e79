package runtime

import "github.com/capgen/capgen/runtime/executor"

// WithInterceptor puts the application's own code around every call that is admitted, whichever way it came in: with or without a
// session, in a batch, in process. Every option adds one; the first is outermost. What it sees and may do is told at [executor.Interceptor]:
// it can refuse a call, and can neither let one in nor change what is checked and what is answered. A panic in it is an answer like any other. The
// default is none, which costs nothing.
func WithInterceptor(i executor.Interceptor) Option {
	return func(c *config) {
		if i == nil {
			c.refuse("runtime.WithInterceptor: the interceptor is nil")
			return
		}
		c.interceptors = append(c.interceptors, i)
	}
}
