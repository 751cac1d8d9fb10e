package storechoice

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// part is the view that one test has of a store shared with others. Its projects have other names in the store;
// everything else is passed through.
type part struct {
	whole  store.Store
	prefix string
	closed atomic.Bool
	// projects are those that rows were appended to.
	mu       sync.Mutex
	projects map[domain.ProjectScope]bool
}

var _ store.Store = (*part)(nil)

func newPart(whole store.Store, prefix string) *part {
	return &part{whole: whole, prefix: prefix, projects: map[domain.ProjectScope]bool{}}
}

// Observations returns the table of observations.
func (p *part) Observations() store.Table[domain.Observation] {
	return table[domain.Observation]{p, p.whole.Observations()}
}

// Scores returns the table of scores.
func (p *part) Scores() store.Table[domain.Score] { return table[domain.Score]{p, p.whole.Scores()} }

// Flush flushes the whole store.
func (p *part) Flush(ctx context.Context) error {
	if err := p.check(); err != nil {
		return err
	}
	return p.whole.Flush(ctx)
}

// Ping pings the whole store.
func (p *part) Ping(ctx context.Context) error {
	if err := p.check(); err != nil {
		return err
	}
	return p.whole.Ping(ctx)
}

// Stats counts the rows of the part.
func (p *part) Stats() store.Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	var s store.Stats
	for scope := range p.projects {
		s.Observations.Rows += count(p.whole.Observations(), scope)
		s.Scores.Rows += count(p.whole.Scores(), scope)
	}
	return s
}

// Sizes returns the sizes of the part's projects.
func (p *part) Sizes(ctx context.Context) ([]store.DaySize, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	all, err := p.whole.Sizes(ctx)
	var own []store.DaySize
	for _, size := range all {
		if project, ok := strings.CutPrefix(size.ProjectID, p.prefix); ok {
			size.ProjectID = project
			own = append(own, size)
		}
	}
	return own, err
}

// Mark returns the mark of the whole store.
func (p *part) Mark() store.Mark { return p.whole.Mark() }

// Resume passes the mark on to the whole store.
func (p *part) Resume(read store.Mark) store.Mark { return p.whole.Resume(read) }

// VisibilityDelay returns the settling time of the whole store.
func (p *part) VisibilityDelay() time.Duration { return p.whole.VisibilityDelay() }

// Close ends the use of the part.
func (p *part) Close() error {
	if p.closed.Swap(true) {
		return p.check()
	}
	return nil
}

func (p *part) check() error {
	if p.closed.Load() {
		return fmt.Errorf("using a part of a store: %w", store.ErrClosed)
	}
	return nil
}

// own returns the scope that stands for the given one in the store.
func (p *part) own(scope domain.ProjectScope) domain.ProjectScope {
	return domain.OfProject(p.prefix + scope.ProjectID()) //nolint:forbidigo // it stands for a scope that was checked
}

func (p *part) note(scope domain.ProjectScope) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.projects[scope] = true
}

// count returns the number of rows of a project, or -1, which no test expects, if the store fails.
func count[R any](t store.Table[R], scope domain.ProjectScope) int64 {
	groups, err := t.Aggregate(context.Background(), scope, store.AggregateQuery[R]{Measures: []store.Measure[R]{{Function: store.Count}}})
	if err != nil || len(groups.Rows) > 1 {
		return -1
	}
	if len(groups.Rows) == 0 {
		return 0
	}
	return int64(groups.Rows[0].Values[0].Value)
}

// table is a table of a part.
type table[R any] struct {
	part  *part
	whole store.Table[R]
}

// Append stores rows in a project of the part.
func (t table[R]) Append(ctx context.Context, scope domain.ProjectScope, rows []R) error {
	if err := t.part.check(); err != nil {
		return err
	}
	own := t.part.own(scope)
	t.part.note(own)
	return t.whole.Append(ctx, own, rows)
}

// Scan returns rows of a project of the part.
func (t table[R]) Scan(ctx context.Context, scope domain.ProjectScope, q store.Query[R]) iter.Seq2[*R, error] {
	if err := t.part.check(); err != nil {
		return func(yield func(*R, error) bool) { yield(nil, err) }
	}
	return t.whole.Scan(ctx, t.part.own(scope), q)
}

// Lookup returns rows of a project of the part by their ids.
func (t table[R]) Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*R, error] {
	if err := t.part.check(); err != nil {
		return func(yield func(*R, error) bool) { yield(nil, err) }
	}
	return t.whole.Lookup(ctx, t.part.own(scope), l)
}

// Aggregate aggregates rows of a project of the part.
func (t table[R]) Aggregate(ctx context.Context, scope domain.ProjectScope, q store.AggregateQuery[R]) (*store.Groups, error) {
	if err := t.part.check(); err != nil {
		return nil, err
	}
	return t.whole.Aggregate(ctx, t.part.own(scope), q)
}

// Rank ranks groups of rows of a project of the part.
func (t table[R]) Rank(ctx context.Context, scope domain.ProjectScope, q store.RankQuery[R]) (*store.Ranking, error) {
	if err := t.part.check(); err != nil {
		return nil, err
	}
	return t.whole.Rank(ctx, t.part.own(scope), q)
}

// Arrivals returns the traces of the part's projects of rows that arrived.
func (t table[R]) Arrivals(ctx context.Context, window store.Window, limit int) ([]store.ArrivedTrace, int64, error) {
	if err := t.part.check(); err != nil {
		return nil, 0, err
	}
	all, upTo, err := t.whole.Arrivals(ctx, window, limit)
	var own []store.ArrivedTrace
	for _, a := range all {
		if project, ok := strings.CutPrefix(a.ProjectID, t.part.prefix); ok {
			own = append(own, store.ArrivedTrace{ProjectID: project, TraceID: a.TraceID})
		}
	}
	return own, upTo, err
}

// Amend changes rows of a project of the part.
func (t table[R]) Amend(ctx context.Context, scope domain.ProjectScope, traceIDs []string, change func(*R) bool) (int, error) {
	if err := t.part.check(); err != nil {
		return 0, err
	}
	return t.whole.Amend(ctx, t.part.own(scope), traceIDs, change)
}

// Delete deletes rows of a project of the part.
func (t table[R]) Delete(ctx context.Context, scope domain.ProjectScope, s store.Selection) (int, error) {
	if err := t.part.check(); err != nil {
		return 0, err
	}
	return t.whole.Delete(ctx, t.part.own(scope), s)
}
