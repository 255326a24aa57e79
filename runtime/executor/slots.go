package executor

import "sync/atomic"

// slots bounds how many handlers run at once. It is a number and not a channel, whose lock all callers would wait for.
type slots struct {
	limit int64
	taken atomic.Int64
}

// take reports whether there was room. It compares before it raises the number, since the other way round a call could be refused for which
// there is room.
func (s *slots) take() bool {
	for {
		taken := s.taken.Load()
		if taken >= s.limit {
			return false
		}
		if s.taken.CompareAndSwap(taken, taken+1) {
			return true
		}
	}
}

func (s *slots) give() { s.taken.Add(-1) }
