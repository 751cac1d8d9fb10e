package endpoint

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"time"

	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/memory"
)

// Events is a response of server-sent events. It holds no turn while it waits, and only the memory reserved with Keep.
type Events struct {
	ctx    context.Context //nolint:containedctx // of the one request that they answer
	call   *Call
	lease  *memory.Lease
	writer http.ResponseWriter
	stall  time.Duration
	kept   int64
	buffer []byte
	sent   time.Time
}

// ErrStopping is the cause with which the context of Events ends when the server stops.
var ErrStopping = errors.New("the server is being stopped")

// Events returns a response that run sends event by event. An error from run becomes the response if nothing has been
// sent yet; later errors end the stream, as does a client that takes longer than stall to receive an event.
func (c *Call) Events(stall time.Duration, run func(e *Events) error) respond.Stream {
	return func(w http.ResponseWriter, r *http.Request) error {
		select {
		case <-c.exchange.Stopping:
			return respond.Busy("The server is being stopped. Try again shortly.", RetrySeconds)
		default:
		}
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		go func() {
			select {
			case <-c.exchange.Stopping:
				cancel(ErrStopping)
			case <-ctx.Done():
			}
		}()
		e := &Events{ctx: ctx, call: c, lease: memory.Of(ctx), writer: w, stall: stall}
		err := run(e)
		_ = http.NewResponseController(w).SetWriteDeadline(c.exchange.SendUntil) // for the next response on this connection
		if e.sent.IsZero() {
			return err
		}
		if err != nil {
			level := slog.LevelWarn
			if ctx.Err() != nil || errors.Is(err, os.ErrDeadlineExceeded) { // the client went away or was too slow
				level = slog.LevelDebug
			}
			c.exchange.Log.Log(ctx, level, "event stream ended early", "request", c.info.ID, "error", err)
		}
		return nil
	}
}

// Context returns a context that ends when the client disconnects or, with ErrStopping as its cause, when the server
// begins to stop.
func (e *Events) Context() context.Context { return e.ctx }

// Admitted returns an error if the request's credential is no longer valid for its route.
func (e *Events) Admitted() error { return e.call.exchange.Admit() }

// Work runs work in a turn of its own, as a separate request would, and releases the memory that it reserved.
func (e *Events) Work(longest time.Duration, work func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(e.ctx, longest)
	defer cancel()
	before := e.lease.Held()
	defer func() { e.lease.Shrink(e.lease.Held() - before) }()
	t := &turn{admission: e.call.turn.admission, ctx: ctx, tenant: e.call.turn.tenant, slot: true, readSlot: true}
	if err := t.take(); err != nil {
		return err
	}
	defer t.end()
	defer e.lease.WhileWaiting(t.pause)()
	return work(ctx)
}

// Keep sets how much memory is reserved until the next call of Keep.
func (e *Events) Keep(bytes int64) error {
	if bytes < e.kept {
		e.lease.Shrink(e.kept - bytes)
	} else if err := e.lease.Grow(e.ctx, bytes-e.kept); err != nil {
		return err
	}
	e.kept = bytes
	return nil
}

// Begin sends the header of the response; from then on errors can only end it. Disconnected clients reconnect after
// retry.
func (e *Events) Begin(retry time.Duration) error {
	h := e.writer.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h["Cache-Control"] = []string{"no-store", "no-transform"} // proxies must not buffer or compress it
	h.Set("X-Accel-Buffering", "no")
	// Nothing more is read, and a read deadline would end the request.
	_ = http.NewResponseController(e.writer).SetReadDeadline(time.Time{})
	e.lease.Begin()
	e.writer.WriteHeader(http.StatusOK)
	return e.write(append(strconv.AppendInt(append(e.buffer[:0], "retry: "...), retry.Milliseconds(), 10), "\n\n"...))
}

// Send sends an event, whose data must be a single line. A client that reconnects resumes from the id; an empty id is
// omitted.
func (e *Events) Send(id, name string, data []byte) error {
	b := e.buffer[:0]
	if id != "" {
		b = append(append(append(b, "id: "...), id...), '\n')
	}
	if name != "" {
		b = append(append(append(b, "event: "...), name...), '\n')
		b = append(append(append(b, "data: "...), data...), '\n')
	}
	b = append(b, '\n')
	e.buffer = b
	return e.write(e.buffer)
}

// KeepAlive sends a keep-alive comment with the id from which a client resumes.
func (e *Events) KeepAlive(id string) error {
	return e.write(append(append(append(e.buffer[:0], ": still here\nid: "...), id...), "\n\n"...))
}

// Idle returns the time since something was last sent.
func (e *Events) Idle() time.Duration { return time.Since(e.sent) }

func (e *Events) write(b []byte) error {
	e.sent = time.Now()
	connection := http.NewResponseController(e.writer)
	_ = connection.SetWriteDeadline(e.sent.Add(e.stall)) // tests have no connection
	if _, err := e.writer.Write(b); err != nil {
		return err
	}
	return connection.Flush()
}
