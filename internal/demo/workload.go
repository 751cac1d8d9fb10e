package demo

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Options configure a workload.
type Options struct {
	// Seed determines everything but the times: two workloads with the same seed have the same traces with the same ids.
	Seed uint64
	// Traces is the number of past traces, and Days the number of days they are spread over, at least one.
	Traces, Days int
	// Now is the end of the past. Days and nights are those of its time zone.
	Now time.Time
}

// Workload plays back the recording. It is not safe for concurrent use.
type Workload struct {
	options Options
	visits  []*visit // the recording
	deck    []*visit // visits that have not been played since the deck was shuffled
	shuffle chance
	// customers is the number of customers of the shop.
	customers int

	planned []*play // past plays, last first
	played  int     // number of plays so far
	open    []*play // live plays to be continued
}

// play is one playing of a visit.
type play struct {
	number int
	visit  *visit
	left   []recordedTrace
	end    time.Time // of the visit; of a live one, when it can continue

	// Set when it begins.
	chance chance
	facts  map[string]string
	ends   []time.Time // of its traces, last first
}

const (
	// usualPause is the usual pause of a customer between two turns of a conversation.
	usualPause = 40 * time.Second
	// longestTurn is longer than any turn, so that no turn begins before the previous one has ended.
	longestTurn = 75 * time.Second
	// maxOpen is the maximum number of open visits. Beyond that, new visits replace the oldest, whose customers left
	// without a word.
	maxOpen = 1000
)

// New plans a workload.
func New(o Options) *Workload {
	w := &Workload{options: o, visits: recorded(), customers: max(12, o.Traces/6), shuffle: newChance(o.Seed, deckNumber)}
	r := newRhythm(o.Now.AddDate(0, 0, -o.Days), o.Now)
	times := newChance(o.Seed, timeNumber)
	for made := 0; made < o.Traces; {
		p := w.newPlay(w.played == 0)
		if p.end = r.draw(times, p.visit); p.number == 0 { // make sure that something has just happened
			p.end = o.Now
		}
		p.left = p.left[:min(len(p.left), o.Traces-made)]
		made += len(p.left)
		w.planned = append(w.planned, p)
	}
	slices.SortFunc(w.planned, func(a, b *play) int { return cmp.Or(b.end.Compare(a.end), cmp.Compare(b.number, a.number)) })
	return w
}

// newPlay takes a random visit from the deck, of the new version if it has to be.
func (w *Workload) newPlay(renewed bool) *play {
	fits := func(v *visit) bool { return v.Renewed || !renewed }
	next := slices.IndexFunc(w.deck, fits)
	if next < 0 {
		w.deck = slices.Clone(w.visits)
		w.shuffle.Shuffle(len(w.deck), func(i, j int) { w.deck[i], w.deck[j] = w.deck[j], w.deck[i] })
		next = slices.IndexFunc(w.deck, fits)
	}
	v := w.deck[next]
	w.deck = slices.Delete(w.deck, next, next+1)
	w.played++
	return &play{number: w.played - 1, visit: v, left: v.Traces}
}

// begin draws what is the same throughout a play.
func (w *Workload) begin(p *play) {
	p.chance = newChance(w.options.Seed, uint64(p.number)) //nolint:gosec // not negative
	p.facts = w.newFacts(p.chance, p.visit)
}

// next returns the next trace of a play, which ends at the given time.
func (p *play) next(end time.Time) *Trace {
	from := p.left[0]
	p.left = p.left[1:]
	setDates(p.facts, end)
	id := fmt.Sprintf("%016x%016x", p.chance.Uint64()|1, p.chance.Uint64()) // an id must not be all zeros
	p.facts["trace"] = id
	v := &values{facts: p.facts, end: end, pace: 0.7 + p.chance.Float64()}
	for range from.Kinds {
		v.spans = append(v.spans, fmt.Sprintf("%016x", p.chance.Uint64()|1))
	}
	t := &Trace{
		ID: id, Name: p.visit.Name, User: v.in(p.visit.User), Session: v.in(p.visit.Session),
		Kinds: from.Kinds, Failed: from.Failed, resourceSpans: v.in(string(from.ResourceSpans)),
	}
	for _, s := range from.Scores {
		t.scores = append(t.scores, v.in(string(s)))
	}
	return t
}

// Next returns the next past trace; nil if there are no more. Visits are in order of their end.
func (w *Workload) Next() *Trace {
	last := len(w.planned) - 1
	if last < 0 {
		return nil
	}
	p := w.planned[last]
	if p.facts == nil {
		w.begin(p)
		pauses := newChance(w.options.Seed, pauseNumbers+uint64(p.number)) //nolint:gosec // not negative
		for at := p.end; len(p.ends) < len(p.left); {
			p.ends = append(p.ends, at)
			at = at.Add(-time.Duration((0.5+0.5*min(pauses.ExpFloat64(), 9))*float64(usualPause)) - longestTurn)
		}
	}
	trace := p.next(p.ends[len(p.left)-1])
	if len(p.left) == 0 {
		w.planned = w.planned[:last]
	}
	return trace
}

// Live returns a trace that ends now, of an open visit or of a new one. Times must not go back.
func (w *Workload) Live(now time.Time) *Trace {
	var p *play
	if ready := slices.IndexFunc(w.open, func(o *play) bool { return !o.end.After(now) }); ready >= 0 {
		p = w.open[ready]
		w.open = slices.Delete(w.open, ready, ready+1)
	} else {
		p = w.newPlay(true) // the old version is no longer in use
		w.begin(p)
	}
	trace := p.next(now)
	if len(p.left) > 0 {
		if len(w.open) == maxOpen {
			w.open = slices.Delete(w.open, 0, 1)
		}
		p.end = now.Add(longestTurn)
		w.open = append(w.open, p)
	}
	return trace
}
