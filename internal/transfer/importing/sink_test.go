package importing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// busyTable refuses rows a number of times.
type busyTable struct {
	store.Table[domain.Score]
	refusals int
	failure  error
	tried    []time.Duration // since its creation
	began    time.Time
}

func (b *busyTable) Append(context.Context, domain.ProjectScope, []domain.Score) error {
	b.tried = append(b.tried, time.Since(b.began))
	if b.refusals--; b.refusals >= 0 {
		return b.failure
	}
	return nil
}

// TestBusyStore checks that a busy store is retried with increasing delays, until it accepts the rows or the context is
// done.
func TestBusyStore(t *testing.T) {
	broken, busy := errors.New("broken"), fmt.Errorf("merging: %w", store.ErrBusy)
	for _, c := range []struct {
		name     string
		refusals int
		failure  error
		patience time.Duration
		want     []error
		tries    int
	}{
		{name: "not busy", patience: time.Hour, tries: 1},
		{name: "busy twice", refusals: 2, failure: busy, patience: time.Hour, tries: 3},
		{
			name: "busy for long", refusals: 1 << 30, failure: busy, patience: 20 * time.Second,
			want: []error{store.ErrBusy, context.DeadlineExceeded}, tries: 10,
		},
		{name: "broken", refusals: 1, failure: broken, patience: time.Hour, want: []error{broken}, tries: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), c.patience)
				defer cancel()
				table := &busyTable{refusals: c.refusals, failure: c.failure, began: time.Now()}
				err := write(ctx, table, domain.OfProject("p"), make([]domain.Score, 2), "scores")
				for _, want := range c.want {
					if !errors.Is(err, want) {
						t.Errorf("it ends with %v, want %v", err, want)
					}
				}
				if (err == nil) != (c.want == nil) {
					t.Error(err)
				}
				if len(table.tried) != c.tries || slices.Max(table.tried) > c.patience {
					t.Errorf("it was tried after %v", table.tried)
				}
			})
		})
	}
}
