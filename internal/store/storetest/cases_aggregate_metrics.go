package storetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

func weeksAndMonths(t *testing.T, f *fixture) {
	type R = domain.Score
	x := testerOf(f, scores())
	moment := func(text string) domain.Micros {
		parsed, err := time.Parse("2006-01-02 15:04:05.000", text)
		if err != nil {
			t.Fatal(err)
		}
		return domain.MicrosOf(parsed)
	}
	for i, text := range []string{
		// Sunday, Monday, Sunday, Monday
		"2026-03-01 23:59:59.999", "2026-03-02 00:00:00.000", "2026-03-08 23:59:59.999", "2026-03-09 00:00:00.000",
		"2026-02-28 23:59:59.999", "2026-02-01 00:00:00.000", "1969-12-31 23:59:59.999", "2028-02-29 12:00:00.000",
	} {
		x.append(t, R{ID: strconv.Itoa(i), Timestamp: moment(text), Name: fmt.Sprint("n", i%2)})
	}
	count := []store.Measure[R]{x.measure(t, store.Count, "")}
	bucket := func(start string, n float64, keys ...string) store.Group {
		g := group(keys, num(n))
		g.Bucket = moment(start + " 00:00:00.000").Millis()
		return g
	}
	x.wantGroups(t,
		aggregateCase[R]{"weeks", store.AggregateQuery[R]{Calendar: store.Weeks(time.UTC), Measures: count}, []store.Group{
			bucket("2026-03-09", 1), bucket("2026-03-02", 2), bucket("2026-02-23", 2), bucket("2026-01-26", 1),
			bucket("1969-12-29", 1), bucket("2028-02-28", 1),
		}},
		aggregateCase[R]{"months", store.AggregateQuery[R]{Calendar: store.Months(time.UTC), Measures: count}, []store.Group{
			bucket("2026-03-01", 4), bucket("2026-02-01", 2), bucket("1969-12-01", 1), bucket("2028-02-01", 1),
		}},
		aggregateCase[R]{"months with groups", store.AggregateQuery[R]{
			Calendar: store.Months(time.UTC), Measures: count, GroupBy: x.by(t, "name"), From: moment("2026-01-01 00:00:00.000"),
			To: moment("2026-12-31 00:00:00.000"),
		}, []store.Group{
			bucket("2026-03-01", 2, "n0"), bucket("2026-03-01", 2, "n1"), bucket("2026-02-01", 1, "n0"), bucket("2026-02-01", 1, "n1"),
		}},
	)
}

func groupsOfNumbers(t *testing.T, f *fixture) {
	type R = domain.Observation
	x := testerOf(f, observations())
	x.append(t,
		R{
			TraceID: "t", ID: "a", StartTime: at(0), EndTime: at(1500), PromptName: "p", PromptVersion: domain.IntOf(1),
			Tags: []string{"b", "a"}, TotalCost: num(0),
		},
		R{
			TraceID: "t", ID: "b", StartTime: at(1), ParentID: "a", PromptName: "p", PromptVersion: domain.IntOf(10),
			Tags: []string{"b", "a"},
		},
		R{TraceID: "t", ID: "c", StartTime: at(2) + 30*day, PromptVersion: domain.IntOf(1), TotalCost: num(1e21), Name: "n\xff"},
	)
	f.flush(t)
	x.append(t,
		R{TraceID: "t\xff", ID: "d", StartTime: at(3), EndTime: at(503), ParentID: "x", TraceName: "", Tags: []string{"a", "b"}, Name: "n"},
		R{TraceID: "t", ID: "e", StartTime: at(4), TotalCost: num(0.1), ToolNames: []string{"s", "t"}, Name: "\xffn"},
	)
	tags := filter.DerivedText("tags", func(o *R) (string, bool) {
		return strings.Join(o.Tags, "+"), len(o.Tags) == 0
	}, x.column(t, "tags"))
	month := filter.DerivedText("month", func(o *R) (string, bool) {
		return o.StartTime.Time().Format("2006-01"), false
	}, x.column(t, "startTime"))
	millis := filter.DerivedNumber("millis", func(o *R) (float64, bool) {
		return float64(o.EndTime.Millis() - o.StartTime.Millis()), o.EndTime == 0
	}, x.column(t, "latency"))
	prompted := filter.DerivedBool("prompted", func(o *R) bool { return o.PromptName != "" }, x.column(t, "promptName"))
	found, err := filter.NewText(month, filter.Equal, at(0).Time().Format("2006-01"))
	if err != nil {
		t.Fatal(err)
	}
	count := []store.Measure[R]{x.measure(t, store.Count, "")}
	later := (at(2) + 30*day).Time().Format("2006-01")
	x.wantGroups(t,
		aggregateCase[R]{"integers", store.AggregateQuery[R]{GroupBy: x.by(t, "promptVersion"), Measures: count}, []store.Group{
			group([]string{"1"}, num(2)), group([]string{"10"}, num(1)), group([]string{none}, num(2)),
		}},
		aggregateCase[R]{"numbers", store.AggregateQuery[R]{GroupBy: x.by(t, "totalCost"), Measures: count}, []store.Group{
			group([]string{"0"}, num(1)), group([]string{"1e+21"}, num(1)), group([]string{"0.1"}, num(1)), group([]string{none}, num(2)),
		}},
		aggregateCase[R]{"durations and counts of lists", store.AggregateQuery[R]{
			GroupBy: x.by(t, "latency", "toolDefinitions"), Measures: count,
		}, []store.Group{
			group([]string{"1.5", "0"}, num(1)), group([]string{"0.5", "0"}, num(1)), group([]string{none, "0"}, num(2)),
			group([]string{none, "2"}, num(1)),
		}},
		aggregateCase[R]{"whole lists", store.AggregateQuery[R]{GroupBy: []*filter.Column[R]{tags}, Measures: count}, []store.Group{
			group([]string{"b+a"}, num(2)), group([]string{"a+b"}, num(1)), group([]string{none}, num(2)),
		}},
		aggregateCase[R]{"whole lists and their elements", store.AggregateQuery[R]{
			GroupBy: []*filter.Column[R]{tags, x.column(t, "tags")}, Measures: count,
		}, []store.Group{
			group([]string{"b+a", "a"}, num(2)), group([]string{"b+a", "b"}, num(2)), group([]string{"a+b", "a"}, num(1)),
			group([]string{"a+b", "b"}, num(1)),
			group([]string{none, none}, num(2)),
		}},
		aggregateCase[R]{"months beside days", store.AggregateQuery[R]{
			GroupBy:  []*filter.Column[R]{month, prompted},
			Measures: append(slices.Clone(count), store.Measure[R]{Function: store.Sum, Column: millis}),
		}, []store.Group{
			group([]string{month0(), "true"}, num(2), num(1500)), group([]string{month0(), "false"}, num(2), num(500)),
			group([]string{later, "false"}, num(1), num(0)),
		}},
		aggregateCase[R]{"a condition on a derived column", store.AggregateQuery[R]{
			Where: []filter.Condition[R]{found}, Measures: count,
		}, []store.Group{
			group(nil, num(4)),
		}},
		aggregateCase[R]{"texts that are not UTF-8 do not run into each other", store.AggregateQuery[R]{
			GroupBy: x.by(t, "traceId", "name"), Measures: count,
		}, []store.Group{
			group([]string{"t", ""}, num(2)), group([]string{"t", "n\xff"}, num(1)), group([]string{"t\xff", "n"}, num(1)),
			group([]string{"t", "\xffn"}, num(1)),
		}},
	)
}

// month0 is the month of at(0).
func month0() string { return at(0).Time().Format("2006-01") }

// sumsOfMoney checks that sums of costs, which have twelve decimals, lose none of them. Plain addition would lose some
// here.
func sumsOfMoney(t *testing.T, f *fixture) {
	type R = domain.Observation
	x := testerOf(f, observations())
	const count, large, unit = 3000, 4096, 1e12
	rows := []R{{TraceID: "t", ID: "large", StartTime: at(0), TotalCost: num(large)}}
	total := int64(large * unit)
	for n := range int64(count) {
		cost := 7*n + 1
		total += cost
		rows = append(rows, R{TraceID: "t", ID: strconv.FormatInt(n, 10), StartTime: at(n), TotalCost: num(float64(cost) / unit)})
	}
	x.append(t, rows[:count/2]...)
	f.flush(t)
	x.append(t, rows[count/2:]...)
	want := float64(total) / unit
	asIs := filter.DerivedNumber("cost", func(o *R) (float64, bool) { return o.TotalCost.Value, false }, x.column(t, "totalCost"))
	query := store.AggregateQuery[R]{
		Measures: []store.Measure[R]{x.measure(t, store.Sum, "totalCost"), {Function: store.Sum, Column: asIs}},
	}
	x.inEveryState(t, func(t *testing.T) {
		groups, err := x.table.Aggregate(t.Context(), projectScope(mine), query)
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range groups.Rows[0].Values {
			if got := domain.Dollars(value.Value); got != want {
				t.Errorf("%v dollars, want %v", got, want)
			}
		}
	})
}

func countsAndHistograms(t *testing.T, f *fixture) {
	type R = domain.Observation
	x := testerOf(f, observations())
	x.append(t,
		R{TraceID: "t", ID: "a", StartTime: at(0), TotalCost: num(4), UserID: "u", InputTokens: 1},
		R{TraceID: "t", ID: "b", StartTime: at(1), TotalCost: num(1), UserID: "u", ToolNames: []string{"a", "b"}},
		R{TraceID: "none", ID: "z", StartTime: at(1)},
	)
	f.flush(t)
	x.append(t,
		R{TraceID: "t", ID: "c", StartTime: at(2), TotalCost: num(3), UserID: "v", ToolNames: []string{"a"}},
		R{TraceID: "t", ID: "d", StartTime: at(3), TotalCost: num(2)},
		R{TraceID: "t", ID: "e", StartTime: at(4)},
		R{TraceID: "t", ID: "f", StartTime: at(5), TotalCost: num(4)},
	)
	histogram := func(id string, bins int) store.Measure[R] {
		return store.Measure[R]{Function: store.Histogram, Column: x.column(t, id), Bins: bins}
	}
	withBins := func(g store.Group, bins ...[]store.Bin) store.Group {
		g.Histograms = bins
		return g
	}
	x.wantGroups(t,
		aggregateCase[R]{"counts of values", store.AggregateQuery[R]{GroupBy: x.by(t, "traceId"), Measures: []store.Measure[R]{
			x.measure(t, store.Count, ""), x.measure(t, store.Count, "totalCost"), x.measure(t, store.Count, "userId"),
			x.measure(t, store.Count, "inputTokens"),
			x.measure(t, store.Count, "id"), x.measure(t, store.Sum, "toolDefinitions"),
		}}, []store.Group{
			group([]string{"t"}, num(6), num(5), num(3), num(6), num(6), num(3)),
			group([]string{"none"}, num(1), num(0), num(0), num(1), num(1), num(0)),
		}},
		aggregateCase[R]{"different numbers", store.AggregateQuery[R]{GroupBy: x.by(t, "traceId"), Measures: []store.Measure[R]{
			x.measure(t, store.Distinct, "totalCost"), x.measure(t, store.Distinct, "inputTokens"),
			x.measure(t, store.Distinct, "toolDefinitions"),
			x.measure(t, store.Sum, "totalCost"), x.measure(t, store.Max, "totalCost"), x.measure(t, store.Quantile, "totalCost", 0.5),
		}}, []store.Group{
			group([]string{"t"}, num(4), num(2), num(3), num(14), num(4), num(3)),
			group([]string{"none"}, num(0), num(1), num(1), num(0), null, null),
		}},
		aggregateCase[R]{"histograms", store.AggregateQuery[R]{GroupBy: x.by(t, "traceId"), Measures: []store.Measure[R]{
			histogram("totalCost", 10), x.measure(t, store.Count, ""), histogram("totalCost", 2), histogram("inputTokens", 1),
		}}, []store.Group{
			withBins(group([]string{"t"}, num(5), num(6), num(5), num(6)),
				[]store.Bin{
					{Lower: 1, Upper: 1.5, Height: 1},
					{Lower: 1.5, Upper: 2.5, Height: 1},
					{Lower: 2.5, Upper: 3.5, Height: 1},
					{Lower: 3.5, Upper: 4, Height: 2},
				},
				nil,
				// 1 and 2 become 1.5, then 3 and 4 become 11/3.
				[]store.Bin{{Lower: 1, Upper: (1.5 + 11.0/3) / 2, Height: 2}, {Lower: (1.5 + 11.0/3) / 2, Upper: 4, Height: 3}},
				[]store.Bin{{Lower: 0, Upper: 1, Height: 6}}),
			withBins(group([]string{"none"}, num(0), num(1), num(0), num(1)), nil, nil, nil, []store.Bin{{Lower: 0, Upper: 0, Height: 1}}),
		}},
	)
}

// tooMuchMemory reaches the limit with everything that takes memory.
func tooMuchMemory(t *testing.T, f *fixture) {
	type R = domain.Observation
	x := testerOf(f, observations())
	rows := make([]R, 3000)
	for i := range rows {
		rows[i] = R{
			TraceID: fmt.Sprint("t", i), ID: strconv.Itoa(i), StartTime: at(int64(i)), UserID: fmt.Sprint("u", i),
			TotalCost: num(float64(i)), Tags: []string{strconv.Itoa(i)},
		}
	}
	x.append(t, rows...)
	x.inEveryState(t, func(t *testing.T) {
		for _, q := range []store.AggregateQuery[R]{
			{GroupBy: x.by(t, "traceId")},
			{GroupBy: x.by(t, "tags")},
			{Bucket: 1},
			{Measures: []store.Measure[R]{x.measure(t, store.Quantile, "totalCost", 0.5)}},
			{Measures: []store.Measure[R]{x.measure(t, store.Distinct, "userId")}},
			{Measures: []store.Measure[R]{x.measure(t, store.Distinct, "totalCost")}},
			{Measures: []store.Measure[R]{{Function: store.Histogram, Column: x.column(t, "totalCost"), Bins: 5}}},
		} {
			for limit, want := range map[int64]error{10_000: store.ErrTooLarge, 0: nil, 10_000_000: nil} {
				q.MaxBytes = limit
				_, err := x.table.Aggregate(t.Context(), projectScope(mine), q)
				wantError(t, fmt.Sprintf("%s, at most %d bytes", describeAggregate(q), limit), err, want)
			}
		}
	})
}
