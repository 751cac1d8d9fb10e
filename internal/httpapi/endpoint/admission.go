package endpoint

import (
	"context"
	"time"

	"almanac/internal/fair"
	"almanac/internal/httpapi/respond"
)

// Limits bound what clients can make the server hold and do at once.
type Limits struct {
	// Concurrent is how many requests are worked on at once.
	Concurrent int
	// Reads is how many of them read events at once; 0 for all.
	Reads int
	// Wait is how long a request waits for its turn before it is answered 503.
	Wait time.Duration
	// Memory is how many bytes of bodies, of what is read for answers and of answers are held at once.
	Memory int64
	// Handling is how long one request may be worked on.
	Handling time.Duration
	// Sending is how long after its header a request may end being answered; 0 for as long as it takes.
	Sending time.Duration
	// Traces is how many traces one request may put together; 0 for as many as the memory allows.
	Traces int
	// Tails bound answers that show rows as they arrive.
	Tails TailLimits
}

// TailLimits bound answers that show rows as they arrive. Zero values stand for the usual ones.
type TailLimits struct {
	// PerProject and PerServer are how many there may be at once.
	PerProject, PerServer int
	// Longest is how long one may last, after which clients come back.
	Longest time.Duration
	// Every is how often new rows are looked for, Quiet how long nothing may be sent, and Recheck how often it is asked whether
	// whoever sees them still may.
	Every, Quiet, Recheck time.Duration
	// Stall is how long a client may take to receive an event. Whoever takes longer is dropped: nothing is kept for it.
	Stall time.Duration
}

// Admission keeps the limits. Receiving a body and sending an answer, which take as long as the client likes, are
// bounded by memory alone; turns are taken only by the work between them, so slow clients cannot take them all.
//
// Turns are shared by project: while some wait, projects are served one after the other. Reads of events can keep
// processors busy for long, so of those that have a turn only a few run at once; the others would only make everything
// else wait for a processor, too.
type Admission struct {
	turns, reads *fair.Pool
	wait         time.Duration
}

// NewAdmission returns an admission that keeps limits.
func NewAdmission(l Limits) *Admission {
	turns := int64(l.Concurrent)
	reads := turns
	if l.Reads > 0 {
		reads = min(int64(l.Reads), turns)
	}
	return &Admission{turns: fair.New(turns, fair.MostOf(turns)), reads: fair.New(reads, fair.MostOf(reads)), wait: l.Wait}
}

// RetrySeconds is how long clients should wait before they ask a busy server again.
const RetrySeconds = 1

var errBusy = respond.Busy("The server is working on as many requests as it can. Try again shortly.", RetrySeconds)

// takeTurn waits for a turn, which endTurn ends.
func (ad *Admission) takeTurn(ctx context.Context, party string) error {
	if ad.turns.TryTake(party, 1, 0) {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, ad.wait)
	defer cancel()
	return waited(ctx, ad.turns.Take(limited, party, 1, 0))
}

func (ad *Admission) endTurn(party string) { ad.turns.Give(party, 1) }

// takeRead waits until a read of events may run, as long as the request may take. It ends with endRead.
func (ad *Admission) takeRead(ctx context.Context, party string) error {
	return waited(ctx, ad.reads.Take(ctx, party, 1, 0))
}

func (ad *Admission) endRead(party string) { ad.reads.Give(party, 1) }

// waited returns the error of a request that waited in vain: its own, or that the server is busy.
func waited(ctx context.Context, err error) error {
	if err != nil && ctx.Err() == nil {
		return errBusy
	}
	return err
}

// Held returns how many turns and how many reads of events are under way.
func (ad *Admission) Held() (turns, reads int64) { return ad.turns.Held(), ad.reads.Held() }
