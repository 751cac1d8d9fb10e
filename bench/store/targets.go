package main

import (
	"fmt"
	"io"
	"strings"

	"almanac/bench/internal/report"
)

// target is how many times better than ClickHouse the store should be at something.
type target struct {
	label string // prefix of the label of the figure
	times float64
}

// targets are those of the store: rows are its strength, and nothing may cost more than in ClickHouse.
var targets = []target{
	{"CPU µs per row", 1 / 0.6},
	{"bytes per row on disk", 1},
	{"q1 ", 10},
	{"q2 ", 4},
	{"q3 ", 10},
	{"q5 ", 10},
	{"q6 ", 10},
	{"q7 ", 10},
	{"q8 ", 2},
	{"q9 ", 2},
}

// writeTargets prints which targets are met. Figures under load are not included.
func writeTargets(w io.Writer, mine, theirs []line) {
	out := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) } // a buffer
	out("\nTargets against ClickHouse:\n")
	section := ""
	for _, l := range mine {
		if l.text == "" {
			section = l.label
			continue
		}
		if strings.Contains(section, "while") {
			continue
		}
		for _, t := range targets {
			reached := times(l, baseline{lines: theirs}.find(section, l.label))
			if !strings.HasPrefix(l.label, t.label) || reached == 0 {
				continue
			}
			verdict := "met"
			if reached < t.times {
				verdict = "MISSED"
			}
			out("  %-7s %s times better, wanted %s: %s\n", verdict, report.Significant(reached), report.Significant(t.times), l.label)
		}
	}
}
