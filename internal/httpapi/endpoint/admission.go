package endpoint

import (
	"context"
	"time"

	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/fair"
)

// Limits bounds the work that clients can demand of the server.
type Limits struct {
	// Concurrent is the maximum number of requests that run concurrently.
	Concurrent int
	// Reads is the maximum number of them that read events concurrently; 0 for all.
	Reads int
	// Wait is how long a request waits for its turn before it fails with status 503.
	Wait time.Duration
	// Receiving is the time from a request's header to the end of its body; 0 for no limit.
	Receiving time.Duration
	// Handling is the timeout for handling one request.
	Handling time.Duration
	// Sending is the time from a request's header to the end of its response; 0 for no limit.
	Sending time.Duration
	// Traces is the maximum number of traces that one request may assemble; 0 for as many as memory allows.
	Traces int
	// Tails bounds responses that stream rows as they arrive.
	Tails TailLimits
}

// TailLimits bounds responses that stream rows as they arrive. Zero fields mean the defaults.
type TailLimits struct {
	// PerProject and PerServer are the maximum numbers of concurrent tails.
	PerProject, PerServer int
	// Longest is the maximum duration of a tail, after which clients reconnect.
	Longest time.Duration
	// Every is the polling interval for new rows, Quiet the longest time without sending anything, and Recheck the
	// interval at which the caller's credential is checked again.
	Every, Quiet, Recheck time.Duration
	// Stall is how long a client may take to receive an event. Slower clients are disconnected; nothing is buffered for
	// them.
	Stall time.Duration
}

// Admission enforces the limits on concurrency. A turn is a slot in which a request may run. Only the work between
// receiving the body and sending the response takes a turn, so slow clients cannot occupy all of them; receiving and
// sending, which take as long as the client likes, are bounded by memory alone.
//
// Turns are shared fairly between projects: while requests wait, projects are served round-robin. Event reads can
// occupy CPUs for a long time, so only a few of the requests that hold a turn read concurrently; more would slow down
// everything else.
//
// Calls to other servers take as long as those like, so a request gives its turn up meanwhile. Only a few of them run
// concurrently.
type Admission struct {
	turns, reads, calls *fair.Pool
	wait                time.Duration
}

const (
	// concurrentCalls is the maximum number of requests that call other servers concurrently, and callsOfTenant that of
	// one organization.
	concurrentCalls = 16
	callsOfTenant   = 4
)

// NewAdmission returns an Admission that enforces limits.
func NewAdmission(l Limits) *Admission {
	turns := int64(l.Concurrent)
	reads := turns
	if l.Reads > 0 {
		reads = min(int64(l.Reads), turns)
	}
	return &Admission{
		turns: fair.New(turns, fair.DefaultShare(turns)), reads: fair.New(reads, fair.DefaultShare(reads)),
		calls: fair.New(concurrentCalls, callsOfTenant), wait: l.Wait,
	}
}

// RetrySeconds is the Retry-After value of a busy server.
const RetrySeconds = 1

var errBusy = respond.Busy("The server is working on as many requests as it can. Try again shortly.", RetrySeconds)

// takeTurn waits for a turn. The caller must call endTurn.
func (ad *Admission) takeTurn(ctx context.Context, tenant string) error {
	if ad.turns.TryTake(tenant, 1, 0) {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, ad.wait)
	defer cancel()
	return waited(ctx, ad.turns.Take(limited, tenant, 1, 0))
}

func (ad *Admission) endTurn(tenant string) { ad.turns.Give(tenant, 1) }

// takeCall waits until the request may call another server. The caller must call endCall.
func (ad *Admission) takeCall(ctx context.Context, tenant string) error {
	limited, cancel := context.WithTimeout(ctx, ad.wait)
	defer cancel()
	return waited(ctx, ad.calls.Take(limited, tenant, 1, 0))
}

func (ad *Admission) endCall(tenant string) { ad.calls.Give(tenant, 1) }

// takeRead waits until the request may read events; only ctx bounds the wait. The caller must call endRead.
func (ad *Admission) takeRead(ctx context.Context, tenant string) error {
	return waited(ctx, ad.reads.Take(ctx, tenant, 1, 0))
}

func (ad *Admission) endRead(tenant string) { ad.reads.Give(tenant, 1) }

// waited maps the error of a failed wait: errBusy, unless the request itself has ended.
func waited(ctx context.Context, err error) error {
	if err != nil && ctx.Err() == nil {
		return errBusy
	}
	return err
}

// Held returns how many turns and event reads are held.
func (ad *Admission) Held() (turns, reads int64) { return ad.turns.Held(), ad.reads.Held() }
