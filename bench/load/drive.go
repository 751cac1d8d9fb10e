package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// stream is a number of requests, sent over a few connections.
type stream struct {
	connections int
	// rate is how many requests are due in a second. If it is 0, a connection sends the next one as soon as the last one was
	// answered.
	rate float64
	// total is how many requests there are at most, and duration how long they are sent; 0 for no such bound. At least one
	// of them is set.
	total    int
	duration time.Duration
	// warmUp is how long requests are sent before they count, on top of the duration.
	warmUp time.Duration
	// prepare makes request n, before it is due, and says what it is counted under. Several goroutines call it.
	prepare func(n int) (send func(ctx context.Context) answer, under *tally)
}

// lateness is how long after the end of a stream a request may begin that was due before. Others are counted as unsent: if
// the target cannot keep up with a rate, the stream still ends.
const lateness = time.Second

// drive sends the requests of a stream and returns how long it took, without the warm-up.
//
// With a rate, each request is due at a time of its own, and how long it takes is counted from then, whether or not there
// was a connection to send it over. A target that stops for a second thus has slow answers for all requests of that
// second, and not only for those few that were under way.
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
	if s.rate > 0 && s.total == 0 { // behind the last request, there is the pause before the next
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
		return false // it was interrupted, which says nothing about the target
	case due.Before(begin):
		under.addWarmUp(result)
	default:
		under.add(result, time.Since(due))
	}
	return true
}

// sleep waits, and returns false if it was interrupted.
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
