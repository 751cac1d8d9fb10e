package explore

import (
	"context"
	"errors"
	"slices"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// When long texts must be read to find rows, the time it takes is unpredictable: two frequent words may be adjacent in
// many rows, or in none. Such selections are searched in time windows, newest first, so that there is something to show
// when time runs out.

const hour = 60 * 60 * 1_000_000

// inWindows calls visit with the selection or, if reading its rows may take long, with one time window of it after the
// other, newest first. It reports whether time ran out before everything was visited.
func (e *Explorer) inWindows(ctx context.Context, s *Selection, visit func(context.Context, *Selection) error) (partial bool, err error) {
	return e.withTimeLimit(ctx, func(ctx context.Context) error {
		if !s.readsTexts() {
			return visit(ctx, s)
		}
		newest, err := e.newestStart(ctx, s)
		if err != nil || newest == 0 {
			return err
		}
		end := newest
		for size := domain.Micros(hour); ; size *= 4 {
			part, last := s.before(end, size)
			if err := visit(ctx, part); err != nil || last {
				return err
			}
			end = part.From
		}
	})
}

// before returns the part of a selection that ends at end and has the given length. It reports whether nothing precedes
// that part.
func (s *Selection) before(end, size domain.Micros) (part *Selection, last bool) {
	const longest = 365 * 24 * hour
	rest := *s
	rest.To, rest.From = end, (end-size)/1000*1000 // rows are ordered by milliseconds
	if size > longest || rest.From <= s.From || rest.From <= 0 {
		rest.From = s.From
		return &rest, true
	}
	return &rest, false
}

// readsTexts reports whether long texts must be read to find the selected rows.
func (s *Selection) readsTexts() bool { return readsTexts(s.conditions()) }

func readsTexts(where []condition) bool {
	for _, c := range where {
		if isLong(c.Column()) || slices.ContainsFunc(c.Column().From(), isLong) {
			return true
		}
	}
	return false
}

func isLong(c *column) bool { return c.Kind() == filter.LongText || c.Kind() == filter.Metadata }

// newestStart returns the end of the millisecond in which the newest row in the time range of a selection started, but not
// one after the range, or 0 if there is none.
func (e *Explorer) newestStart(ctx context.Context, s *Selection) (domain.Micros, error) {
	for o, err := range e.Store.Observations().Scan(ctx, e.Scope, store.Query[row]{From: s.From, To: s.To, Limit: 1}) {
		if err != nil {
			return 0, err
		}
		end := (o.StartTime/1000 + 1) * 1000 // rows are ordered by milliseconds
		if s.To != 0 {
			end = min(end, s.To)
		}
		return end, nil
	}
	return 0, nil
}

// Searched is how far an incremental search has got.
type Searched struct {
	// Window is the length of the next time window.
	Window domain.Micros `json:",omitempty"`
	// Cost is what reads have cost so far.
	Cost readCost `json:",omitzero"`
	// Unfinished means that the page ends here because the search took long, not because it is full.
	Unfinished bool `json:",omitempty"`
}

// readCost estimates what a read costs whatever the length of its time window, from the last two reads.
type readCost struct {
	Size  domain.Micros // length of the last window
	Took  time.Duration // time it took
	Fixed time.Duration // estimate
}

// add takes another read into account. If a longer window did not take longer, the length was not what cost time.
func (c *readCost) add(size domain.Micros, took time.Duration) {
	if size == c.Size {
		c.Fixed = min(c.Fixed, took)
	} else {
		each := float64(took-c.Took) / float64(size-c.Size)
		c.Fixed = min(took, c.Took, max(0, took-time.Duration(each*float64(size))))
	}
	c.Size, c.Took = size, took
}

const (
	// firstWindow is the length of the first time window.
	firstWindow = 5 * 60 * 1_000_000
	// listShare is the approximate fraction of the box that a page may take: one in listShare.
	listShare = 20
	// smaller is the factor by which a time window shrinks that took far too long.
	smaller = 32
	// fixedShare is the number of reads whose fixed cost a page may pay in addition to its time.
	fixedShare = 4
	// maxFixed is the longest fixed cost of a read that is taken into account.
	maxFixed = 30 * time.Second
)

// startSearch returns the end of the newest time window before end, or 0 if there is nothing to search. It reads almost
// nothing, which is a first measurement of the fixed cost of a read.
func (e *Explorer) startSearch(ctx context.Context, s *Selection, end domain.Micros, searched *Searched) (domain.Micros, error) {
	began := e.clock()
	part := *s
	part.To = end
	newest, err := e.newestStart(ctx, &part)
	took := e.clock().Sub(began)
	searched.Cost = readCost{Took: took, Fixed: took}
	return newest, err
}

// searchBack calls visit with one time window of a selection after the other, going back from end, until visit reports
// that it has enough or the time for a page is up. It returns the time back to which it searched, or 0 if visit had
// enough or nothing is left. A window that takes far too long is abandoned and visited again in smaller windows.
//
// On some stores a read takes longer than a page may, whatever it reads. Windows grow and shrink by the time spent
// beyond that, or they would never grow there.
func (e *Explorer) searchBack(
	ctx context.Context, s *Selection, end domain.Micros, searched *Searched,
	visit func(context.Context, *Selection) (enough bool, err error),
) (reached domain.Micros, err error) {
	listBox, size := e.timeLimit()/listShare, searched.Window
	if size <= 0 {
		size = firstWindow
	}
	cost := &searched.Cost
	cost.Fixed = min(max(cost.Fixed, 0), maxFixed) // it comes from a client
	defer func() { searched.Window = size }()
	began := e.clock()
	for some := false; ; {
		part, last := s.before(end, size)
		long := listBox + fixedShare*cost.Fixed
		box := time.Hour
		if size > 1000 {
			box = max(min(2*long, e.timeLimit()), 2*cost.Fixed)
		}
		limited, cancel := context.WithTimeout(ctx, box)
		start := e.clock()
		enough, err := visit(limited, part)
		cancel()
		took := e.clock().Sub(start)
		if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			cost.add(size, took)
			if size = max(1000, size/smaller); some {
				return end, nil
			}
			continue
		}
		if err != nil || enough || last {
			return 0, err
		}
		some, end = true, part.From
		cost.add(size, took)
		long = listBox + fixedShare*cost.Fixed
		switch took -= cost.Fixed; {
		case took < long/16:
			size *= 16
		case took < long/4:
			size *= 4
		case took < long*3/4:
			size *= 2
		case took > long:
			size = max(1000, size/2)
		}
		if e.clock().Sub(began) > min(listBox/2+fixedShare*cost.Fixed, e.timeLimit()/2) {
			return end, nil
		}
	}
}

// clock returns the current time.
func (e *Explorer) clock() time.Time {
	if e.now != nil {
		return e.now()
	}
	return time.Now()
}
