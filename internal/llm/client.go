package llm

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"almanac/internal/access/redact"
	"almanac/internal/limits/fair"
	"almanac/internal/netguard"
)

// The times that a call may take.
const (
	DefaultTimeout = 120 * time.Second
	MaxTimeout     = 10 * time.Minute
)

// NoRetries in place of a number of retries means none.
const NoRetries = -1

// Options are the options of a client. Zero values stand for the usual ones.
type Options struct {
	Guard         netguard.Guard
	Calls         int           // in progress at once, in the whole server: 64. One project has three quarters of them at most
	PerConnection int           // in progress at once with one connection: 16
	PerMinute     int           // that begin in a minute with one connection: 600
	Retries       int           // after the first attempt: 2
	MaxWait       time.Duration // the longest that is waited between attempts: 30 seconds

	// Sleep, for tests, waits in place of the clock.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Client calls models. It is safe for concurrent use.
type Client struct {
	options Options
	http    *netguard.Client
	turns   *fair.Pool // one for each call in progress, shared fairly between projects
	lanes   *lanes
	learned *memory
	tokens  *tokens
}

// New returns a client.
func New(o Options) *Client {
	o.Calls, o.PerConnection, o.PerMinute = cmp.Or(o.Calls, 64), cmp.Or(o.PerConnection, 16), cmp.Or(o.PerMinute, 600)
	o.Retries, o.MaxWait = max(0, cmp.Or(o.Retries, 2)), cmp.Or(o.MaxWait, 30*time.Second)
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	size := int64(o.Calls)
	return &Client{
		options: o, http: o.Guard.Client(netguard.Model), turns: fair.New(size, fair.DefaultShare(size)),
		lanes: newLanes(o.PerConnection, o.PerMinute), learned: newMemory(), tokens: newTokens(),
	}
}

// Close closes the connections that are not in use.
func (c *Client) Close() { c.http.CloseIdleConnections() }

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Complete calls a model and waits for its answer. The result is never nil: with an error, it has what had arrived. The
// error is always an *Error.
func (c *Client) Complete(ctx context.Context, conn Connection, req Request) (*Result, error) {
	return c.call(ctx, conn, req, nil)
}

// Stream calls a model and hands each piece of its answer to a function as it arrives. An error of the function ends the
// call, and is returned as it is.
func (c *Client) Stream(ctx context.Context, conn Connection, req Request, handle func(Event) error) (*Result, error) {
	return c.call(ctx, conn, req, handle)
}

// call is one call of a model, with everything that its attempts share.
type call struct {
	client  *Client
	conn    Connection
	req     Request
	handle  func(Event) error // nil for an answer in one piece
	service *service
	started time.Time
	result  *Result
	known   knowledge // about the model
	dropped map[string]bool
	secrets redact.Secrets
	rung    Rung
	asked   []Message // those of the next attempt
	said    bool      // something was handed to the caller since the last restart
}

func (c *Client) call(ctx context.Context, conn Connection, req Request, handle func(Event) error) (*Result, error) {
	started := time.Now()
	result := &Result{}
	timeout := min(cmp.Or(max(req.Timeout, 0), DefaultTimeout), MaxTimeout)
	limited, cancel := context.WithTimeoutCause(ctx, timeout, errTimeout)
	defer cancel()
	k := &call{
		client: c, conn: conn, req: req, handle: handle, started: started, result: result, dropped: make(map[string]bool),
		secrets: conn.Secrets(),
	}
	err := k.run(limited)
	result.Duration = time.Since(started)
	var stopped *handlerError
	switch {
	case err == nil:
		return result, nil
	case errors.As(err, &stopped):
		return result, stopped.err
	}
	return result, k.explained(ctx, err)
}

// run prepares the call and climbs down the ladder, if it is of a structured answer.
func (k *call) run(ctx context.Context) error {
	var err error
	for _, name := range slices.Sorted(maps.Keys(k.req.Params.Extra)) {
		if IsReserved(name) {
			return misconfigured(ReservedMessage(name))
		}
	}
	if k.service, err = serviceOf(k.conn, k.req); err != nil {
		return err
	}
	if k.req.Messages, err = normalize(k.req, k.service); err != nil {
		return err
	}
	k.asked, k.known = k.req.Messages, k.client.learned.of(k.conn.Key, k.req.Model)
	if k.req.Schema != nil {
		return k.structured(ctx)
	}
	return k.attempts(ctx)
}

// explained returns the error of a call as one for people.
func (k *call) explained(ctx context.Context, err error) *Error {
	known, ok := errors.AsType[*Error](err)
	if !ok {
		known = &Error{Kind: Internal, Message: "The call failed: " + err.Error(), cause: err}
	}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		known = &Error{Kind: Canceled, Message: "The call was canceled.", cause: context.Canceled}
	case known.Kind == Canceled:
		known = &Error{Kind: Timeout, Message: k.timedOut(), cause: context.DeadlineExceeded}
	}
	own := *known // some errors are shared by all calls
	own.Message = k.secrets.From(own.Message)
	return &own
}

// attempts makes attempts until one succeeds, fails for good, or there were enough of them.
func (k *call) attempts(ctx context.Context) error {
	var drops int
	for retries := 0; ; {
		err := k.turn(ctx)
		failed, ok := errors.AsType[*Error](err)
		if !ok || k.said && k.handle != nil {
			return err
		}
		if failed.Kind == InvalidRequest && drops < maxDrops && k.drop(failed) {
			drops++
			continue
		}
		wait := backoff(retries)
		if failed.RetryAfter > 0 {
			wait = failed.RetryAfter + time.Duration(rand.Int64N(int64(time.Second))) //nolint:gosec // so that not all come back at once
		}
		options := k.client.options
		if !failed.again || k.req.Once || retries >= options.Retries || failed.RetryAfter > options.MaxWait || !k.hasTime(ctx, wait) {
			return err
		}
		retries++
		k.result.Waited += wait
		if err := options.Sleep(ctx, wait); err != nil {
			return &Error{Kind: Canceled, Message: "The call ended while it waited to be tried again.", cause: err}
		}
	}
}

// hasTime reports whether there is time for another attempt after a wait.
func (k *call) hasTime(ctx context.Context, wait time.Duration) bool {
	end, limited := ctx.Deadline()
	return !limited || time.Until(end) > wait
}

// backoff returns how long to wait before an attempt is repeated: about half a second, then twice as long each time.
func backoff(retries int) time.Duration {
	wait := 500 * time.Millisecond << min(retries, 6)
	return wait/2 + time.Duration(rand.Int64N(int64(wait))) //nolint:gosec // so that not all come back at once
}

// turn makes an attempt when it is this call's turn.
func (k *call) turn(ctx context.Context) error {
	asked := time.Now()
	leave, err := k.client.enter(ctx, k.conn)
	k.result.Waited += time.Since(asked)
	if err != nil {
		return err
	}
	defer leave()
	return k.attempt(ctx)
}

// enter waits for a turn with the connection and with the server.
func (c *Client) enter(ctx context.Context, conn Connection) (leave func(), err error) {
	lane := conn.lane()
	if err := c.lanes.enter(ctx, lane, c.options.Sleep); err != nil {
		return nil, err
	}
	if err := c.turns.Take(ctx, conn.Project, 1, 0); err != nil {
		c.lanes.leave(lane)
		if errors.Is(err, fair.ErrCrowded) {
			return nil, &Error{
				Kind: Busy, Status: http.StatusServiceUnavailable,
				Message: "Too many calls of models wait in this project. Try again when some have ended.", cause: err,
			}
		}
		return nil, &Error{Kind: Canceled, Message: "The call ended while it waited for its turn.", cause: err}
	}
	return func() {
		c.turns.Give(conn.Project, 1)
		c.lanes.leave(lane)
	}, nil
}
