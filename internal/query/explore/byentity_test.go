package explore_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/query/explore"
	"almanac/internal/store"
	"almanac/internal/store/clickhouse"
	"almanac/internal/store/segment"
	"almanac/test/chtest"
)

// TestEntitiesAsAWhole compares lists, counts, ids and facets of sessions and users by conditions that hold for them as a
// whole with what a plain reading of the conditions selects.
func TestEntitiesAsAWhole(t *testing.T) {
	t.Run("segment", func(t *testing.T) {
		s, err := segment.Open(t.TempDir(), segment.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		compareWholeEntities(t, s, s, 150)
	})
	t.Run("ClickHouse", func(t *testing.T) {
		address, err := clickhouse.ParseAddress(chtest.Start(t).StoreAddress("entities"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := clickhouse.Open(t.Context(), address, clickhouse.Options{Pause: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		compareWholeEntities(t, s, nil, 5)
	})
}

func compareWholeEntities(t *testing.T, s store.Store, moving *segment.Store, rounds int) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	w := newWorld(t, s, moving, seed)
	for range rounds {
		w.change()
		for range 6 {
			w.compareByEntity()
		}
		if t.Failed() {
			return
		}
	}
}

// entityModel is a condition in plain form: what a client sends, and what it means for an entity and its rows.
type entityModel struct {
	sent map[string]any
	is   func(*explore.Entity, []row) bool
}

// entityLeaf draws a condition on entities of a kind.
func (w *world) entityLeaf(kind explore.EntityKind) entityModel {
	some := func(met func(*row) bool) func(*explore.Entity, []row) bool {
		return func(_ *explore.Entity, rows []row) bool {
			return slices.ContainsFunc(rows, func(r row) bool { return met(&r) })
		}
	}
	not := func(is func(*explore.Entity, []row) bool) func(*explore.Entity, []row) bool {
		return func(o *explore.Entity, rows []row) bool { return !is(o, rows) }
	}
	column := "sessionId"
	if kind == explore.Users {
		column = "userId"
	}
	switch w.rng.IntN(8) {
	case 0:
		value, none := pick(w, "ERROR", "WARNING"), w.chance(50)
		is := some(func(r *row) bool { return r.Level == value })
		if none {
			is = not(is)
		}
		return entityModel{sent("stringOptions", "level", map[bool]string{true: "none of", false: "any of"}[none], []string{value}), is}
	case 1:
		value := pick(w, "m1", "m2")
		return entityModel{sent("string", "model", "=", value), some(func(r *row) bool { return r.Model == value })}
	case 2:
		tags, none := []string{pick(w, "x", "y", "by hand")}, w.chance(50)
		is := some(func(r *row) bool {
			return slices.Contains(w.tagsOf(r), tags[0])
		})
		if none {
			is = not(is)
		}
		return entityModel{sent("arrayOptions", "tags", map[bool]string{true: "none of", false: "any of"}[none], tags), is}
	case 3:
		part := pick(w, "1", "2", "s", "u")
		return entityModel{
			sent("string", pick(w, "id", column), "contains", part),
			func(o *explore.Entity, _ []row) bool { return strings.Contains(o.ID, part) },
		}
	case 4:
		bound := w.newRow().StartTime
		name := pick(w, "lastSeen", "firstSeen")
		return entityModel{sent("datetime", name, ">=", bound.Time().UTC()), func(o *explore.Entity, _ []row) bool {
			return domain.Micros(figureOf(o, name)).Millis() >= bound.Millis()
		}}
	case 5:
		return entityModel{sent("string", "input", "matches", "word"), some(func(r *row) bool { return r.Input == "a word" })}
	}
	names := map[string]string{
		"totalCost": "totalCost", "inputCost": "inputCost", "totalTokens": "totalTokens", "inputTokens": "inputTokens",
		"duration": "duration", "errors": "errorCount", "observations": "observationCount", "traces": "traceCount",
	}
	if kind == explore.Users {
		names["sessions"] = "sessionCount"
	}
	figures := make([]string, 0, len(names))
	for name := range names {
		figures = append(figures, name)
	}
	slices.Sort(figures)
	name := pick(w, figures...)
	bound := float64(w.rng.IntN(5)) / pick(w, 1., 10)
	more := w.chance(50)
	return entityModel{
		sent("number", pick(w, name, names[name]), map[bool]string{true: ">", false: "<="}[more], bound),
		func(o *explore.Entity, _ []row) bool {
			value := figureOf(o, name)
			return more && value > bound || !more && value <= bound
		},
	}
}

func (w *world) drawEntity(depth int, kind explore.EntityKind) entityModel {
	if depth == 0 || w.chance(50) {
		return w.entityLeaf(kind)
	}
	op := pick(w, "all", "any", "not")
	var inner []entityModel
	var list []map[string]any
	for range 1 + w.rng.IntN(2) {
		one := w.drawEntity(depth-1, kind)
		inner, list = append(inner, one), append(list, one.sent)
	}
	return entityModel{map[string]any{"type": op, "conditions": list}, func(o *explore.Entity, rows []row) bool {
		is := func(m entityModel) bool { return m.is(o, rows) }
		isNot := func(m entityModel) bool { return !m.is(o, rows) }
		switch op {
		case "any":
			return slices.ContainsFunc(inner, is)
		case "not":
			return slices.ContainsFunc(inner, isNot)
		}
		return !slices.ContainsFunc(inner, isNot)
	}}
}

func (w *world) compareByEntity() {
	w.Helper()
	kind, on, idOf := explore.Sessions, "sessions", func(r *row) string { return r.SessionID }
	if w.chance(50) {
		kind, on, idOf = explore.Users, "users", func(r *row) string { return r.UserID }
	}
	var conditions []entityModel
	list := []map[string]any{}
	for range w.rng.IntN(4) {
		one := w.drawEntity(2, kind)
		conditions, list = append(conditions, one), append(list, one.sent)
	}
	raw, err := json.Marshal(list)
	if err != nil {
		w.Fatal(err)
	}
	choice := &explore.Choice{From: w.bound(), To: w.bound(), Filter: raw, On: on}
	if w.chance(30) {
		choice.Environments = []string{"production", "default"}
	}
	s, err := choice.Observations()
	if err != nil {
		w.Fatalf("%s: %v", raw, err)
	}
	byID, scope := make(map[string][]row), inScope(choice, nil)
	for _, r := range w.sorted(func(r *row) bool { return scope(r) && idOf(r) != "" }) {
		byID[idOf(&r)] = append(byID[idOf(&r)], r)
	}
	var want []*explore.Entity
	models := make(map[string]map[string]bool)
	rows, traceIDs := 0, make(map[string]bool)
	for id, of := range byID {
		o := entityOf(id, of, kind)
		if slices.ContainsFunc(conditions, func(m entityModel) bool { return !m.is(o, of) }) {
			continue
		}
		want = append(want, o)
		for _, r := range of {
			rows++
			traceIDs[r.TraceID] = true
			if models[r.Model] == nil {
				models[r.Model] = make(map[string]bool)
			}
			models[r.Model][id] = true
		}
	}
	order := explore.Order{Column: pick(w, kind.Orders()...), Ascending: w.chance(50)}
	sortEntities(want, order)
	what := fmt.Sprintf("%s by %+v: %s", on, order, raw)
	got := w.pagesOfEntities(s, kind, order)
	if diff := gocmp.Diff(want, got); diff != "" {
		w.Errorf("%s (-want +got)\n%s", what, diff)
	}
	if count, err := w.explorer.CountEntities(w.Context(), s, kind); err != nil || count != len(want) {
		w.Errorf("%s: %d are counted, want %d: %v", what, count, len(want), err)
	}
	w.compareSelected(what, s, rows, len(traceIDs))
	w.compareIDs(what, s, kind, want)
	if strings.Contains(string(raw), `"model"`) { // its facet would ignore the condition
		return
	}
	facets, err := w.explorer.Facets(w.Context(), s, []string{"model"}, 10)
	if err != nil {
		w.Fatal(err)
	}
	delete(models, "")
	counted := make(map[string]int)
	for _, v := range facets.Values["model"] {
		counted[v.Value] = v.Count
	}
	for name, ids := range models {
		if counted[name] != len(ids) || len(counted) != len(models) {
			w.Errorf("%s: the facet of models is %v, want %v", what, counted, models)
		}
	}
}

func (w *world) pagesOfEntities(s *explore.Selection, kind explore.EntityKind, order explore.Order) []*explore.Entity {
	w.Helper()
	var got []*explore.Entity
	q := &explore.EntityQuery{Kind: kind, Order: order}
	for range 100 {
		q.Limit = pick(w, 1, 2, 50)
		entities, next, err := w.explorer.Entities(w.Context(), s, q)
		if err != nil {
			w.Fatal(err)
		}
		got = append(got, entities...)
		if q.After = next; next == nil {
			break
		}
	}
	return got
}

// compareSelected compares the observations and traces that deletions and other lists by the same conditions select.
func (w *world) compareSelected(what string, s *explore.Selection, rows, traces int) {
	w.Helper()
	if count, _, err := w.explorer.Count(w.Context(), s); err != nil || count != rows {
		w.Errorf("%s: %d observations, want %d: %v", what, count, rows, err)
	}
	of := *s
	of.OfTraces = true
	if count, _, err := w.explorer.Count(w.Context(), &of); err != nil || count != traces {
		w.Errorf("%s: %d traces, want %d: %v", what, count, traces, err)
	}
}

// compareIDs compares the ids that are exported.
func (w *world) compareIDs(what string, s *explore.Selection, kind explore.EntityKind, want []*explore.Entity) {
	w.Helper()
	resolved, err := w.explorer.Resolve(w.Context(), s)
	if err != nil {
		w.Fatal(err)
	}
	var ids, wanted []string
	for page, err := range w.explorer.EntityIDs(w.Context(), resolved, kind) {
		if err != nil {
			w.Fatal(err)
		}
		ids = append(ids, page...)
	}
	for _, o := range want {
		wanted = append(wanted, o.ID)
	}
	slices.Sort(ids)
	slices.Sort(wanted)
	if !slices.Equal(ids, wanted) {
		w.Errorf("%s: exported are %v, want %v", what, ids, wanted)
	}
}
