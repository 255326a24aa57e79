package sqlstore_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime/grants"
	"github.com/capgen/capgen/runtime/grants/sqlstore"
)

// peerURL is set in a process of its own that does what it is told with the database.
const peerURL = "CAPGEN_GRANTS_PEER"

// order is a line that a peer reads, and report the one that it answers with.
type order struct {
	Do    string // open, find, save, revoke or churn
	ID    string
	Count int
}

type report struct {
	IDs   []string // what was found, or revoked
	Error string
}

// servePeer is the process: it ends when its orders do.
func servePeer(url string) int {
	var store *sqlstore.Store
	ctx := context.Background()
	for orders := bufio.NewScanner(os.Stdin); orders.Scan(); {
		var o order
		err := json.Unmarshal(orders.Bytes(), &o)
		var ids []string
		if err == nil {
			switch o.Do {
			case "open":
				store, err = sqlstore.Open(ctx, url)
			case "find":
				ids, err = findIDs(ctx, store)
			case "save":
				err = store.Save(ctx, newGrant(o.ID))
			case "revoke":
				err = store.Revoke(ctx, o.ID, time.Now())
			case "churn":
				ids, err = churn(ctx, store, o.Count)
			}
		}
		r := report{IDs: ids}
		if err != nil {
			r.Error = err.Error()
		}
		line, err := json.Marshal(r)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s\n", line)
	}
	if err := store.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func findIDs(ctx context.Context, store grants.Store) ([]string, error) {
	found, err := store.Find(ctx, newGrant("").Key)
	ids := make([]string, len(found))
	for i, g := range found {
		ids[i] = g.ID
	}
	return ids, err
}

// churn saves and revokes grants that all peers share, and returns which it has revoked. What it has revoked itself it must never see
// again, whatever the others do.
func churn(ctx context.Context, store grants.Store, count int) ([]string, error) {
	var revoked []string
	for i := range count {
		id := fmt.Sprintf("c-%d", rand.IntN(20))
		err := store.Save(ctx, newGrant(id))
		if err != nil && !errors.Is(err, grants.ErrRevoked) || err == nil && slices.Contains(revoked, id) {
			return revoked, fmt.Errorf("saving %s, having revoked %q: %w", id, revoked, err)
		}
		if i%10 == 9 {
			if err := store.Revoke(ctx, id, time.Now()); err != nil {
				return revoked, err
			}
			revoked = append(revoked, id)
		}
		found, err := findIDs(ctx, store)
		if err != nil || slices.ContainsFunc(found, func(id string) bool { return slices.Contains(revoked, id) }) {
			return revoked, fmt.Errorf("found %q, having revoked %q: %w", found, revoked, err)
		}
	}
	return revoked, nil
}

type peer struct {
	process *exec.Cmd
	orders  io.WriteCloser
	reports *bufio.Reader
	stderr  strings.Builder
}

func startPeer(t *testing.T, url string) *peer {
	t.Helper()
	p := &peer{process: exec.CommandContext(t.Context(), os.Args[0])}
	p.process.Env = append(os.Environ(), peerURL+"="+url)
	p.process.Stderr = &p.stderr
	stdout, err := p.process.StdoutPipe()
	if err == nil {
		p.orders, err = p.process.StdinPipe()
	}
	if err == nil {
		err = p.process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	p.reports = bufio.NewReader(stdout)
	return p
}

func (p *peer) tell(t *testing.T, o order) {
	t.Helper()
	line, err := json.Marshal(o)
	if err == nil {
		_, err = p.orders.Write(append(line, '\n'))
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, p.stderr.String())
	}
}

func (p *peer) report(t *testing.T) report {
	t.Helper()
	var r report
	line, err := p.reports.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &r)
	}
	if err != nil {
		_ = p.process.Wait()
		t.Fatalf("a peer ended: %v\n%s", err, p.stderr.String())
	}
	return r
}

// do gives an order and fails unless the peer reports an error that is as wanted.
func (p *peer) do(t *testing.T, o order, want error) []string {
	t.Helper()
	p.tell(t, o)
	r := p.report(t)
	text := ""
	if want != nil {
		text = want.Error()
	}
	if r.Error != text {
		t.Fatalf("%+v: %q, want %q", o, r.Error, text)
	}
	return r.IDs
}

// TestProcesses runs several processes on one new database. They migrate it at once; what one revokes no other finds from then on; and they
// save and revoke the same grants at once.
func TestProcesses(t *testing.T) {
	for _, database := range databases {
		t.Run(database.name, func(t *testing.T) {
			url := database.create(t)
			peers := make([]*peer, 4)
			for i := range peers {
				peers[i] = startPeer(t, url)
			}
			together := func(o order) []report {
				for _, p := range peers {
					p.tell(t, o)
				}
				reports := make([]report, len(peers))
				for i, p := range peers {
					if reports[i] = p.report(t); reports[i].Error != "" {
						t.Fatal(reports[i].Error)
					}
				}
				return reports
			}
			together(order{Do: "open"})

			for round := range 40 {
				one, other := peers[round%4], peers[(round+1)%4]
				id := fmt.Sprintf("g-%d", round)
				one.do(t, order{Do: "save", ID: id}, nil)
				if found := other.do(t, order{Do: "find"}, nil); !slices.Equal(found, []string{id}) {
					t.Fatalf("one process saved %s, another finds %q", id, found)
				}
				other.do(t, order{Do: "revoke", ID: id}, nil)
				if found := one.do(t, order{Do: "find"}, nil); len(found) != 0 {
					t.Fatalf("one process revoked %s, another finds %q", id, found)
				}
				one.do(t, order{Do: "save", ID: id}, grants.ErrRevoked)
			}

			var revoked []string
			for _, r := range together(order{Do: "churn", Count: 60}) {
				revoked = append(revoked, r.IDs...)
			}
			found := peers[0].do(t, order{Do: "find"}, nil)
			for _, id := range revoked {
				if slices.Contains(found, id) {
					t.Errorf("%s was revoked, and is found", id)
				}
			}
			for _, p := range peers {
				_ = p.orders.Close()
			}
			for _, p := range peers {
				if err := p.process.Wait(); err != nil {
					t.Errorf("a peer ended: %v\n%s", err, p.stderr.String())
				}
			}
		})
	}
}

// TestKilled: a revocation that has returned is there when the process is killed at once.
func TestKilled(t *testing.T) {
	for _, database := range databases {
		t.Run(database.name, func(t *testing.T) {
			url := database.create(t)
			p := startPeer(t, url)
			p.do(t, order{Do: "open"}, nil)
			p.do(t, order{Do: "save", ID: "g"}, nil)
			p.do(t, order{Do: "save", ID: "h"}, nil)
			p.do(t, order{Do: "revoke", ID: "g"}, nil)
			if err := p.process.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = p.process.Wait()
			found, err := findIDs(t.Context(), open(t, url))
			if err != nil || !slices.Equal(found, []string{"h"}) {
				t.Errorf("found %q: %v", found, err)
			}
		})
	}
}
