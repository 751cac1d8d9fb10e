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
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Finder finds and assembles the traces and sessions of a project.
type Finder struct {
	Store store.Store
	Scope domain.ProjectScope
	// Limit is the maximum number of traces or sessions a call may hold; 0 for as many as fit in memory, up to
	// MaxTraces.
	Limit int
	// Farther is how many more traces than twice those of a page are assembled before all are ranked instead; 0 for the
	// default.
	Farther int
	// Marks provides what users set on traces.
	Marks Marks
}

// Marks returns what users set on the traces of a project. Functions may be nil.
type Marks struct {
	// Of returns the marks of some traces, by trace id.
	Of func(ctx context.Context, ids []string) (map[string]domain.TraceMark, error)
	// Tags returns the tags that users gave to traces, by trace id.
	Tags func(ctx context.Context) (map[string][]string, error)
	// All returns all marks, by trace id.
	All func(ctx context.Context) (map[string]domain.TraceMark, error)
	// Comments returns the number of comments on traces themselves, by trace id, for at most limit traces.
	Comments func(ctx context.Context, limit int) (map[string]int, error)
}

const (
	// MaxTraces is the maximum number of traces a call may hold.
	MaxTraces = 500_000
	// traceBytes is the approximate memory per trace.
	traceBytes = 200
	// BatchSize is the number of traces assembled at a time.
	BatchSize = 2000
)

// limit returns the maximum number of traces a call may hold.
func (f *Finder) limit(ctx context.Context) int {
	if f.Limit > 0 {
		return f.Limit
	}
	if lease := memory.Of(ctx); lease != nil {
		return int(min(MaxTraces, lease.Max()*3/4/traceBytes))
	}
	return MaxTraces
}

// TooMany is returned by a call that would have to hold too many traces or sessions.
type TooMany struct {
	Things string // traces or sessions
	Limit  int
}

func (e *TooMany) Error() string {
	return fmt.Sprintf("more than %d %s would have to be looked at", e.Limit, e.Things)
}

// bucketMillis is the precision by which traces are ordered by time, so that those of a batch are stored together.
const bucketMillis = 10 * 60 * 1000

// having returns the traces that have rows selected by q in the table, each with the approximate time of the newest
// one. The column is the one that names the trace.
func having[R any](
	ctx context.Context, f *Finder, table store.Table[R], column *filter.Column[R], q store.Query[R],
) (map[string]int64, error) {
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

// newestFirst returns the ids ordered by time, newest first.
func newestFirst(times map[string]int64) []string {
	list := make([]string, 0, len(times))
	for id := range times {
		list = append(list, id)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(b, a)) })
	return list
}

// Having returns the ids of the traces that have rows selected by q in the table, grouped so that traces with adjacent
// rows are together. The column is the one that names the trace. Their memory is counted in held.
func Having[R any](
	ctx context.Context, f *Finder, table store.Table[R], column *filter.Column[R], q store.Query[R], held *memory.Tally,
) ([]string, error) {
	found, err := having(ctx, f, table, column, q)
	if err != nil {
		return nil, err
	}
	return newestFirst(found), held.Add(int64(traceBytes * len(found)))
}

// assemblyBytes is the approximate memory per trace, without long texts.
const assemblyBytes = 1500

// Assemble assembles traces, by id, from all of their rows. Those that do not exist are left out. Want says which long
// texts to read. Memory is reserved with take before a row is added, and an error from take ends the call. Also, if not
// nil, is called with every row that was added.
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

// Mark applies what users set on the traces.
func (f *Finder) Mark(ctx context.Context, traces map[string]*Assembly) error {
	if f.Marks.Of == nil || len(traces) == 0 {
		return nil
	}
	marks, err := f.Marks.Of(ctx, slices.Collect(maps.Keys(traces)))
	if err != nil {
		return fmt.Errorf("cannot read the marks of %d traces: %w", len(traces), err)
	}
	for id, m := range marks {
		traces[id].mark = &m
	}
	return nil
}

// Summaries assembles traces, by id, without long texts. Those that do not exist are left out. Their memory is counted
// in held.
func (f *Finder) Summaries(ctx context.Context, ids []string, held *memory.Tally) (map[string]*domain.TraceSummary, error) {
	assemblies, err := f.Assemble(ctx, ids, 0, held.Add, nil)
	found := make(map[string]*domain.TraceSummary, len(assemblies))
	for id, assembly := range assemblies {
		found[id] = assembly.Summary()
	}
	return found, err
}
