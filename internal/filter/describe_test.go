package filter_test

import (
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// TestConditionSpecs makes a condition for everything that columns claim to accept, and checks that they accept nothing
// else.
func TestConditionSpecs(t *testing.T) {
	all := []string{
		"=", "<>", ">", "<", ">=", "<=", "contains", "does not contain", "starts with", "ends with", "matches", "any of", "none of",
		"all of", "is null", "is not null",
	}
	values := map[string]string{
		"string": `"a"`, "stringOptions": `["a"]`, "arrayOptions": `["a"]`, "number": `1`, "datetime": `"2026-03-04T05:06:07Z"`,
		"boolean":      `true`,
		"stringObject": `"a"`, "numberObject": `1`, "booleanObject": `true`, "null": `""`,
	}
	check := func(catalogue *filter.Catalogue[domain.Observation]) {
		for _, column := range catalogue.Columns() {
			said := map[string]bool{}
			for _, fitting := range column.ConditionSpecs() {
				for _, operator := range fitting.Operators {
					said[fitting.Type+" "+operator] = true
				}
			}
			for typ, value := range values {
				for _, operator := range all {
					key := ""
					if strings.HasSuffix(typ, "Object") {
						key = `"key":"k",`
					}
					text := `[{"type":"` + typ + `","column":"` + column.ID() + `","operator":"` + operator + `",` + key + `"value":` +
						value + `}]`
					_, err := filter.Parse(catalogue, text, filter.DefaultLimits())
					if takes := err == nil; takes != said[typ+" "+operator] {
						t.Errorf("%s: said %v, but %v", text, said[typ+" "+operator], err)
					}
				}
			}
		}
	}
	check(filter.Observations())
}
