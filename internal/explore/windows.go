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

// Where long texts have to be read to find rows, nobody knows how long that takes: two frequent words may stand side by side in many rows, or in
// none. Such selections are looked at in parts of their time, the newest first, so that there is something to show when time is over.

const hour = 60 * 60 * 1_000_000

// inWindows calls a function with the selection, or with one part of its time after the other, the newest first, if looking at its rows may
// take long. It reports whether time ran out before all was done.
func (e *Explorer) inWindows(ctx context.Context, s *Selection, visit func(context.Context, *Selection) error) (partial bool, err error) {
	return e.boxed(ctx, func(ctx context.Context) error {
		if !s.readsTexts() {
			return visit(ctx, s)
		}
		newest, err := e.newestStart(ctx, s)
		if err != nil || newest == 0 {
			return err
		}
		end := newest + 1
		for size := domain.Micros(hour); ; size *= 4 {
			part, last := s.before(end, size)
			if err := visit(ctx, part); err != nil || last {
				return err
			}
			end = part.From
		}
	})
}

// before returns the part of a selection that ends at a time and is so long. It reports whether nothing is before it.
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

// readsTexts reports whether long texts are read to find the selected rows.
func (s *Selection) readsTexts() bool {
	for _, c := range s.conditions() {
		if isLong(c.Column()) || slices.ContainsFunc(c.Column().From(), isLong) {
			return true
		}
	}
	return false
}

func isLong(c *column) bool { return c.Kind() == filter.LongText || c.Kind() == filter.Metadata }

// newestStart returns when the newest row in the time range of a selection started; 0 if there is none.
func (e *Explorer) newestStart(ctx context.Context, s *Selection) (domain.Micros, error) {
	for o, err := range e.Store.Observations().Scan(ctx, e.Scope, store.Query[row]{From: s.From, To: s.To, Limit: 1}) {
		if err != nil {
			return 0, err
		}
		return (o.StartTime/1000 + 1) * 1000, nil // rows are ordered by milliseconds
	}
	return 0, nil
}

// Searched is how far a list has looked that does not look at everything at once.
type Searched struct {
	// Window is how much of the time is looked at next.
	Window domain.Micros `json:",omitempty"`
	// Unfinished says that the page ends here because it took long, not because it is full.
	Unfinished bool `json:",omitempty"`
}

const (
	// firstWindow is how much of the time is looked at first.
	firstWindow = 5 * 60 * 1_000_000
	// listShare is the part of the box in which a page is searched for, about.
	listShare = 20
	// smaller is how much smaller a part of the time becomes that took far too long.
	smaller = 32
)

// searchBack calls a function with one part of the time of a selection after the other, the newest first and from a time on, until it says that
// it has enough, or that took as long as a page may take. It returns up to where it looked; 0 if there is nothing more. A part that
// takes far too long is left, and visited again in smaller parts.
func (e *Explorer) searchBack(
	ctx context.Context, s *Selection, end domain.Micros, searched *Searched, visit func(context.Context, *Selection) (enough bool, err error),
) (reached domain.Micros, err error) {
	now := e.now
	if now == nil {
		now = time.Now
	}
	listBox, size := e.box()/listShare, searched.Window
	if size <= 0 {
		size = firstWindow
	}
	defer func() { searched.Window = size }()
	began := now()
	for some := false; ; {
		part, last := s.before(end, size)
		box := time.Hour
		if size > 1000 {
			box = 2 * listBox
		}
		limited, cancel := context.WithTimeout(ctx, box)
		start := now()
		enough, err := visit(limited, part)
		cancel()
		if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			if size = max(1000, size/smaller); some {
				return end, nil
			}
			continue
		}
		if err != nil || enough || last {
			return 0, err
		}
		some, end = true, part.From
		switch took := now().Sub(start); {
		case took < listBox/4:
			size *= 4
		case took < listBox*3/4:
			size *= 2
		case took > listBox:
			size = max(1000, size/2)
		}
		if now().Sub(began) > listBox/2 {
			return end, nil
		}
	}
}
