package executor

// slots bounds how many handlers run at once. A channel, and not a counter, because a counter that is raised before it is
// compared refuses calls for which there is room.
type slots chan struct{}

func newSlots(limit int) slots { return make(slots, limit) }

// take reports whether there was room.
func (s slots) take() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s slots) give() { <-s }
