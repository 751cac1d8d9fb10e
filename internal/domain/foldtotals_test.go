package domain

import (
	"fmt"
	"strconv"
	"testing"
)

// TestFoldTotals: the values with the highest cost are kept with all of their combinations, and nothing is lost.
func TestFoldTotals(t *testing.T) {
	var totals []DailyTotal
	cost := 0.0
	for value := range 1500 {
		for combination := range 6 {
			c := float64(value)
			cost += c
			totals = append(totals, DailyTotal{
				By: TotalsByName, Value: strconv.Itoa(value), Environment: fmt.Sprintf("e%d", combination%3), IsRoot: combination%2 == 0,
				TotalCost: c, Observations: 1,
			})
		}
	}
	folded := FoldTotals(nil, totals)
	combinations, sum := make(map[string]int), 0.0
	for _, total := range folded {
		combinations[total.Value]++
		sum += total.TotalCost
	}
	if len(combinations) != maxDailyValues+1 || sum != cost {
		t.Errorf("%d values are kept, and %v of %v", len(combinations), sum, cost)
	}
	for value, count := range combinations {
		if count != 6 {
			t.Errorf("value %s has %d combinations", value, count)
		}
	}
	if combinations["500"] != 6 || combinations["499"] != 0 {
		t.Error("other values than those with the highest cost are kept")
	}
	// What is known stays, and is not counted again.
	again := FoldTotals(folded, []DailyTotal{
		{By: TotalsByName, Value: "3000", TotalCost: 1e9}, {By: TotalsByName, Value: "500", Environment: "e0", TotalCost: 1},
	})
	if len(again) != 2 || again[0].Value != OtherTotals || again[1].Value != "500" {
		t.Errorf("later totals become %+v", again)
	}
}

// TestFoldManyEnvironments: the number of totals is bounded whatever clients send.
func TestFoldManyEnvironments(t *testing.T) {
	var totals []DailyTotal
	for n := range 2 * maxDailyTotals {
		totals = append(totals, DailyTotal{By: TotalsByName, Value: "v", Environment: strconv.Itoa(n), Observations: 1})
	}
	folded, sum := FoldTotals(nil, totals), int64(0)
	for _, total := range folded {
		sum += total.Observations
	}
	if len(folded) != maxDailyTotals+1 || sum != 2*maxDailyTotals {
		t.Errorf("%d totals of %d observations", len(folded), sum)
	}
}
