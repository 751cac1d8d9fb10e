package httpapi

import (
	"context"
	"sync/atomic"
	"time"

	"almanac/internal/httpapi/respond"
)

// Limits bound what clients can make the server hold and do at once.
type Limits struct {
	// Concurrent is how many requests are worked on at once.
	Concurrent int
	// Wait is how long a request waits for its turn before it is answered 503.
	Wait time.Duration
	// Memory is how many bytes of bodies and answers are held at once.
	Memory int64
	// Handling is how long one request may be worked on.
	Handling time.Duration
}

// admission keeps the limits. Receiving a body and sending an answer, which take as long as the client likes, are
// bounded by memory alone; turns are taken only by the work between them, so slow clients cannot take them all.
type admission struct {
	turns chan struct{}
	wait  time.Duration
	free  atomic.Int64
}

func newAdmission(l Limits) *admission {
	ad := &admission{turns: make(chan struct{}, l.Concurrent), wait: l.Wait}
	ad.free.Store(l.Memory)
	return ad
}

const retrySeconds = 1

var (
	errBusy   = respond.Busy("The server is working on as many requests as it can. Try again shortly.", retrySeconds)
	errMemory = respond.Busy("The server is holding as much data of requests as it can. Try again shortly.", retrySeconds)
)

// takeTurn waits for a turn and returns what ends it.
func (ad *admission) takeTurn(ctx context.Context) (end func(), err error) {
	end = func() { <-ad.turns }
	select {
	case ad.turns <- struct{}{}:
		return end, nil
	default:
	}
	timer := time.NewTimer(ad.wait)
	defer timer.Stop()
	select {
	case ad.turns <- struct{}{}:
		return end, nil
	case <-timer.C:
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// reserve sets bytes aside, or says that there are too few.
func (ad *admission) reserve(bytes int) bool {
	if ad.free.Add(-int64(bytes)) < 0 {
		ad.giveBack(bytes)
		return false
	}
	return true
}

func (ad *admission) giveBack(bytes int) { ad.free.Add(int64(bytes)) }
