package explore

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// Tail finds what arrives: selected observations, or the traces that these belong to, as they are stored.
//
// It asks the store again and again for rows by when they arrived (updatedAt), which works on every store and whichever server took
// them in. Rows become visible some time after that moment, since they are mapped and written first, and clocks of servers differ. So
// each poll looks back further than the one before it, and what was seen already is remembered: a little each time, and Lateness now and
// then. A row that takes longer to be stored than that is in the lists, but not in the tail.
type Tail struct {
	Explorer  *Explorer
	Selection *Selection
	// OfTraces says that traces are wanted, and not observations.
	OfTraces bool
	Shown    Shown
	// Limit is how many rows a poll returns. Further ones are only counted.
	Limit int

	polled domain.Micros // when the last poll began
	floor  domain.Micros // what arrived before was forgotten
	waited domain.Micros // when late rows were looked for last
	// seen is when the rows arrived that were found, by the hashes of their keys.
	seen map[uint64]domain.Micros
	most int // of them; 0 for maxSeen
}

// The times of a tail.
const (
	// TailHorizon is how long ago an observation may have started to be in a tail when it arrives.
	TailHorizon = 24 * time.Hour
	// Lateness is how long after it arrived a row is still looked for.
	Lateness = 15 * time.Second
	// usualLateness covers nearly all rows, at a fraction of the cost.
	usualLateness = 2 * time.Second
	// latenessEvery is how often all of Lateness is looked at.
	latenessEvery = 4 * time.Second
)

const (
	// maxSeen is how many rows a tail remembers. A tail of more than that in Lateness no longer waits for late ones.
	maxSeen = 200_000
	// seenBytes is what a row takes that is remembered, about.
	seenBytes = 40
	// maxFresh is how many new rows a poll looks at. The next one finds those that are left.
	maxFresh = 20_000
)

// News is what arrived since the last poll, newest first.
type News struct {
	Rows   []*Row
	Traces []*TraceRow
	// Skipped is how many more observations or traces arrived.
	Skipped int
}

// Count returns how many rows there are.
func (n *News) Count() int { return len(n.Rows) + len(n.Traces) }

// Start begins the tail now: what is visible already is not new.
func (t *Tail) Start(ctx context.Context, now time.Time) error {
	t.polled = domain.MicrosOf(now)
	_, err := t.arrivals(ctx, Lateness, 0)
	t.forget()
	return err
}

// Resume begins the tail at a moment in the past. What arrived shortly before it may be found again.
func (t *Tail) Resume(at time.Time) { t.polled = domain.MicrosOf(at) }

// Poll returns what arrived.
func (t *Tail) Poll(ctx context.Context, now time.Time) (*News, error) {
	lateness := usualLateness
	if domain.MicrosOf(now)-t.waited >= domain.MicrosIn(latenessEvery) {
		lateness = Lateness
		t.waited = domain.MicrosOf(now)
	}
	fresh, err := t.arrivals(ctx, lateness, maxFresh)
	if err != nil {
		return nil, err
	}
	t.polled = domain.MicrosOf(now)
	if lateness == Lateness || t.full() {
		t.forget()
	}
	if t.OfTraces {
		return t.traces(ctx, fresh)
	}
	return t.observations(ctx, fresh)
}

// arrivals returns where the selected rows are that arrived and were not seen yet, newest first and at most so many. If that is 0, all of
// them are only remembered.
func (t *Tail) arrivals(ctx context.Context, lateness time.Duration, most int) ([]store.Position, error) {
	if t.seen == nil {
		t.seen = make(map[uint64]domain.Micros)
	}
	from := max(t.floor, t.polled-domain.MicrosIn(lateness))
	arrived := filter.Must(filter.NewTime(filter.UpdatedAt(), filter.GreaterEqual, from))
	bounded := *t.Selection
	bounded.From = max(bounded.From, t.polled-domain.MicrosIn(TailHorizon))
	bounded.OfTraces = t.OfTraces
	selected, err := t.Explorer.Resolve(ctx, &bounded)
	if err != nil {
		return nil, err
	}
	query := store.Query[row]{From: selected.From, To: selected.To, Where: append(selected.conditions(), arrived)}
	held := memory.NewTally(ctx)
	var fresh []store.Position
	for o, err := range t.Explorer.Store.Observations().Scan(ctx, t.Explorer.Scope, query) {
		if err != nil {
			return nil, err
		}
		key := xxhash.Sum64String(o.TraceID) ^ 0x9e3779b97f4a7c15*xxhash.Sum64String(o.ID)
		if at, ok := t.seen[key]; ok && at == o.UpdatedAt || o.UpdatedAt < from {
			continue
		}
		if t.full() || most > 0 && len(fresh) == most {
			break
		}
		t.seen[key] = o.UpdatedAt
		if most == 0 {
			continue
		}
		position := store.Position{Millis: o.StartTime.Millis(), TraceID: strings.Clone(o.TraceID), ID: strings.Clone(o.ID)}
		if err := held.Add(int64(len(position.TraceID)+len(position.ID)) + 100); err != nil {
			return nil, err
		}
		fresh = append(fresh, position)
	}
	return fresh, nil
}

// forget drops what no poll can find again. If there is too much of the rest, late rows are no longer waited for.
func (t *Tail) forget() {
	oldest := t.polled - domain.MicrosIn(Lateness)
	if t.full() {
		oldest = t.polled - domain.MicrosIn(usualLateness)
	}
	t.floor = max(t.floor, oldest)
	for key, at := range t.seen {
		if at < t.floor {
			delete(t.seen, key)
		}
	}
}

// full reports whether nothing more can be remembered.
func (t *Tail) full() bool { return len(t.seen) >= cmp.Or(t.most, maxSeen) }

// Memory returns how much memory the tail takes between polls, about.
func (t *Tail) Memory() int64 { return int64(len(t.seen)) * seenBytes }

// observations returns rows that arrived.
func (t *Tail) observations(ctx context.Context, fresh []store.Position) (*News, error) {
	shown := fresh[:min(t.Limit, len(fresh))]
	rows, err := t.Explorer.at(ctx, shown, &t.Shown)
	if err == nil && t.Shown.Scores {
		err = t.Explorer.addScores(ctx, rows, false)
	}
	return &News{Rows: rows, Skipped: len(fresh) - len(shown)}, err
}

// traces returns the traces that rows belong to, as they are now.
func (t *Tail) traces(ctx context.Context, fresh []store.Position) (*News, error) {
	met := make(map[string]struct{})
	var ids []string
	for _, p := range fresh {
		if _, known := met[p.TraceID]; !known {
			met[p.TraceID] = struct{}{}
			ids = append(ids, p.TraceID)
		}
	}
	if len(ids) == 0 {
		return &News{}, nil
	}
	shown := ids[:min(t.Limit, len(ids))]
	these, err := named(columnOf("traceId"), shown)
	if err != nil {
		return nil, err
	}
	rows, _, err := t.Explorer.TraceRows(ctx, &Selection{Where: []condition{these}}, Order{}, nil, len(shown), t.Shown)
	return &News{Traces: rows, Skipped: len(ids) - len(shown)}, err
}

// TailStart returns from when on a tail can be resumed that was interrupted at a moment, and whether that is later: then something may
// be missing.
func TailStart(at, now time.Time) (from time.Time, gap bool) {
	const longest = 5 * time.Minute
	switch {
	case at.After(now):
		return now, false
	case now.Sub(at) > longest:
		return now.Add(-longest), true
	}
	return at, false
}
