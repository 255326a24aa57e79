package runtime

import "net/http"

// DefaultMaxStreams is how many streams may be open at once.
const DefaultMaxStreams = 1000

// WithMaxStreams sets how many streams may be open at once, 1 or more: those of GET and subscriptions/listen, and the answers of calls that
// take longer than a second or report progress. Past it a stream that a client asks for is answered with 503 and Retry-After; a call goes
// on and is answered in one document when it ends, without progress. The default is [DefaultMaxStreams].
func WithMaxStreams(n int) Option {
	return func(c *config) {
		if n < 1 {
			c.refuse("runtime.WithMaxStreams(%d): the limit must be 1 or more", n)
			return
		}
		c.maxStreams = n
	}
}

// streamPlaces bounds how many streams are open.
type streamPlaces chan struct{}

func (p streamPlaces) take() bool {
	select {
	case p <- struct{}{}:
		return true
	default:
		return false
	}
}

func (p streamPlaces) give() { <-p }

// tooManyStreams refuses a stream that a client asked for.
func tooManyStreams() *refusal {
	refused := unavailable("The server is at its limit of open streams. Try again later.")
	refused.status = http.StatusServiceUnavailable
	return refused
}
