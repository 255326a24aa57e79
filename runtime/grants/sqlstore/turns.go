package sqlstore

import "context"

// turns lets writers of one pool go one after the other, in the order in which they came. SQLite would take them in any order.
type turns chan struct{}

func (t turns) take(ctx context.Context) (done func(), err error) {
	if t == nil {
		return func() {}, nil
	}
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
