package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// TestDailyTotals adds to totals in two steps, and reads them day by day and summed up.
func TestDailyTotals(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		total := func(day int64, value string, times int64) domain.DailyTotal {
			return domain.DailyTotal{
				Day: day, By: domain.TotalsByModel, IsRoot: true, Environment: "e", Type: "SPAN", Level: "ERROR", Value: value,
				Observations: times, Traces: 2 * times,
				InputTokens: 3 * times, OutputTokens: 4 * times, TotalTokens: 1 << 40 * times, InputCost: 0.5 * float64(times),
				OutputCost: 0.25 * float64(times), TotalCost: float64(times),
			}
		}
		state := func(want domain.TotalsState) {
			t.Helper()
			if got, err := c.TotalsState(ctx, mine); err != nil || got != want {
				t.Errorf("the state is %+v, %v, want %+v", got, err, want)
			}
		}
		state(domain.TotalsState{})
		if err := c.AddDailyTotals(ctx, mine, 77, 5, []domain.DailyTotal{
			total(1, "a", 1), total(1, "b\x00", 2), total(2, "a", 4),
		}); err != nil {
			t.Fatal(err)
		}
		state(domain.TotalsState{Version: 1, Pending: 77, PendingUpTo: 5})
		if err := c.DailyTotalsDone(ctx, mine); err != nil {
			t.Fatal(err)
		}
		state(domain.TotalsState{Version: 2, PendingUpTo: 5})
		level := total(2, "", 16)
		level.By, level.IsRoot = domain.TotalsByLevel, false
		if err := c.AddDailyTotals(ctx, mine, 88, 6, []domain.DailyTotal{total(2, "a", 8), level}); err != nil {
			t.Fatal(err)
		}
		state(domain.TotalsState{Version: 3, Pending: 88, PendingUpTo: 6})
		check := func(scope domain.ProjectScope, by string, from, to int64, eachDay bool, want ...domain.DailyTotal) {
			t.Helper()
			got, err := c.DailyTotals(ctx, scope, by, from, to, eachDay)
			slices.SortFunc(got, func(a, b domain.DailyTotal) int {
				return int(a.Day-b.Day)*2 + strings.Compare(a.Value, b.Value)
			})
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("by %s from %d to %d: %v %s", by, from, to, err, diff)
			}
		}
		check(mine, domain.TotalsByModel, 0, 9, true, total(1, "a", 1), total(1, "b\uFFFD", 2), total(2, "a", 12))
		check(mine, domain.TotalsByModel, 0, 9, false, total(1, "a", 13), total(1, "b\uFFFD", 2))
		check(mine, domain.TotalsByModel, 2, 3, true, total(2, "a", 12))
		check(mine, domain.TotalsByModel, 0, 1, false)
		check(mine, domain.TotalsByLevel, 0, 9, true, level)
		check(theirs, domain.TotalsByModel, 0, 9, true)

		if err := c.DeleteProject(ctx, organization, p.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if err := c.AddDailyTotals(ctx, mine, 99, 5, []domain.DailyTotal{total(3, "a", 1)}); err != nil {
			t.Errorf("totals of a project that is gone: %v", err)
		}
		state(domain.TotalsState{})
		check(mine, domain.TotalsByModel, 0, 9, true)
	})
}
