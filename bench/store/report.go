package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
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

// table is what one engine or two did.
type table struct {
	name     string
	lines    []line
	baseline string // "" without one
	compared []line // the baseline's
}

// write prints the table. A figure that the baseline has too is shown beside it with the ratio: how many times better
// than the baseline.
func (t table) write(out io.Writer) error {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	row := func(cells ...string) {
		if t.baseline == "" {
			cells = cells[:2]
		}
		_, _ = fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") // Flush tells
	}
	row("", t.name, t.baseline, "ratio")
	baseline := make(map[string]line)
	section := ""
	for _, l := range t.compared {
		if l.text == "" {
			section = l.label
		}
		baseline[section+l.label] = l
	}
	section = ""
	for _, l := range t.lines {
		if l.text == "" {
			section = l.label
			row("", "", "", "")
			row(l.label, "", "", "")
			continue
		}
		b := baseline[section+l.label]
		row("  "+l.label, l.text, b.text, ratio(l, b))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	// Every line has all cells, or the columns of its neighbours would not be aligned with each other.
	for line := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(out, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// ratio returns how many times better a figure is than the baseline's.
func ratio(l, baseline line) string {
	better := 0.0
	switch l.better {
	case lower:
		better = baseline.value / l.value
	case higher:
		better = l.value / baseline.value
	}
	if better <= 0 || math.IsInf(better, 0) || math.IsNaN(better) {
		return ""
	}
	return significant(better) + "x"
}

// significant prints a number with two to three digits that count.
func significant(x float64) string {
	switch abs := math.Abs(x); {
	case abs >= 99.5:
		return grouped(int64(math.Round(x)))
	case abs >= 9.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case abs >= 0.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// grouped prints a whole number with commas between the thousands.
func grouped(n int64) string {
	if n < 0 {
		return "-" + grouped(-n)
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return grouped(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
