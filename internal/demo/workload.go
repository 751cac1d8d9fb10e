package demo

import (
	"cmp"
	"slices"
	"time"
)

// Options say what to make up.
type Options struct {
	// Seed decides everything but the times: two workloads of one seed have the same traces with the same ids.
	Seed uint64
	// Traces is how many traces the past holds, Days how many days they are spread over, at least one.
	Traces, Days int
	// Now is when the past ends. Days and nights are those of its time zone.
	Now time.Time
}

// Workload makes traces. It is not safe for use by several goroutines at once.
type Workload struct {
	options Options
	texts   *texts
	// customers is how many customers the shop has.
	customers int

	planned []*plan // visits of the past, the last first
	current visit
	ends    []time.Time // of the traces of the current visit that are to come, the last first

	visits int       // so far, to number them
	open   []waiting // live visits that go on
}

// visit is somebody who uses an application for a while.
type visit interface {
	// next records the next trace, which ends at this time.
	next(end time.Time) *Trace
	// left returns how many traces are to come.
	left() int
}

// plan is a visit that was not made yet. It ends at a time and consists of at most so many traces.
type plan struct {
	number int
	end    time.Time
	most   int
	// What the visit's own chance decides first.
	kind  kind
	stage stage
}

// plan plans the next visit but for its end, and returns the chance that decides about the rest of it.
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
		if p.end = r.draw(times, p); p.number == 0 { // whoever looks shall find something that has just happened
			p.end, p.stage.renewed = o.Now, true
		}
		w.planned = append(w.planned, p)
		made += w.visit(p, c).left()
	}
	// A visit is made when its turn comes: there may be many, and each holds text.
	slices.SortFunc(w.planned, func(a, b *plan) int { return cmp.Or(b.end.Compare(a.end), cmp.Compare(b.number, a.number)) })
	return w
}

// timeNumber is the number of the chance that decides about times.
const timeNumber = 1 << 41

// kind is an application.
type kind int

const (
	supportKind kind = iota
	searchKind
	digestKind
)

// newKind decides which application a visit is to.
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

// visit makes a visit.
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

// Next returns the next trace of the past; nil if there are no more. Visits are in the order in which they end.
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
	// usualPause is how long a customer usually thinks between two turns of a conversation.
	usualPause = 40 * time.Second
	// longestTurn is longer than any turn takes, so that none begins before the one before it has ended.
	longestTurn = 75 * time.Second
	// pauseNumbers is where the numbers of the chances begin that decide about pauses.
	pauseNumbers = 1 << 42
)
