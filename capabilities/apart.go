package capabilities

import (
	"context"
	"time"
)

// event is what whoever waits for a handler on another goroutine is told: that it has ended and how, or else that time is up.
type event struct {
	ended bool
	err   error
}

// apart runs the handler on a goroutine of its own, so that a deaf one cannot hold its caller back, and waits for it: until it has ended, or else its
// time or the caller's context, of which err tells.
func (r *running) apart(ctx context.Context) (ended bool, err error) {
	r.events = make(chan event, 2) // room for all that is sent at once: the end, and one of the timer's
	go r.runApart()
	stage, wait := r.begin()
	timer := time.AfterFunc(wait, r.timeIsUp)
	defer timer.Stop()
	for {
		select {
		case e := <-r.events:
			switch {
			case e.ended:
				return true, e.err
			case stage == untilDeadline:
				return r.cutOff(context.DeadlineExceeded)
			}
			stage = untilDeadline
			timer.Reset(r.deadline - wait)
			r.limits.Watch.Late()
		case <-ctx.Done():
			return r.cutOff(ctx.Err())
		}
	}
}

func (r *running) runApart() { r.tell(r.run(r.tell)) }

func (r *running) tell(err error) { r.events <- event{ended: true, err: err} }

func (r *running) timeIsUp() { r.events <- event{} }

// cutOff ends the handler's context. A handler that ends together with it is heard: its own answer says more.
func (r *running) cutOff(err error) (ended bool, how error) {
	r.ctx.End(err)
	for {
		select {
		case e := <-r.events:
			if e.ended {
				return true, e.err
			}
		default:
			return false, err
		}
	}
}
