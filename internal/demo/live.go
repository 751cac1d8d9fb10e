package demo

import (
	"slices"
	"time"
)

// waiting is a live visit that can continue from a given time.
type waiting struct {
	visit visit
	from  time.Time
}

// mostOpen is the maximum number of open visits. Beyond that, new visits replace the oldest, whose customers left
// without a word.
const mostOpen = 1000

// Live returns a trace that ends now, of an open visit or of a new one. Times must not go back.
func (w *Workload) Live(now time.Time) *Trace {
	ready := slices.IndexFunc(w.open, func(o waiting) bool { return !o.from.After(now) })
	var v visit
	if ready >= 0 {
		v = w.open[ready].visit
		w.open = slices.Delete(w.open, ready, ready+1)
	} else {
		p, c := w.plan(w.visits, mostTurns)
		w.visits++
		p.end, p.stage.renewed = now, true // the old version is no longer in use
		v = w.visit(p, c)
	}
	trace := v.next(now)
	if v.left() > 0 {
		if len(w.open) == mostOpen {
			w.open = slices.Delete(w.open, 0, 1)
		}
		w.open = append(w.open, waiting{v, now.Add(longestTurn)})
	}
	return trace
}
