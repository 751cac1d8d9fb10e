package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"almanac/bench/internal/report"
)

// line is one figure of a report.
type line struct {
	label  string
	text   string  // as shown
	value  float64 // for comparison
	better direction
}

// direction says which of two values is better.
type direction uint8

const (
	neither direction = iota
	lower
	higher
)

// heading returns a line that begins a group of figures.
func heading(label string) line { return line{label: label} }

// baseline holds the figures of another engine.
type baseline struct {
	name  string
	lines []line
}

// find returns the figure with a label in a section, or an empty line.
func (b baseline) find(section, label string) line {
	in := ""
	for _, l := range b.lines {
		if l.text == "" {
			in = l.label
		} else if in == section && l.label == label {
			return l
		}
	}
	return line{}
}

// table holds the figures of an engine and of baselines to compare it with.
type table struct {
	name      string
	lines     []line
	baselines []baseline
}

// write prints the table. A figure that a baseline also has is shown next to it with the ratio: how many times better
// than the baseline.
func (t table) write(out io.Writer) error {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	// Every line has all cells, or columns would not be aligned across lines.
	row := func(cells ...string) {
		for len(cells) < 2+2*len(t.baselines) {
			cells = append(cells, "")
		}
		_, _ = fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") // Flush reports errors
	}
	head := []string{"", t.name}
	for _, b := range t.baselines {
		head = append(head, b.name, "ratio")
	}
	row(head...)
	section := ""
	for _, l := range t.lines {
		if l.text == "" {
			section = l.label
			row()
			row(l.label)
			continue
		}
		cells := []string{"  " + l.label, l.text}
		for _, b := range t.baselines {
			theirs := b.find(section, l.label)
			cells = append(cells, theirs.text, ratio(l, theirs))
		}
		row(cells...)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(out, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// ratio formats how many times better a figure is than the baseline's. It is empty if they cannot be compared.
func ratio(l, baseline line) string {
	if better := times(l, baseline); better > 0 {
		return report.Significant(better) + "x"
	}
	return ""
}

// times returns how many times better a figure is than the baseline's; 0 if they cannot be compared.
func times(l, baseline line) float64 {
	better := 0.0
	switch l.better {
	case lower:
		better = baseline.value / l.value
	case higher:
		better = l.value / baseline.value
	}
	if better <= 0 || math.IsInf(better, 0) || math.IsNaN(better) {
		return 0
	}
	return better
}
