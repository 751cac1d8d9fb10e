package ingest

import (
	"context"
	"errors"
	"time"

	"almanac/internal/domain"
	"almanac/internal/limits/usage"
	"almanac/internal/store"
)

// storeError maps an error of the store to the response for the client. Even if the store is broken, the client should
// keep its spans and retry: a restart may help, and storing them twice is harmless.
func (p *Pipeline) storeError(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, store.ErrInvalid):
		return err // our own bug
	case errors.Is(err, store.ErrDiskFull):
		p.complain("rejecting exports: the disk is full", err)
		return busy("disk_full", "The server has too little disk space left to store traces.", retryDiskFull, err)
	case errors.Is(err, store.ErrBusy), errors.Is(err, context.DeadlineExceeded):
		p.complain("rejecting exports: the store cannot keep up", err)
		return busy("busy", "The server cannot store traces as fast as they arrive. Try again shortly.", retryBusy, err)
	case errors.Is(err, store.ErrClosed):
		return busy("closing", "The server is shutting down.", retryBusy, err)
	}
	p.complain("rejecting exports: the store failed", err)
	return busy("failed", "The server cannot store traces at the moment.", retryBusy, err)
}

// complain logs a failure, at most once per interval rather than for every affected export.
func (p *Pipeline) complain(message string, err error) {
	const every = 10 * time.Second
	now, last := p.options.Clock().UnixNano(), p.lastComplaint.Load()
	if passed := now - last; (passed < 0 || passed >= int64(every)) && p.lastComplaint.CompareAndSwap(last, now) {
		p.options.Log.Error(message, "error", err) //nolint:sloglint // called with constants
	}
}

// count updates the metrics for an export that has been answered. Spans is the number of spans in it, as far as it
// could be decoded.
func (p *Pipeline) count(scope domain.ProjectScope, r *Request, result Result, spans int, err error) {
	outcome := "ok"
	var refused *Error
	var exceeded *usage.Exceeded
	switch {
	case errors.As(err, &exceeded):
		outcome = "limit"
		p.metrics.rejected.WithLabelValues("limit").Add(float64(spans))
	case errors.As(err, &refused):
		outcome = refused.Reason
		p.metrics.rejected.WithLabelValues(refused.Reason).Add(float64(spans))
	case err != nil:
		outcome = "error"
		p.metrics.rejected.WithLabelValues("error").Add(float64(spans))
	default:
		if result.Rejected > 0 {
			outcome = "partial"
			p.metrics.rejected.WithLabelValues("invalid").Add(float64(result.Rejected - result.WrongTimes))
			if result.WrongTimes > 0 {
				p.metrics.rejected.WithLabelValues(wrongTime).Add(float64(result.WrongTimes))
			}
		}
		p.metrics.spans(scope.ProjectID()).Add(float64(result.Spans))
	}
	p.metrics.requests.WithLabelValues(outcome, r.Transport).Inc()
}
