package demo

import (
	"cmp"
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

// Workload generates traces. It is not safe for concurrent use.
type Workload struct {
	options Options
	texts   *texts
	// customers is the number of customers of the shop.
	customers int

	planned []*plan // past visits, last first
	current visit
	ends    []time.Time // end times of the remaining traces of the current visit, last first

	visits int       // number of visits so far
	open   []waiting // live visits to be continued
}

// visit is one use of an application by somebody, for a while.
type visit interface {
	// next records the next trace, which ends at the given time.
	next(end time.Time) *Trace
	// left returns the number of remaining traces.
	left() int
}

// plan is a planned visit. It ends at a given time and has at most a given number of traces.
type plan struct {
	number int
	end    time.Time
	most   int
	// The first decisions of the visit's own chance.
	kind  kind
	stage stage
}

// plan plans a visit except for its end, and returns the chance for the rest of it.
func (w *Workload) plan(number, most int) (*plan, chance) {
	c := newChance(w.options.Seed, uint64(number)) //nolint:gosec // not negative
	return &plan{number: number, most: most, kind: newKind(c), stage: newStage(c)}, c
}

// New plans a workload.
func New(o Options) *Workload {
	w := &Workload{options: o, texts: readTexts(), customers: max(12, o.Traces/6)}
	r := newRhythm(o.Now.AddDate(0, 0, -o.Days), o.Now)
	times := newChance(o.Seed, timeNumber)
	for made := 0; made < o.Traces; w.visits++ {
		p, c := w.plan(w.visits, o.Traces-made)
		if p.end = r.draw(times, p); p.number == 0 { // make sure that something has just happened
			p.end, p.stage.renewed = o.Now, true
		}
		w.planned = append(w.planned, p)
		made += w.visit(p, c).left()
	}
	// Visits are created when they are needed: there may be many, and each holds text.
	slices.SortFunc(w.planned, func(a, b *plan) int { return cmp.Or(b.end.Compare(a.end), cmp.Compare(b.number, a.number)) })
	return w
}

// timeNumber is the chance number for times.
const timeNumber = 1 << 41

// kind is an application.
type kind int

const (
	supportKind kind = iota
	searchKind
	digestKind
)

// newKind randomly chooses the application of a visit.
func newKind(c chance) kind {
	switch dice := c.Float64(); {
	case dice < 0.45:
		return supportKind
	case dice < 0.9:
		return searchKind
	default:
		return digestKind
	}
}

// visit creates a planned visit.
func (w *Workload) visit(p *plan, c chance) visit {
	switch p.kind {
	case supportKind:
		return w.newSupportVisit(c, p)
	case searchKind:
		return w.newSearchVisit(c, p)
	default:
		return w.newDigestVisit(c, p)
	}
}

// Next returns the next past trace; nil if there are no more. Visits are in order of their end.
func (w *Workload) Next() *Trace {
	if w.current == nil || w.current.left() == 0 {
		last := len(w.planned) - 1
		if last < 0 {
			return nil
		}
		p := w.planned[last]
		w.planned = w.planned[:last]
		_, c := w.plan(p.number, p.most)
		w.current = w.visit(p, c)
		w.ends = w.ends[:0]
		pauses := newChance(w.options.Seed, pauseNumbers+uint64(p.number)) //nolint:gosec // not negative
		for at := p.end; len(w.ends) < w.current.left(); at = at.Add(-pauses.takes(usualPause) - longestTurn) {
			w.ends = append(w.ends, at)
		}
	}
	last := len(w.ends) - 1
	end := w.ends[last]
	w.ends = w.ends[:last]
	return w.current.next(end)
}

const (
	// usualPause is the usual pause of a customer between two turns of a conversation.
	usualPause = 40 * time.Second
	// longestTurn is longer than any turn, so that no turn begins before the previous one has ended.
	longestTurn = 75 * time.Second
	// pauseNumbers is the first chance number for pauses.
	pauseNumbers = 1 << 42
)
