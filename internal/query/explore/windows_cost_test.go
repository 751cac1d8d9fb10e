package explore

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/traces"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// costly is a store whose reads take a fixed time each and some time for each day that they read, on a clock of its own.
type costly struct {
	store.Store
	clock       time.Time
	fixed       time.Duration
	perDay      time.Duration
	reads       int
	oldest, end domain.Micros
}

func (c *costly) Observations() store.Table[row] { return &costlyRows{c.Store.Observations(), c} }

type costlyRows struct {
	store.Table[row]
	of *costly
}

func (t *costlyRows) Scan(ctx context.Context, scope domain.ProjectScope, q store.Query[row]) iter.Seq2[*row, error] {
	c := t.of
	c.reads++
	took := c.fixed
	if len(q.Where) > 0 {
		from, to := max(q.From, c.oldest), q.To
		if to == 0 {
			to = c.end
		}
		took += time.Duration(float64(max(0, to-from)) / (24 * hour) * float64(c.perDay))
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < took-time.Second/100 { // the clock of contexts stands still
		c.clock = c.clock.Add(time.Until(deadline))
		return func(yield func(*row, error) bool) { yield(nil, context.DeadlineExceeded) }
	}
	c.clock = c.clock.Add(took)
	return t.Table.Scan(ctx, scope, q)
}

// TestSearchesTakeFewRequests searches a month for words that are nowhere, or almost nowhere, in stores where a read has
// a cost that does not depend on what it reads: windows must grow, so that the number of requests stays small.
func TestSearchesTakeFewRequests(t *testing.T) {
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	const days = 30
	oldest := domain.Micros(1_790_000_000_000_000)
	var rows []domain.Observation
	for n := range days * 24 {
		rows = append(rows, domain.Observation{
			TraceID: fmt.Sprint("t", n), ID: "root", StartTime: oldest + domain.Micros(n)*hour, Input: "two words apart",
		})
	}
	rows[5].Input = "these two stand together"
	if err := s.Observations().Append(t.Context(), scope, rows); err != nil {
		t.Fatal(err)
	}
	const ms = time.Millisecond
	for _, c := range []struct {
		name          string
		fixed, perDay time.Duration
		most          int
	}{
		{"a read costs nothing", 0, 0, 1},
		{"a read costs as much as a page may take", 100 * ms, 0, 3},
		{"a read costs more than a page may take", 190 * ms, 0, 3},
		{"a read costs much more than a page may take", 900 * ms, ms, 4},
		{"a read costs little, a day much", 2 * ms, 50 * ms, 40},
		{"both cost much", 150 * ms, 20 * ms, 20},
	} {
		for _, words := range []string{"nowhere", "stand together"} {
			selection := &Selection{Where: []condition{filter.Must(filter.Search(words))}}
			slow := &costly{Store: s, clock: time.Unix(0, 0), fixed: c.fixed, perDay: c.perDay, oldest: oldest, end: oldest + days*24*hour}
			e := &Explorer{
				Store: slow, Scope: scope, Traces: &traces.Finder{Store: slow, Scope: scope}, now: func() time.Time { return slow.clock },
			}
			found, requests := 0, 0
			for after := (*Cursor)(nil); requests < 300; {
				page, next, err := e.Observations(t.Context(), selection, Order{}, after, 50, Shown{})
				if err != nil {
					t.Fatal(err)
				}
				requests++
				found += len(page)
				if after = next; next == nil {
					break
				}
			}
			if want := map[string]int{"nowhere": 0, "stand together": 1}[words]; found != want || requests > c.most {
				t.Errorf("%s: observations with %q: %d found in %d requests and %d reads, at most %d requests are allowed",
					c.name, words, found, requests, slow.reads, c.most)
			}
			found, requests = 0, 0
			slow.reads = 0
			for after := (*TracePlace)(nil); requests < 300; {
				page, next, err := e.TraceRows(t.Context(), selection, Order{}, after, 50, Shown{})
				if err != nil {
					t.Fatal(err)
				}
				requests++
				found += len(page)
				if after = next; next == nil {
					break
				}
			}
			if want := map[string]int{"nowhere": 0, "stand together": 1}[words]; found != want || requests > c.most {
				t.Errorf("%s: traces with %q: %d found in %d requests and %d reads, at most %d requests are allowed",
					c.name, words, found, requests, slow.reads, c.most)
			}
		}
	}
}
