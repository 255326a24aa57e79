package tasks

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/capgen/capgen/examples/orchestrator/api"
)

func TestNextMove(t *testing.T) {
	task := func(change func(*api.Task)) api.Task {
		t := api.Task{Status: api.Running, Role: api.QA, Scope: api.Module, StepsTotal: 4, EstimatedMinutes: 20}
		change(&t)
		return t
	}
	work := move{to: api.Running, steps: 1, minutes: 5, cents: 30}
	last := work
	last.to = api.Done
	for _, test := range []struct {
		name string
		task api.Task
		want move
	}{
		{"a step", task(func(*api.Task) {}), work},
		{"the last step", task(func(t *api.Task) { t.StepsDone, t.SpentMinutes = 3, 15 }), last},
		{"all done", task(func(t *api.Task) { t.StepsDone, t.SpentMinutes = 4, 20 }), move{to: api.Done}},
		{"production, early", task(func(t *api.Task) { t.Scope = api.Production }), work},
		{"production, the last step", task(func(t *api.Task) { t.Scope, t.StepsDone, t.SpentMinutes = api.Production, 3, 15 }), move{to: api.WaitingApproval}},
		{"approved", task(func(t *api.Task) { t.Scope, t.StepsDone, t.SpentMinutes, t.Approved = api.Production, 3, 15, true }), last},
		{"the estimate is spent", task(func(t *api.Task) { t.EstimatedMinutes, t.StepsDone, t.SpentMinutes = 9, 1, 5 }), move{to: api.Failed, failure: "The estimate of 9 minutes " +
			"was spent after 1 of 4 steps, of 5 minutes each. Run it again with a higher estimate, or split it into subtasks."}},
	} {
		if got := nextMove(test.task); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// Several workers of two task servers take each task once, the urgent ones first.
func TestClaim(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		stores := []*Store{open(t, url), open(t, url)}
		for range 10 {
			create(t, stores[0], api.NewTask{Priority: api.Low})
		}
		urgent := create(t, stores[1], api.NewTask{Priority: api.Urgent})
		for range 10 {
			create(t, stores[1], api.NewTask{})
		}
		first, _, err := stores[0].Claim(t.Context(), "first")
		if err != nil || first.ID != urgent.ID || first.Status != api.Running {
			t.Errorf("the first: %+v, %v", first, err)
		}
		var mu sync.Mutex
		var taken []api.TaskID
		var group sync.WaitGroup
		for worker := range 6 {
			group.Go(func() {
				for {
					task, found, err := stores[worker%2].Claim(t.Context(), fmt.Sprint(worker))
					if err != nil {
						t.Error(err)
					}
					if !found {
						return
					}
					mu.Lock()
					taken = append(taken, task.ID)
					mu.Unlock()
				}
			})
		}
		group.Wait()
		slices.Sort(taken)
		if len(taken) != 20 || len(slices.Compact(taken)) != 20 {
			t.Errorf("%d tasks were taken, of 20: %v", len(taken), taken)
		}
	})
}

// A task whose task server died is taken up by another, and the dead one's worker has it no more.
func TestLease(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		s := open(t, url)
		created := create(t, s, api.NewTask{})
		if _, found, err := s.Claim(t.Context(), "dead"); err != nil || !found {
			t.Fatal(found, err)
		}
		if _, found, err := s.Claim(t.Context(), "alive"); err != nil || found {
			t.Fatal("a task that is being worked on is taken", err)
		}
		if _, err := s.db.Exec(s.sql("UPDATE tasks SET claimed_until = $1"), now()-1); err != nil {
			t.Fatal(err)
		}
		task, found, err := s.Claim(t.Context(), "alive")
		if err != nil || !found || task.ID != created.ID {
			t.Fatal("a task that nobody works on stays", err)
		}
		if _, ours, err := s.Move(t.Context(), "dead", task.ID, nextMove(task)); err != nil || ours {
			t.Error("the dead one still has it", err)
		}
	})
}

func TestApprove(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		s := open(t, url)
		task := create(t, s, api.NewTask{Scope: api.Production})
		_, err := s.Approve(t.Context(), task.ID)
		want := "not_waiting: task " + string(task.ID) + " is pending and waits for no approval: orchestrator_tasks with the status waiting_approval lists those that do"
		if fmt.Sprint(err) != want {
			t.Errorf("too early: %v", err)
		}
		if _, _, err := s.Claim(t.Context(), "w"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Move(t.Context(), "w", task.ID, move{to: api.WaitingApproval}); err != nil {
			t.Fatal(err)
		}
		for range 2 { // again is no mistake
			approved, err := s.Approve(t.Context(), task.ID)
			if err != nil || !approved.Approved || approved.Status != api.Pending {
				t.Errorf("%+v, %v", approved, err)
			}
		}
		if _, err := s.Approve(t.Context(), "t-aaaaaaaaaaaaaaaa"); err == nil {
			t.Error("a task that is not there is approved")
		}
	})
}

func TestStop(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		s := open(t, url)
		task := create(t, s, api.NewTask{})
		create(t, s, api.NewTask{})
		if _, _, err := s.Claim(t.Context(), "w"); err != nil {
			t.Fatal(err)
		}
		if report, err := s.Stop(t.Context(), api.StopOrder{Unfinished: api.Keep}); err != nil || report != (api.StopReport{Kept: 2}) {
			t.Errorf("kept: %+v, %v", report, err)
		}
		if report, err := s.Stop(t.Context(), api.StopOrder{Unfinished: api.Discard}); err != nil || report != (api.StopReport{Discarded: 2}) {
			t.Errorf("discarded: %+v, %v", report, err)
		}
		if _, ours, err := s.Move(t.Context(), "w", task.ID, nextMove(task)); err != nil || ours {
			t.Error("a stopped task goes on", err)
		}
		if _, err := s.Stop(t.Context(), api.StopOrder{}); fmt.Sprint(err) != `bad_request: unfinished must be "keep" or "discard"` {
			t.Error(err)
		}
	})
}

// Tasks are worked on to the end, over restarts and by two task servers that share a database.
func TestWork(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		client, stop := serveTasks(t, Config{Database: url, Workers: 2, Step: 5 * time.Second})
		for _, n := range []api.NewTask{{Goal: "fine"}, {Goal: "too little", EstimatedMinutes: 6}, {Goal: "careful", Scope: api.Production, Complexity: api.Simple}} {
			if _, err := client.Create(t.Context(), "", n); err != nil {
				t.Fatal(err)
			}
		}
		eventually(t, "two tasks are running", func() bool { return summary(t, client).Counts.Running == 2 })
		stop()

		// Nobody works on them while there are no workers.
		idle, stopIdle := serveTasks(t, Config{Database: url})
		if counts := summary(t, idle).Counts; counts != (api.Counts{Pending: 3}) {
			t.Errorf("after a restart: %+v", counts)
		}
		stopIdle()

		client, _ = serveTasks(t, Config{Database: url, Workers: 2, Step: time.Millisecond})
		other, _ := serveTasks(t, Config{Database: url, Workers: 2, Step: time.Millisecond})
		eventually(t, "all has been worked on", func() bool {
			return summary(t, other).Counts == api.Counts{Done: 1, Failed: 1, WaitingApproval: 1}
		})
		waiting, err := other.Tasks(t.Context(), api.Filter{Status: api.WaitingApproval})
		if err != nil || len(waiting.Tasks) != 1 {
			t.Fatal(waiting, err)
		}
		if _, err := other.Approve(t.Context(), waiting.Tasks[0].ID); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the approved task is done", func() bool { return summary(t, client).Counts.Done == 2 })
		costs, err := client.Costs(t.Context())
		// Four steps, one, and two.
		if err != nil || costs.Total != (api.Cost{Tasks: 3, Minutes: 35, Cents: 280}) {
			t.Errorf("%+v, %v", costs, err)
		}
	})
}

func summary(t *testing.T, client *api.Client) api.Summary {
	t.Helper()
	summary, err := client.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return summary
}
