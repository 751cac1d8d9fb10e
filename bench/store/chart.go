package main

import (
	"fmt"
	"strings"

	"almanac/bench/internal/report"
)

// ingestFigures are shown in one picture, although their units differ: engines are compared within each.
var ingestFigures = []string{
	"rows/s with the final flush", "CPU µs per row, flush included", "bytes per row on disk", "anonymous memory beyond it, peak, MB",
}

// charts returns the charts of the results, by file name.
func charts(measured []*measurement) map[string]report.Chart {
	ingest := report.Chart{Title: "Ingest (of rows per second more is better, of the others less)"}
	queries := report.Chart{Title: "Queries: milliseconds, half of all runs take no longer (less is better)"}
	for _, m := range measured {
		name := fmt.Sprintf("%s, %s rows", m.name, report.Grouped(int64(m.rows)))
		ingest.Series, queries.Series = append(ingest.Series, name), append(queries.Series, name)
	}
	for _, f := range figures(measured[0].lines) {
		values := make([]float64, len(measured))
		for i, m := range measured {
			values[i] = baseline{lines: m.lines}.find(f.Section, f.Label).value
		}
		for _, label := range ingestFigures {
			if f.Label == label && strings.HasPrefix(f.Section, "ingest") {
				ingest.Groups = append(ingest.Groups, report.Group{Label: f.Label, Values: values})
			}
		}
		if strings.HasPrefix(f.Section, "queries:") {
			queries.Groups = append(queries.Groups, report.Group{Label: f.Label, Values: values})
		}
	}
	out := map[string]report.Chart{"ingest.svg": ingest}
	if len(queries.Groups) > 0 {
		out["queries.svg"] = queries
	}
	return out
}
