package traces

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// maxTraceBytes is the maximum size of input, output and metadata of a trace that is returned with its observations.
const maxTraceBytes = 80e6

// observationV1Want is the parts of an observation that the deprecated routes return.
const observationV1Want = store.WantAll &^ store.WantTrace

// GetTrace returns a trace with its observations and scores.
func (h *Handlers) GetTrace(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	fields := respond.ParseTraceFields(endpoint.ValueOr(q.String("fields"), ""))
	if err := q.Err(); err != nil {
		return nil, err
	}
	prices, err := h.unitPrices(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	id := c.Path("traceId")
	d := &traceDetail{Handlers: h, scope: scope, id: id, fields: fields, prices: prices}
	if err := d.read(c.Context()); err != nil {
		return nil, err
	}
	if d.trace == nil {
		return nil, respond.NotFound("Trace " + id + " not found within authorized project")
	}
	return c.Stream(func(p *endpoint.StreamWriter, dst []byte) ([]byte, error) {
		var failure error
		dst = respond.AppendTraceDetail(dst, d.trace, scope.ProjectID(), fields,
			func(dst []byte) []byte {
				dst, failure = d.appendRows(c.Context(), p, dst)
				return dst
			},
			func(dst []byte) []byte { return endpoint.AppendParts(dst, d.scores, p.Flush) }, p.Flush)
		return dst, failure
	})
}

// traceDetail is a trace that is being read with its observations. Those of a small trace are kept in their encoded
// form; those of a large one are read again while they are sent, to save memory.
type traceDetail struct {
	*Handlers
	scope    domain.ProjectScope
	id       string
	fields   respond.TraceFields
	prices   respond.Prices
	trace    *domain.TraceSummary // nil if there is none
	scores   []byte
	rows     []byte
	complete bool // rows has all observations
}

func (d *traceDetail) read(ctx context.Context) error {
	var err error
	if d.fields.Has(respond.TraceObservations) {
		err = d.readRows(ctx)
	} else {
		d.complete = true
		d.trace, err = d.Finder(d.scope).ReadOne(ctx, d.id, traces.Parts{Content: d.fields.Has(respond.TraceIO), Ended: true})
	}
	if err != nil || d.trace == nil || !d.fields.Has(respond.TraceScores) {
		return err
	}
	project := d.scope.ProjectID()
	lease, held := memory.Of(ctx), int64(0)
	return d.Finder(d.scope).EachScore(ctx, []string{d.id}, store.WantAll, func(s *domain.Score) error {
		if len(d.scores) > 0 {
			d.scores = append(d.scores, ',')
		}
		d.scores = respond.AppendScoreV1(d.scores, s, project, nil)
		more := int64(cap(d.scores)) - held
		held += more
		return lease.Grow(ctx, more)
	})
}

// readRows reads all rows of the trace. It returns an error if they are too large.
func (d *traceDetail) readRows(ctx context.Context) error {
	var (
		assembly traces.Assembly
		size     int
	)
	d.complete = true
	project := d.scope.ProjectID()
	lease := memory.Of(ctx)
	if err := lease.Grow(ctx, endpoint.PieceMemory); err != nil { // for the rows of a small trace
		return err
	}
	// Once they exceed a piece, none of them is kept.
	flush := func(dst []byte) []byte {
		if d.complete = d.complete && len(dst) < endpoint.PieceBytes; !d.complete {
			return dst[:0]
		}
		return dst
	}
	for row, err := range d.Store.Observations().Lookup(ctx, d.scope, store.Lookup{TraceIDs: []string{d.id}, Want: store.WantAll}) {
		if err != nil {
			return err
		}
		if size += len(row.Input) + len(row.Output) + len(row.Metadata); size > maxTraceBytes {
			return traceTooLarge(size)
		}
		if err := lease.Grow(ctx, assembly.Needs(row)+assembly.NeedsContent(row)); err != nil {
			return err
		}
		assembly.Add(row)
		assembly.AddContent(row)
		if !d.complete || row.IsTraceRecord() {
			continue
		}
		if len(d.rows) > 0 {
			d.rows = append(d.rows, ',')
		}
		d.rows = flush(respond.AppendObservationOfTrace(d.rows, row, project, d.prices, flush))
	}
	if !d.complete {
		d.rows = nil
		lease.Shrink(endpoint.PieceMemory)
	}
	if assembly.Rows() > 0 {
		if err := d.Finder(d.scope).Mark(ctx, map[string]*traces.Assembly{d.id: &assembly}); err != nil {
			return err
		}
		d.trace = assembly.Summary()
		d.trace.LatencyMillis = assembly.EndedMillis()
	}
	return nil
}

func traceTooLarge(size int) error {
	return &respond.Error{
		Status: http.StatusUnprocessableEntity, Name: "PayloadTooLargeError",
		Message: fmt.Sprintf("Observations in trace are too large: %.2fMB exceeds limit of %.2fMB", float64(size)/1e6, maxTraceBytes/1e6),
	}
}

// appendRows appends the observations, reading them again if they were too large to keep.
func (d *traceDetail) appendRows(ctx context.Context, p *endpoint.StreamWriter, dst []byte) ([]byte, error) {
	if d.complete {
		return endpoint.AppendParts(dst, d.rows, p.Flush), nil
	}
	rows := d.Store.Observations().Lookup(ctx, d.scope, store.Lookup{TraceIDs: []string{d.id}, Want: observationV1Want})
	first := true
	for row, err := range withoutTraceRecords(rows) {
		if err != nil {
			return dst, err
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if dst = p.Flush(respond.AppendObservationOfTrace(dst, row, d.scope.ProjectID(), d.prices, p.Flush)); p.Failed() {
			return dst, nil
		}
	}
	return dst, nil
}

// The limit of a request that deletes several traces.
const maxDeletedTraces = 1000

// DeleteTrace deletes one trace. It succeeds even if there is none with that id.
func (h *Handlers) DeleteTrace(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if err := h.RemoveTraces(c, scope, []string{c.Path("traceId")}); err != nil {
		return nil, err
	}
	return respond.Message{Message: "Trace deleted successfully"}, nil
}

// DeleteTraces deletes the traces named in the body.
func (h *Handlers) DeleteTraces(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	ids, err := readTraceIDs(c.Body())
	if err != nil {
		return nil, err
	}
	if err := h.RemoveTraces(c, scope, ids); err != nil {
		return nil, err
	}
	return respond.Message{Message: "Traces deleted successfully"}, nil
}

func readTraceIDs(body decode.Value) ([]string, error) {
	b := body.Object()
	list := b.Field("traceIds")
	items := list.Array()
	switch {
	case list.Kind() != "array":
	case len(items) == 0:
		list.Reject(saying("At least 1 traceId is required.", decode.TooShort(list.Path(), "array", 1)))
	case len(items) > maxDeletedTraces:
		list.Reject(saying("Cannot specify more than 1000 traces in a single request.",
			decode.TooLong(list.Path(), "array", maxDeletedTraces)))
		items = nil
	}
	ids := make([]string, 0, len(items))
	for _, item := range items {
		if id := item.Text(); id != "" { // no trace has an empty id
			ids = append(ids, id)
		}
	}
	b.Strict()
	slices.Sort(ids)
	return slices.Compact(ids), b.Err()
}

// saying returns the issue with another message.
func saying(message string, issue decode.Issue) decode.Issue {
	issue.Message = message
	return issue
}

// RemoveTraces deletes traces with their observations, scores, marks and media. They can no longer be read when it
// returns.
func (h *Handlers) RemoveTraces(c *endpoint.Call, scope domain.ProjectScope, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	if err := h.Catalog.RecordDeletion(c.Context(), scope, "trace", ids, c.Actor()); err != nil {
		return err
	}
	selection := store.Selection{TraceIDs: ids}
	if _, err := h.Store.Observations().Delete(c.Context(), scope, selection); err != nil {
		return endpoint.WriteError(fmt.Errorf("cannot delete the observations of %d traces: %w", len(ids), err))
	}
	if _, err := h.Store.Scores().Delete(c.Context(), scope, selection); err != nil {
		return endpoint.WriteError(fmt.Errorf("cannot delete the scores of %d traces: %w", len(ids), err))
	}
	if err := h.Catalog.ForgetMarksOfTraces(c.Context(), scope, ids); err != nil {
		return err
	}
	return h.Media.Library.ForgetTraces(c.Context(), scope, ids)
}
