package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
	"almanac/internal/ingest/pricing"
	"almanac/internal/ingest/semconv"
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
		list = append(list, t.ID)
	}
	slices.Sort(list)
	return list
}

// spansOf returns the spans of a trace as a server decodes them.
func spansOf(t testing.TB, trace *Trace) []otlp.Span {
	t.Helper()
	var export otlp.Export
	if err := export.DecodeJSON(Export([]*Trace{trace}), otlp.DefaultLimits()); err != nil || export.Rejected != 0 ||
		len(export.Problems) != 0 {
		t.Fatalf("%d spans are rejected: %q, %v", export.Rejected, export.Problems, err)
	}
	spans := export.ResourceSpans[0].ScopeSpans[0].Spans
	if len(spans) != len(trace.Kinds) {
		t.Fatalf("trace %s has %d spans and %d kinds", trace.ID, len(spans), len(trace.Kinds))
	}
	return spans
}

func endOf(t testing.TB, trace *Trace) time.Time {
	t.Helper()
	return time.Unix(0, spansOf(t, trace)[0].End.Value).UTC()
}

func TestSameSeedGivesSameTraces(t *testing.T) {
	o := Options{Seed: 3, Traces: 60, Days: 5, Now: aMonday}
	first := past(o)
	if !bytes.Equal(Export(first), Export(past(o))) {
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

// TestNumberOfTraces includes more traces than there are in the recording.
func TestNumberOfTraces(t *testing.T) {
	for _, want := range []int{0, 1, 2, 7, 200, 1700} {
		for seed := range uint64(3) {
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
	from := o.Now.AddDate(0, 0, -o.Days).Add(-time.Hour).UnixNano()
	ended := make(map[string]int64) // by session
	newest := int64(0)
	for _, trace := range past(o) {
		spans := make(map[string]otlp.Span)
		all := spansOf(t, trace)
		root := all[0]
		for n, s := range all {
			if _, twice := spans[s.SpanID]; twice || s.TraceID != trace.ID {
				t.Fatalf("two spans of trace %s have the id %s, or one has the trace id %s", trace.ID, s.SpanID, s.TraceID)
			}
			spans[s.SpanID] = s
			if s.End.Value < s.Start.Value || s.End.Value > o.Now.UnixNano() || s.Start.Value < from {
				t.Fatalf("span %q of trace %s is from %v to %v", s.Name, trace.ID, s.Start, s.End)
			}
			if parent, ok := spans[s.ParentID]; n > 0 && (!ok || s.Start.Value < parent.Start.Value || s.End.Value > parent.End.Value) {
				t.Fatalf("span %q of trace %s is not within its parent", s.Name, trace.ID)
			}
		}
		if trace.Session != "" {
			if root.Start.Value < ended[trace.Session] {
				t.Fatalf("a turn of session %s begins before the one before it has ended", trace.Session)
			}
			ended[trace.Session] = root.End.Value
		}
		newest = max(newest, root.End.Value)
	}
	if newest != o.Now.UnixNano() {
		t.Errorf("the newest trace ended at %v, want %v", time.Unix(0, newest), o.Now)
	}
}

// TestRhythm checks that there is much more traffic during the day than at night, and less at weekends.
func TestRhythm(t *testing.T) {
	var perHour [24]int
	perDay := make(map[time.Weekday]int)
	jobs := 0
	for _, trace := range past(Options{Seed: 1, Traces: 1500, Days: 14, Now: aMonday}) {
		at := endOf(t, trace)
		if trace.Name == nightly {
			if h := at.Hour(); h < 2 || h > 4 {
				t.Errorf("the nightly job ran at %v", at)
			}
			jobs++
			continue
		}
		perHour[at.Hour()]++
		perDay[at.Weekday()]++
	}
	if jobs < 30 {
		t.Errorf("the nightly job ran %d times", jobs)
	}
	if perHour[10] < 5*perHour[3] || perHour[15] < 5*perHour[3] {
		t.Errorf("traces by hour: %v", perHour)
	}
	if 2*perDay[time.Sunday] > 3*perDay[time.Tuesday]/2 {
		t.Errorf("traces by day: %v", perDay)
	}
}

// TestRecordingIsComplete checks that every placeholder in the recording has a value, and that its longest trace leaves
// room for the next one.
func TestRecordingIsComplete(t *testing.T) {
	w := New(Options{Seed: 1, Days: 1, Now: aMonday})
	for range w.visits {
		p := w.newPlay(false)
		w.begin(p)
		for len(p.left) > 0 {
			recorded := p.left[0]
			trace := p.next(aMonday)
			v := &values{facts: p.facts, spans: recorded.Kinds, end: aMonday, pace: 2}
			for _, text := range append([]string{string(recorded.ResourceSpans), p.visit.User, p.visit.Session},
				asText(recorded.Scores)...) {
				for _, part := range strings.Split(text, "${")[1:] {
					name, _, ok := strings.Cut(part, "}")
					if !ok || v.get(name) == "" {
						t.Fatalf("a trace of %s has the unknown placeholder %.20q", trace.Name, part)
					}
				}
			}
			if root := spansOf(t, trace)[0]; time.Duration(root.End.Value-root.Start.Value) > longestTurn {
				t.Errorf("trace %s of %s lasts longer than a turn", trace.ID, trace.Name)
			}
		}
	}
}

func asText(list []json.RawMessage) []string {
	texts := make([]string, len(list))
	for n, raw := range list {
		texts[n] = string(raw)
	}
	return texts
}

// TestRepeatedVisitsDiffer checks that the same visit has another customer, other facts and other durations when it is
// played again.
func TestRepeatedVisitsDiffer(t *testing.T) {
	w := New(Options{Seed: 1, Traces: 5000, Days: 1, Now: aMonday})
	users, orders, durations := make(map[string]bool), make(map[string]bool), make(map[int64]bool)
	w.visits = w.visits[slices.IndexFunc(w.visits, func(v *visit) bool { return v.Name == "support-chat" && v.Renewed }):][:1]
	w.deck = nil
	const plays = 40
	for range plays {
		p := w.newPlay(true)
		w.begin(p)
		root := spansOf(t, p.next(aMonday))[0]
		users[p.facts["user"]], orders[p.facts["order"]], durations[root.End.Value-root.Start.Value] = true, true, true
	}
	if len(users) < plays/2 || len(orders) < plays-1 || len(durations) < plays-1 {
		t.Errorf("%d plays have %d users, %d orders and %d durations", plays, len(users), len(orders), len(durations))
	}
}

func TestLive(t *testing.T) {
	w := New(Options{Seed: 6, Traces: 10, Days: 1, Now: aMonday})
	history := ids(past(Options{Seed: 6, Traces: 10, Days: 1, Now: aMonday}))
	now := aMonday
	turns := make(map[string]int) // by session
	ended := make(map[string]int64)
	for range 600 {
		now = now.Add(time.Second)
		trace := w.Live(now)
		root := spansOf(t, trace)[0]
		if root.End.Value != now.UnixNano() {
			t.Fatalf("a trace ends at %v, want %v", root.End, now)
		}
		if slices.Contains(history, trace.ID) {
			t.Errorf("trace %s is one of the past", trace.ID)
		}
		if trace.Session == "" {
			continue
		}
		if root.Start.Value < ended[trace.Session] {
			t.Fatalf("a turn of session %s begins before the one before it has ended", trace.Session)
		}
		turns[trace.Session]++
		ended[trace.Session] = root.End.Value
	}
	if longest := slices.Max(slices.Collect(maps.Values(turns))); longest < 3 {
		t.Errorf("the longest live conversation has %d turns", longest)
	}
}

// TestLiveIsBounded plays visits so fast that no conversation ever continues.
func TestLiveIsBounded(t *testing.T) {
	w := New(Options{Seed: 6, Days: 1, Now: aMonday})
	first := &play{end: aMonday.Add(time.Hour)}
	for range maxOpen {
		w.open = append(w.open, first)
	}
	for range 50 {
		w.Live(aMonday)
	}
	if len(w.open) != maxOpen || w.open[maxOpen-1] == first {
		t.Errorf("%d visits are open, want %d with new ones at the end", len(w.open), maxOpen)
	}
}

func TestScores(t *testing.T) {
	o := Options{Seed: 4, Traces: 200, Days: 3, Now: aMonday}
	traces := past(o)
	spans := make(map[string]bool)
	for _, trace := range traces {
		for _, s := range spansOf(t, trace) {
			spans[trace.ID+s.SpanID] = true
		}
	}
	var batch struct {
		Batch []struct {
			ID, Type  string
			Timestamp time.Time
			Body      struct {
				ID, TraceID, ObservationID, Name, DataType, Environment string
				Value                                                   any
			}
		}
	}
	if err := json.Unmarshal(Batch(Scores(traces)), &batch); err != nil {
		t.Fatal(err)
	}
	seen, kinds := make(map[string]bool), make(map[string]bool)
	for _, e := range batch.Batch {
		s := e.Body
		if seen[s.ID] || e.ID != "event-"+s.ID || s.ID != s.TraceID+"-"+s.Name || e.Type != "score-create" || e.Timestamp.After(aMonday) ||
			s.Environment == "" || s.ObservationID != "" && !spans[s.TraceID+s.ObservationID] {
			t.Errorf("%+v", e)
		}
		seen[s.ID] = true
		kinds[s.Name+" "+s.DataType] = true
		switch v := s.Value.(type) {
		case float64:
			if v < 0 || v > 1 || s.DataType == "CATEGORICAL" {
				t.Errorf("value %v of %s", v, s.Name)
			}
		case string:
			if s.DataType != "CATEGORICAL" || !slices.Contains([]string{"friendly", "neutral", "curt"}, v) {
				t.Errorf("value %s of %s", v, s.Name)
			}
		default:
			t.Errorf("value %v", v)
		}
	}
	if diff := cmp.Diff(map[string]bool{"faithfulness NUMERIC": true, "tone CATEGORICAL": true, "helpful BOOLEAN": true},
		kinds); diff != "" {
		t.Errorf("kinds of scores (-want +got): %s", diff)
	}
}

// TestObservations checks how the server maps a workload of typical size: everything worth showing must occur.
func TestObservations(t *testing.T) {
	traces := past(Options{Seed: 1, Traces: 200, Days: 7, Now: aMonday})
	var export otlp.Export
	if err := export.DecodeJSON(Export(traces), otlp.DefaultLimits()); err != nil {
		t.Fatal(err)
	}
	if export.Rejected != 0 || len(export.Problems) != 0 {
		t.Fatalf("%d spans are rejected: %q", export.Rejected, export.Problems)
	}
	prices, err := pricing.Default()
	if err != nil {
		t.Fatal(err)
	}
	seen := make(seen)
	var mapper semconv.Mapper
	mapper.Begin(semconv.Source{}, domain.MicrosOf(aMonday))
	for i := range export.ResourceSpans {
		group := &export.ResourceSpans[i]
		mapper.Resource(&group.Resource)
		mapper.Scope(&group.ScopeSpans[0].Scope)
		for j := range group.ScopeSpans[0].Spans {
			row := new(domain.Observation)
			provided := mapper.Span(&group.ScopeSpans[0].Spans[j], row)
			prices.Apply(row, provided.Usage, provided.Cost)
			if want := strings.ToUpper(traces[i].Kinds[j]); row.Type != want {
				t.Fatalf("%q is of type %s, want %s", row.Name, row.Type, want)
			}
			if row.Model != "" && row.Level != "ERROR" && row.TotalCost.Value == 0 {
				t.Fatalf("a call of %s costs nothing: %s", row.Model, row.Usage)
			}
			seen.row(t, row)
		}
	}
	for what, want := range map[string][]string{
		"type":        {"AGENT", "CHAIN", "EMBEDDING", "EVALUATOR", "EVENT", "GENERATION", "GUARDRAIL", "RETRIEVER", "SPAN", "TOOL"},
		"level":       {"DEBUG", "DEFAULT", "ERROR", "WARNING"},
		"environment": {"development", "production", "staging"},
		"trace name":  {"handbook-search", "review-digest", "support-chat"},
		"model": {
			"claude-sonnet-4-5", "claude-sonnet-4-6", "gemini-2.5-flash", "gpt-4.1-mini", "gpt-4o-mini", "gpt-5-mini",
			"llama-3.3-70b-instruct",
			"text-embedding-3-small",
		},
		"prompt":        {"handbook-answer", "judge-faithfulness", "review-summary", "support-answer", "support-router"},
		"metadata type": {"bool", "list", "null", "number", "text"},
		"usage":         {"input", "input_cached_tokens", "output", "output_reasoning_tokens", "total"},
	} {
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(seen[what]))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	for what, least := range map[string]int{
		"user": 20, "session": 40, "tag": 12, "version": 6, "release": 2, "completion start": 50, "tool call": 5, "tool definition": 8,
		"nested metadata": 3,
		"root":            200, "public": 1, "parameters": 5, "provided cost": 1, "status message": 5,
	} {
		if got := len(seen[what]); got < least {
			t.Errorf("%d different values of %s, want at least %d: %v", got, what, least, slices.Sorted(maps.Keys(seen[what])))
		}
	}
}

// seen holds the values in rows by field.
type seen map[string]map[string]bool

func (s seen) add(what, value string) {
	if value == "" {
		return
	}
	if s[what] == nil {
		s[what] = make(map[string]bool)
	}
	s[what][strings.Clone(value)] = true
}

func (s seen) row(t *testing.T, o *domain.Observation) {
	t.Helper()
	for what, value := range map[string]string{
		"type": o.Type, "level": o.Level, "environment": o.Environment, "trace name": o.TraceName, "model": o.Model, "prompt": o.PromptName,
		"user": o.UserID, "session": o.SessionID, "version": o.Version, "release": o.Release, "parameters": o.ModelParameters,
		"status message": o.StatusMessage,
	} {
		s.add(what, value)
	}
	for _, tag := range o.Tags {
		s.add("tag", tag)
	}
	for _, name := range o.ToolCallNames {
		s.add("tool call", name)
	}
	for _, name := range o.ToolNames {
		s.add("tool definition", name)
	}
	for what, holds := range map[string]bool{
		"completion start": o.CompletionStartTime > 0, "root": o.ParentID == "" && o.IsAppRoot, "public": o.Public,
		"provided cost": o.ProvidedCost != "",
	} {
		if holds {
			s.add(what, o.ID)
		}
	}
	var usage, metadata map[string]any
	if o.Usage != "" {
		if err := json.Unmarshal([]byte(o.Usage), &usage); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal([]byte(o.Metadata), &metadata); err != nil {
		t.Fatal(err)
	}
	for name := range usage {
		s.add("usage", name)
	}
	for name, value := range metadata {
		s.add("metadata type", map[string]string{
			"<nil>": "null", "bool": "bool", "float64": "number", "string": "text", "[]interface {}": "list",
		}[fmt.Sprintf("%T", value)])
		if strings.HasPrefix(name, "customer.") {
			s.add("nested metadata", name)
		}
	}
}

func BenchmarkPast(b *testing.B) {
	spans, size := 0, 0
	for b.Loop() {
		all := past(Options{Seed: 1, Traces: 500, Days: 7, Now: aMonday})
		for _, t := range all {
			spans += len(t.Kinds)
		}
		size += len(Export(all))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(spans), "µs/span")
	b.ReportMetric(float64(size)/float64(spans), "bytes/span")
}
