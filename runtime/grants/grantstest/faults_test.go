package grantstest_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/capgen/capgen/runtime/grants"
)

// faults are stores that break a rule, and the test that must find it.
var faults = []struct {
	name, foundBy string
	open          func() grants.Store
}{
	{"issuer", "find by exactly the key", keyed(func(k *grants.Key) { k.Issuer = "x" })},
	{"subject", "find by exactly the key", keyed(func(k *grants.Key) { k.Subject = "x" })},
	{"client", "find by exactly the key", keyed(func(k *grants.Key) { k.ClientID = "x" })},
	{"tenant", "find by exactly the key", keyed(func(k *grants.Key) { k.TenantID = "x" })},
	{"application", "find by exactly the key", keyed(func(k *grants.Key) { k.Application = "x" })},
	{"audience", "find by exactly the key", keyed(func(k *grants.Key) { k.Audience = "x" })},
	{"revision", "find by exactly the key", keyed(func(k *grants.Key) { k.PolicyRevision = "x" })},
	{"letter case", "find by exactly the key", keyed(func(k *grants.Key) { k.Audience = strings.ToLower(k.Audience) })},
	{"trailing space", "find by exactly the key", keyed(func(k *grants.Key) { k.TenantID = strings.TrimRight(k.TenantID, " ") })},
	{"run together", "find by exactly the key", keyed(func(k *grants.Key) { k.Subject, k.ClientID = k.Subject+k.ClientID, "x" })},
	{"cut", "unusual texts", keyed(func(k *grants.Key) { k.Subject = k.Subject[:min(len(k.Subject), 1023)] })},

	{"order", "find in order", found(slices.Reverse[[]grants.Grant])},
	{"order without case", "find in order", found(func(list []grants.Grant) {
		slices.SortStableFunc(list, func(a, b grants.Grant) int { return cmp.Compare(strings.ToLower(a.ID), strings.ToLower(b.ID)) })
	})},
	{"seconds", "find keeps what was saved", found(func(list []grants.Grant) {
		for i := range list {
			list[i].ExpiresAt = list[i].ExpiresAt.Truncate(time.Second)
		}
	})},
	{"zone", "find keeps what was saved", found(func(list []grants.Grant) {
		for i := range list {
			list[i].IssuedAt = list[i].IssuedAt.In(time.FixedZone("east", 3600))
		}
	})},
	{"scopes in order", "find keeps what was saved", found(func(list []grants.Grant) {
		for i := range list {
			slices.Sort(list[i].Scopes)
		}
	})},
	{"shared", "nothing is shared", func() grants.Store { return new(sharing) }},
	{"issue renewed", "renew", func() grants.Store { return &careless{issue: true} }},
	{"never renewed", "renew", saves(func(s grants.Store, ctx context.Context, g grants.Grant) error {
		list, _ := s.Find(ctx, g.Key)
		if slices.ContainsFunc(list, func(old grants.Grant) bool { return old.ID == g.ID }) {
			return nil
		}
		return s.Save(ctx, g)
	})},
	{"expired for good", "expired", saves(func(s grants.Store, ctx context.Context, g grants.Grant) error {
		list, _ := s.Find(ctx, g.Key)
		if slices.ContainsFunc(list, func(old grants.Grant) bool { return old.ID == g.ID && !old.ActiveAt(time.Now()) }) {
			return grants.ErrRevoked
		}
		return s.Save(ctx, g)
	})},

	{"context of Find", "context", finds(func(s grants.Store, ctx context.Context, key grants.Key) ([]grants.Grant, error) {
		return s.Find(context.WithoutCancel(ctx), key)
	})},
	{"context of Save", "context", saves(func(s grants.Store, ctx context.Context, g grants.Grant) error {
		return errors.Join(s.Save(context.WithoutCancel(ctx), g), ctx.Err())
	})},
	{"context of Revoke", "context", revokes(func(s grants.Store, ctx context.Context, id string, at time.Time) error {
		return errors.Join(s.Revoke(context.WithoutCancel(ctx), id, at), ctx.Err())
	})},

	{"anything is taken", "refused", saves(func(s grants.Store, ctx context.Context, g grants.Grant) error {
		if g.Check() != nil {
			return nil
		}
		return s.Save(ctx, g)
	})},
	{"refused and saved", "refused", saves(func(s grants.Store, ctx context.Context, g grants.Grant) error {
		refused := g.Check()
		g.TenantID, g.RevokedAt = newTenant(g), time.Time{}
		return errors.Join(refused, s.Save(ctx, g))
	})},
	{"conflict and saved", "conflict", saves(func(s grants.Store, ctx context.Context, g grants.Grant) error {
		err := s.Save(ctx, g)
		if errors.Is(err, grants.ErrConflict) {
			g.ID = grants.NewID()
			_ = s.Save(ctx, g)
		}
		return err
	})},
	{"revived", "revoke", saves(func(s grants.Store, ctx context.Context, g grants.Grant) error {
		err := s.Save(ctx, g)
		if errors.Is(err, grants.ErrRevoked) {
			g.ID = grants.NewID()
			return s.Save(ctx, g)
		}
		return err
	})},
	{"wrong reason", "revoke", saves(func(s grants.Store, ctx context.Context, g grants.Grant) error {
		err := s.Save(ctx, g)
		if errors.Is(err, grants.ErrRevoked) {
			err = grants.ErrConflict
		}
		return err
	})},
	{"revoked later", "revoke", revokes(func(s grants.Store, ctx context.Context, id string, at time.Time) error {
		if at.After(time.Now()) {
			return nil
		}
		return s.Revoke(ctx, id, at)
	})},
	{"unknown revoked", "revoke refused", revokes(func(s grants.Store, ctx context.Context, id string, at time.Time) error {
		err := s.Revoke(ctx, id, at)
		if errors.Is(err, grants.ErrNotFound) {
			err = nil
		}
		return err
	})},
	{"revoked at no time", "revoke refused", revokes(func(s grants.Store, ctx context.Context, id string, at time.Time) error {
		if at.IsZero() {
			at = time.Now()
		}
		return s.Revoke(ctx, id, at)
	})},

	{"two keys", "concurrent keys", func() grants.Store { return new(careless) }},
	{"look before leaping", "revoke against saves", func() grants.Store { return new(careless) }},
	{"revoked soon", "revoke against saves", revokes(func(s grants.Store, ctx context.Context, id string, at time.Time) error {
		time.AfterFunc(5*time.Millisecond, func() { _ = s.Revoke(context.WithoutCancel(ctx), id, at) })
		return nil
	})},
}

// newTenant mends what "refused" spoils in a tenant, so that the grant can be found.
func newTenant(g grants.Grant) string {
	if len(g.TenantID) > 1024 || strings.ContainsRune(g.TenantID, 0) {
		return "north"
	}
	return g.TenantID
}

// broken is a Memory with some of its methods replaced.
type broken struct {
	grants.Memory
	find   func(grants.Store, context.Context, grants.Key) ([]grants.Grant, error)
	save   func(grants.Store, context.Context, grants.Grant) error
	revoke func(grants.Store, context.Context, string, time.Time) error
}

func (b *broken) Find(ctx context.Context, key grants.Key) ([]grants.Grant, error) {
	if b.find == nil {
		return b.Memory.Find(ctx, key)
	}
	return b.find(&b.Memory, ctx, key)
}

func (b *broken) Save(ctx context.Context, g grants.Grant) error {
	if b.save == nil {
		return b.Memory.Save(ctx, g)
	}
	return b.save(&b.Memory, ctx, g)
}

func (b *broken) Revoke(ctx context.Context, id string, at time.Time) error {
	if b.revoke == nil {
		return b.Memory.Revoke(ctx, id, at)
	}
	return b.revoke(&b.Memory, ctx, id, at)
}

func finds(f func(grants.Store, context.Context, grants.Key) ([]grants.Grant, error)) func() grants.Store {
	return func() grants.Store { return &broken{find: f} }
}

func saves(f func(grants.Store, context.Context, grants.Grant) error) func() grants.Store {
	return func() grants.Store { return &broken{save: f} }
}

func revokes(f func(grants.Store, context.Context, string, time.Time) error) func() grants.Store {
	return func() grants.Store { return &broken{revoke: f} }
}

// found changes what Find returns.
func found(change func([]grants.Grant)) func() grants.Store {
	return finds(func(s grants.Store, ctx context.Context, key grants.Key) ([]grants.Grant, error) {
		list, err := s.Find(ctx, key)
		change(list)
		return list, err
	})
}

// keyed is a store that finds by a changed key, and returns what it finds with the key that it was saved with.
func keyed(change func(*grants.Key)) func() grants.Store {
	return func() grants.Store {
		var saved sync.Map
		return &broken{
			save: func(s grants.Store, ctx context.Context, g grants.Grant) error {
				saved.Store(g.ID, g.Key)
				change(&g.Key)
				return s.Save(ctx, g)
			},
			find: func(s grants.Store, ctx context.Context, key grants.Key) ([]grants.Grant, error) {
				change(&key)
				list, err := s.Find(ctx, key)
				for i := range list {
					was, _ := saved.Load(list[i].ID)
					list[i].Key = was.(grants.Key)
				}
				return list, err
			},
		}
	}
}

// sharing hands out the slices that it was given.
type sharing struct {
	grants.Memory
	scopes sync.Map
}

func (s *sharing) Save(ctx context.Context, g grants.Grant) error {
	err := s.Memory.Save(ctx, g)
	if err == nil {
		s.scopes.Store(g.ID, g.Scopes)
	}
	return err
}

func (s *sharing) Find(ctx context.Context, key grants.Key) ([]grants.Grant, error) {
	list, err := s.Memory.Find(ctx, key)
	for i := range list {
		scopes, _ := s.scopes.Load(list[i].ID)
		list[i].Scopes = scopes.([]string)
	}
	return list, err
}

// careless looks whether it may save a grant and then saves it, which are two steps; with issue they are one, and it renews the
// time of issue too.
type careless struct {
	issue bool
	mu    sync.Mutex
	kept  map[string]grants.Grant
}

func (c *careless) Save(_ context.Context, g grants.Grant) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if was, ok := c.kept[g.ID]; ok {
		if !was.RevokedAt.IsZero() {
			return grants.ErrRevoked
		}
		if was.Key != g.Key {
			return grants.ErrConflict
		}
	}
	if !c.issue {
		c.mu.Unlock()
		time.Sleep(time.Millisecond)
		c.mu.Lock()
	}
	if c.kept == nil {
		c.kept = map[string]grants.Grant{}
	}
	c.kept[g.ID] = g.Clone()
	return nil
}

func (c *careless) Revoke(_ context.Context, id string, at time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.kept[id]
	g.RevokedAt = at
	c.kept[id] = g
	return nil
}

func (c *careless) Find(_ context.Context, key grants.Key) ([]grants.Grant, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []grants.Grant
	for _, g := range c.kept {
		if g.Key == key && g.RevokedAt.IsZero() {
			list = append(list, g.Clone())
		}
	}
	slices.SortFunc(list, func(a, b grants.Grant) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}
