package retention

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
	"almanac/test/failing"
)

// TestDaysWithTooMuch rolls up and deletes days with more traces than the store can count, or more environments than it
// can group by: the sums stay the same, and the log says what is missing.
func TestDaysWithTooMuch(t *testing.T) {
	for _, c := range []struct {
		name           string
		groups, traces int  // limits of one query
		environments   bool // whether it can group by environment
		counted, told  int  // traces counted afterwards, by level, and in how many environments
		log            []string
	}{
		{"nothing", 100, 100, true, 96, 2, nil},
		{"values", 6, 100, true, 96, 2, []string{"sums=model left_out=values\n", "sums=name left_out=values\n"}},
		{
			"environments", 100, 100, false, 96, 1, []string{
				`sums=model left_out="values, environments"`, `sums=level left_out="values, environments"`,
			},
		},
		{
			"traces of a day", 100, 20, true, 96, 2, []string{
				`sums=level left_out="values; traces are counted by hour"`, `sums=traces left_out="values; traces are counted by hour"`,
			},
		},
		{
			"traces of an hour", 100, 0, true, 0, 1, []string{
				`sums=level left_out="values, environments, traces"`, `sums=models left_out="values, environments, traces"`,
			},
		},
		{"both", 100, 20, false, 96, 1, []string{`sums=level left_out="values, environments; traces are counted by hour"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(t)
			now := j.Now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
			if _, _, err := j.removeAll(t.Context(), "ever"); err != nil {
				t.Fatal(err)
			}
			j.workload(t, "ever", 3, now)
			questions := []string{asked[0], asked[1], asked[2]}
			before := j.answers(t, "ever", now, questions)
			whole := j.Store
			j.Store = &failing.Refusing{Store: whole, Answer: func(q store.AggregateQuery[domain.Observation], groups *store.Groups) error {
				if len(groups.Rows) > c.groups || failing.Different(q, groups) > c.traces || !c.environments &&
					slices.Contains(q.GroupBy, filter.ObservationColumn("environment")) {
					return store.ErrTooLarge
				}
				return nil
			}}
			var lines strings.Builder
			j.Log = slog.New(slog.NewTextHandler(&lines, nil))
			if _, _, err := j.expire(t.Context(), "ever", domain.MicrosOf(now)); err != nil {
				t.Fatal(err)
			}
			j.Store = whole
			if left := j.left(t, "ever"); len(left) > 0 {
				t.Errorf("%d rows are left", len(left))
			}
			if after := j.answers(t, "ever", now, questions); !slices.Equal(after, before) {
				t.Errorf("sums were\n%s\nand are\n%s", before, after)
			}
			totals, err := j.Catalog.DailyTotals(t.Context(), domain.OfProject("ever"), domain.TotalsByLevel, 0, 1<<40, false)
			if err != nil {
				t.Fatal(err)
			}
			traces, environments := 0, make(map[string]bool)
			for n := range totals {
				traces += int(totals[n].Traces)
				environments[totals[n].Environment] = true
			}
			if traces != c.counted || len(environments) != c.told {
				t.Errorf("there are %d traces in %d environments, want %d in %d", traces, len(environments), c.counted, c.told)
			}
			for _, part := range c.log {
				if strings.Count(lines.String(), part) != 3 {
					t.Errorf("%q is not there once for each day: %s", part, lines.String())
				}
			}
			if c.log == nil && lines.Len() > 0 {
				t.Errorf("the log says %s", lines.String())
			}
		})
	}
}
