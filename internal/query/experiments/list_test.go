package experiments_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/experiments"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/internal/store/storetest"
)

// tester is a *testing.T or a *rapid.T.
type tester interface {
	rapid.TB
	Context() context.Context
}

const (
	october = domain.Micros(1_790_812_800_000_000)
	project = "p"
)

// drawRows draws rows of a few experiments that overlap in time, and rows without an experiment.
func drawRows(t *rapid.T) []domain.Observation {
	text := func(name string, texts ...string) string { return rapid.SampledFrom(append(texts, "")).Draw(t, name) }
	rows := make([]domain.Observation, rapid.IntRange(0, 40).Draw(t, "rows"))
	for n := range rows {
		start := october + domain.Micros(rapid.IntRange(0, 12).Draw(t, "start"))*400
		rows[n] = domain.Observation{
			TraceID: "t" + strconv.Itoa(rapid.IntRange(0, 3).Draw(t, "trace")), ID: strconv.Itoa(n), StartTime: start,
			ExperimentID: text("experiment", "e1", "e2", "e3", "e4", "e5"), ExperimentName: text("name", "n1", "n2"),
			ExperimentDatasetID: text("dataset", "d1", "d2"), ExperimentDescription: text("description", "one", "two"),
			ExperimentMetadata: text("metadata", `{"k":"1"}`, `{"k":"2"}`), ExperimentItemID: text("item", "i1", "i2"),
		}
		rows[n].ExperimentItemRootSpanID = text("root", rows[n].ID, "other")
		if rapid.Bool().Draw(t, "has an end") {
			rows[n].EndTime = start + domain.Micros(rapid.IntRange(-1, 9).Draw(t, "duration"))*300
		}
	}
	return rows
}

// drawQuery draws a query.
func drawQuery(t *rapid.T) experiments.Query {
	q := experiments.Query{Limit: rapid.IntRange(1, 4).Draw(t, "limit"), Metadata: rapid.Bool().Draw(t, "metadata")}
	if rapid.Bool().Draw(t, "has a beginning") {
		q.From = october + domain.Micros(rapid.IntRange(0, 12).Draw(t, "from"))*400
	}
	if rapid.Bool().Draw(t, "has an end") {
		q.To = october + domain.Micros(rapid.IntRange(0, 13).Draw(t, "to"))*400
	}
	for _, c := range []struct{ column, operator, text string }{
		{"experimentId", "any of", "e1 e2 e3"},
		{"experimentName", "any of", "n1"},
		{"experimentDatasetId", "none of", "d1"},
		{"experimentName", "none of", "n2"},
	} {
		if rapid.IntRange(0, 4).Draw(t, "asks for "+c.column) == 0 {
			q.Where = append(q.Where, textsCondition(t, c.column, filter.Operator(c.operator), c.text))
		}
	}
	return q
}

func textsCondition(t tester, column string, operator filter.Operator, texts string) filter.Condition[domain.Observation] {
	c, ok := filter.Observations().Column(column)
	if !ok {
		t.Fatal("no column " + column)
	}
	condition, err := filter.NewTexts(c, operator, strings.Fields(texts))
	if err != nil {
		t.Fatal(err)
	}
	return condition
}

// naive assembles all experiments, regardless of pages.
func naive(rows []domain.Observation, q experiments.Query) []*domain.ExperimentSummary {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b domain.Observation) int {
		return cmp.Or(cmp.Compare(b.StartTime.Millis(), a.StartTime.Millis()), cmp.Compare(b.TraceID, a.TraceID), cmp.Compare(b.ID, a.ID))
	})
	rows = slices.DeleteFunc(rows, func(o domain.Observation) bool {
		return o.ExperimentID == "" || o.StartTime < q.From || q.To != 0 && o.StartTime >= q.To
	})
	var order []string
	for n := range rows {
		meets := !slices.ContainsFunc(q.Where, func(c filter.Condition[domain.Observation]) bool { return !c.Match(&rows[n]) })
		if meets && !slices.Contains(order, rows[n].ExperimentID) {
			order = append(order, rows[n].ExperimentID)
		}
	}
	var list []*domain.ExperimentSummary
	for _, id := range order {
		e := &domain.ExperimentSummary{ID: id}
		for n := range rows {
			o := &rows[n]
			if o.ExperimentID != id {
				continue
			}
			if e.StartTime == 0 || o.StartTime < e.StartTime {
				e.StartTime = o.StartTime
			}
			e.EndTime = max(e.EndTime, o.StartTime, o.EndTime)
			e.Name, e.DatasetID = cmp.Or(e.Name, o.ExperimentName), cmp.Or(e.DatasetID, o.ExperimentDatasetID)
			e.Description = cmp.Or(e.Description, o.ExperimentDescription)
			if q.Metadata {
				e.Metadata = cmp.Or(e.Metadata, o.ExperimentMetadata)
			}
			if o.ExperimentItemID != "" && o.ExperimentItemRootSpanID == o.ID {
				e.Items++
			}
		}
		if excluded := func(c filter.Condition[domain.Observation]) bool {
			none := domain.Observation{ExperimentID: id}
			shown := domain.Observation{ExperimentID: id, ExperimentName: e.Name, ExperimentDatasetID: e.DatasetID}
			return c.Match(&none) && !c.Match(&shown)
		}; !slices.ContainsFunc(q.Where, excluded) {
			list = append(list, e)
		}
	}
	return list
}

// walk reads all pages and calls between after each.
func walk(t tester, s store.Store, q experiments.Query, between func(page int)) []*domain.ExperimentSummary {
	var all []*domain.ExperimentSummary
	for n := 0; ; n++ {
		page, err := experiments.List(t.Context(), s.Observations(), domain.OfProject(project), q)
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range page.Experiments(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e)
		}
		if page.Next == nil {
			return all
		}
		if len(q.Where) == 0 && len(page.IDs) != q.Limit {
			t.Fatalf("page %d has %d experiments and is not the last, but the limit is %d", n, len(page.IDs), q.Limit)
		}
		q.After = page.Next
		between(n)
	}
}

func keep(t tester, s store.Store, rows []domain.Observation) {
	if err := s.Observations().Append(t.Context(), domain.OfProject(project), rows); err != nil {
		t.Fatal(err)
	}
}

func newSegments(t *testing.T) *segment.Store {
	t.Helper()
	s, err := segment.Open(t.TempDir(), segment.Options{FlushBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestListIsAsTheNaiveOne compares paging with the naive implementation, on the embedded store and on the model of all
// stores.
func TestListIsAsTheNaiveOne(t *testing.T) {
	for name, s := range map[string]store.Store{"segments": newSegments(t), "model": storetest.NewModel()} {
		t.Run(name, func(t *testing.T) {
			runs := 0
			rapid.Check(t, func(t *rapid.T) {
				if _, err := s.Observations().Delete(t.Context(), domain.OfProject(project), store.Selection{All: true}); err != nil {
					t.Fatal(err)
				}
				runs++
				rows := drawRows(t)
				half := rapid.IntRange(0, len(rows)).Draw(t, "rows that are flushed")
				keep(t, s, rows[:half])
				if runs%8 == 0 {
					if err := s.Flush(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				keep(t, s, rows[half:])
				for range 3 {
					q := drawQuery(t)
					got := walk(t, s, q, func(int) {})
					if diff := gocmp.Diff(naive(rows, q), got); diff != "" {
						t.Fatalf("%+v (-want +got):\n%s", q, diff)
					}
				}
			})
		})
	}
}

// TestWalkDuringWrites checks that paging returns every experiment that existed at the start exactly once, although
// experiments continue and new ones begin.
func TestWalkDuringWrites(t *testing.T) {
	s := newSegments(t)
	row := func(experiment, n int, start domain.Micros) domain.Observation {
		return domain.Observation{
			TraceID: fmt.Sprint("t", experiment), ID: strconv.Itoa(n), StartTime: start, ExperimentID: fmt.Sprintf("e%03d", experiment),
		}
	}
	var want []string
	for n := range 60 {
		keep(t, s, []domain.Observation{row(n, 0, october+domain.Micros(n/3)*1000), row(n, 1, october-domain.Micros(n)*1000)})
	}
	for _, e := range walk(t, s, experiments.Query{Limit: 100}, nil) {
		want = append(want, e.ID)
	}
	if len(want) != 60 {
		t.Fatalf("%d experiments on one page", len(want))
	}
	var got []string
	for _, e := range walk(t, s, experiments.Query{Limit: 7}, func(page int) {
		later := october + domain.Micros(page+1)*1_000_000
		keep(t, s, []domain.Observation{row(0, 100+page, later), row(59, 100+page, later+1), row(1000+page, 0, later+2)})
	}) {
		got = append(got, e.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("a walk during writes sees\n%v, want\n%v", got, want)
	}
}

// TestOrdinaryRowsAreNotRead checks that the cost of finding experiments depends on their rows, not on everything else
// stored.
func TestOrdinaryRowsAreNotRead(t *testing.T) {
	s := newSegments(t)
	var ordinary []domain.Observation
	for n := range 50_000 {
		ordinary = append(ordinary, domain.Observation{
			TraceID: fmt.Sprint("t", n/10), ID: strconv.Itoa(n), StartTime: october + domain.Micros(n)*1000,
		})
	}
	keep(t, s, ordinary)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	list := func(q experiments.Query) (*experiments.Page, int64) {
		before := s.RowsRead()
		page, err := experiments.List(t.Context(), s.Observations(), domain.OfProject(project), q)
		if err != nil {
			t.Fatal(err)
		}
		return page, s.RowsRead() - before
	}
	if page, read := list(experiments.Query{Limit: 50}); len(page.IDs) != 0 || read != 0 {
		t.Errorf("%d experiments, %d rows read; want none", len(page.IDs), read)
	}
	keep(t, s, []domain.Observation{
		{TraceID: "x", ID: "1", StartTime: october - 5000, ExperimentID: "e1"},
		{TraceID: "x", ID: "2", StartTime: october - 4000, ExperimentID: "e2"},
	})
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if page, read := list(experiments.Query{Limit: 1}); len(page.IDs) != 1 || page.Next == nil || read > 50 {
		t.Errorf("%d experiments, more %v, %d rows read", len(page.IDs), page.Next != nil, read)
	}
}

// TestTooManyBefore checks the limit on the number of experiments on earlier pages.
func TestTooManyBefore(t *testing.T) {
	s := storetest.NewModel()
	rows := make([]domain.Observation, 0, experiments.MaxExperiments+2)
	for n := range cap(rows) {
		rows = append(rows, domain.Observation{
			TraceID: "t", ID: strconv.Itoa(n), ExperimentID: strconv.Itoa(n), StartTime: october + domain.Micros(n)*1000,
		})
	}
	keep(t, s, rows)
	_, err := experiments.List(t.Context(), s.Observations(), domain.OfProject(project), experiments.Query{
		Limit: 1, After: &experiments.Cursor{ExperimentID: "x", StartTime: october - 1000, TraceID: "t", ID: "x"},
	})
	if err == nil || err.Error() != experiments.ErrTooMany.Error() {
		t.Errorf("the error is %v", err)
	}
}

// TestCursorsFromElsewhere uses cursors with another time range, and cursors whose row was deleted.
func TestCursorsFromElsewhere(t *testing.T) {
	s := newSegments(t)
	for n := range 5 {
		keep(t, s, []domain.Observation{
			{TraceID: "t", ID: strconv.Itoa(n), ExperimentID: fmt.Sprint("e", n), StartTime: october + domain.Micros(n)*1000},
		})
	}
	for _, c := range []struct {
		name string
		q    experiments.Query
		want []string
	}{
		{
			"a row that is gone", experiments.Query{
				After: &experiments.Cursor{ExperimentID: "e", StartTime: october + 2500, TraceID: "t", ID: "9"},
			}, []string{"e2", "e1", "e0"},
		},
		{
			"behind the range", experiments.Query{
				From: october + 1000, After: &experiments.Cursor{StartTime: october - 9000, TraceID: "t", ID: "9"},
			}, nil,
		},
		{
			"in front of the range", experiments.Query{
				To: october + 1000, After: &experiments.Cursor{StartTime: october + 9000, TraceID: "t", ID: "9"},
			}, []string{"e0"},
		},
		{
			"in front of everything",
			experiments.Query{After: &experiments.Cursor{StartTime: 253402300799999000, Until: 253402300799999}},
			[]string{"e4", "e3", "e2", "e1", "e0"},
		},
		{"behind everything", experiments.Query{After: &experiments.Cursor{StartTime: -62167219200000000, Until: -62167219200000}}, nil},
		{"just before 1970", experiments.Query{After: &experiments.Cursor{StartTime: -500, Until: -1}}, nil},
	} {
		c.q.Limit = 10
		page, err := experiments.List(t.Context(), s.Observations(), domain.OfProject(project), c.q)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !slices.Equal(page.IDs, c.want) {
			t.Errorf("%s: %v, want %v", c.name, page.IDs, c.want)
		}
	}
}
