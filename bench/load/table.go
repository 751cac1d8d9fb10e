package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"almanac/bench/internal/report"
)

// write prints all figures as text.
func (r *result) write(out io.Writer) error {
	var text strings.Builder
	for _, fact := range r.Facts {
		text.WriteString(fact + "\n")
	}
	text.WriteString("\n")
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(cells ...string) { _, _ = fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") } // Flush reports errors
	costs := r.hasCosts()
	heading := []string{"answered", "per s", "p50 ms", "p90 ms", "p99 ms", "max ms"}
	if costs {
		heading = append(heading, "CPU ms", "peak MB")
	}
	names := r.names()
	row(append(append([]string{names[0]}, heading...), "rows", "bytes")...)
	for n, f := range r.Requests {
		if f.LeftOut != "" {
			continue
		}
		cells := []string{names[n+1], report.Grouped(int64(f.Answered))}
		for _, value := range []float64{f.PerSecond, f.P50, f.P90, f.P99, f.Max} {
			cells = append(cells, report.Significant(value))
		}
		if costs {
			cells = append(cells, optional(f.CPU), optional(f.Peak))
		}
		row(append(cells, report.Grouped(int64(f.Units+0.5)), report.Grouped(int64(f.Bytes+0.5)))...)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(table.String()) {
		text.WriteString(strings.TrimPrefix(line, "  ")) // the padding after the previous column
	}
	r.writeFailures(&text)
	r.writeCosts(&text)
	_, err := io.WriteString(out, text.String())
	return err
}

// names returns the heading and the cells of the first column, padded to the same width: they are left-aligned, unlike
// numbers.
func (r *result) names() []string {
	names := []string{"request"}
	width := 0
	for _, f := range r.Requests {
		names = append(names, f.Kind+": "+f.Name)
	}
	for _, name := range names {
		width = max(width, len([]rune(name)))
	}
	for n, name := range names {
		names[n] = name + strings.Repeat(" ", width-len([]rune(name)))
	}
	return names
}

func (r *result) hasCosts() bool {
	for _, f := range r.Requests {
		if f.CPU != nil {
			return true
		}
	}
	return false
}

func optional(value *float64) string {
	if value == nil {
		return ""
	}
	return report.Significant(*value)
}

// writeFailures lists what was refused, what failed, and what the target does not support.
func (r *result) writeFailures(w *strings.Builder) {
	w.WriteString("\n")
	all := true
	for _, f := range r.Requests {
		if f.LeftOut != "" {
			fmt.Fprintf(w, "left out: %s: %s: %s\n", f.Kind, f.Name, oneLine(f.LeftOut))
			all = false
		}
		if len(f.Failures) > 0 {
			fmt.Fprintf(w, "refused or failed: %s: %s: %s\n", f.Kind, f.Name, oneLine(statuses(f.Failures, f.Problem)))
			all = false
		}
		if f.Unsent > 0 {
			fmt.Fprintf(w, "not sent, since no connection was free in time: %s: %s: %d\n", f.Kind, f.Name, f.Unsent)
			all = false
		}
	}
	if all {
		w.WriteString("every request was answered\n")
	}
}

// plural formats a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return report.Grouped(int64(n)) + " " + thing + "s"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// writeCosts prints the number of spans and all costs.
func (r *result) writeCosts(w *strings.Builder) {
	if s := r.Spans; s != nil {
		fmt.Fprintf(w, "\nspans     %s taken, %s per second, %s bytes on the wire each\n", report.Grouped(s.Taken),
			report.Significant(s.PerSecond),
			report.Grouped(int64(s.Bytes)))
	}
	for _, p := range r.Processes {
		fmt.Fprintf(w, "process   %s: %s cores busy, %s µs of CPU per %s", p.Name, report.Significant(p.Cores),
			report.Significant(p.PerUnit), p.Unit)
		if p.Settled > 0 {
			fmt.Fprintf(w, " (%s until nothing was left to do)", report.Significant(p.Settled))
		}
		fmt.Fprintf(w, ", memory %s MB at most, %s MB at the end\n", report.Significant(p.Peak), report.Significant(p.End))
	}
	if d := r.Disk; d != nil {
		fmt.Fprintf(w, "disk      %s MB before, %s MB after, %s bytes per span\n", report.Significant(float64(d.Before)/megabyte),
			report.Significant(float64(d.After)/megabyte), report.Significant(d.PerSpan))
	}
}
