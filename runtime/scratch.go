package runtime

import (
	"sync"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

// scratch is the memory that a request is read and answered in. The next request uses it again, if this one ended so that nobody can hold a
// part of it; otherwise the garbage collector has it.
type scratch struct {
	parser envelope.Parser
	body   []byte // the request's
	result []byte // what the capability answered
	answer []byte // the response
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// maxKept is the largest buffer that waits for another request, in bytes: a rare large one would else be kept for many small ones.
const maxKept = 64 << 10

func (s *scratch) giveBack() {
	s.parser.Forget()
	for _, buffer := range []*[]byte{&s.body, &s.result, &s.answer} {
		if cap(*buffer) > maxKept {
			*buffer = nil
		}
	}
	scratches.Put(s)
}
