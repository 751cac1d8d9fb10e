package storetest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// Model is an in-memory store that persists nothing and is as slow as it is simple: a map of rows that is filtered and
// sorted for every read. Other stores are compared with it, so it must be obviously correct.
type Model struct {
	mu           sync.Mutex
	closed       bool
	observations *modelTable[domain.Observation]
	scores       *modelTable[domain.Score]
}

var _ store.Store = (*Model)(nil)

// NewModel returns an empty model.
func NewModel() *Model {
	m := &Model{}
	m.observations = newModelTable(m, observations())
	m.scores = newModelTable(m, scores())
	return m
}

// Observations returns the table of observations.
func (m *Model) Observations() store.Table[domain.Observation] { return m.observations }

// Scores returns the table of scores.
func (m *Model) Scores() store.Table[domain.Score] { return m.scores }

// Flush implements store.Store. There is nothing to move; it only counts.
func (m *Model) Flush(context.Context) error {
	unlock, err := m.lock()
	if err != nil {
		return err
	}
	defer unlock()
	m.observations.flushes++
	m.scores.flushes++
	return nil
}

// Ping fails once the model is closed.
func (m *Model) Ping(context.Context) error {
	unlock, err := m.lock()
	if err == nil {
		unlock()
	}
	return err
}

// Stats implements store.Store.
func (m *Model) Stats() store.Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	return store.Stats{Observations: m.observations.stats(), Scores: m.scores.stats()}
}

// Sizes implements store.Store. Each row counts as the size of its long strings plus a hundred bytes.
func (m *Model) Sizes(context.Context) ([]store.DaySize, error) {
	unlock, err := m.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	return append(m.observations.sizes(), m.scores.sizes()...), nil
}

// Close implements store.Store.
func (m *Model) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// Mark implements store.Store. It returns the number of appends.
func (m *Model) Mark() store.Mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return store.Mark{Observations: m.observations.appends, Scores: m.scores.appends}
}

// Resume implements store.Store. It returns the current mark where the model is behind read.
func (m *Model) Resume(read store.Mark) store.Mark {
	now := m.Mark()
	return store.Mark{Observations: min(read.Observations, now.Observations), Scores: min(read.Scores, now.Scores)}
}

// VisibilityDelay implements store.Store. It is 0, since appended rows are visible.
func (m *Model) VisibilityDelay() time.Duration { return 0 }

// lock takes the model's only lock, unless the model is closed.
func (m *Model) lock() (unlock func(), err error) {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil, fmt.Errorf("using the model: %w", store.ErrClosed)
	}
	return m.mu.Unlock, nil
}

// modelTable is a table of the model.
type modelTable[R any] struct {
	*kind[R]
	model      *Model
	projects   map[string]map[key]*R // rows are replaced, never modified, so reads may share them
	numbers    map[*R]int64          // number of the append that stored each row
	appends    int64
	superseded int64
	flushes    int64
}

func newModelTable[R any](m *Model, k *kind[R]) *modelTable[R] {
	return &modelTable[R]{kind: k, model: m, projects: map[string]map[key]*R{}, numbers: map[*R]int64{}}
}

func (t *modelTable[R]) stats() store.TableStats {
	s := store.TableStats{Superseded: t.superseded, Flushes: t.flushes}
	for _, rows := range t.projects {
		s.Rows += int64(len(rows))
	}
	return s
}

func (t *modelTable[R]) sizes() (list []store.DaySize) {
	const besideTexts = 100
	for project, rows := range t.projects {
		days := map[int64]*store.DaySize{}
		for _, row := range rows {
			day := t.time(row).Day()
			if days[day] == nil {
				days[day] = &store.DaySize{ProjectID: project, Day: day}
			}
			days[day].Rows++
			days[day].Bytes += besideTexts
			for _, part := range t.parts(row) {
				for _, text := range part.fields {
					days[day].Bytes += int64(len(*text))
				}
			}
		}
		for _, size := range days {
			list = append(list, *size)
		}
	}
	return list
}

func (t *modelTable[R]) Append(ctx context.Context, scope domain.ProjectScope, rows []R) error {
	project := scope.ProjectID()
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range rows {
		switch {
		case *t.id(&rows[i]) == "":
			return fmt.Errorf("appending row %d, which has no id: %w", i, store.ErrInvalid)
		case t.keyHasTrace && *t.traceID(&rows[i]) == "":
			return fmt.Errorf("appending row %d, which has no trace id: %w", i, store.ErrInvalid)
		case *t.time(&rows[i]) == 0:
			return fmt.Errorf("appending row %d, which has no time: %w", i, store.ErrInvalid)
		}
	}
	unlock, err := t.model.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if t.projects[project] == nil {
		t.projects[project] = map[key]*R{}
	}
	t.appends++
	for i := range rows {
		row := clone(&rows[i])
		if before := t.projects[project][t.key(&row)]; before != nil {
			t.superseded++
			delete(t.numbers, before)
		}
		t.projects[project][t.key(&row)] = &row
		t.numbers[&row] = t.appends
	}
	return nil
}

// rows returns all matching rows of the project, in order.
func (t *modelTable[R]) rows(project string, meets func(*R) bool) ([]*R, error) {
	unlock, err := t.model.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	var rows []*R
	for _, row := range t.projects[project] {
		if meets(row) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b *R) int { return comparePositions(t.position(a), t.position(b)) })
	return rows, nil
}

func (t *modelTable[R]) Scan(ctx context.Context, scope domain.ProjectScope, q store.Query[R]) iter.Seq2[*R, error] {
	project := scope.ProjectID()
	if q.Limit < 0 {
		return failed[R](fmt.Errorf("scanning for %d rows: %w", q.Limit, store.ErrInvalid))
	}
	return func(yield func(*R, error) bool) {
		rows, err := t.rows(project, func(row *R) bool {
			return within(*t.time(row), q.From, q.To) &&
				t.arrived(row, q.Arrived) &&
				(q.After == nil || comparePositions(t.position(row), *q.After) > 0) &&
				meetsAll(row, q.Where)
		})
		if q.Limit > 0 && len(rows) > q.Limit {
			rows = rows[:q.Limit]
		}
		t.yield(ctx, rows, err, q.Want, yield)
	}
}

func (t *modelTable[R]) Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*R, error] {
	project := scope.ProjectID()
	if given(len(l.TraceIDs) > 0, len(l.IDs) > 0, len(l.SessionIDs) > 0) != 1 {
		return failed[R](fmt.Errorf("looking up by not exactly one list: %w", store.ErrInvalid))
	}
	return func(yield func(*R, error) bool) {
		rows, err := t.rows(project, func(row *R) bool {
			return names(l.TraceIDs, *t.traceID(row)) || names(l.IDs, *t.id(row)) || names(l.SessionIDs, *t.sessionID(row))
		})
		t.yield(ctx, rows, err, l.Want, yield)
	}
}

// yield yields rows, or the error that prevented that.
func (t *modelTable[R]) yield(ctx context.Context, rows []*R, err error, want store.Want, yield func(*R, error) bool) {
	if err == nil {
		err = ctx.Err()
	}
	for _, row := range rows {
		if err != nil {
			break
		}
		wanted := *row
		t.narrow(&wanted, want)
		if !yield(&wanted, nil) {
			return
		}
		err = ctx.Err()
	}
	if err != nil {
		yield(nil, err)
	}
}

func (t *modelTable[R]) Arrivals(ctx context.Context, window store.Window, limit int) ([]store.ArrivedTrace, int64, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	unlock, err := t.model.lock()
	if err != nil {
		return nil, 0, err
	}
	defer unlock()
	window.UpTo = min(window.UpTo, t.appends)
	var numbers []int64
	for _, number := range t.numbers {
		if window.Has(number) {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	if len(numbers) > limit {
		window.UpTo = max(numbers[0], numbers[limit]-1)
	}
	found := map[store.ArrivedTrace]bool{}
	for project, rows := range t.projects {
		for _, row := range rows {
			if t.arrived(row, &window) {
				found[store.ArrivedTrace{ProjectID: project, TraceID: *t.traceID(row)}] = true
			}
		}
	}
	return slices.Collect(maps.Keys(found)), window.UpTo, nil
}

func (t *modelTable[R]) Amend(ctx context.Context, scope domain.ProjectScope, traceIDs []string, change func(*R) bool) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	rows, err := t.rows(scope.ProjectID(), func(row *R) bool { return names(traceIDs, *t.traceID(row)) })
	if err != nil {
		return 0, err
	}
	n := 0
	for _, row := range rows {
		amended := clone(row)
		if !change(&amended) {
			continue
		}
		unlock, err := t.model.lock()
		if err != nil {
			return n, err
		}
		if k := t.key(row); t.projects[scope.ProjectID()][k] == row {
			n++
			t.appends++
			delete(t.numbers, row)
			kept := clone(&amended)
			t.projects[scope.ProjectID()][k], t.numbers[&kept] = &kept, t.appends
		}
		unlock()
	}
	return n, nil
}

func (t *modelTable[R]) Delete(ctx context.Context, scope domain.ProjectScope, s store.Selection) (int, error) {
	project := scope.ProjectID()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if given(len(s.TraceIDs) > 0, len(s.IDs) > 0, s.Before != 0, s.All) != 1 {
		return 0, fmt.Errorf("deleting by not exactly one selection: %w", store.ErrInvalid)
	}
	unlock, err := t.model.lock()
	if err != nil {
		return 0, err
	}
	defer unlock()
	n := 0
	for k, row := range t.projects[project] {
		selected := s.All ||
			names(s.TraceIDs, *t.traceID(row)) ||
			names(s.IDs, *t.id(row)) ||
			(s.Before != 0 && *t.time(row) < s.Before)
		if selected && t.arrived(row, s.Arrived) {
			delete(t.projects[project], k)
			delete(t.numbers, row)
			n++
		}
	}
	return n, nil
}

// arrived reports whether the append of a row is in a window; always true if the window is nil.
func (t *modelTable[R]) arrived(row *R, w *store.Window) bool {
	return w == nil || w.Has(t.numbers[row])
}

// within reports whether a time is in a range, either bound of which may be 0.
func within(at, from, to domain.Micros) bool {
	return (from == 0 || at >= from) && (to == 0 || at < to)
}

// names reports whether a list of ids includes this one.
func names(ids []string, id string) bool { return id != "" && slices.Contains(ids, id) }

// given counts how many of the flags are set.
func given(flags ...bool) int {
	n := 0
	for _, flag := range flags {
		if flag {
			n++
		}
	}
	return n
}

// failed returns an iterator that yields only an error.
func failed[R any](err error) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) { yield(nil, err) }
}
