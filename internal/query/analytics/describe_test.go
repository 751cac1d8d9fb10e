package analytics

import (
	"strings"
	"testing"
)

// TestSchema compares the schema with the names listed in errors about unknown fields, which the contract fixes.
func TestSchema(t *testing.T) {
	names := map[string][2]string{"observations": {observationsV2().dimensionNames(), observationsV2().measureNames()}}
	for view := range scoreTypes {
		names[view] = [2]string{scoresOf(V2, view).dimensionNames(), scoresOf(V2, view).measureNames()}
	}
	schema := Schema()
	if len(schema) != len(names) {
		t.Errorf("%d views", len(schema))
	}
	for _, view := range schema {
		var dimensions, measures []string
		for _, d := range view.Dimensions {
			dimensions = append(dimensions, d.Field)
			if len(d.Filters) == 0 {
				t.Errorf("%s: no filter fits %s", view.View, d.Field)
			}
		}
		for _, m := range view.Measures {
			measures = append(measures, m.Measure)
			if m.Measure == "uniqueUserIds" && strings.Join(m.Aggregations, " ") != "count uniq" {
				t.Errorf("aggregations of %s: %v", m.Measure, m.Aggregations)
			}
		}
		if got := [2]string{strings.Join(dimensions, ","), strings.Join(measures, ",")}; got != names[view.View] {
			t.Errorf("%s: %v, want %v", view.View, got, names[view.View])
		}
	}
}
