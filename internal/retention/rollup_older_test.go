package retention

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/analytics"
)

// askedV1 has queries of older clients that totals can answer.
var askedV1 = []string{
	`"metrics":[{"measure":"totalCost","aggregation":"sum"},{"measure":"totalTokens","aggregation":"sum"},{"measure":"count","aggregation":"count"}]`,
	`"metrics":[{"measure":"count","aggregation":"count"},{"measure":"inputTokens","aggregation":"avg"}],"timeDimension":{"granularity":"day"}`,
	`"metrics":[{"measure":"count","aggregation":"count"},{"measure":"totalCost","aggregation":"sum"}],"dimensions":[{"field":"providedModelName"}],"timeDimension":{"granularity":"week"}`,
	`"metrics":[{"measure":"count","aggregation":"count"}],"dimensions":[{"field":"name"},{"field":"environment"}]`,
	`"metrics":[{"measure":"count","aggregation":"count"}],"dimensions":[{"field":"type"},{"field":"level"}],"filters":[{"column":"environment","type":"string","operator":"=","value":"staging"}]`,
}

// days returns the daily metrics of a project as text.
func (j *Job) days(t *testing.T, where ...filter.Condition[domain.TraceSummary]) string {
	t.Helper()
	days, err := (&analytics.Engine{Store: j.Store, History: j.Catalog}).Daily(t.Context(), domain.OfProject("ever"),
		&analytics.DailyQuery{Where: where})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for n := range days {
		d := &days[n]
		_, _ = fmt.Fprintf(&text, "%s: %d traces, %d observations, $%.9f\n", d.Date, d.Traces, d.Observations, d.Cost.Dollars())
		for m := range d.Usage {
			u := &d.Usage[m]
			_, _ = fmt.Fprintf(&text, "  %q: %d %d %d $%.9f %d %d\n", u.Model, u.Input, u.Output, u.Total, u.Cost.Dollars(),
				u.Observations, u.Traces)
		}
	}
	return text.String()
}

// TestSumsInOlderMetrics deletes most of a project: sums in the metrics of older clients stay the same. They do not
// count rows that represent a trace.
func TestSumsInOlderMetrics(t *testing.T) {
	j := newJob(t)
	now := j.Now().UTC().Truncate(24 * time.Hour).Add(15 * time.Hour)
	j.workload(t, "ever", 30, now)
	var records []domain.Observation
	for n := range 30 * 12 { // some of traces with rows, some of traces without
		records = append(records, domain.Observation{
			TraceID: fmt.Sprint("trace ", n*3), ID: "record", Source: domain.SourceIngestionTrace, Type: "SPAN", Level: "DEFAULT",
			Name:        fmt.Sprint("record ", n%2),
			Environment: []string{"production", "staging"}[n*3%2],
			StartTime:   domain.MicrosOf(now.Add(-time.Duration(n*3)*time.Hour - time.Minute)),
		})
	}
	if err := j.Store.Observations().Append(t.Context(), domain.OfProject("ever"), records); err != nil {
		t.Fatal(err)
	}
	staging, err := filter.NewTexts(filter.TraceColumn("environment"), filter.AnyOf, []string{"staging"})
	if err != nil {
		t.Fatal(err)
	}
	named, err := filter.NewText(filter.TraceColumn("name"), filter.Equal, "name 1")
	if err != nil {
		t.Fatal(err)
	}
	before, all, some := j.answersOf(t, analytics.V1, "ever", now, askedV1), j.days(t), j.days(t, staging)
	if strings.Count(j.days(t, named), "traces") < 20 || all == some {
		t.Fatal("the days say nothing")
	}
	for _, days := range []float64{25.3, 25, 12.7, 0.4} {
		if _, _, err := j.expire(t.Context(), "ever", domain.MicrosOf(now.Add(-time.Duration(days*24)*time.Hour))); err != nil {
			t.Fatal(err)
		}
		for n, answer := range j.answersOf(t, analytics.V1, "ever", now, askedV1) {
			if answer != before[n] {
				t.Errorf("with the rows of %v days left, %s\nis   %s\nwas  %s", days, askedV1[n], answer, before[n])
			}
		}
		if got := j.days(t); got != all {
			t.Fatalf("with the rows of %v days left, days are\n%s\nwere\n%s", days, got, all)
		}
		if got := j.days(t, staging); got != some {
			t.Errorf("with the rows of %v days left, days of staging are\n%s\nwere\n%s", days, got, some)
		}
	}
	// Totals do not tell which traces have a name, so only the remaining rows are reported.
	if left := j.days(t, named); strings.Count(left, "traces") != 1 {
		t.Errorf("of traces with a name there are\n%s", left)
	}
}
