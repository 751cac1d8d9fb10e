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
	text   string  // as it is shown
	value  float64 // by which it is compared
	better direction
}

// direction says which of two values is the better one.
type direction uint8

const (
	neither direction = iota
	lower
	higher
)

// heading is a line that begins a group of figures.
func heading(label string) line { return line{label: label} }

// baseline is what another engine did.
type baseline struct {
	name  string
	lines []line
}

// find returns the figure with a label in a section, or nothing.
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

// table is what an engine did, and others beside it.
type table struct {
	name      string
	lines     []line
	baselines []baseline
}

// write prints the table. A figure that a baseline has too is shown beside it with the ratio: how many times better
// than the baseline.
func (t table) write(out io.Writer) error {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	// Every line has all cells, or the columns of its neighbours would not be aligned with each other.
	row := func(cells ...string) {
		for len(cells) < 2+2*len(t.baselines) {
			cells = append(cells, "")
		}
		_, _ = fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") // Flush tells
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

// ratio returns how many times better a figure is than the baseline's, or nothing if that cannot be said.
func ratio(l, baseline line) string {
	if better := times(l, baseline); better > 0 {
		return report.Significant(better) + "x"
	}
	return ""
}

// times returns how many times better a figure is than the baseline's; 0 if that cannot be said.
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
