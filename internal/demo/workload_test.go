package demo

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// aMonday is in the middle of a working day.
var aMonday = time.Date(2026, 6, 15, 14, 30, 0, 0, time.UTC)

// past returns all past traces.
func past(o Options) []*Trace {
	var all []*Trace
	for w := New(o); ; {
		t := w.Next()
		if t == nil {
			return all
		}
		all = append(all, t)
	}
}

func ids(traces []*Trace) []string {
	var list []string
	for _, t := range traces {
		list = append(list, t.ID())
	}
	slices.Sort(list)
	return list
}

func TestSameSeedGivesSameTraces(t *testing.T) {
	o := Options{Seed: 3, Traces: 60, Days: 5, Now: aMonday}
	first := past(o)
	if !bytes.Equal(new(Encoder).AppendExport(nil, first), new(Encoder).AppendExport(nil, past(o))) {
		t.Error("two workloads of the same options differ")
	}
	later := o
	later.Now = aMonday.Add(31 * time.Hour)
	if diff := cmp.Diff(ids(first), ids(past(later))); diff != "" {
		t.Errorf("another time changes the ids (-first +later):\n%s", diff)
	}
	other := o
	other.Seed++
	for _, id := range ids(past(other)) {
		if slices.Contains(ids(first), id) {
			t.Errorf("trace %s is in workloads of two seeds", id)
		}
	}
}

func TestNumberOfTraces(t *testing.T) {
	for _, want := range []int{0, 1, 2, 7, 200} {
		for seed := range uint64(5) {
			all := past(Options{Seed: seed, Traces: want, Days: 1, Now: aMonday})
			if distinct := slices.Compact(ids(all)); len(all) != want || len(distinct) != want {
				t.Errorf("seed %d: %d traces, %d of them distinct; want %d", seed, len(all), len(distinct), want)
			}
		}
	}
}

// TestTimes checks that nothing is in the future or long before the first day, that spans lie within their parents, and
// that the turns of a conversation do not overlap.
func TestTimes(t *testing.T) {
	o := Options{Seed: 4, Traces: 1000, Days: 14, Now: aMonday}
	from := o.Now.AddDate(0, 0, -o.Days).Add(-time.Hour)
	ended := make(map[string]time.Time) // by session
	newest := time.Time{}
	for _, trace := range past(o) {
		spans := make(map[[8]byte]*Span)
		root := trace.Spans[0]
		for _, s := range trace.Spans {
			if spans[s.id] != nil {
				t.Fatalf("two spans of trace %s have the id %x", trace.ID(), s.id)
			}
			spans[s.id] = s
			if s.end.Before(s.start) || s.end.After(o.Now) || s.start.Before(from) {
				t.Fatalf("span %q of trace %s is from %v to %v", s.name, trace.ID(), s.start, s.end)
			}
			if parent := spans[s.parent]; s != root && (parent == nil || s.start.Before(parent.start) || s.end.After(parent.end)) {
				t.Fatalf("span %q of trace %s is not within its parent", s.name, trace.ID())
			}
			for _, a := range s.attributes {
				if at, ok := a.value.(time.Time); ok && (at.Before(s.start) || at.After(s.end)) {
					t.Fatalf("%s of span %q is %v, which is not between %v and %v", a.key, s.name, at, s.start, s.end)
				}
			}
		}
		if trace.Session != "" {
			if root.start.Before(ended[trace.Session]) {
				t.Fatalf("a turn of session %s begins before the one before it has ended", trace.Session)
			}
			ended[trace.Session] = root.end
		}
		if root.end.After(newest) {
			newest = root.end
		}
	}
	if !newest.Equal(o.Now) {
		t.Errorf("the newest trace ended at %v, want %v", newest, o.Now)
	}
}

// TestRhythm checks that there is much more traffic during the day than at night, and less at weekends.
func TestRhythm(t *testing.T) {
	var perHour [24]int
	perDay := make(map[time.Weekday]int)
	nightly := 0
	for _, trace := range past(Options{Seed: 1, Traces: 1500, Days: 14, Now: aMonday}) {
		at := trace.Spans[0].end
		if trace.Name == digest.service.name {
			if h := at.Hour(); h < 2 || h > 4 {
				t.Errorf("the nightly job ran at %v", at)
			}
			nightly++
			continue
		}
		perHour[at.Hour()]++
		perDay[at.Weekday()]++
	}
	if nightly < 30 {
		t.Errorf("the nightly job ran %d times", nightly)
	}
	if perHour[10] < 5*perHour[3] || perHour[15] < 5*perHour[3] {
		t.Errorf("traces by hour: %v", perHour)
	}
	if 2*perDay[time.Sunday] > 3*perDay[time.Tuesday]/2 {
		t.Errorf("traces by day: %v", perDay)
	}
}

// TestTextsAreFinished checks that no placeholder is left in what is sent.
func TestTextsAreFinished(t *testing.T) {
	names := []string{
		"{order}", "{product}", "{other}", "{clothes}", "{otherclothes}", "{pack}", "{bag}", "{otherbag}", "{city}", "{name}", "{carrier}",
		"{tracking}", "{amount}", "{yesterday}", "{lastweek}", "{tomorrow}", "{soon}", "{later}", "{isodate}", "{ticket}",
	}
	for _, trace := range past(Options{Seed: 2, Traces: 400, Days: 2, Now: aMonday}) {
		for _, s := range trace.Spans {
			for _, a := range s.attributes {
				text, _ := a.value.(string)
				for _, name := range names {
					if strings.Contains(text, name) {
						t.Fatalf("%s of span %q holds %s: %s", a.key, s.name, name, text)
					}
				}
			}
		}
	}
}

func TestLive(t *testing.T) {
	w := New(Options{Seed: 6, Traces: 10, Days: 1, Now: aMonday})
	history := ids(past(Options{Seed: 6, Traces: 10, Days: 1, Now: aMonday}))
	now := aMonday
	turns := make(map[string]int) // by session
	ended := make(map[string]time.Time)
	for range 600 {
		now = now.Add(time.Second)
		trace := w.Live(now)
		root := trace.Spans[0]
		if !root.end.Equal(now) {
			t.Fatalf("a trace ends at %v, want %v", root.end, now)
		}
		if slices.Contains(history, trace.ID()) {
			t.Errorf("trace %s is one of the past", trace.ID())
		}
		if trace.Session == "" {
			continue
		}
		if root.start.Before(ended[trace.Session]) {
			t.Fatalf("a turn of session %s begins before the one before it has ended", trace.Session)
		}
		turns[trace.Session]++
		ended[trace.Session] = root.end
	}
	longest := 0
	for _, n := range turns {
		longest = max(longest, n)
	}
	if longest < 3 {
		t.Errorf("the longest live conversation has %d turns", longest)
	}
}

// TestLiveIsBounded generates traces so fast that no conversation ever continues.
func TestLiveIsBounded(t *testing.T) {
	w := New(Options{Seed: 6, Days: 1, Now: aMonday})
	first := &supportVisit{}
	for range mostOpen {
		w.open = append(w.open, waiting{first, aMonday.Add(time.Hour)})
	}
	for range 50 {
		w.Live(aMonday)
	}
	newer := 0
	for _, o := range w.open {
		if o.visit != visit(first) {
			newer++
		}
	}
	if len(w.open) != mostOpen || newer == 0 {
		t.Errorf("%d visits are open, want %d; %d of them are new", len(w.open), mostOpen, newer)
	}
}

func BenchmarkPast(b *testing.B) {
	const traces = 500
	spans := 0
	var (
		body    []byte
		encoder Encoder
	)
	for b.Loop() {
		all := past(Options{Seed: 1, Traces: traces, Days: 7, Now: aMonday})
		for _, t := range all {
			spans += len(t.Spans)
		}
		body = encoder.AppendExport(body[:0], all)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(spans), "µs/span")
	b.ReportMetric(float64(len(body))/float64(spans/b.N), "bytes/span")
}
