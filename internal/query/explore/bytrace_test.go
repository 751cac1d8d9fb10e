package explore_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/query/explore"
	"almanac/internal/store"
	"almanac/internal/store/clickhouse"
	"almanac/internal/store/segment"
	"almanac/test/chtest"
)

// TestTracesAsAWhole compares lists, counts, histograms and facets of traces by conditions on whole traces, and those of
// observations by combined conditions, with what a plain reading of the conditions selects. Rows arrive late, are replaced
// and deleted.
func TestTracesAsAWhole(t *testing.T) {
	t.Run("segment", func(t *testing.T) {
		s, err := segment.Open(t.TempDir(), segment.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		compareWholeTraces(t, s, s, 150)
	})
	t.Run("ClickHouse", func(t *testing.T) {
		address, err := clickhouse.ParseAddress(chtest.Start(t).StoreAddress("explore"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := clickhouse.Open(t.Context(), address, clickhouse.Options{Pause: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		compareWholeTraces(t, s, nil, 5)
	})
}

func compareWholeTraces(t *testing.T, s store.Store, moving *segment.Store, rounds int) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	w := newWorld(t, s, moving, seed)
	for range rounds {
		w.change()
		for range 4 {
			w.compareByTrace()
			w.compareCombined()
		}
		if t.Failed() {
			return
		}
	}
}

// model is a condition in plain form: what a client sends, and what it means.
type model struct {
	sent  map[string]any
	trace func(*domain.TraceSummary, []row) bool
	row   func(*row) bool
}

func sent(typ, column, operator string, value any) map[string]any {
	return map[string]any{"type": typ, "column": column, "operator": operator, "value": value}
}

// someRow returns whether one of the rows meets a condition.
func someRow(met func(*row) bool) func(*domain.TraceSummary, []row) bool {
	return func(_ *domain.TraceSummary, rows []row) bool {
		return slices.ContainsFunc(rows, func(r row) bool { return met(&r) })
	}
}

// leaf draws a condition. Texts may be read only outside of groups.
func (w *world) leaf() model {
	option := func(column, value string, get func(*row) string) model {
		is := func(r *row) bool { return get(r) == value }
		if w.chance(30) {
			not := func(r *row) bool { return !is(r) }
			none := func(t *domain.TraceSummary, rows []row) bool { return !someRow(is)(t, rows) }
			return model{sent("stringOptions", column, "none of", []string{value}), none, not}
		}
		return model{sent("stringOptions", column, "any of", []string{value}), someRow(is), is}
	}
	figure := func(column string, ofTrace func(*domain.TraceSummary) float64, ofRow func(*row) (float64, bool)) model {
		bound := float64(w.rng.IntN(4)) / pick(w, 1., 10)
		more := w.chance(50)
		meets := func(value float64) bool { return more && value > bound || !more && value <= bound }
		m := model{sent: sent("number", column, map[bool]string{true: ">", false: "<="}[more], bound)}
		m.trace = func(t *domain.TraceSummary, _ []row) bool { return meets(ofTrace(t)) }
		m.row = func(r *row) bool {
			value, ok := ofRow(r)
			return ok && meets(value)
		}
		return m
	}
	never := func(*row) (float64, bool) { panic("no observation has this") }
	switch w.rng.IntN(15) {
	case 0:
		return option("level", pick(w, "ERROR", "WARNING"), func(r *row) string { return r.Level })
	case 1:
		return option("model", pick(w, "m1", "m2"), func(r *row) string { return r.Model })
	case 2:
		m := figure("totalCost", func(t *domain.TraceSummary) float64 { return t.TotalCost },
			func(r *row) (float64, bool) { return r.TotalCost.Value, r.TotalCost.Set })
		meets := m.trace
		m.trace = func(t *domain.TraceSummary, rows []row) bool {
			return meets(t, rows) && slices.ContainsFunc(rows, func(r row) bool { return r.TotalCost.Set })
		}
		return m
	case 3:
		return figure("totalTokens", func(t *domain.TraceSummary) float64 { return float64(t.TotalTokens) },
			func(r *row) (float64, bool) { return float64(r.TotalTokens.Value), r.TotalTokens.Set })
	case 4:
		return figure("latency", func(t *domain.TraceSummary) float64 { return float64(t.LatencyMillis) / 1000 },
			func(r *row) (float64, bool) {
				return float64(r.EndTime.Millis()-r.StartTime.Millis()) / 1000, r.EndTime != 0
			})
	case 5:
		return figure("errorCount", func(t *domain.TraceSummary) float64 { return float64(t.ErrorCount) }, never)
	case 6:
		return figure("observationCount", func(t *domain.TraceSummary) float64 {
			return float64(t.ErrorCount + t.WarningCount + t.DefaultCount + t.DebugCount)
		}, never)
	case 7:
		value, none := pick(w, "u1", "u2"), w.chance(30)
		operator := map[bool]string{true: "none of", false: "any of"}[none]
		return model{
			sent("stringOptions", "userId", operator, []string{value}),
			func(t *domain.TraceSummary, _ []row) bool { return (t.UserID == value) != none },
			func(r *row) bool { return (r.UserID == value) != none },
		}
	case 8:
		tags, none := []string{pick(w, "x", "y", "by hand")}, w.chance(30)
		operator := map[bool]string{true: "none of", false: "any of"}[none]
		return model{
			sent("arrayOptions", "tags", operator, tags),
			func(t *domain.TraceSummary, _ []row) bool { return slices.Contains(t.Tags, tags[0]) != none },
			func(r *row) bool {
				return slices.Contains(w.tagsOf(r), tags[0]) != none
			},
		}
	case 9:
		value := pick(w, "a", "b", "c")
		is := func(r *row) bool { return r.Name == value }
		return model{
			sent("stringOptions", "name", "any of", []string{value}),
			func(t *domain.TraceSummary, rows []row) bool { return t.Name == value || someRow(is)(t, rows) }, is,
		}
	case 10:
		is := func(r *row) bool { return r.PromptName != "" }
		none := w.chance(50)
		return model{
			sent("null", "promptName", map[bool]string{true: "is null", false: "is not null"}[none], nil),
			func(t *domain.TraceSummary, rows []row) bool { return someRow(is)(t, rows) != none },
			func(r *row) bool { return is(r) != none },
		}
	}
	flag := func(column string, of func(*domain.TraceSummary) bool) model {
		value, not := w.chance(50), w.chance(30)
		operator := map[bool]string{true: "<>", false: "="}[not]
		return model{sent("boolean", column, operator, value), func(t *domain.TraceSummary, _ []row) bool { return (of(t) == value) != not }, nil}
	}
	switch w.rng.IntN(4) {
	case 0:
		return flag("bookmarked", func(t *domain.TraceSummary) bool { return t.Bookmarked })
	case 1:
		return flag("public", func(t *domain.TraceSummary) bool { return t.Public })
	case 2:
		if w.chance(30) {
			none := w.chance(50)
			return model{
				sent("null", "commentCount", map[bool]string{true: "is null", false: "is not null"}[none], nil),
				func(t *domain.TraceSummary, _ []row) bool { return (w.comments[t.ID] == 0) == none }, nil,
			}
		}
		return figure("commentCount", func(t *domain.TraceSummary) float64 { return float64(w.comments[t.ID]) }, never)
	}
	is := func(r *row) bool { return r.Input == "a word" }
	return model{sent("string", "input", "matches", "word"), nil, is}
}

// reads reports whether texts must be read for a condition.
func (m *model) reads() bool { return m.sent["column"] == "input" }

// onlyTraces reports whether only traces can have a condition.
func (m *model) onlyTraces() bool {
	column := fmt.Sprint(m.sent["column"])
	return explore.TraceFigure(column) || slices.Contains([]string{"bookmarked", "public", "commentCount"}, column)
}

// draw draws conditions that are combined.
func (w *world) draw(depth int, onTraces bool) model {
	if depth == 0 || w.chance(40) {
		for {
			if m := w.leaf(); !m.reads() && (onTraces || !m.onlyTraces()) {
				return m
			}
		}
	}
	op := pick(w, "all", "any", "not", "has")
	var inner []model
	for range 1 + w.rng.IntN(3) {
		inner = append(inner, w.draw(depth-1, onTraces && op != "has"))
	}
	return combined(op, inner)
}

func combined(op string, inner []model) model {
	var list []map[string]any
	for _, m := range inner {
		list = append(list, m.sent)
	}
	all := func(r *row) bool { return !slices.ContainsFunc(inner, func(m model) bool { return !m.row(r) }) }
	allOf := func(t *domain.TraceSummary, rows []row) bool {
		return !slices.ContainsFunc(inner, func(m model) bool { return !m.trace(t, rows) })
	}
	m := model{map[string]any{"type": op, "conditions": list}, allOf, all}
	switch op {
	case "any":
		m.row = func(r *row) bool { return slices.ContainsFunc(inner, func(m model) bool { return m.row(r) }) }
		m.trace = func(t *domain.TraceSummary, rows []row) bool {
			return slices.ContainsFunc(inner, func(m model) bool { return m.trace(t, rows) })
		}
	case "not":
		m.row = func(r *row) bool { return !all(r) }
		m.trace = func(t *domain.TraceSummary, rows []row) bool { return !allOf(t, rows) }
	case "has":
		m.trace = someRow(all)
	}
	return m
}

// choice draws what a client asks for, with its meaning.
func (w *world) choice(onTraces bool) (choice *explore.Choice, all model, texts []model) {
	var conditions []model
	for range w.rng.IntN(4) {
		conditions = append(conditions, w.draw(2, onTraces))
	}
	all = combined("all", conditions)
	list, _ := all.sent["conditions"].([]map[string]any)
	if w.chance(25) {
		for {
			if m := w.leaf(); m.reads() {
				texts, list = append(texts, m), append(list, m.sent)
				break
			}
		}
	}
	if list == nil {
		list = []map[string]any{}
	}
	raw, err := json.Marshal(list)
	if err != nil {
		w.Fatal(err)
	}
	choice = &explore.Choice{From: w.bound(), To: w.bound(), Filter: raw, OnTraces: onTraces}
	if w.chance(30) {
		choice.Environments = []string{"production", "default"}
	}
	return choice, all, texts
}

// inScope returns whether a row is within the time range and the environments, and has the texts.
func inScope(c *explore.Choice, texts []model) func(*row) bool {
	in := within(c.From, c.To)
	return func(r *row) bool {
		return in(r) && (c.Environments == nil || slices.Contains([]string{"production", "default", ""}, r.Environment)) &&
			!slices.ContainsFunc(texts, func(m model) bool { return !m.row(r) })
	}
}

func (w *world) compareByTrace() {
	w.Helper()
	choice, all, texts := w.choice(true)
	s, err := choice.Observations()
	if err != nil {
		w.Fatalf("%s: %v", choice.Filter, err)
	}
	byTrace := make(map[string][]row)
	for _, r := range w.sorted(everything) {
		byTrace[r.TraceID] = append(byTrace[r.TraceID], r)
	}
	summaries := w.summaries(w.sorted(everything))
	scope, levels, failed := inScope(choice, texts), make(map[string]map[string]bool), 0
	var want []*domain.TraceSummary
	for id, rows := range byTrace {
		if !someRow(scope)(nil, rows) || !all.trace(summaries[id], rows) {
			continue
		}
		want = append(want, summaries[id])
		if summaries[id].ErrorCount > 0 {
			failed++
		}
		for _, r := range rows {
			if inScope(choice, nil)(&r) && r.Model != "" {
				if levels[r.Model] == nil {
					levels[r.Model] = make(map[string]bool)
				}
				levels[r.Model][id] = true
			}
		}
	}
	order := explore.Order{Column: pick(w, explore.Orders...), Ascending: w.chance(50)}
	value := func(t *domain.TraceSummary) float64 {
		return map[string]float64{
			"latency": float64(t.LatencyMillis), "totalCost": t.TotalCost, "totalTokens": float64(t.TotalTokens),
		}[order.Column]
	}
	slices.SortFunc(want, func(a, b *domain.TraceSummary) int {
		newer := cmp.Or(cmp.Compare(b.Timestamp.Millis(), a.Timestamp.Millis()), strings.Compare(b.ID, a.ID))
		c := cmp.Compare(value(b), value(a))
		if order.Column == "startTime" {
			c = newer
		}
		if order.Ascending {
			c = -c
		}
		return cmp.Or(c, newer)
	})
	w.comparePages(choice, s, order, want)

	sum, errs := 0, 0
	histogram, err := w.explorer.NewHistogram(w.Context(), s, 2+w.rng.IntN(20))
	if err != nil {
		w.Fatal(err)
	}
	for _, b := range histogram.Buckets {
		sum, errs = sum+b.Count, errs+b.Errors
	}
	if sum != len(want) || errs != failed || histogram.Partial {
		w.Errorf("%s: the histogram has %d traces, %d with errors, want %d and %d", choice.Filter, sum, errs, len(want), failed)
	}
	if strings.Contains(string(choice.Filter), `"model"`) { // its facet would ignore the condition
		return
	}
	facets, err := w.explorer.Facets(w.Context(), s, []string{"model"}, 10)
	if err != nil {
		w.Fatal(err)
	}
	got := make(map[string]int)
	for _, v := range facets.Values["model"] {
		got[v.Value] = v.Count
	}
	for model, ids := range levels {
		if got[model] != len(ids) {
			w.Errorf("%s: the facet counts %d traces with %s, want %d", choice.Filter, got[model], model, len(ids))
		}
	}
	if len(got) != len(levels) {
		w.Errorf("%s: the facet has %v", choice.Filter, got)
	}
}

// comparePages compares all pages of a list of traces, the ids that actions use, and the count.
func (w *world) comparePages(choice *explore.Choice, s *explore.Selection, order explore.Order, all []*domain.TraceSummary) {
	w.Helper()
	var want, got, ids []string
	for _, t := range all {
		want = append(want, t.ID)
	}
	for after := (*explore.TracePlace)(nil); ; {
		rows, next, err := w.explorer.TraceRows(w.Context(), s, order, after, pick(w, 1, 2, 5, 50), explore.Shown{})
		if err != nil {
			w.Fatalf("%s: %v", choice.Filter, err)
		}
		for _, r := range rows {
			got = append(got, r.Summary.ID)
		}
		if after = next; next == nil {
			break
		}
	}
	resolved, err := w.explorer.Resolve(w.Context(), s)
	if err != nil {
		w.Fatal(err)
	}
	for after := (*explore.TracePlace)(nil); ; {
		page, next, err := w.explorer.TraceIDs(w.Context(), resolved, after, 7)
		if err != nil {
			w.Fatal(err)
		}
		ids = append(ids, page...)
		if after = next; next == nil {
			break
		}
	}
	count, exact, err := w.explorer.Count(w.Context(), s)
	if !slices.Equal(got, want) || count != len(want) || !exact || err != nil {
		w.Errorf("%s from %d to %d in %v by %+v: %v, want %v; %d are counted: %v",
			choice.Filter, choice.From, choice.To, choice.Environments, order, got, want, count, err)
	}
	slices.Sort(ids)
	slices.Sort(want)
	if !slices.Equal(ids, want) {
		w.Errorf("%s: actions are on %v, want %v", choice.Filter, ids, want)
	}
}

func (w *world) compareCombined() {
	w.Helper()
	choice, all, texts := w.choice(false)
	s, err := choice.Observations()
	if err != nil {
		w.Fatalf("%s: %v", choice.Filter, err)
	}
	scope := inScope(choice, texts)
	var want, got []string
	for _, r := range w.sorted(func(r *row) bool { return scope(r) && all.row(r) }) {
		want = append(want, r.TraceID+" "+r.ID)
	}
	for after := (*explore.Cursor)(nil); ; {
		rows, next, err := w.explorer.Observations(w.Context(), s, explore.Order{Column: "startTime"}, after, 50, explore.Shown{})
		if err != nil {
			w.Fatal(err)
		}
		for _, r := range rows {
			got = append(got, r.TraceID+" "+r.ID)
		}
		if after = next; next == nil {
			break
		}
	}
	count, _, err := w.explorer.Count(w.Context(), s)
	if err != nil || count != len(want) || !slices.Equal(got, want) {
		w.Errorf("%s from %d to %d in %v: observations %v, want %v; %d are counted: %v",
			choice.Filter, choice.From, choice.To, choice.Environments, got, want, count, err)
	}
}
