package explore_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/explore"
	"almanac/internal/query/traces"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

type (
	row            = domain.Observation
	rowCondition   = filter.Condition[domain.Observation]
	traceCondition = filter.Condition[domain.TraceSummary]
)

// TestLists compares the lists of traces, sessions and users, of the public API and of the web application, with plain
// sorted lists of what was assembled from all rows. Rows arrive late, are replaced and deleted, and move from memory to
// segments meanwhile.
func TestLists(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := newWorld(t, s, s, seed)
	for range 60 {
		w.change()
		for range 4 {
			w.finder.Farther = pick(w, 0, 1) // with 1, lists go over from walking to ranking
			w.compareTraces()
			w.compareSessions()
			w.compareTraceRows()
			w.compareEntities()
		}
		if t.Failed() {
			return
		}
	}
}

type world struct {
	*testing.T
	rng      *rand.Rand
	store    store.Store
	moving   *segment.Store // nil if the store has nothing to move
	scope    domain.ProjectScope
	finder   *traces.Finder
	explorer *explore.Explorer
	marks    map[string]domain.TraceMark
	comments map[string]int
	rows     map[string]row // by trace and id
}

func newWorld(t *testing.T, s store.Store, moving *segment.Store, seed uint64) *world {
	rng := rand.New(rand.NewPCG(seed, 0))
	w := &world{T: t, rng: rng, store: s, moving: moving, scope: domain.OfProject("p"), rows: make(map[string]row)}
	w.marks = map[string]domain.TraceMark{
		"t03": {Tags: []string{"by hand"}}, "t04": {Tags: []string{}}, "t05": {Bookmarked: new(true), Public: new(false)},
		"t06": {Bookmarked: new(false)}, "t07": {Public: new(true), Tags: []string{"x"}},
	}
	w.comments = map[string]int{"t01": 1, "t05": 2, "t08": 3, "of a deleted trace": 2}
	w.finder = &traces.Finder{Store: s, Scope: w.scope, Marks: traces.Marks{
		Of: func(_ context.Context, ids []string) (map[string]domain.TraceMark, error) {
			some := make(map[string]domain.TraceMark)
			for _, id := range ids {
				if m, ok := w.marks[id]; ok {
					some[id] = m
				}
			}
			return some, nil
		},
		Tags: func(context.Context) (map[string][]string, error) { return domain.TagsOf(w.marks), nil },
		All:  func(context.Context) (map[string]domain.TraceMark, error) { return w.marks, nil },
		Comments: func(_ context.Context, limit int) (map[string]int, error) {
			if limit != explore.MaxCommented+1 {
				t.Errorf("%d traces with comments are asked for", limit)
			}
			return w.comments, nil
		},
	}}
	w.explorer = &explore.Explorer{Store: s, Scope: w.scope, Traces: w.finder, TimeLimit: time.Hour}
	return w
}

func pick[T any](w *world, values ...T) T { return values[w.rng.IntN(len(values))] }

func (w *world) chance(percent int) bool { return w.rng.IntN(100) < percent }

// change appends, replaces or deletes rows, and moves them sometimes.
func (w *world) change() {
	w.Helper()
	var err error
	switch n := w.rng.IntN(10); {
	case n == 0 && len(w.rows) > 0:
		id := w.traceID()
		_, err = w.store.Observations().Delete(w.Context(), w.scope, store.Selection{TraceIDs: []string{id}})
		maps.DeleteFunc(w.rows, func(_ string, r row) bool { return r.TraceID == id })
	case n == 1 && w.moving != nil:
		err = w.moving.Flush(w.Context())
	case n == 2 && w.moving != nil:
		err = w.moving.Merge(w.Context())
	default:
		var batch []row
		for range 1 + w.rng.IntN(8) {
			r := w.newRow()
			batch = append(batch, r)
			w.rows[r.TraceID+" "+r.ID] = r
		}
		err = w.store.Observations().Append(w.Context(), w.scope, batch)
	}
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) traceID() string { return fmt.Sprintf("t%02d", w.rng.IntN(20)) }

func (w *world) newRow() row {
	at := func() domain.Micros {
		return domain.Micros(1_800_000_000_000_000 + int64(w.rng.IntN(9))*86_400_000_000*int64(w.rng.IntN(2)) + int64(w.rng.IntN(12))*500)
	}
	r := row{
		TraceID: w.traceID(), ID: fmt.Sprint("o", w.rng.IntN(4)), ParentID: pick(w, "", "o1"),
		AsRoot: w.chance(10), IsAppRoot: w.chance(10),
		Type: "SPAN", Model: pick(w, "", "", "m1", "m2"), PromptName: pick(w, "", "", "p"), Input: pick(w, "", "a word", "words"),
		Name: pick(w, "", "a", "b"), TraceName: pick(w, "", "", "a", "c"),
		Level:       pick(w, "DEFAULT", "ERROR", "WARNING", "DEBUG"),
		Environment: pick(w, "", "default", "production", "staging"), Version: pick(w, "", "1", "2"), Release: pick(w, "", "r"),
		UserID: pick(w, "", "u1", "u2", "u3"), SessionID: pick(w, "", "s1", "s2", "s3", "s4", "s5"),
		Tags:       pick(w, nil, []string{"x"}, []string{"x", "y"}),
		Bookmarked: w.chance(20), Public: w.chance(10),
		StartTime: at(), CreatedAt: at(), UpdatedAt: at(), InputTokens: int64(w.rng.IntN(3)), InputCost: 0.1,
	}
	if w.chance(60) {
		r.EndTime = r.StartTime + domain.Micros(w.rng.IntN(9))*1000
		r.TotalCost, r.TotalTokens = domain.FloatOf(float64(w.rng.IntN(3))/10), domain.IntOf(int64(w.rng.IntN(3)))
	}
	if w.chance(15) {
		r = row{
			TraceID: r.TraceID, ID: "record", Source: domain.SourceIngestionTrace, StartTime: r.StartTime, CreatedAt: r.CreatedAt,
			TraceName:   r.TraceName,
			Environment: r.Environment, UserID: r.UserID, SessionID: r.SessionID, Tags: r.Tags, Version: r.Version,
			Bookmarked: r.Bookmarked, Public: r.Public,
		}
	}
	return r
}

// sorted returns the rows that are chosen, newest first.
func (w *world) sorted(chosen func(*row) bool) []row {
	var list []row
	for _, r := range w.rows {
		if chosen(&r) {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b row) int {
		newer := cmp.Compare(b.StartTime.Millis(), a.StartTime.Millis())
		return cmp.Or(newer, strings.Compare(b.TraceID, a.TraceID), strings.Compare(b.ID, a.ID))
	})
	return list
}

// summaries assembles traces from rows.
func (w *world) summaries(rows []row) map[string]*domain.TraceSummary {
	assemblies := make(map[string]*traces.Assembly)
	for n := range rows {
		a := assemblies[rows[n].TraceID]
		if a == nil {
			a = new(traces.Assembly)
			assemblies[rows[n].TraceID] = a
		}
		a.Add(&rows[n])
	}
	all := make(map[string]*domain.TraceSummary)
	for id, a := range assemblies {
		all[id] = a.Summary()
		if m, ok := w.marks[id]; ok {
			m.ApplyTo(all[id])
		}
	}
	return all
}

func everything(*row) bool { return true }

func within(from, to domain.Micros) func(*row) bool {
	return func(r *row) bool { return (from == 0 || r.StartTime >= from) && (to == 0 || r.StartTime < to) }
}

func (w *world) bound() domain.Micros {
	if w.chance(70) {
		return 0
	}
	return w.newRow().StartTime
}

// page returns a random part of a list, and which.
func page[T any](w *world, all []T) (some []T, offset, limit int) {
	offset, limit = pick(w, 0, 0, 2, 7), pick(w, 1, 3, 50)
	return all[min(offset, len(all)):min(offset+limit, len(all))], offset, limit
}

// tagsOf returns the tags of a row: those of users, if they set them.
func (w *world) tagsOf(r *row) []string {
	if m := w.marks[r.TraceID]; m.Tags != nil {
		return m.Tags
	}
	return r.Tags
}

func textOf[R any](w *world, column *filter.Column[R], values ...string) filter.Condition[R] {
	value := pick(w, values...)
	switch w.rng.IntN(7) {
	case 0:
		return filter.Must(filter.NewNull(column, w.chance(50)))
	case 1:
		return filter.Must(filter.NewTexts(column, filter.NoneOf, []string{value}))
	case 2:
		return filter.Must(filter.NewTexts(column, filter.AnyOf, []string{value, pick(w, values...)}))
	case 3:
		operator := pick(w, filter.Contains, filter.DoesNotContain, filter.StartsWith, filter.EndsWith)
		return filter.Must(filter.NewText(column, operator, value))
	}
	return filter.Must(filter.NewText(column, filter.Equal, value))
}

func (w *world) traceCondition() traceCondition {
	number := func(name string) traceCondition {
		value := float64(w.rng.IntN(3)) / pick(w, 1., 10, 500)
		return filter.Must(filter.NewNumber(filter.TraceColumn(name), pick(w, filter.Greater, filter.LessEqual), value))
	}
	switch w.rng.IntN(13) {
	case 0:
		return textOf(w, filter.TraceColumn("userId"), "u1", "u2")
	case 1:
		return textOf(w, filter.TraceColumn("sessionId"), "s1", "s2", "s3")
	case 2:
		return textOf(w, filter.TraceColumn("name"), "a", "b", "c")
	case 3:
		return textOf(w, filter.TraceColumn("environment"), "production", "default", "")
	case 4:
		return textOf(w, filter.TraceColumn("release"), "r")
	case 5:
		return textOf(w, filter.TraceColumn("version"), "1", "2")
	case 6:
		tags := pick(w, []string{"x"}, []string{"x", "y"}, []string{"by hand"})
		return filter.Must(filter.NewTexts(filter.TraceColumn("tags"), pick(w, filter.AnyOf, filter.AllOf, filter.NoneOf), tags))
	case 7:
		levels := []string{pick(w, "ERROR", "WARNING", "DEFAULT")}
		return filter.Must(filter.NewTexts(filter.TraceColumn("level"), pick(w, filter.AnyOf, filter.NoneOf), levels))
	case 8:
		return textOf(w, filter.TraceColumn("id"), "t01", "t1", "t05")
	case 9:
		return filter.Must(filter.NewTime(filter.TraceColumn("timestamp"), pick(w, filter.Greater, filter.LessEqual), w.newRow().StartTime))
	case 10:
		return filter.Must(filter.NewBool(filter.TraceColumn("bookmarked"), filter.Equal, w.chance(50)))
	}
	return number(pick(w, "latency", "totalCost", "inputCost", "totalTokens", "inputTokens",
		"errorCount", "warningCount", "debugCount", "defaultCount"))
}

// compareTraces compares a page of the public list of traces.
func (w *world) compareTraces() {
	w.Helper()
	q := &traces.Query{From: w.bound(), To: w.bound()}
	q.Order = traces.Order{Column: pick(w, "timestamp", "timestamp", "id", "name", "userId"), Ascending: w.chance(50)}
	for range w.rng.IntN(3) {
		q.Where = append(q.Where, w.traceCondition())
	}
	var all []*domain.TraceSummary
	for _, s := range w.summaries(w.sorted(everything)) {
		if (q.From == 0 || s.Timestamp >= q.From) && (q.To == 0 || s.Timestamp < q.To) && filter.MatchAll(q.Where, s) {
			all = append(all, s)
		}
	}
	text := map[string]func(*domain.TraceSummary) string{
		"id": func(s *domain.TraceSummary) string { return s.ID }, "name": func(s *domain.TraceSummary) string { return s.Name },
		"userId": func(s *domain.TraceSummary) string { return s.UserID },
	}[q.Order.Column]
	slices.SortFunc(all, func(a, b *domain.TraceSummary) int {
		c := cmp.Compare(a.Timestamp.Millis(), b.Timestamp.Millis())
		if text != nil {
			c = strings.Compare(text(a), text(b))
		}
		if !q.Order.Ascending {
			c = -c
		}
		if q.Order.Column == "userId" && (a.UserID == "") != (b.UserID == "") {
			c = cmp.Compare(len(b.UserID), len(a.UserID)) // unset comes last
		}
		return cmp.Or(c, cmp.Compare(b.Timestamp.Millis(), a.Timestamp.Millis()), strings.Compare(b.ID, a.ID))
	})
	want, offset, limit := page(w, all)
	got, total, err := w.finder.Find(w.Context(), q, offset, limit)
	var ids []string
	for _, s := range want {
		ids = append(ids, s.ID)
	}
	if err != nil || !slices.Equal(got, ids) || total != len(all) {
		var conditions []string
		for n := range q.Where {
			c := &q.Where[n]
			conditions = append(conditions, fmt.Sprint(c.Column().ID(), c.Operator(), c.Text(), c.Texts(), c.Number()))
		}
		w.Errorf("traces of %v, %+v, %d from %d on: %v of %d, want %v of %d: %v",
			conditions, q.Order, limit, offset, got, total, ids, len(all), err)
	}
}

// compareSessions compares a page of the public list of sessions.
func (w *world) compareSessions() {
	w.Helper()
	q := &traces.SessionQuery{From: w.bound(), To: w.bound()}
	q.Environments = pick(w, nil, []string{"production"}, []string{"default", "staging"})
	sessions := make(map[string]*traces.Session)
	for _, r := range w.sorted(func(r *row) bool { return r.SessionID != "" }) {
		s := sessions[r.SessionID]
		if s == nil {
			s = &traces.Session{ID: r.SessionID, CreatedAt: r.CreatedAt}
			sessions[r.SessionID] = s
		}
		if r.CreatedAt <= s.CreatedAt {
			s.CreatedAt, s.Environment = r.CreatedAt, cmp.Or(r.Environment, "default")
		}
	}
	var all []*traces.Session
	for _, s := range sessions {
		if (q.From == 0 || s.CreatedAt >= q.From) && (q.To == 0 || s.CreatedAt < q.To) &&
			(q.Environments == nil || slices.Contains(q.Environments, s.Environment)) {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b *traces.Session) int {
		return cmp.Or(cmp.Compare(b.CreatedAt.Millis(), a.CreatedAt.Millis()), strings.Compare(b.ID, a.ID))
	})
	want, offset, limit := page(w, all)
	got, total, err := w.finder.Sessions(w.Context(), q, offset, limit)
	if err != nil || total != len(all) || len(got) != len(want) || len(want) > 0 && gocmp.Diff(want, got) != "" {
		w.Errorf("sessions of %+v: %d of %d, want %d: %v\n%s", q, len(got), total, len(all), err, gocmp.Diff(want, got))
	}
}

func (w *world) selection() *explore.Selection {
	s := &explore.Selection{From: w.bound(), To: w.bound()}
	column := filter.ObservationColumn
	if w.chance(30) {
		s.Within = []rowCondition{filter.Must(filter.NewTexts(column("environment"), filter.AnyOf, []string{"production", ""}))}
	}
	for range w.rng.IntN(3) {
		s.Where = append(s.Where, pick(w,
			textOf(w, column("level"), "ERROR", "DEFAULT"), textOf(w, column("userId"), "u1", "u2"), textOf(w, column("name"), "a", "b"),
			filter.Must(filter.NewNumber(column("totalCost"), filter.Greater, 0.1)),
		))
	}
	return s
}

func selected(s *explore.Selection) func(*row) bool {
	in := within(s.From, s.To)
	return func(r *row) bool { return in(r) && filter.MatchAll(s.Within, r) && filter.MatchAll(s.Where, r) }
}

// compareTraceRows compares all pages of a list of traces of the web application, and their number.
func (w *world) compareTraceRows() {
	w.Helper()
	s, order := w.selection(), explore.Order{Column: pick(w, explore.Orders...), Ascending: w.chance(50)}
	wanted := w.summaries(w.sorted(selected(s)))
	var all []*domain.TraceSummary
	for id, t := range w.summaries(w.sorted(everything)) {
		if wanted[id] != nil {
			all = append(all, t)
		}
	}
	value := map[string]func(*domain.TraceSummary) float64{
		"latency":     func(t *domain.TraceSummary) float64 { return float64(t.LatencyMillis) },
		"totalCost":   func(t *domain.TraceSummary) float64 { return t.TotalCost },
		"totalTokens": func(t *domain.TraceSummary) float64 { return float64(t.TotalTokens) },
	}[order.Column]
	slices.SortFunc(all, func(a, b *domain.TraceSummary) int {
		newer := cmp.Or(cmp.Compare(b.Timestamp.Millis(), a.Timestamp.Millis()), strings.Compare(b.ID, a.ID))
		c := newer
		if value != nil {
			c = cmp.Compare(value(b), value(a))
		}
		if order.Ascending {
			c = -c
		}
		return cmp.Or(c, newer)
	})
	var want, got []string
	for _, t := range all {
		want = append(want, t.ID)
	}
	var after *explore.TracePlace
	for range 100 {
		w.finder.Farther = pick(w, 0, 1)
		rows, next, err := w.explorer.TraceRows(w.Context(), s, order, after, pick(w, 1, 2, 5, 50), explore.Shown{})
		if err != nil {
			w.Fatal(err)
		}
		for _, r := range rows {
			got = append(got, r.Summary.ID)
		}
		if after = next; next == nil {
			break
		}
	}
	counts := *s
	counts.OfTraces = true
	count, exact, err := w.explorer.Count(w.Context(), &counts)
	if !slices.Equal(got, want) || count != len(want) || !exact || err != nil {
		w.Errorf("traces by %+v: %v, want %v; %d are counted: %v", order, got, want, count, err)
	}
}

// compareEntities compares all pages of a list of sessions or users of the web application.
func (w *world) compareEntities() {
	w.Helper()
	s := w.selection()
	kind, idOf := explore.Sessions, func(r *row) string { return r.SessionID }
	if w.chance(50) {
		kind, idOf = explore.Users, func(r *row) string { return r.UserID }
	}
	order := explore.Order{Column: pick(w, kind.Orders()...), Ascending: w.chance(50)}
	chosen := selected(s)
	wanted := make(map[string]bool)
	byID := make(map[string][]row)
	for _, r := range w.sorted(func(r *row) bool { return within(s.From, s.To)(r) && filter.MatchAll(s.Within, r) && idOf(r) != "" }) {
		wanted[idOf(&r)] = wanted[idOf(&r)] || chosen(&r)
		byID[idOf(&r)] = append(byID[idOf(&r)], r)
	}
	var want []*explore.Entity
	for id, rows := range byID {
		if wanted[id] {
			want = append(want, entityOf(id, rows, kind))
		}
	}
	sortEntities(want, order)
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
	if diff := gocmp.Diff(want, got); diff != "" {
		w.Errorf("%v by %+v (-want +got)\n%s", kind, order, diff)
	}
}

// figureOf returns a figure of an entity by its name.
func figureOf(o *explore.Entity, name string) float64 {
	return map[string]float64{
		"lastSeen": float64(o.LastSeen), "firstSeen": float64(o.FirstSeen), "duration": o.Duration(),
		"totalCost": o.TotalCost, "inputCost": o.InputCost, "outputCost": o.OutputCost,
		"totalTokens": float64(o.TotalTokens), "inputTokens": float64(o.InputTokens), "outputTokens": float64(o.OutputTokens),
		"traces": float64(o.Traces), "sessions": float64(o.Sessions), "observations": float64(o.Observations), "errors": float64(o.Errors),
	}[name]
}

func sortEntities(list []*explore.Entity, order explore.Order) {
	slices.SortFunc(list, func(a, b *explore.Entity) int {
		byID := strings.Compare(b.ID, a.ID)
		c := cmp.Compare(figureOf(b, order.Column), figureOf(a, order.Column))
		if order.Column == "id" {
			c = byID
		}
		if order.Ascending {
			c = -c
		}
		return cmp.Or(c, byID)
	})
}

// entityOf returns the figures of a session or user.
func entityOf(id string, rows []row, kind explore.EntityKind) *explore.Entity {
	o := &explore.Entity{ID: id, FirstSeen: rows[0].StartTime}
	traceIDs, sessions, users, environments := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, r := range rows {
		o.FirstSeen, o.LastSeen, o.LastEnd = min(o.FirstSeen, r.StartTime), max(o.LastSeen, r.StartTime), max(o.LastEnd, r.EndTime)
		traceIDs[r.TraceID], sessions[r.SessionID], users[r.UserID] = true, true, true
		environments[cmp.Or(r.Environment, "default")]++
		o.TotalCost += r.TotalCost.Value
		o.TotalTokens += r.TotalTokens.Value
		o.InputCost += r.InputCost
		o.OutputCost += r.OutputCost
		o.InputTokens += r.InputTokens
		o.OutputTokens += r.OutputTokens
		if !r.IsTraceRecord() {
			o.Observations++
			if r.Level == "ERROR" {
				o.Errors++
			}
		}
	}
	o.TotalCost, o.Traces = domain.Dollars(o.TotalCost), len(traceIDs)
	o.InputCost, o.OutputCost = domain.Dollars(o.InputCost), domain.Dollars(o.OutputCost)
	delete(sessions, "")
	delete(users, "")
	if kind == explore.Users {
		o.Sessions = len(sessions)
		return o
	}
	o.Users = slices.Sorted(maps.Keys(users))
	for _, name := range slices.Sorted(maps.Keys(environments)) {
		if environments[name] > environments[o.Environment] {
			o.Environment = name
		}
	}
	return o
}

// TestLastSeenWithinAMillisecond lists sessions whose rows are in the same millisecond, in which rows come in any order.
func TestLastSeenWithinAMillisecond(t *testing.T) {
	const at = domain.Micros(1_800_000_000_000_000)
	for _, ids := range [][3]string{{"1", "2", "3"}, {"1", "3", "2"}, {"2", "1", "3"}, {"2", "3", "1"}, {"3", "1", "2"}, {"3", "2", "1"}} {
		s, err := segment.Open(t.TempDir(), segment.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		scope := domain.OfProject("p")
		if err := s.Observations().Append(t.Context(), scope, []row{
			{TraceID: ids[0], ID: ids[0], SessionID: "first", StartTime: at},
			{TraceID: ids[1], ID: ids[1], SessionID: "other", StartTime: at + 400},
			{TraceID: ids[2], ID: ids[2], SessionID: "first", StartTime: at + 500},
		}); err != nil {
			t.Fatal(err)
		}
		e := &explore.Explorer{Store: s, Scope: scope, Traces: &traces.Finder{Store: s, Scope: scope}}
		got, next, err := e.Entities(t.Context(), new(explore.Selection), &explore.EntityQuery{
			Kind: explore.Sessions, Order: explore.Order{Column: "lastSeen"}, Limit: 1,
		})
		if err != nil || len(got) != 1 || got[0].ID != "first" || next == nil ||
			*next != (explore.EntityCursor{Value: float64(at + 500), ID: "first"}) {
			t.Errorf("with ids %v: %+v, %v, %v", ids, got, next, err)
		}
	}
}
