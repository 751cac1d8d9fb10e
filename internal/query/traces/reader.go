package traces

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Parts selects what to read of a trace beyond its summary.
type Parts struct {
	Content              bool     // input, output and metadata
	Observations, Scores bool     // their ids
	Environments         []string // if not empty, only list observations and scores of these
	// Ended makes the latency that of a single trace; see Assembly.EndedMillis.
	Ended bool
}

// lists reports whether observations and scores of an environment are listed.
func (p *Parts) lists(environment string) bool {
	return len(p.Environments) == 0 || slices.Contains(p.Environments, environment)
}

// Read returns traces in the order of ids. They are read a few at a time, since their inputs and outputs may be long, and
// more at a time as long as they turn out to be short. Those that do not exist are left out.
func (f *Finder) Read(ctx context.Context, ids []string, parts Parts) iter.Seq2[*domain.TraceSummary, error] {
	const (
		few = 10
		// bytesAtOnce is the maximum memory of traces read together. A larger one is read alone.
		bytesAtOnce = 2 << 20
	)
	return func(yield func(*domain.TraceSummary, error) bool) {
		r := &reader{Finder: f, ctx: ctx, parts: parts}
		for atOnce := few; len(ids) > 0; {
			some := ids[:min(atOnce, len(ids))]
			r.most = bytesAtOnce
			if len(some) == 1 {
				r.most = 0
			}
			bytes, goOn, err := r.read(some, yield)
			switch {
			case errors.Is(err, errManyBytes):
				atOnce = len(some) / 2
				continue
			case err != nil:
				yield(nil, err)
				return
			case !goOn:
				return
			}
			ids = ids[len(some):]
			// Twice as many are likely to fit if these took less than half.
			if bytes < bytesAtOnce/2 {
				atOnce = min(2*atOnce, BatchSize)
			}
		}
	}
}

// ReadOne returns a trace, or nil if it does not exist. Its memory is held until the request ends.
func (f *Finder) ReadOne(ctx context.Context, id string, parts Parts) (*domain.TraceSummary, error) {
	list, err := (&reader{Finder: f, ctx: ctx, parts: parts}).assemble([]string{id})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[0], nil
}

// reader reads traces with their content.
type reader struct {
	*Finder
	ctx     context.Context //nolint:containedctx // of the one call
	parts   Parts
	held    int64 // memory held for the current traces
	pending int64 // memory not reserved yet
	most    int64 // fail with errManyBytes beyond this; 0 for no limit
}

// errManyBytes means that several traces together are too large to hold in memory.
var errManyBytes = errors.New("these traces are too large to be read at once")

// take reserves memory for what is kept of a row. Small amounts are collected first.
func (r *reader) take(bytes int64) error {
	const together = 64 << 10
	if r.pending += bytes; r.pending < together {
		return nil
	}
	if r.most > 0 && r.held+r.pending > r.most {
		return errManyBytes
	}
	if err := memory.Of(r.ctx).Grow(r.ctx, r.pending); err != nil {
		return err
	}
	r.held, r.pending = r.held+r.pending, 0
	return nil
}

// read yields some traces and releases their memory. It returns how much that was, and whether more are wanted.
func (r *reader) read(ids []string, yield func(*domain.TraceSummary, error) bool) (bytes int64, goOn bool, err error) {
	defer func() {
		memory.Of(r.ctx).Shrink(r.held)
		r.held, r.pending = 0, 0
	}()
	list, err := r.assemble(ids)
	bytes = r.held + r.pending
	if err != nil {
		return bytes, true, err
	}
	for _, trace := range list {
		if !yield(trace, nil) {
			return bytes, false, nil
		}
	}
	return bytes, true, nil
}

// reading is a trace being read.
type reading struct {
	*Assembly
	observations, scores []string
	roots                []string // rows that provide its content
	origin               string   // row that provides it if there is no root
}

// idBytes is the memory overhead of an id.
const idBytes = 32

// assemble returns traces in the order of ids. Rows stored next to each other are read together, so reading a few
// traces costs little more than reading one.
func (r *reader) assemble(ids []string) ([]*domain.TraceSummary, error) {
	want := store.Want(0)
	if r.parts.Content {
		want = store.WantTrace
	}
	readings := make(map[string]*reading, len(ids))
	if _, err := r.Assemble(r.ctx, ids, want, r.take, func(a *Assembly, row *domain.Observation) error {
		t := readings[row.TraceID]
		if t == nil {
			t = &reading{Assembly: a}
			readings[strings.Clone(row.TraceID)] = t
		}
		return r.note(t, row)
	}); err != nil || len(readings) == 0 {
		return nil, err
	}
	if r.parts.Content {
		if err := r.addContent(readings); err != nil {
			return nil, err
		}
	}
	if r.parts.Scores {
		if err := r.EachScore(r.ctx, ids, 0, func(s *domain.Score) error {
			if t := readings[s.TraceID]; t != nil && r.parts.lists(s.Environment) {
				t.scores = append(t.scores, strings.Clone(s.ID))
				return r.take(int64(len(s.ID) + idBytes))
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	var list []*domain.TraceSummary
	for _, id := range ids {
		if t := readings[id]; t != nil {
			list = append(list, r.summary(t))
		}
	}
	return list, nil
}

// note records the id of a row that is listed or provides the content of its trace.
func (r *reader) note(t *reading, row *domain.Observation) error {
	id := strings.Clone(row.ID)
	switch {
	case row.IsTraceRoot():
		t.roots = append(t.roots, id)
	case t.origin == "" && HasTraceFields(row):
		t.origin = id
	}
	if r.parts.Observations && !row.IsTraceRecord() && r.parts.lists(row.Environment) {
		t.observations = append(t.observations, id)
	}
	return r.take(int64(len(id) + idBytes))
}

func (r *reader) summary(t *reading) *domain.TraceSummary {
	trace := t.Summary()
	trace.ObservationIDs, trace.ScoreIDs = t.observations, t.scores
	if r.parts.Ended {
		trace.LatencyMillis = t.EndedMillis()
	}
	return trace
}

// addContent reads the long texts, which may be most of the trace, but only of the rows that provide the content of
// their trace.
func (r *reader) addContent(readings map[string]*reading) error {
	query := rowQuery{Want: store.WantIO | store.WantMetadata}
	var ofTraces, named []string
	for id, t := range readings {
		rows := t.roots
		if len(rows) == 0 && t.origin != "" {
			rows = []string{t.origin}
			query.Want |= store.WantTrace // needed to recognise the row
		}
		if len(rows) > 0 {
			ofTraces, named = append(ofTraces, id), append(named, rows...)
		}
	}
	if len(named) == 0 {
		return nil
	}
	inTraces, err := filter.NewTexts(filter.ObservationColumn("traceId"), filter.AnyOf, ofTraces)
	if err != nil {
		return err
	}
	inRows, err := filter.NewTexts(filter.ObservationColumn("id"), filter.AnyOf, named)
	if err != nil {
		return err
	}
	query.Where = []filter.Condition[domain.Observation]{inTraces, inRows}
	for row, err := range r.Store.Observations().Scan(r.ctx, r.Scope, query) {
		if err != nil {
			return err
		}
		// A row may have an id that is looked for in another trace; its content is still right for its own.
		if t := readings[row.TraceID]; t != nil {
			if err := r.take(t.NeedsContent(row)); err != nil {
				return err
			}
			t.AddContent(row)
		}
	}
	return nil
}
