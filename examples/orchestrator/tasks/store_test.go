package tasks

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/capgen/capgen/examples/orchestrator/api"
)

func TestCreate(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		s := open(t, url)
		parent := create(t, s, api.NewTask{Goal: "ship it, \"now\" 🚀", Role: api.Security, Scope: api.Production, PlannedSubtasks: 2})
		if parent.Status != api.Pending || parent.Priority != api.Normal || parent.EstimatedMinutes != 30 || parent.StepsTotal != 4 || parent.CreatedAt.IsZero() {
			t.Errorf("created: %+v", parent)
		}
		child := create(t, s, api.NewTask{ParentID: parent.ID, EstimatedMinutes: 7})
		if child.Role != api.Security || child.Scope != api.Production || child.EstimatedMinutes != 7 || child.ParentID != parent.ID {
			t.Errorf("a subtask is its parent's where nothing is said: %+v", child)
		}
		got, err := s.Get(t.Context(), parent.ID)
		if err != nil || got.Subtasks != 1 || got.Goal != parent.Goal {
			t.Errorf("the parent: %+v, %v", got, err)
		}
	})
}

func TestKey(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		s := open(t, url)
		// Many at once, as when a client sends again what still runs.
		var group sync.WaitGroup
		ids := make([]api.TaskID, 8)
		for i := range ids {
			group.Go(func() {
				task, err := s.Create(t.Context(), "k", api.NewTask{Goal: "once"})
				if err != nil {
					t.Error(err)
				}
				ids[i] = task.ID
			})
		}
		group.Wait()
		if slices.Sort(ids); ids[0] == "" || len(slices.Compact(ids)) != 1 {
			t.Errorf("one key has created %v", ids)
		}
		_, err := s.Create(t.Context(), "k", api.NewTask{Goal: "another"})
		if want := "key_reused: the key has created task " + string(ids[0]) + ", which is another: choose a new key"; fmt.Sprint(err) != want {
			t.Errorf("another task with the key: %v", err)
		}
	})
}

func TestRefusedTasks(t *testing.T) {
	s := open(t, "sqlite:"+t.TempDir()+"/tasks.db")
	for _, test := range []struct {
		key  string
		task api.NewTask
		want string
	}{
		{"", api.NewTask{Goal: " \t"}, "bad_request: the goal must say something, in at most 500 characters"},
		{"", api.NewTask{Goal: strings.Repeat("ä", 501)}, "bad_request: the goal must say something, in at most 500 characters"},
		{"", api.NewTask{Goal: "a\x00"}, "bad_request: the goal must say something, in at most 500 characters"},
		{"", api.NewTask{Goal: "a", Role: "boss"}, `bad_request: there is no role "boss"`},
		{"", api.NewTask{Goal: "a", Scope: "world"}, `bad_request: there is no scope "world"`},
		{"", api.NewTask{Goal: "a", Priority: "now"}, `bad_request: there is no priority "now"`},
		{"", api.NewTask{Goal: "a", Complexity: "odd"}, `bad_request: there is no complexity "odd"`},
		{"", api.NewTask{Goal: "a", EstimatedMinutes: 481}, "bad_request: estimated_minutes must be from 1 to 480"},
		{"", api.NewTask{Goal: "a", PlannedSubtasks: 17}, "bad_request: planned_subtasks must be from 0 to 16"},
		{"a\nb", api.NewTask{Goal: "a"}, "bad_request: the key must be text of at most 200 bytes"},
		{"", api.NewTask{Goal: "a", ParentID: "t-aaaaaaaaaaaaaaaa"}, `unknown_task: there is no task "t-aaaaaaaaaaaaaaaa": orchestrator_tasks lists those that there are`},
		{"", api.NewTask{Goal: "a", ParentID: "x"}, `unknown_task: there is no task "x": orchestrator_tasks lists those that there are`},
	} {
		if _, err := s.Create(t.Context(), test.key, test.task); fmt.Sprint(err) != test.want {
			t.Errorf("%+v: %v\nwant %s", test.task, err, test.want)
		}
	}
	if summary, err := s.Summary(t.Context()); err != nil || summary.Total != 0 {
		t.Errorf("what was refused is there: %+v, %v", summary, err)
	}
}

func TestList(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		s := open(t, url)
		var want []api.TaskID
		parent := create(t, s, api.NewTask{})
		for range 7 {
			want = append(want, create(t, s, api.NewTask{ParentID: parent.ID}).ID)
		}
		slices.Reverse(want)
		var got []api.TaskID
		for f := (api.Filter{Limit: 3, Parent: parent.ID, Status: api.Pending}); ; {
			page, err := s.List(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			for _, task := range page.Tasks {
				got = append(got, task.ID)
			}
			// A newer task moves no page.
			create(t, s, api.NewTask{})
			if f.Cursor = page.NextCursor; f.Cursor == "" {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("the pages hold %v, want %v", got, want)
		}
		if page, err := s.List(t.Context(), api.Filter{Status: api.Done}); err != nil || len(page.Tasks) != 0 || page.Tasks == nil || page.NextCursor != "" {
			t.Errorf("none is done: %+v, %v", page, err)
		}
		for _, f := range []api.Filter{{Limit: 51}, {Limit: -1}, {Cursor: "x"}, {Cursor: "-1"}, {Status: "odd"}, {Parent: "t-aaaaaaaaaaaaaaaa"}} {
			if _, err := s.List(t.Context(), f); err == nil {
				t.Errorf("%+v is answered", f)
			}
		}
	})
}

func TestCosts(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		s := open(t, url)
		if costs, err := s.Costs(t.Context()); err != nil || costs.Total != (api.Cost{}) || costs.Roles == nil {
			t.Errorf("nothing cost anything: %+v, %v", costs, err)
		}
		create(t, s, api.NewTask{Role: api.Docs})
		create(t, s, api.NewTask{Role: api.Manager, PlannedSubtasks: 3})
		for range 2 {
			task, found, err := s.Claim(t.Context(), "w")
			if err != nil || !found {
				t.Fatal(found, err)
			}
			if _, _, err := s.Move(t.Context(), "w", task.ID, nextMove(task)); err != nil {
				t.Fatal(err)
			}
		}
		costs, err := s.Costs(t.Context())
		want := api.Costs{Total: api.Cost{Tasks: 2, Minutes: 10, Cents: 80}, Roles: []api.RoleCost{
			{Role: api.Manager, Cost: api.Cost{Tasks: 1, Minutes: 5, Cents: 60}}, {Role: api.Docs, Cost: api.Cost{Tasks: 1, Minutes: 5, Cents: 20}},
		}}
		if err != nil || costs.Total != want.Total || !slices.Equal(costs.Roles, want.Roles) {
			t.Errorf("%+v, %v", costs, err)
		}
		summary, err := s.Summary(t.Context())
		if err != nil || summary.Total != 2 || summary.Counts != (api.Counts{Running: 2}) || len(summary.Incomplete) != 1 || summary.Incomplete[0].Planned != 3 {
			t.Errorf("%+v, %v", summary, err)
		}
	})
}

func TestMigrate(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				s, err := Open(t.Context(), url)
				if err != nil {
					t.Error(err)
					return
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		s := open(t, url)
		if _, err := s.db.Exec("INSERT INTO tasks_schema (version) VALUES (99)"); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), url)
		want := "opening the " + s.Database() + " database: its tables have version 99, and this program knows up to 1: run the newer program that made them"
		if fmt.Sprint(err) != want {
			t.Errorf("tables of a newer program: %v", err)
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	for _, url := range []string{"", "sqlite:", "mysql://secret@host/x", "tasks.db", "postgres://user:secret@127.0.0.1:bad/x", "postgres://user:secret@127.0.0.1:1/x"} {
		if _, err := Open(t.Context(), url); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", url, err)
		}
	}
}
