package traces_test

import (
	"cmp"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// drawTraceRows draws rows of a few traces that overlap in time.
func drawTraceRows(t *rapid.T) []domain.Observation {
	text := func(name string, texts ...string) string { return rapid.SampledFrom(append(texts, "")).Draw(t, name) }
	rows := make([]domain.Observation, rapid.IntRange(0, 60).Draw(t, "rows"))
	for n := range rows {
		rows[n] = domain.Observation{
			TraceID: "t" + strconv.Itoa(rapid.IntRange(0, 25).Draw(t, "trace")), ID: strconv.Itoa(n), ParentID: text("parent", "p"),
			AsRoot:    rapid.Bool().Draw(t, "as root"),
			StartTime: apitest.October + domain.Micros(rapid.IntRange(0, 40).Draw(t, "start"))*500, Name: text("name", "n1", "n2"),
			TraceName: text("trace name", "n1", "n3"),
			UserID:    text("user", "u1", "u2"), SessionID: text("session", "s1", "s2"),
			Environment: rapid.SampledFrom([]string{"e1", "e2"}).Draw(t, "environment"),
			Version:     text("version", "v1"), Release: text("release", "r1"), Public: rapid.Bool().Draw(t, "public"), Type: "SPAN",
			CreatedAt: apitest.October, UpdatedAt: apitest.October,
		}
		if tag := text("tag", "x", "y"); tag != "" {
			rows[n].Tags = []string{tag}
		}
	}
	return rows
}

// naiveTraces assembles all traces, whatever the query.
func naiveTraces(rows []domain.Observation) []*domain.TraceSummary {
	assemblies := map[string]*traces.Assembly{}
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b domain.Observation) int {
		return cmp.Or(cmp.Compare(b.StartTime.Millis(), a.StartTime.Millis()), cmp.Compare(b.TraceID, a.TraceID), cmp.Compare(b.ID, a.ID))
	})
	for n := range sorted {
		if assemblies[sorted[n].TraceID] == nil {
			assemblies[sorted[n].TraceID] = new(traces.Assembly)
		}
		assemblies[sorted[n].TraceID].Add(&sorted[n])
	}
	var list []*domain.TraceSummary
	for _, assembly := range assemblies {
		list = append(list, assembly.Summary())
	}
	return list
}

// TestListTracesIsAsTheNaiveOne compares pages of random traces in the embedded store with the result of assembling all
// of them.
func TestListTracesIsAsTheNaiveOne(t *testing.T) {
	f := apitest.New(t, nil)
	project := 0
	rapid.Check(t, func(t *rapid.T) {
		if _, err := f.Store.Observations().Delete(t.Context(), domain.OfProject("project-a"), store.Selection{All: true}); err != nil {
			t.Fatal(err)
		}
		project++
		rows := drawTraceRows(t)
		half := rapid.IntRange(0, len(rows)).Draw(t, "rows that are flushed")
		for _, part := range [][]domain.Observation{rows[:half], rows[half:]} {
			if err := f.Store.Observations().Append(t.Context(), domain.OfProject("project-a"), part); err != nil {
				t.Fatal(err)
			}
			if len(part) > 0 && project%8 == 0 {
				if err := f.Store.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 4 {
			compareTraces(t, f, rows)
		}
	})
}

// compareTraces draws a query and compares its result.
func compareTraces(t *rapid.T, f *apitest.Fixture, rows []domain.Observation) {
	values := url.Values{"fields": {"core"}}
	var conditions []func(*domain.TraceSummary) bool
	draw := func(parameter string, texts []string, meets func(trace *domain.TraceSummary, text string) bool) {
		if rapid.IntRange(0, 3).Draw(t, parameter+" is asked for") == 0 {
			text := rapid.SampledFrom(texts).Draw(t, parameter)
			values.Set(parameter, text)
			conditions = append(conditions, func(trace *domain.TraceSummary) bool { return meets(trace, text) })
		}
	}
	draw("userId", []string{"u1", "u2", "u3", ""}, func(trace *domain.TraceSummary, text string) bool { return trace.UserID == text })
	draw("name", []string{"n1", "n2", "n3", ""}, func(trace *domain.TraceSummary, text string) bool { return trace.Name == text })
	draw("sessionId", []string{"s1", "s2", ""}, func(trace *domain.TraceSummary, text string) bool { return trace.SessionID == text })
	draw("environment", []string{"e1", "e2"}, func(trace *domain.TraceSummary, text string) bool { return trace.Environment == text })
	draw("tags", []string{"x", "y"}, func(trace *domain.TraceSummary, text string) bool { return slices.Contains(trace.Tags, text) })
	times := make([]string, 21)
	at := map[string]domain.Micros{}
	for n := range times {
		millis := apitest.October + domain.Micros(n)*1000
		times[n] = millis.Time().Format("2006-01-02T15:04:05.000Z")
		at[times[n]] = millis
	}
	draw("fromTimestamp", times, func(trace *domain.TraceSummary, text string) bool { return trace.Timestamp >= at[text] })
	draw("toTimestamp", times, func(trace *domain.TraceSummary, text string) bool { return trace.Timestamp < at[text] })

	var want []*domain.TraceSummary
	for _, trace := range naiveTraces(rows) {
		if !slices.ContainsFunc(conditions, func(meets func(*domain.TraceSummary) bool) bool { return !meets(trace) }) {
			want = append(want, trace)
		}
	}
	order := rapid.SampledFrom([]string{
		"", "", "timestamp.asc", "timestamp.desc", "userId.asc", "name.desc", "public.desc", "id.asc",
	}).Draw(t, "order")
	if order != "" {
		values.Set("orderBy", order)
	}
	slices.SortFunc(want, func(a, b *domain.TraceSummary) int { return naiveOrder(order, a, b) })
	limit, page := rapid.IntRange(1, 12).Draw(t, "limit"), rapid.IntRange(1, 3).Draw(t, "page")
	values.Set("limit", strconv.Itoa(limit))
	values.Set("page", strconv.Itoa(page))

	w := httptest.NewRecorder()
	f.ServeHTTP(w, apitest.Scenario{Path: "/api/public/traces?" + values.Encode(), Key: "project"}.Request())
	first := min(len(want), (page-1)*limit)
	var b strings.Builder
	b.WriteString(`{"data":[`)
	for n, trace := range want[first:min(len(want), first+limit)] {
		if n > 0 {
			b.WriteByte(',')
		}
		b.Write(respond.AppendTrace(nil, trace, "project-a", 0, nil))
	}
	b.WriteString(apitest.Meta(page, limit, len(want), (len(want)+limit-1)/limit))
	if got := w.Body.String(); got != b.String() {
		t.Fatalf("%s is answered\n%s, want\n%s", values.Encode(), got, b.String())
	}
}

func naiveOrder(order string, a, b *domain.TraceSummary) int {
	newest := cmp.Or(cmp.Compare(b.Timestamp.Millis(), a.Timestamp.Millis()), cmp.Compare(b.ID, a.ID))
	switch order {
	case "timestamp.asc":
		return cmp.Or(cmp.Compare(a.Timestamp.Millis(), b.Timestamp.Millis()), newest)
	case "userId.asc":
		if (a.UserID == "") != (b.UserID == "") {
			return cmp.Compare(b.UserID, a.UserID) // null comes last
		}
		return cmp.Or(cmp.Compare(a.UserID, b.UserID), newest)
	case "name.desc":
		return cmp.Or(cmp.Compare(b.Name, a.Name), newest)
	case "public.desc":
		return cmp.Or(cmp.Compare(strconv.FormatBool(b.Public), strconv.FormatBool(a.Public)), newest)
	case "id.asc":
		return cmp.Compare(a.ID, b.ID)
	}
	return newest
}
