package storetest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// aggregateCase is an aggregate and its expected result.
type aggregateCase[R any] struct {
	name  string
	query store.AggregateQuery[R]
	want  []store.Group
}

// wantGroups fails the test unless all aggregates have the expected result, in every state of the store.
func (x *tester[R]) wantGroups(t *testing.T, cases ...aggregateCase[R]) {
	t.Helper()
	x.inEveryState(t, func(t *testing.T) {
		for _, c := range cases {
			groups, err := x.table.Aggregate(t.Context(), projectScope(mine), c.query)
			if err != nil {
				t.Errorf("%s: Aggregate(%s): %v", c.name, describeAggregate(c.query), err)
				continue
			}
			if d := diffGroups(&store.Groups{Rows: c.want}, groups); d != "" {
				t.Errorf("%s: Aggregate(%s): %s", c.name, describeAggregate(c.query), d)
			}
		}
	})
}

// group returns a group without a bucket.
func group(keys []string, values ...domain.OptFloat) store.Group {
	g := store.Group{Keys: slices.Clone(keys), Nulls: make([]bool, len(keys)), Values: values}
	for i, key := range keys {
		if key == none {
			g.Keys[i], g.Nulls[i] = "", true
		}
	}
	return g
}

// none stands for a null key.
const none = "\x00"

// num returns a value that is not null.
func num(v float64) domain.OptFloat { return domain.FloatOf(v) }

var null domain.OptFloat

// by returns columns to group by.
func (x *tester[R]) by(t *testing.T, ids ...string) []*filter.Column[R] {
	t.Helper()
	var columns []*filter.Column[R]
	for _, id := range ids {
		columns = append(columns, x.column(t, id))
	}
	return columns
}

// measure returns a measure; q is only for Quantile.
func (x *tester[R]) measure(t *testing.T, f store.Function, id string, q ...float64) store.Measure[R] {
	t.Helper()
	m := store.Measure[R]{Function: f}
	if id != "" {
		m.Column = x.column(t, id)
	}
	if len(q) > 0 {
		m.Quantile = q[0]
	}
	return m
}

func groupsOfObservations(t *testing.T, f *fixture) {
	type R = domain.Observation
	x := testerOf(f, observations())
	x.append(t,
		R{
			TraceID: "t1", ID: "a", StartTime: at(0), Name: "one", UserID: "u1", Tags: []string{"red", "blue"},
			ToolNames: []string{"search"},
		},
		R{TraceID: "t1", ID: "b", StartTime: at(1), Name: "two", ParentID: "a", UserID: "u1", Tags: []string{"red", "red"}},
		R{
			TraceID: "t2", ID: "c", StartTime: at(2), Name: "one", ParentID: "x", IsAppRoot: true, Tags: []string{"blue"},
			TraceName: "given",
		},
	)
	f.flush(t)
	x.append(t,
		R{TraceID: "t2", ID: "d", StartTime: at(3), ParentID: "c", UserID: "u2", ToolNames: []string{"search", "fetch"}},
		R{TraceID: "t3", ID: "e", StartTime: at(4), Name: "gone", UserID: "u9", Tags: []string{"red"}},
	)
	x.delete(t, store.Selection{IDs: []string{"e"}})
	count := []store.Measure[R]{x.measure(t, store.Count, "")}
	x.wantGroups(t,
		aggregateCase[R]{"everything", store.AggregateQuery[R]{Measures: count}, []store.Group{group(nil, num(4))}},
		aggregateCase[R]{"no measures", store.AggregateQuery[R]{GroupBy: x.by(t, "traceId")}, []store.Group{
			group([]string{"t1"}), group([]string{"t2"}),
		}},
		aggregateCase[R]{"neither groups nor measures", store.AggregateQuery[R]{}, []store.Group{group(nil)}},
		aggregateCase[R]{"text, unset is its own group", store.AggregateQuery[R]{GroupBy: x.by(t, "name"), Measures: count}, []store.Group{
			group([]string{"one"}, num(2)), group([]string{"two"}, num(1)), group([]string{""}, num(1)),
		}},
		aggregateCase[R]{"text that may be null", store.AggregateQuery[R]{GroupBy: x.by(t, "traceName"), Measures: count}, []store.Group{
			// The first is a root and gives its name to the trace; two are neither roots nor named.
			group([]string{"one"}, num(1)), group([]string{"given"}, num(1)), group([]string{none}, num(2)),
		}},
		aggregateCase[R]{"booleans", store.AggregateQuery[R]{GroupBy: x.by(t, "isRootObservation"), Measures: count}, []store.Group{
			group([]string{"true"}, num(2)), group([]string{"false"}, num(2)),
		}},
		aggregateCase[R]{"lists, each element once", store.AggregateQuery[R]{GroupBy: x.by(t, "tags"), Measures: count}, []store.Group{
			group([]string{"red"}, num(2)), group([]string{"blue"}, num(2)), group([]string{none}, num(1)),
		}},
		aggregateCase[R]{"two lists", store.AggregateQuery[R]{GroupBy: x.by(t, "tags", "toolNames"), Measures: count}, []store.Group{
			group([]string{"red", "search"}, num(1)), group([]string{"blue", "search"}, num(1)),
			group([]string{"red", none}, num(1)), group([]string{"blue", none}, num(1)),
			group([]string{none, "search"}, num(1)), group([]string{none, "fetch"}, num(1)),
		}},
		aggregateCase[R]{"several columns, in the order asked for", store.AggregateQuery[R]{
			GroupBy: x.by(t, "isRootObservation", "traceId", "userId"), Measures: count,
		}, []store.Group{
			group([]string{"true", "t1", "u1"}, num(1)), group([]string{"false", "t1", "u1"}, num(1)),
			group([]string{"true", "t2", ""}, num(1)), group([]string{"false", "t2", "u2"}, num(1)),
		}},
		aggregateCase[R]{"different texts", store.AggregateQuery[R]{
			GroupBy: x.by(t, "traceId"),
			Measures: []store.Measure[R]{
				x.measure(t, store.Distinct, "userId"), x.measure(t, store.Distinct, "id"), x.measure(t, store.Distinct, "sessionId"),
			},
		}, []store.Group{
			group([]string{"t1"}, num(1), num(2), num(0)), group([]string{"t2"}, num(1), num(2), num(0)),
		}},
		aggregateCase[R]{"different texts in groups of lists", store.AggregateQuery[R]{
			GroupBy: x.by(t, "tags"), Measures: []store.Measure[R]{x.measure(t, store.Distinct, "traceId")},
		}, []store.Group{
			group([]string{"red"}, num(1)), group([]string{"blue"}, num(2)), group([]string{none}, num(1)),
		}},
	)
}

func measuresOfObservations(t *testing.T, f *fixture) {
	type R = domain.Observation
	x := testerOf(f, observations())
	// Costs 1, 2, 4, 8 and two unset; latencies 0.5, 1, 1.5 seconds and three unset.
	x.append(t,
		R{TraceID: "t", ID: "a", StartTime: at(0), EndTime: at(500), TotalCost: num(1), InputTokens: 10, TotalTokens: domain.IntOf(0)},
		R{TraceID: "t", ID: "b", StartTime: at(1), EndTime: at(1001), TotalCost: num(2), InputTokens: -20},
		R{TraceID: "t", ID: "c", StartTime: at(2), EndTime: at(1502), TotalCost: num(4)},
	)
	f.flush(t)
	x.append(t,
		R{TraceID: "t", ID: "d", StartTime: at(3), TotalCost: num(8)},
		R{TraceID: "t", ID: "e", StartTime: at(4)},
		R{TraceID: "null", ID: "f", StartTime: at(5)},
	)
	every := func(column string) []store.Measure[R] {
		return []store.Measure[R]{
			x.measure(t, store.Count, ""), x.measure(t, store.Sum, column), x.measure(t, store.Average, column),
			x.measure(t, store.Min, column), x.measure(t, store.Max, column),
			x.measure(t, store.Quantile, column, 0), x.measure(t, store.Quantile, column, 0.5),
			x.measure(t, store.Quantile, column, 0.75), x.measure(t, store.Quantile, column, 1),
		}
	}
	byTrace := x.by(t, "traceId")
	x.wantGroups(t,
		aggregateCase[R]{"costs", store.AggregateQuery[R]{GroupBy: byTrace, Measures: every("totalCost")}, []store.Group{
			group([]string{"t"}, num(5), num(15), num(3.75), num(1), num(8), num(1), num(3), num(5), num(8)),
			group([]string{"null"}, num(1), num(0), null, null, null, null, null, null, null),
		}},
		aggregateCase[R]{"latencies", store.AggregateQuery[R]{GroupBy: byTrace, Measures: every("latency")}, []store.Group{
			group([]string{"t"}, num(5), num(3), num(1), num(0.5), num(1.5), num(0.5), num(1), num(1.25), num(1.5)),
			group([]string{"null"}, num(1), num(0), null, null, null, null, null, null, null),
		}},
		aggregateCase[R]{"never null", store.AggregateQuery[R]{GroupBy: byTrace, Measures: every("inputTokens")}, []store.Group{
			group([]string{"t"}, num(5), num(-10), num(-2), num(-20), num(10), num(-20), num(0), num(0), num(10)),
			group([]string{"null"}, num(1), num(0), num(0), num(0), num(0), num(0), num(0), num(0), num(0)),
		}},
		aggregateCase[R]{"a single zero among nulls", store.AggregateQuery[R]{Measures: every("totalTokens")}, []store.Group{
			group(nil, num(6), num(0), num(0), num(0), num(0), num(0), num(0), num(0), num(0)),
		}},
		aggregateCase[R]{"quantiles between values", store.AggregateQuery[R]{
			GroupBy: nil,
			Measures: []store.Measure[R]{
				x.measure(t, store.Quantile, "totalCost", 0.1), x.measure(t, store.Quantile, "totalCost", 0.9),
				x.measure(t, store.Quantile, "totalCost", 0.99),
			},
		}, []store.Group{group(nil, num(1.3), num(6.8), num(7.88))}},
	)
}

func measuresOfScores(t *testing.T, f *fixture) {
	type R = domain.Score
	x := testerOf(f, scores())
	x.append(t,
		R{ID: "a", Timestamp: at(0), Name: "quality", DataType: "NUMERIC", Value: num(0.25)},
		R{ID: "b", Timestamp: at(1), Name: "quality", DataType: "NUMERIC", Value: num(-0.75)},
		R{ID: "c", Timestamp: at(2), Name: "quality", DataType: "NUMERIC", Value: num(0)},
		R{ID: "d", Timestamp: at(3), Name: "tone", DataType: "CATEGORICAL", StringValue: "kind"},
		R{ID: "e", Timestamp: at(4), Name: "tone", DataType: "CATEGORICAL", StringValue: "rude"},
		R{ID: "f", Timestamp: at(5), Name: "tone", DataType: "CATEGORICAL", StringValue: "kind"},
	)
	x.wantGroups(t,
		aggregateCase[R]{"by name", store.AggregateQuery[R]{
			GroupBy: x.by(t, "name"),
			Measures: []store.Measure[R]{
				x.measure(t, store.Count, ""), x.measure(t, store.Sum, "value"), x.measure(t, store.Average, "value"),
				x.measure(t, store.Min, "value"),
				x.measure(t, store.Max, "value"), x.measure(t, store.Quantile, "value", 0.5), x.measure(t, store.Distinct, "stringValue"),
			},
		}, []store.Group{
			group([]string{"quality"}, num(3), num(-0.5), num(-0.5/3), num(-0.75), num(0.25), num(0), num(0)),
			group([]string{"tone"}, num(3), num(0), null, null, null, null, num(2)),
		}},
		aggregateCase[R]{"by value", store.AggregateQuery[R]{
			GroupBy: x.by(t, "dataType", "stringValue"), Measures: []store.Measure[R]{x.measure(t, store.Count, "")},
		}, []store.Group{
			group([]string{"NUMERIC", ""}, num(3)), group([]string{"CATEGORICAL", "kind"}, num(2)),
			group([]string{"CATEGORICAL", "rude"}, num(1)),
		}},
	)
}

func buckets(t *testing.T, f *fixture) {
	type R = domain.Observation
	x := testerOf(f, observations())
	const hour = 60 * 60 * 1000
	millis := func(ms int64) domain.Micros { return domain.Micros(ms * 1000) }
	for i, when := range []domain.Micros{
		millis(2*hour) - 1, millis(2 * hour), millis(2*hour) + 1, millis(hour), millis(1), 1,
		-1, millis(-1), millis(-hour), millis(-hour) - 1, millis(-25 * hour), noon, noon + millis(hour) - 1,
	} {
		x.append(t, R{TraceID: "t", ID: strconv.Itoa(i), StartTime: when, Name: fmt.Sprint("n", i%2)})
	}
	bucket := func(start int64, n float64, keys ...string) store.Group {
		g := group(keys, num(n))
		g.Bucket = start
		return g
	}
	count := []store.Measure[R]{x.measure(t, store.Count, "")}
	noon := noon.Millis()
	x.wantGroups(t,
		aggregateCase[R]{"hours", store.AggregateQuery[R]{Bucket: hour, Measures: count}, []store.Group{
			bucket(noon, 2), bucket(2*hour, 2), bucket(hour, 2), bucket(0, 2), bucket(-hour, 3), bucket(-2*hour, 1), bucket(-25*hour, 1),
		}},
		aggregateCase[R]{"days", store.AggregateQuery[R]{Bucket: 24 * hour, Measures: count}, []store.Group{
			bucket(noon-12*hour, 2), bucket(0, 6), bucket(-24*hour, 4), bucket(-48*hour, 1),
		}},
		aggregateCase[R]{"of an odd length", store.AggregateQuery[R]{
			Bucket: 7*hour + 1, Measures: count, To: millis(hour), From: millis(-25 * hour),
		}, []store.Group{
			bucket(0, 2), bucket(-7*hour-1, 4), bucket(-28*hour-4, 1),
		}},
		aggregateCase[R]{"milliseconds", store.AggregateQuery[R]{Bucket: 1, Measures: count, From: -2, To: 2}, []store.Group{
			bucket(0, 1), bucket(-1, 1),
		}},
		aggregateCase[R]{"with groups", store.AggregateQuery[R]{
			Bucket: hour, GroupBy: x.by(t, "name"), Measures: count, From: millis(hour), To: millis(3 * hour),
		}, []store.Group{
			bucket(2*hour, 1, "n0"), bucket(2*hour, 1, "n1"), bucket(hour, 1, "n0"), bucket(hour, 1, "n1"),
		}},
		aggregateCase[R]{"larger than all time", store.AggregateQuery[R]{Bucket: 1 << 50, Measures: count}, []store.Group{
			bucket(0, 8), bucket(-1<<50, 5),
		}},
	)
}

func boundsOfAggregates(t *testing.T, f *fixture) {
	type R = domain.Observation
	x := testerOf(f, observations())
	var rows []R
	for i := range 100 {
		rows = append(rows, R{
			TraceID: fmt.Sprint("t", i%2), ID: strconv.Itoa(i), StartTime: at(int64(i)), Name: fmt.Sprint("n", i%5), InputTokens: int64(i),
		})
	}
	x.append(t, rows[:25]...)
	x.append(t, rows[25:41]...)
	f.flush(t)
	x.append(t, rows[41:]...)
	three, err := filter.NewText(x.column(t, "name"), filter.Equal, "n3")
	if err != nil {
		t.Fatal(err)
	}
	even, err := filter.NewText(x.column(t, "traceId"), filter.Equal, "t0")
	if err != nil {
		t.Fatal(err)
	}
	nothing, err := filter.NewText(x.column(t, "name"), filter.Equal, "none")
	if err != nil {
		t.Fatal(err)
	}
	measures := []store.Measure[R]{x.measure(t, store.Count, ""), x.measure(t, store.Sum, "inputTokens")}
	x.wantGroups(t,
		aggregateCase[R]{
			"from and to",
			store.AggregateQuery[R]{From: at(10), To: at(13), Measures: measures},
			[]store.Group{group(nil, num(3), num(33))},
		},
		aggregateCase[R]{"from", store.AggregateQuery[R]{From: at(98), Measures: measures}, []store.Group{group(nil, num(2), num(197))}},
		aggregateCase[R]{"to", store.AggregateQuery[R]{To: at(2) + 1, Measures: measures}, []store.Group{group(nil, num(3), num(3))}},
		aggregateCase[R]{"a condition", store.AggregateQuery[R]{Where: []filter.Condition[R]{three}, Measures: measures}, []store.Group{
			group(nil, num(20), num(1010)),
		}},
		aggregateCase[R]{"conditions and bounds", store.AggregateQuery[R]{
			Where: []filter.Condition[R]{three, even}, From: at(8), To: at(28), GroupBy: x.by(t, "id"), Measures: measures,
		}, []store.Group{
			group([]string{"8"}, num(1), num(8)), group([]string{"18"}, num(1), num(18)),
		}},
		// Groups come from rows: without rows there are none.
		aggregateCase[R]{"nothing found", store.AggregateQuery[R]{Where: []filter.Condition[R]{nothing}, Measures: measures}, nil},
		aggregateCase[R]{
			"nothing found, with groups",
			store.AggregateQuery[R]{From: at(1000), GroupBy: x.by(t, "name"), Bucket: 1, Measures: measures},
			nil,
		},
	)
}

// manyRowsAggregated compares aggregates over thousands of rows with those of the model, since stores divide rows into
// pieces of some thousands. Some values are unset, some rows deleted, and other projects have rows before and after.
func manyRowsAggregated(t *testing.T, f *fixture) {
	type R = domain.Observation
	x := testerOf(f, observations())
	model := testerOf(&fixture{store: NewModel()}, observations())
	var rows []R
	for i := range 5000 {
		r := R{
			TraceID: fmt.Sprint("t", i/9), ID: strconv.Itoa(i), StartTime: at(int64(i) * 7000), Name: fmt.Sprint("n", i%13),
			Model:  fmt.Sprint("m", i*i%5),
			UserID: fmt.Sprint("u", i*i%211), InputTokens: int64(i % 1000),
		}
		if i%7 != 0 {
			r.TotalCost = num(float64(i%100) / 8)
		}
		if i%11 != 0 {
			r.EndTime = r.StartTime + domain.Micros(i%300)*12_345
		}
		rows = append(rows, r)
	}
	for _, table := range []*tester[R]{x, model} {
		for n, project := range []string{"a", mine, "z", mine} {
			table.appendIn(t, project, rows[n*1250:(n+1)*1250]...)
		}
		table.appendIn(t, mine, rows[:2500]...)
		table.delete(t, store.Selection{TraceIDs: []string{"t3", "t200", "t201", "t400"}})
	}
	three, err := filter.NewText(x.column(t, "name"), filter.Equal, "n3")
	if err != nil {
		t.Fatal(err)
	}
	measures := []store.Measure[R]{
		x.measure(t, store.Count, ""), x.measure(t, store.Sum, "totalCost"), x.measure(t, store.Quantile, "latency", 0.95),
		x.measure(t, store.Distinct, "userId"), x.measure(t, store.Max, "inputTokens"), x.measure(t, store.Average, "latency"),
		x.measure(t, store.Min, "startTime"), x.measure(t, store.Max, "startTime"), x.measure(t, store.Min, "endTime"),
		x.measure(t, store.Max, "endTime"),
		x.measure(t, store.Count, "userId"), x.measure(t, store.Distinct, "latency"), x.measure(t, store.Distinct, "id"),
		{Function: store.Histogram, Column: x.column(t, "totalCost"), Bins: 20},
	}
	queries := []store.AggregateQuery[R]{
		{Measures: measures},
		{Measures: measures, Bucket: 3_600_000, GroupBy: x.by(t, "model")},
		{Measures: measures, GroupBy: x.by(t, "name", "model"), From: at(7000 * 900), To: at(7000 * 4100)},
		{Measures: measures, GroupBy: x.by(t, "userId"), Where: []filter.Condition[R]{three}},
		{Measures: measures, Bucket: 1, GroupBy: x.by(t, "id")},
		{Measures: measures, Calendar: store.Weeks(time.UTC), GroupBy: x.by(t, "inputTokens", "isRootObservation")},
		{Measures: measures, GroupBy: x.by(t, "id", "traceId", "latency", "totalCost", "inputTokens"), Where: []filter.Condition[R]{three}},
		{Measures: measures, GroupBy: append(x.by(t, "hasInput"), x.derived...), Calendar: store.Months(time.UTC)},
	}
	want := make([]*store.Groups, len(queries))
	for n, q := range queries {
		if want[n], err = model.table.Aggregate(t.Context(), projectScope(mine), q); err != nil {
			t.Fatal(err)
		}
	}
	x.inEveryState(t, func(t *testing.T) {
		for n, q := range queries {
			got, err := x.table.Aggregate(t.Context(), projectScope(mine), q)
			if err != nil {
				t.Fatal(err)
			}
			if d := diffGroups(want[n], got); d != "" {
				t.Errorf("%s: %s", describeAggregate(q), d)
			}
		}
	})
}

func senselessAggregates(t *testing.T, f *fixture) {
	type R = domain.Observation
	x := testerOf(f, observations())
	x.append(t, R{TraceID: "t", ID: "a", StartTime: at(0), TotalCost: num(1)})
	measure := func(m store.Measure[R]) store.AggregateQuery[R] {
		return store.AggregateQuery[R]{Measures: []store.Measure[R]{{Function: store.Count}, m}}
	}
	for name, q := range map[string]store.AggregateQuery[R]{
		"sum of no column":       measure(x.measure(t, store.Sum, "")),
		"distinct of no column":  measure(x.measure(t, store.Distinct, "")),
		"average of text":        measure(x.measure(t, store.Average, "name")),
		"sum of times":           measure(x.measure(t, store.Sum, "startTime")),
		"min of a boolean":       measure(x.measure(t, store.Min, "hasInput")),
		"distinct of times":      measure(x.measure(t, store.Distinct, "startTime")),
		"count of booleans":      measure(x.measure(t, store.Count, "hasInput")),
		"histogram without bins": measure(x.measure(t, store.Histogram, "totalCost")),
		"histogram of too many bins": measure(store.Measure[R]{
			Function: store.Histogram, Column: x.column(t, "totalCost"), Bins: store.MaxBins + 1,
		}),
		"histogram of text":            measure(store.Measure[R]{Function: store.Histogram, Column: x.column(t, "name"), Bins: 5}),
		"quantile above 1":             measure(x.measure(t, store.Quantile, "totalCost", 1.5)),
		"quantile below 0":             measure(x.measure(t, store.Quantile, "totalCost", -0.5)),
		"quantile that is no number":   measure(x.measure(t, store.Quantile, "totalCost", math.NaN())),
		"function that does not exist": measure(x.measure(t, store.Histogram+1, "totalCost")),
		"groups by time":               {GroupBy: x.by(t, "startTime")},
		"groups by long text":          {GroupBy: x.by(t, "input")},
		"groups by metadata":           {GroupBy: x.by(t, "metadata")},
		"negative buckets":             {Bucket: -1},
		"two kinds of buckets":         {Bucket: 1, Calendar: store.Months(time.UTC)},
		"negative groups":              {MaxGroups: -1},
		"negative memory":              {MaxBytes: -1},
	} {
		_, err := x.table.Aggregate(t.Context(), projectScope(mine), q)
		wantError(t, name, err, store.ErrInvalid)
	}
}

func tooManyGroups(t *testing.T, f *fixture) {
	type R = domain.Score
	x := testerOf(f, scores())
	var rows []R
	for i := range 30 {
		rows = append(rows, R{ID: strconv.Itoa(i), Timestamp: at(int64(i)), Name: fmt.Sprint("n", i%10)})
	}
	x.append(t, rows[:15]...)
	f.flush(t)
	x.append(t, rows[15:]...)
	x.inEveryState(t, func(t *testing.T) {
		for _, c := range []struct {
			query  store.AggregateQuery[R]
			groups int
		}{
			{store.AggregateQuery[R]{GroupBy: x.by(t, "name")}, 10},
			{store.AggregateQuery[R]{GroupBy: x.by(t, "id")}, 30},
			{store.AggregateQuery[R]{Bucket: 10}, 3},
			{store.AggregateQuery[R]{Bucket: 10, GroupBy: x.by(t, "name")}, 30},
		} {
			for limit, want := range map[int]error{
				c.groups - 1: store.ErrTooLarge, c.groups: nil, c.groups + 1: nil, 1: store.ErrTooLarge, 0: nil,
			} {
				c.query.MaxGroups = limit
				groups, err := x.table.Aggregate(t.Context(), projectScope(mine), c.query)
				wantError(t, describeAggregate(c.query), err, want)
				if err == nil && len(groups.Rows) != c.groups {
					t.Errorf("%s: %d groups, want %d", describeAggregate(c.query), len(groups.Rows), c.groups)
				}
			}
		}
	})
	// Two lists make a group for each pair of elements, so one row is enough to reach the default limit.
	words := make([]string, 500)
	for i := range words {
		words[i] = fmt.Sprint("word ", i)
	}
	o := testerOf(f, observations())
	o.append(t, domain.Observation{TraceID: "t", ID: "a", StartTime: at(0), Tags: words[:250], ToolNames: words[:400]})
	o.append(t, domain.Observation{TraceID: "t", ID: "b", StartTime: at(0), Tags: words[499:], ToolNames: words[:1]})
	q := store.AggregateQuery[domain.Observation]{GroupBy: o.by(t, "tags", "toolNames")}
	_, err := o.table.Aggregate(t.Context(), projectScope(mine), q)
	wantError(t, "more groups than are allowed by default", err, store.ErrTooLarge)
}
