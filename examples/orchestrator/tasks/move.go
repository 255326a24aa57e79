package tasks

import (
	"fmt"

	"github.com/capgen/capgen/examples/orchestrator/api"
)

// minutesPerStep is how long a step takes in the books. How long a worker really waits is another matter: this is a demonstration.
const minutesPerStep = 5

// steps are how many steps a task has.
var steps = map[api.Complexity]int{api.Simple: 2, api.Medium: 4, api.Complex: 8}

// rates are what a minute costs, in cents.
var rates = map[api.Role]int{api.Manager: 12, api.Security: 11, api.Backend: 8, api.Frontend: 8, api.QA: 6, api.Docs: 4}

// move is what happens to a running task next.
type move struct {
	to      api.Status
	failure string
	steps   int // 1 when work is done, which takes time
	minutes int
	cents   int
}

// nextMove decides about a running task, from nothing but what is stored, so that any task server can go on where another ended.
func nextMove(t api.Task) move {
	left := t.StepsTotal - t.StepsDone
	switch {
	case left == 0:
		return move{to: api.Done}
	case t.Scope == api.Production && left == 1 && !t.Approved:
		// All is prepared. What touches production is somebody's decision.
		return move{to: api.WaitingApproval}
	case t.SpentMinutes+minutesPerStep > t.EstimatedMinutes:
		return move{to: api.Failed, failure: fmt.Sprintf(
			"The estimate of %d minutes was spent after %d of %d steps, of %d minutes each. Run it again with a higher estimate, or split it into subtasks.",
			t.EstimatedMinutes, t.StepsDone, t.StepsTotal, minutesPerStep)}
	}
	m := move{to: api.Running, steps: 1, minutes: minutesPerStep, cents: minutesPerStep * rates[t.Role]}
	if left == 1 {
		m.to = api.Done
	}
	return m
}
