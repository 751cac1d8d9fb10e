package httpapi

import (
	"context"
	"errors"
	"iter"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// listTraces returns a numbered page of traces.
func (a *API) listTraces(c *Call, scope domain.ProjectScope) (any, error) {
	q, err := readTracesQuery(c.Query())
	if err != nil {
		return nil, err
	}
	search := &traceSearch{API: a, scope: scope, query: q}
	page, total, err := search.find(c.Context())
	if err != nil {
		return nil, err
	}
	project := scope.ProjectID()
	reader := &traceReader{store: a.Store, scope: scope, fields: q.fields, environments: q.environments}
	list := &rowList[domain.TraceSummary]{
		rows: reader.readAll(c.Context(), page), limit: q.page.Limit, finish: pageMeta{q.page, total}.appendTo,
		write: func(dst []byte, t *domain.TraceSummary, flush respond.Flush) []byte {
			return respond.AppendTrace(dst, t, project, q.fields, flush)
		},
	}
	return list.answer(c)
}

const (
	// tracesAtOnce is how many traces of a list are read at once, and in memory.
	tracesAtOnce = 10
	// bytesAtOnce is how much they may have to keep. Larger ones are read one by one.
	bytesAtOnce = 2 << 20
)

// readAll reads traces a few at a time, since their inputs and outputs may be long. Those that were deleted meanwhile are
// left out.
func (r *traceReader) readAll(ctx context.Context, list []foundTrace) iter.Seq2[*domain.TraceSummary, error] {
	return func(yield func(*domain.TraceSummary, error) bool) {
		for part := range slices.Chunk(list, tracesAtOnce) {
			ids := make([]string, len(part))
			for n := range part {
				ids[n] = part[n].id
			}
			r.most = bytesAtOnce
			err := r.readPart(ctx, ids, yield)
			if errors.Is(err, errManyBytes) {
				r.most, err = 0, nil
				for n := 0; n < len(ids) && err == nil; n++ {
					err = r.readPart(ctx, ids[n:n+1], yield)
				}
			}
			if err != nil {
				if !errors.Is(err, errEnough) {
					yield(nil, err)
				}
				return
			}
		}
	}
}

// errEnough means that nobody wants more traces.
var errEnough = errors.New("nobody wants more")

// readPart reads some traces and hands them over.
func (r *traceReader) readPart(ctx context.Context, ids []string, yield func(*domain.TraceSummary, error) bool) error {
	defer r.giveBack(ctx)
	some, err := r.readSome(ctx, ids)
	if err != nil {
		return err
	}
	for _, trace := range some {
		if !yield(trace, nil) {
			return errEnough
		}
	}
	return nil
}
