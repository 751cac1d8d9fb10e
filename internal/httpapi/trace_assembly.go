package httpapi

import (
	"context"
	"errors"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/respond"
	"almanac/internal/memory"
	"almanac/internal/store"
	"almanac/internal/traces"
)

// traceReader reads traces of a project one by one, with what the fields need.
type traceReader struct {
	store  store.Store
	scope  domain.ProjectScope
	fields respond.TraceFields
	// environments, if there are any, are those whose observations and scores are listed.
	environments []string
	// single: the latency is that of a trace on its own, not of one in a list.
	single bool

	held    int64 // memory of the traces that are being read
	pending int64 // what is taken with the next larger part
	most    int64 // fail with errManyBytes beyond that; 0 for no such bound
}

// errManyBytes means that the texts of several traces are too large to be held at once.
var errManyBytes = errors.New("these traces are too large to be read at once")

// take takes memory for what is kept of a row. Small amounts are taken together.
func (r *traceReader) take(ctx context.Context, bytes int64) error {
	const together = 64 << 10
	if r.pending += bytes; r.pending < together {
		return nil
	}
	if r.most > 0 && r.held+r.pending > r.most {
		return errManyBytes
	}
	if err := memory.Of(ctx).Grow(ctx, r.pending); err != nil {
		return err
	}
	r.held, r.pending = r.held+r.pending, 0
	return nil
}

// giveBack gives the memory of the traces back that were read.
func (r *traceReader) giveBack(ctx context.Context) {
	memory.Of(ctx).Shrink(r.held)
	r.held, r.pending = 0, 0
}

// read puts a trace together; nil if there is none of that id.
func (r *traceReader) read(ctx context.Context, id string) (*domain.TraceSummary, error) {
	list, err := r.readSome(ctx, []string{id})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[0], nil
}

// traceReading is a trace that is being read.
type traceReading struct {
	assembly             traces.Assembly
	observations, scores []string
	roots                []string // its content is that of these rows
	origin               string   // or comes from this one, if there is no root
}

// readSome puts traces together, in the order of their ids. Those that do not exist are left out. What is next to each
// other in the store is read together, so a few at once cost little more than one.
func (r *traceReader) readSome(ctx context.Context, ids []string) ([]*domain.TraceSummary, error) {
	readings, err := r.readRows(ctx, ids)
	if err != nil || len(readings) == 0 {
		return nil, err
	}
	if r.fields.Has(respond.TraceIO) {
		if err := r.readContent(ctx, readings); err != nil {
			return nil, err
		}
	}
	if r.fields.Has(respond.TraceScores) {
		if err := eachScore(ctx, r.store, r.scope, ids, 0, func(s *domain.Score) error {
			if reading := readings[s.TraceID]; reading != nil && r.lists(s.Environment) {
				reading.scores = append(reading.scores, strings.Clone(s.ID))
				return r.take(ctx, int64(len(s.ID)+idBytes))
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	var list []*domain.TraceSummary
	for _, id := range ids {
		if reading := readings[id]; reading != nil {
			list = append(list, r.summary(reading))
		}
	}
	return list, nil
}

func (r *traceReader) summary(reading *traceReading) *domain.TraceSummary {
	trace := reading.assembly.Summary()
	trace.ObservationIDs, trace.ScoreIDs = reading.observations, reading.scores
	if r.single {
		trace.LatencyMillis = reading.assembly.EndedMillis()
	}
	return trace
}

// idBytes is what an id takes beside its text.
const idBytes = 32

// readRows reads all rows of the traces, without what is long.
func (r *traceReader) readRows(ctx context.Context, ids []string) (map[string]*traceReading, error) {
	lookup := store.Lookup{TraceIDs: ids}
	if r.fields.Has(respond.TraceIO) {
		lookup.Want = store.WantTrace
	}
	readings := make(map[string]*traceReading, len(ids))
	for row, err := range r.store.Observations().Lookup(ctx, r.scope, lookup) {
		if err != nil {
			return nil, err
		}
		reading := readings[row.TraceID]
		if reading == nil {
			reading = new(traceReading)
			readings[strings.Clone(row.TraceID)] = reading
		}
		if err := r.take(ctx, reading.assembly.Needs(row)+int64(len(row.ID)+idBytes)); err != nil {
			return nil, err
		}
		reading.assembly.Add(row)
		switch {
		case traces.IsRoot(row):
			reading.roots = append(reading.roots, strings.Clone(row.ID))
		case reading.origin == "" && traces.SpeaksOfTrace(row):
			reading.origin = strings.Clone(row.ID)
		}
		if r.fields.Has(respond.TraceObservations) && !row.IsStandIn() && r.lists(row.Environment) {
			reading.observations = append(reading.observations, strings.Clone(row.ID))
		}
	}
	return readings, nil
}

// lists says whether what is of an environment is listed.
func (r *traceReader) lists(environment string) bool {
	return len(r.environments) == 0 || slices.Contains(r.environments, environment)
}

// readContent reads what is long, but only of the rows whose content is that of their trace: it may be most of the trace.
func (r *traceReader) readContent(ctx context.Context, readings map[string]*traceReading) error {
	query := store.Query[domain.Observation]{Want: store.WantIO | store.WantMetadata}
	var ofTraces, named []string
	for id, reading := range readings {
		rows := reading.roots
		if len(rows) == 0 && reading.origin != "" {
			rows = []string{reading.origin}
			query.Want |= store.WantTrace // so that the row is recognised
		}
		if len(rows) > 0 {
			ofTraces, named = append(ofTraces, id), append(named, rows...)
		}
	}
	if len(named) == 0 {
		return nil
	}
	inTraces, err := filter.NewTexts(observationColumn("traceId"), filter.AnyOf, ofTraces)
	if err != nil {
		return err
	}
	inRows, err := filter.NewTexts(observationColumn("id"), filter.AnyOf, named)
	if err != nil {
		return err
	}
	query.Where = []filter.Condition[domain.Observation]{inTraces, inRows}
	for row, err := range r.store.Observations().Scan(ctx, r.scope, query) {
		if err != nil {
			return err
		}
		// A row of one trace may have the id that is sought in another; what it says of its own is not wrong.
		if reading := readings[row.TraceID]; reading != nil {
			if err := r.take(ctx, reading.assembly.NeedsContent(row)); err != nil {
				return err
			}
			reading.assembly.AddContent(row)
		}
	}
	return nil
}

// observationColumn returns a column that is known to exist.
func observationColumn(name string) *filter.Column[domain.Observation] {
	return mustColumn(filter.Observations(), name)
}

func mustColumn[R any](catalogue *filter.Catalogue[R], name string) *filter.Column[R] {
	column, ok := catalogue.Column(name)
	if !ok {
		panic("BUG: there is no column " + name)
	}
	return column
}
