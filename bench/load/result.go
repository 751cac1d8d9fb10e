package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"almanac/bench/internal/report"
)

// result holds all figures of a run, as written to a file.
type result struct {
	// Facts say where, how and under which conditions everything was measured. Each line is a name and a text.
	Facts     []string         `json:"facts"`
	Requests  []requestFigures `json:"requests"`
	Spans     *spanFigures     `json:"spans,omitempty"`
	Processes []processFigures `json:"processes,omitempty"`
	Disk      *diskFigures     `json:"disk,omitempty"`
}

// requestFigures are the figures of one kind of request. Times are in milliseconds and cover successful responses only.
type requestFigures struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	// LeftOut is why a question was not asked again, with the response of the target. There are no other figures then.
	LeftOut   string  `json:"leftOut,omitempty"`
	Answered  int     `json:"answered"`
	PerSecond float64 `json:"perSecond"`
	P50       float64 `json:"p50"`
	P90       float64 `json:"p90"`
	P99       float64 `json:"p99"`
	Max       float64 `json:"max"`
	// Units and Bytes are averages per request: spans and bytes sent, or rows and bytes received.
	Units float64 `json:"units"`
	Bytes float64 `json:"bytes"`
	// CPU is that of all measured processes per request, Peak their memory in MB; set only if nothing else ran.
	CPU  *float64 `json:"cpu,omitempty"`
	Peak *float64 `json:"peak,omitempty"`
	// Failures counts refused and failed requests by status. Problem is the message of the last one.
	Failures map[string]int `json:"failures,omitempty"`
	Problem  string         `json:"problem,omitempty"`
	Unsent   int            `json:"unsent,omitempty"`
	WarmUps  int            `json:"warmUps"`
}

type spanFigures struct {
	Taken     int64   `json:"taken"`
	PerSecond float64 `json:"perSecond"`
	Bytes     float64 `json:"bytes"` // per span, on the wire
	// all includes the spans of the warm-up, which are on disk as well.
	all int64
}

type processFigures struct {
	Name  string  `json:"name"`
	CPU   float64 `json:"cpu"`   // seconds
	Cores float64 `json:"cores"` // kept busy
	Unit  string  `json:"unit"`
	// PerUnit is the CPU time per unit in microseconds until the requests were answered, Settled that until the process
	// was idle.
	PerUnit float64 `json:"perUnit"`
	Settled float64 `json:"settled,omitempty"`
	Peak    float64 `json:"peak"` // anonymous memory, MB
	End     float64 `json:"end"`
}

type diskFigures struct {
	Directory string  `json:"directory"`
	Before    int64   `json:"before"`
	After     int64   `json:"after"`
	PerSpan   float64 `json:"perSpan"`
}

const megabyte = 1 << 20

func newFigures(kind, name string, t *tally, took time.Duration) requestFigures {
	times := t.sorted()
	f := requestFigures{
		Kind: kind, Name: name, Answered: len(times), P50: quantile(times, 0.5), P90: quantile(times, 0.9), P99: quantile(times, 0.99),
		Max: quantile(times, 1), Failures: t.failures, Problem: t.problem, Unsent: t.unsent, WarmUps: t.warmUps,
	}
	if len(times) > 0 {
		f.PerSecond = float64(len(times)) / took.Seconds()
		f.Units, f.Bytes = float64(t.units)/float64(len(times)), float64(t.bytes)/float64(len(times))
	}
	return f
}

// attribute sets the cost of the requests. Nothing else may have run meanwhile.
func (f *requestFigures) attribute(costs []used) {
	if len(costs) == 0 || f.Answered == 0 {
		return
	}
	var cpu, peak float64
	for _, c := range costs {
		cpu += milliseconds(c.cpu) / float64(f.Answered)
		peak += float64(c.peak) / megabyte
	}
	f.CPU, f.Peak = &cpu, &peak
}

func newProcessFigures(p named, u used, took time.Duration, unit string, units int) processFigures {
	f := processFigures{
		Name: p.name, CPU: u.cpu.Seconds(), Unit: unit, Peak: float64(u.peak) / megabyte, End: float64(p.pid.AnonymousMemory()) / megabyte,
	}
	if took > 0 {
		f.Cores = u.cpu.Seconds() / took.Seconds()
	}
	if units > 0 {
		f.PerUnit = float64(u.cpu.Microseconds()) / float64(units)
	}
	return f
}

// settle adds the CPU time that the process spent on the same units afterwards.
func (f *processFigures) settle(cpu time.Duration, units int) {
	if units > 0 {
		f.Settled = float64(cpu.Microseconds()) / float64(units)
	}
}

// spans sets the figures of the spans accepted.
func (r *result) spans(t *tally, took time.Duration) {
	r.Spans = &spanFigures{
		Taken: t.units, PerSecond: float64(t.units) / took.Seconds(), Bytes: float64(t.bytes) / float64(t.units),
		all: t.units + t.warmUpUnits,
	}
}

// disk sets how much a directory grew while spans were ingested.
func (r *result) disk(directory string, before, after int64) {
	r.Disk = &diskFigures{directory, before, after, float64(after-before) / float64(r.Spans.all)}
}

// fact adds a line without which the figures cannot be understood.
func (r *result) fact(name, format string, args ...any) {
	r.Facts = append(r.Facts, fmt.Sprintf("%-9s ", name)+fmt.Sprintf(format, args...))
}

// statuses formats the failures by status.
func statuses(failures map[string]int, problem string) string {
	var list []string
	for status, count := range failures {
		list = append(list, fmt.Sprintf("%d × %s", count, status))
	}
	slices.Sort(list)
	text := strings.Join(list, ", ")
	if problem != "" {
		text += ": " + problem
	}
	return text
}

// keep writes the figures to the files given by options.
func (r *result) keep(jsonPath, svgPath string) error {
	if jsonPath != "" {
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(jsonPath, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	if svgPath == "" {
		return nil
	}
	c := report.Chart{
		Title: "How long requests took, in milliseconds (less is better)", Series: []string{"half of them at most", "99 of 100 at most"},
	}
	for _, f := range r.Requests {
		if f.Answered > 0 {
			c.Groups = append(c.Groups, report.Group{Label: f.Name, Values: []float64{f.P50, f.P99}})
		}
	}
	return os.WriteFile(svgPath, []byte(c.SVG()), 0o644)
}
