package ingest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/ingest/semconv"
)

// Encoding is the encoding of an export.
type Encoding int

// The encodings.
const (
	Protobuf Encoding = iota + 1
	JSON
)

// Request is an export as a transport received it.
type Request struct {
	Transport string // metric label: http or grpc
	// Consumer is charged for the export.
	Consumer domain.Consumer
	// MayPublish says whether spans may publish their traces. Otherwise they are stored without that mark.
	MayPublish bool
	Source     semconv.Source
	Version    Version
	Encoding   Encoding
	Body       *Body
}

// Result is the outcome of an accepted export.
type Result struct {
	// Spans counts the stored spans, Rejected the unusable ones.
	Spans, Rejected int
	// WrongTimes counts the rejected spans whose start is too far from now.
	WrongTimes int
	// Message describes what was wrong with the export; empty if nothing was.
	Message string
}

// Traces stores an export of spans. If it returns no error, all usable spans are on disk and visible to every read;
// otherwise none is. Errors meant for the client are of type *Error.
func (p *Pipeline) Traces(ctx context.Context, scope domain.ProjectScope, r Request) (Result, error) {
	p.metrics.bytes.Add(float64(len(r.Body.Bytes())))
	w := p.workers.Get().(*worker) //nolint:forcetypeassert // the pool holds nothing else
	result, err := p.traces(ctx, scope, &r, w)
	spans := w.export.Spans
	w.reset()
	p.workers.Put(w) // not after a panic, when its state is unknown
	p.count(scope, &r, result, spans, err)
	return result, err
}

func (p *Pipeline) traces(ctx context.Context, scope domain.ProjectScope, r *Request, w *worker) (result Result, err error) {
	began := p.options.Clock()
	work := r.Body.work
	if work == nil {
		var err error
		if work, err = p.beginWork(ctx, scope.ProjectID(), int64(len(r.Body.Bytes()))); err != nil {
			return Result{}, err
		}
		defer work.release()
	}
	if err := p.decode(ctx, r, &work.Reservation, &w.export); err != nil {
		return Result{}, err
	}
	e := &w.export
	switch {
	case e.Refused():
		refusal := Refuse(e.RefusalMessage(), nil)
		if e.WrongTimes == e.Spans {
			refusal.Reason = wrongTime
		}
		return Result{}, refusal
	case len(e.ResourceSpans) == 0:
		return Result{}, nil // an empty export is fine, whatever its version
	}
	if err := r.Version.check(); err != nil {
		return Result{}, err
	}
	// An export is counted or refused as a whole before any of it is stored. It is not counted if it is not stored.
	taken, err := p.options.Usage.Reserve(r.Consumer, domain.Amounts{0, int64(e.Usable()), int64(len(r.Body.Bytes()))})
	if err != nil {
		return Result{}, err
	}
	defer func() {
		if err != nil {
			taken.Undo()
		}
	}()
	newest, unpublished, err := p.fill(ctx, scope, r, &work.Reservation, w, began)
	if err != nil {
		return Result{}, err
	}
	work.endTurn() // the rest waits for disks and other servers
	domain.HandDown(w.rows)
	p.keepMedia(ctx, scope, &w.files)
	p.LinkPrompts(ctx, scope, w.rows)
	prepared := p.options.Clock()
	p.metrics.prepare.Observe(prepared.Sub(began).Seconds())
	if err := p.options.Table.Append(ctx, scope, w.rows); err != nil {
		return Result{}, p.storeError(err)
	}
	p.metrics.store.Observe(p.options.Clock().Sub(prepared).Seconds())
	p.NoteEvent(newest)

	message := e.PartialMessage()
	if unpublished > 0 {
		message += fmt.Sprintf("%d span(s) were stored, but do not publish their trace: the key lacks the permission %s. ", unpublished,
			domain.TracesPublish)
	}
	return Result{Spans: e.Usable(), Rejected: e.Rejected, WrongTimes: e.WrongTimes, Message: strings.TrimSpace(message)}, nil
}

// fill maps every usable span to a row. It returns the latest start time, and how many spans would have published their
// trace without being allowed to.
func (p *Pipeline) fill(
	ctx context.Context, scope domain.ProjectScope, r *Request, work *Reservation, w *worker, now time.Time,
) (newest domain.Micros, unpublished int, err error) {
	usable := w.export.Usable()
	if err := work.Grow(ctx, int64(usable)*rowMemory); err != nil {
		return 0, 0, err
	}
	prices, err := p.options.Prices.Of(ctx, scope)
	if err != nil {
		return 0, 0, p.storeError(fmt.Errorf("cannot read the models of project %s: %w", scope.ProjectID(), err))
	}
	rows, masks := w.prepare(usable), p.options.Masks.of(scope.ProjectID())
	n := 0
	w.mapper.Begin(r.Source, domain.MicrosOf(now))
	for i := range w.export.ResourceSpans {
		resource := &w.export.ResourceSpans[i]
		w.mapper.Resource(&resource.Resource)
		for j := range resource.ScopeSpans {
			group := &resource.ScopeSpans[j]
			w.mapper.Scope(&group.Scope)
			for k := range group.Spans {
				row := &rows[n]
				n++
				if err := work.Expect(ctx, rowGrowth(&group.Spans[k])); err != nil {
					return 0, 0, err
				}
				provided := w.mapper.Span(&group.Spans[k], row)
				if row.Public && !r.MayPublish {
					row.Public = false
					unpublished++
				}
				prices.Apply(row, provided.Usage, provided.Cost)
				for m := range masks {
					masks[m].apply(row)
				}
				if p.options.Media != nil {
					if err := work.Grow(ctx, w.files.take(row)); err != nil {
						return 0, 0, err
					}
				}
				// Resource attributes are copied to every row, so rows can be much larger than the export.
				if err := work.Grow(ctx, int64(row.TextBytes())); err != nil {
					return 0, 0, err
				}
				newest = max(newest, row.StartTime)
			}
		}
	}
	return newest, unpublished, nil
}
