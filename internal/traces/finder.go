package traces

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// Finder finds the traces and the sessions of a project, and puts them together.
type Finder struct {
	Store store.Store
	Scope domain.ProjectScope
	// Limit is how many traces, or sessions, a call may remember; 0 for as many as there is memory for, up to MaxTraces.
	Limit int
	// Marks is what people say of traces.
	Marks Marks
}

// Marks returns what people say of the traces of a project. Functions that are nil return nothing.
type Marks struct {
	// Of returns it for some traces, by their ids.
	Of func(ctx context.Context, ids []string) (map[string]domain.TraceMark, error)
	// Tags returns the tags that people gave, by the ids of the traces.
	Tags func(ctx context.Context) (map[string][]string, error)
}

const (
	// MaxTraces is how many traces a call may remember.
	MaxTraces = 500_000
	// traceBytes is what remembering one of them takes, roughly.
	traceBytes = 200
	// BatchSize is how many traces are put together at a time.
	BatchSize = 2000
)

// limit is how many traces may be remembered.
func (f *Finder) limit(ctx context.Context) int {
	if f.Limit > 0 {
		return f.Limit
	}
	if lease := memory.Of(ctx); lease != nil {
		return int(min(MaxTraces, lease.Most()*3/4/traceBytes))
	}
	return MaxTraces
}

// TooMany is the error of a call that would have to remember too many things.
type TooMany struct {
	Things string // traces or sessions
	Limit  int
}

func (e *TooMany) Error() string {
	return fmt.Sprintf("more than %d %s would have to be looked at", e.Limit, e.Things)
}

// bucketMillis is how precisely traces are ordered by time, so that those of a batch are stored together.
const bucketMillis = 10 * 60 * 1000

// having returns the traces that have rows in a table which a query selects, each with the time of the newest of them, roughly. The
// column is the one that names the trace.
func having[R any](ctx context.Context, f *Finder, table store.Table[R], column *filter.Column[R], q store.Query[R]) (map[string]int64, error) {
	limit := f.limit(ctx)
	groups, err := table.Aggregate(ctx, f.Scope, store.AggregateQuery[R]{
		From: q.From, To: q.To, Where: q.Where, Bucket: bucketMillis, MaxGroups: limit,
		GroupBy: []*filter.Column[R]{column}, Measures: []store.Measure[R]{{Function: store.Count}},
	})
	if errors.Is(err, store.ErrTooLarge) {
		return nil, &TooMany{"traces", limit}
	}
	if err != nil {
		return nil, err
	}
	ids := make(map[string]int64, len(groups.Rows))
	for n := range groups.Rows {
		g := &groups.Rows[n]
		if newest, known := ids[g.Keys[0]]; g.Keys[0] != "" && (!known || g.Bucket > newest) {
			ids[g.Keys[0]] = g.Bucket
		}
	}
	return ids, nil
}

// newestFirst returns traces in the order of their times, the newest first.
func newestFirst(times map[string]int64) []string {
	list := make([]string, 0, len(times))
	for id := range times {
		list = append(list, id)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(b, a)) })
	return list
}

// Having returns the ids of the traces that have rows in a table which a query selects, those together whose rows are next to each
// other. The column is the one that names the trace. Their memory is counted in held.
func Having[R any](
	ctx context.Context, f *Finder, table store.Table[R], column *filter.Column[R], q store.Query[R], held *memory.Tally,
) ([]string, error) {
	found, err := having(ctx, f, table, column, q)
	if err != nil {
		return nil, err
	}
	return newestFirst(found), held.Add(int64(traceBytes * len(found)))
}

// What is held of each trace beside long texts; about.
const assemblyBytes = 1500

// Assemble puts traces together from all of their rows, by id. Those that do not exist are left out. Of what is long, rows are read with
// what is wanted. Memory is taken first, and what does not get it ends the call. Also, if it is not nil, gets every row that was added.
func (f *Finder) Assemble(
	ctx context.Context, ids []string, want store.Want, take func(bytes int64) error, also func(*Assembly, *domain.Observation) error,
) (map[string]*Assembly, error) {
	found := make(map[string]*Assembly, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	withContent := want&store.WantMetadata != 0
	for row, err := range f.Store.Observations().Lookup(ctx, f.Scope, store.Lookup{TraceIDs: ids, Want: want}) {
		if err != nil {
			return nil, err
		}
		a, bytes := found[row.TraceID], int64(0)
		if a == nil {
			a, bytes = new(Assembly), assemblyBytes
			found[strings.Clone(row.TraceID)] = a
		}
		bytes += a.Needs(row)
		if withContent {
			bytes += a.NeedsContent(row)
		}
		if err := take(bytes); err != nil {
			return nil, err
		}
		a.Add(row)
		if withContent {
			a.AddContent(row)
		}
		if also != nil {
			if err := also(a, row); err != nil {
				return nil, err
			}
		}
	}
	return found, f.Mark(ctx, found)
}

// Mark makes traces be what people say of them.
func (f *Finder) Mark(ctx context.Context, traces map[string]*Assembly) error {
	if f.Marks.Of == nil || len(traces) == 0 {
		return nil
	}
	marks, err := f.Marks.Of(ctx, slices.Collect(maps.Keys(traces)))
	if err != nil {
		return fmt.Errorf("cannot read what people say of %d traces: %w", len(traces), err)
	}
	for id, m := range marks {
		traces[id].mark = &m
	}
	return nil
}

// Summaries puts traces together, by id, without what is long. Those that do not exist are left out. Their memory is counted in held.
func (f *Finder) Summaries(ctx context.Context, ids []string, held *memory.Tally) (map[string]*domain.TraceSummary, error) {
	assemblies, err := f.Assemble(ctx, ids, 0, held.Add, nil)
	found := make(map[string]*domain.TraceSummary, len(assemblies))
	for id, assembly := range assemblies {
		found[id] = assembly.Summary()
	}
	return found, err
}
