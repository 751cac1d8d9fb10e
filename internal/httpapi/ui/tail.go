package ui

import (
	"context"
	"errors"
	"strconv"
	"time"
	"unicode/utf8"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/explore"
)

const (
	// longestPoll is the timeout of one poll of the store.
	longestPoll = 10 * time.Second
	// tailRetry is how long clients wait before they reconnect.
	tailRetry = 2 * time.Second
	// tailShare makes a tail pause at least this many times as long as its last poll took, so that it takes less than a
	// fifth of one CPU.
	tailShare = 5
)

type newsBody struct {
	Rows    any `json:"rows"`
	Skipped int `json:"skipped"`
}

type endBody struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// readTail reads the parameters of a tail.
func readTail(q *decode.Query) (*explore.Tail, error) {
	t := new(explore.Tail)
	t.OfTraces = q.Enum("kind", "observations", "traces") == "traces"
	t.Limit = q.Int("limit", decode.IntRule{Default: defaultRows, Min: 1, Max: maxRows})
	t.Shown.Scores = endpoint.ValueOr(q.Bool("scores"), false)
	t.Shown.MetadataKeys = readNames(q, "metadataKey", maxMetadataKeys, maxMetadataKey)
	choice := explore.Choice{
		Environments: readNames(q, "environment", maxEnvironments, maxEnvironment), Search: endpoint.ValueOr(q.String("search"), ""),
	}
	if utf8.RuneCountInString(choice.Search) > maxSearch {
		q.Add(decode.TooLong([]any{"search"}, "string", maxSearch))
		choice.Search = ""
	}
	choice.OnTraces = q.Enum("conditionsOn", "observations", "traces") == "traces"
	if text := q.String("filter"); text != nil {
		choice.Filter = []byte(*text)
	}
	var err error
	t.Selection, err = choice.Observations("filter")
	switch {
	case errors.Is(err, filter.ErrNoWords):
		q.Add(decode.Violation([]any{"search"}, "Type at least one word to search for"))
	case err != nil:
		return nil, endpoint.FilterError(err)
	default:
		t.Shown.Search = t.Selection.Search
	}
	return t, q.Err()
}

// readNames reads a repeated parameter.
func readNames(q *decode.Query, name string, most, longest int) []string {
	names := q.Values(name)
	if len(names) > most {
		q.Add(decode.TooLong([]any{name}, "array", most))
		return nil
	}
	for _, one := range names {
		if one == "" || len(one) > longest {
			q.Add(decode.TooLong([]any{name}, "string", longest))
			return nil
		}
	}
	return names
}

// Tail streams rows as they arrive. It ends after a while, and clients reconnect with the id of the last event.
func (h *Handlers) Tail(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	t, err := readTail(c.Query())
	if err != nil {
		return nil, err
	}
	t.Explorer = h.explorer(scope)
	from := time.Now()
	resumed, gap := false, false
	if id := c.Header("Last-Event-ID"); id != "" {
		micros, err := strconv.ParseInt(id, 10, 64)
		if err != nil || micros <= 0 {
			return nil, respond.InvalidRequest("The header Last-Event-ID is none of this tail")
		}
		resumed = true
		from, gap = explore.TailStart(domain.Micros(micros).Time(), from)
	}
	return c.Events(h.Tails.limits.Stall, func(e *endpoint.Events) error {
		closeIt, err := h.Tails.open(scope.ProjectID())
		if err != nil {
			return err
		}
		defer closeIt()
		if resumed {
			t.Resume(from)
		} else if err := e.Work(longestPoll, func(ctx context.Context) error { return t.Start(ctx, from) }); err != nil {
			return err
		}
		if err := e.Begin(tailRetry); err != nil {
			return err
		}
		s := &tailing{handlers: h, tail: t, events: e, limits: h.Tails.limits}
		if !resumed || gap {
			ready := "ready"
			if gap {
				ready = "gap"
			}
			if err := e.Send(idOf(from), ready, []byte("{}")); err != nil {
				return err
			}
		}
		end, err := s.run()
		if end != nil {
			err = errors.Join(err, s.send("", "end", end))
		}
		return err
	}), nil
}

// tailing is a tail being streamed.
type tailing struct {
	handlers *Handlers
	tail     *explore.Tail
	events   *endpoint.Events
	limits   endpoint.TailLimits
}

// run sends rows as they arrive until the tail ends. It returns the last event to send, or nil if the client has
// disconnected.
func (s *tailing) run() (*endBody, error) {
	over := time.NewTimer(s.limits.Longest)
	defer over.Stop()
	again := time.NewTimer(0)
	defer again.Stop()
	checked := time.Now()
	for {
		select {
		case <-s.events.Context().Done():
			return s.left()
		case <-over.C:
			return &endBody{"duration", "This has lasted as long as it may. Come back with the id of the last event."}, nil
		case <-again.C:
		}
		began := time.Now()
		if began.Sub(checked) > s.limits.Recheck {
			if s.events.Admitted() != nil {
				return &endBody{"access", "You may no longer see this."}, nil
			}
			checked = began
		}
		if err := s.poll(began); err != nil {
			if s.events.Context().Err() != nil {
				return s.left()
			}
			return &endBody{"failed", "The rows cannot be read for now. Come back with the id of the last event."}, err
		}
		again.Reset(max(s.limits.Every, tailShare*time.Since(began)))
	}
}

// left returns the reason why the context has ended.
func (s *tailing) left() (*endBody, error) {
	err := context.Cause(s.events.Context())
	if errors.Is(err, endpoint.ErrStopping) {
		return &endBody{"stopping", "The server is being stopped."}, nil
	}
	return nil, err // the client has disconnected
}

// poll sends the rows that have arrived since the last poll.
func (s *tailing) poll(now time.Time) error {
	var news *explore.News
	var traces []traceBody
	if err := s.events.Work(longestPoll, func(ctx context.Context) error {
		var err error
		if news, err = s.tail.Poll(ctx, now); err == nil {
			traces, err = s.handlers.traceBodies(ctx, s.tail.Explorer.Scope, news.Traces)
		}
		return err
	}); err != nil {
		return err
	}
	if err := s.events.Keep(s.tail.Memory()); err != nil {
		return err
	}
	if news.Count() == 0 && news.Skipped == 0 {
		if s.events.Idle() < s.limits.Quiet {
			return nil
		}
		return s.events.KeepAlive(idOf(now))
	}
	body := newsBody{Skipped: news.Skipped}
	if s.tail.OfTraces {
		body.Rows = traces
	} else {
		body.Rows = endpoint.Map(news.Rows, newRowBody)
	}
	return s.send(idOf(now), "rows", body)
}

func (s *tailing) send(id, name string, body any) error {
	data, err := respond.Marshal(body)
	if err != nil {
		return err
	}
	return s.events.Send(id, name, data)
}

// idOf returns the id of an event that covers everything up to a time.
func idOf(at time.Time) string { return strconv.FormatInt(at.UnixMicro(), 10) }
