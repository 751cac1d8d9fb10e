package explore

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Tail follows new data: selected observations, or the traces they belong to, as they are stored.
//
// It polls the store for rows by arrival time (updatedAt), which works on every store and whichever server ingested
// them. Rows become visible some time after they arrive, since they are mapped and written first, and the clocks of
// servers differ. So each poll looks back beyond the previous one and skips the rows it has seen: by a little each
// time, and by Lateness every few seconds. A row that takes longer than that to be stored appears in lists, but not in
// the tail.
type Tail struct {
	Explorer  *Explorer
	Selection *Selection
	// OfTraces selects traces instead of observations.
	OfTraces bool
	Shown    Shown
	// Limit is the maximum number of rows that a poll returns. Further ones are only counted.
	Limit int

	polled domain.Micros // start of the last poll
	floor  domain.Micros // earlier arrivals were forgotten
	waited domain.Micros // when late rows were last looked for
	// seen holds the arrival times of rows already found, by the hash of their keys.
	seen map[uint64]domain.Micros
	most int // maximum size of seen; 0 for maxSeen
}

// Durations of a tail.
const (
	// TailHorizon is how long ago an observation may have started to appear in a tail when it arrives.
	TailHorizon = 24 * time.Hour
	// Lateness is how long after its arrival a row is still looked for.
	Lateness = 15 * time.Second
	// usualLateness covers nearly all rows, at a fraction of the cost.
	usualLateness = 2 * time.Second
	// latenessEvery is how often a poll looks back by Lateness.
	latenessEvery = 4 * time.Second
)

const (
	// maxSeen is the maximum number of rows a tail remembers. With more than that within Lateness, it no longer waits
	// for late rows.
	maxSeen = 200_000
	// seenBytes is the approximate memory of a remembered row.
	seenBytes = 40
	// maxFresh is the maximum number of new rows per poll. The next poll finds the rest.
	maxFresh = 20_000
)

// News is what arrived since the last poll, newest first.
type News struct {
	Rows   []*Row
	Traces []*TraceRow
	// Skipped is the number of further observations or traces that arrived.
	Skipped int
}

// Count returns the number of rows.
func (n *News) Count() int { return len(n.Rows) + len(n.Traces) }

// Start begins the tail now: rows that are already visible are not new.
func (t *Tail) Start(ctx context.Context, now time.Time) error {
	t.polled = domain.MicrosOf(now)
	_, err := t.arrivals(ctx, Lateness, 0)
	t.forget()
	return err
}

// Resume begins the tail at a moment in the past. Rows that arrived shortly before it may be found again.
func (t *Tail) Resume(at time.Time) { t.polled = domain.MicrosOf(at) }

// Poll returns what arrived since the last poll.
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

// arrivals returns the positions of selected rows that arrived and were not seen yet, newest first and at most the
// given number. If that is 0, all of them are marked as seen and none is returned.
func (t *Tail) arrivals(ctx context.Context, lateness time.Duration, most int) ([]store.Position, error) {
	if t.seen == nil {
		t.seen = make(map[uint64]domain.Micros)
	}
	from := max(t.floor, t.polled-domain.MicrosIn(lateness))
	arrived := filter.Must(filter.NewTime(filter.UpdatedAt(), filter.GreaterEqual, from))
	bounded := *t.Selection
	bounded.From = max(bounded.From, t.polled-domain.MicrosIn(TailHorizon))
	bounded.OfTraces = t.OfTraces
	var selected *Selection
	var err error
	if bounded.ByTrace { // their other conditions are checked when they are listed
		var p *plan
		if p, err = t.Explorer.plan(ctx, &bounded); err == nil {
			selected = p.scope
		}
	} else {
		selected, err = t.Explorer.Resolve(ctx, &bounded)
	}
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

// forget drops rows that no poll can find again. If too many remain, late rows are no longer waited for.
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

// full reports whether no more rows can be remembered.
func (t *Tail) full() bool { return len(t.seen) >= cmp.Or(t.most, maxSeen) }

// Memory returns the approximate memory that the tail takes between polls.
func (t *Tail) Memory() int64 { return int64(len(t.seen)) * seenBytes }

// observations returns rows that arrived.
func (t *Tail) observations(ctx context.Context, fresh []store.Position) (*News, error) {
	shown := fresh[:min(t.Limit, len(fresh))]
	rows, err := t.Explorer.at(ctx, shown, t.Shown.prepared())
	if err == nil && t.Shown.Scores {
		err = t.Explorer.addScores(ctx, rows, false)
	}
	return &News{Rows: rows, Skipped: len(fresh) - len(shown)}, err
}

// traces returns the traces of rows, as they are now.
func (t *Tail) traces(ctx context.Context, fresh []store.Position) (*News, error) {
	met := make(map[string]struct{})
	var ids []string
	for _, p := range fresh {
		if _, known := met[p.TraceID]; !known {
			met[p.TraceID] = struct{}{}
			ids = append(ids, p.TraceID)
		}
	}
	if t.Selection.ByTrace {
		var err error
		if ids, err = t.Explorer.within(ctx, t.Selection, ids); err != nil {
			return nil, err
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

// TailStart returns the time from which a tail that was interrupted at a given moment can be resumed. Gap reports that
// this is later than that moment, so that rows may be missing.
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
