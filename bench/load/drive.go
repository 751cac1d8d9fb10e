package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// stream is a sequence of requests sent over a few connections.
type stream struct {
	connections int
	// rate is the number of requests per second. If it is 0, a connection sends the next request as soon as it has the
	// response to the last.
	rate float64
	// total is the maximum number of requests, duration the time to send them for; 0 means no limit. At least one of
	// them is set.
	total    int
	duration time.Duration
	// warmUp is how long requests are sent before they count, in addition to the duration.
	warmUp time.Duration
	// prepare makes request n before it is due, and returns the tally it is counted under. It must be safe for
	// concurrent use.
	prepare func(n int) (send func(ctx context.Context) answer, under *tally)
}

// lateness is how long after the end of a stream an overdue request may still begin. Others are counted as unsent, so
// that the stream ends even if the target cannot keep up with the rate.
const lateness = time.Second

// drive sends the requests of a stream and returns how long it took, without the warm-up.
//
// With a rate, each request has its own due time, and its latency is counted from then, whether or not a connection was
// free. If the target stalls for a second, all requests of that second are slow, not only the few that were in flight.
func (s *stream) drive(ctx context.Context) time.Duration {
	var next atomic.Int64
	var work sync.WaitGroup
	begin := time.Now().Add(s.warmUp)
	for range s.connections {
		work.Go(func() {
			for ctx.Err() == nil {
				n := int(next.Add(1) - 1)
				if s.total > 0 && n >= s.total || !s.one(ctx, n, begin) {
					return
				}
			}
		})
	}
	work.Wait()
	took := max(time.Since(begin), 0)
	if s.rate > 0 && s.total == 0 { // the pause after the last request counts as well
		took = max(took, s.duration)
	}
	return took
}

// one sends request n at its time and counts it. It returns false if the stream is over.
func (s *stream) one(ctx context.Context, n int, begin time.Time) bool {
	late := time.Duration(0)
	due := begin.Add(-s.warmUp)
	if s.rate > 0 {
		due = due.Add(time.Duration(float64(n) / s.rate * float64(time.Second)))
		if s.duration > 0 && due.Sub(begin) >= s.duration {
			return false
		}
		late = lateness
	}
	send, under := s.prepare(n)
	if s.rate > 0 {
		if !sleep(ctx, time.Until(due)) {
			return false
		}
	} else {
		due = time.Now()
	}
	if s.duration > 0 && time.Since(begin) >= s.duration+late {
		if s.rate > 0 {
			under.addUnsent()
		}
		return s.rate > 0
	}
	result := send(ctx)
	switch {
	case ctx.Err() != nil && !result.ok:
		return false // interrupted, which says nothing about the target
	case due.Before(begin):
		under.addWarmUp(result)
	default:
		under.add(result, time.Since(due))
	}
	return true
}

// sleep waits and returns false if it was interrupted.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
