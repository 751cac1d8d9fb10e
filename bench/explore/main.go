// Command explore measures the queries behind the pages of the web application: lists, counts, facets and charts. It
// queries the store directly, or a server over HTTP.
//
//	go run ./bench/explore -rows 1000000
//	go run ./bench/explore -rows 1000000 -data /tmp/million -only sessions
//	go run ./bench/explore -rows 1000000 -http -data /tmp/served
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"almanac/bench/corpus"
	"almanac/bench/internal/fill"
	"almanac/bench/internal/process"
	"almanac/bench/internal/report"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/explore"
	"almanac/internal/query/traces"
)

func main() { process.Main("explore", run) }

func run(ctx context.Context, args []string, out, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("explore", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rows := flags.Int("rows", 1_000_000, "how many observations there are")
	data := flags.String("data", "", "directory of the store, which is filled if it is empty, and kept; a temporary one if unset")
	only := flags.String("only", "", "ask only questions whose name holds this text; $ stands for its end")
	times := flags.Int("times", 20, "how often each question is asked")
	profile := flags.String("profile", "", "file for a profile of the questions")
	overHTTP := flags.Bool("http", false, "ask a server of our own over HTTP, which is started on the directory")
	binary := flags.String("binary", "", "program of that server; built if unset")
	if err := flags.Parse(args); err != nil {
		return err
	}
	directory := *data
	if directory == "" {
		if directory, err = os.MkdirTemp("", "explore-bench-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	}
	facts := report.Facts(append([]string{"explore"}, args...), directory)
	m := &measurement{out: out, only: *only, times: *times}
	if *overHTTP {
		return m.overHTTP(ctx, facts, directory, *binary, *rows)
	}
	s, err := fill.Open(ctx, directory, process.KeyedProject, corpus.Options{Rows: *rows, Days: 7})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	scope := domain.OfProject(process.KeyedProject) //nolint:forbidigo // a store of its own, which nobody else reads
	e := &explore.Explorer{Store: s, Scope: scope, Traces: &traces.Finder{Store: s, Scope: scope}, TimeLimit: time.Hour}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // a profile
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	_, _ = fmt.Fprintf(out, "%s%d rows\n", facts, s.Stats().Observations.Rows)
	return m.run(ctx, questions(e), used)
}

// measurement runs each query many times.
type measurement struct {
	out   io.Writer
	only  string
	times int
}

func (m *measurement) run(ctx context.Context, questions []question, used func() time.Duration) error {
	table := tabwriter.NewWriter(m.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "first\tp50\tmax\tCPU\tms\t")
	for _, q := range questions {
		if !strings.Contains(q.name+"$", m.only) {
			continue
		}
		took, cpu, err := m.ask(ctx, q, used)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // with many rows some queries are refused; the others are still worth knowing
			_, _ = fmt.Fprintf(table, "\t\t\t\t\t%s: %v\n", q.name, err)
			continue
		}
		first := took[0]
		slices.Sort(took)
		_, _ = fmt.Fprintf(table, "%.1f\t%.1f\t%.1f\t%.1f\t\t%s\n", millis(first), millis(took[len(took)/2]), millis(took[len(took)-1]),
			millis(cpu), q.name)
	}
	return table.Flush()
}

// ask runs a query many times. It returns the duration of each run, and the average CPU time once caches are warm.
func (m *measurement) ask(ctx context.Context, q question, used func() time.Duration) (took []time.Duration, cpu time.Duration, err error) {
	before := used()
	for n := range m.times {
		began := time.Now()
		if err := q.ask(ctx); err != nil {
			return nil, 0, err
		}
		took = append(took, time.Since(began))
		if n == 2 {
			before = used()
		}
	}
	return took, (used() - before) / time.Duration(max(1, m.times-3)), nil
}

// used returns the CPU time used by this program so far.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// question is a query of a page.
type question struct {
	name string
	ask  func(context.Context) error
}

// facets are the columns counted on the page of traces.
var facets = []string{"type", "level", "name", "traceName", "model", "environment", "userId", "sessionId", "tags", "promptName"}

func questions(e *explore.Explorer) []question {
	all, failed := new(explore.Selection), &explore.Selection{
		Where: []filter.Condition[domain.Observation]{
			filter.Must(filter.NewText(filter.ObservationColumn("level"), filter.Equal, "ERROR")),
		},
	}
	word := func(text string) *explore.Selection {
		return &explore.Selection{Where: []filter.Condition[domain.Observation]{filter.Must(filter.Search(text))}}
	}
	rows := func(s *explore.Selection, column string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, _, err := e.Observations(ctx, s, explore.Order{Column: column}, nil, 50, explore.Shown{})
			return err
		}
	}
	list := func(s *explore.Selection, column string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, _, err := e.TraceRows(ctx, s, explore.Order{Column: column}, nil, 50, explore.Shown{})
			return err
		}
	}
	entities := func(kind explore.EntityKind, s *explore.Selection, column string,
		after *explore.EntityCursor,
	) func(context.Context) error {
		return func(ctx context.Context) error {
			_, _, err := e.Entities(ctx, s, &explore.EntityQuery{Kind: kind, Order: explore.Order{Column: column}, Limit: 50, After: after})
			return err
		}
	}
	far := &explore.EntityCursor{Value: 9e15, ID: "~"} // after all rows
	questions := []question{
		{"observations", rows(all, "")},
		{"observations by cost", rows(all, "totalCost")},
		{"observations by latency", rows(all, "latency")},
		{"observations, errors by cost", rows(failed, "totalCost")},
		{"observations, a rare word", rows(word(corpus.RareWord), "")},
		{"observations, a word that is nowhere", rows(word("zzyzxqq"), "")},
		{"observations, frequent words that never stand together", rows(word(corpus.Apart), "")},
		{"traces, frequent words that never stand together", list(word(corpus.Apart), "")},
		{"traces, a rare word", list(word(corpus.RareWord), "")},
		{"traces", list(all, "")},
		{"traces with errors", list(failed, "")},
		{"traces by cost", list(all, "totalCost")},
		{"sessions", entities(explore.Sessions, all, "lastSeen", nil)},
		{"sessions, second page", entities(explore.Sessions, all, "lastSeen", far)},
		{"sessions with errors", entities(explore.Sessions, failed, "lastSeen", nil)},
		{"sessions by cost", entities(explore.Sessions, all, "totalCost", nil)},
		{"sessions by traces", entities(explore.Sessions, all, "traces", nil)},
		{"users", entities(explore.Users, all, "lastSeen", nil)},
		{"users, second page", entities(explore.Users, all, "lastSeen", far)},
		{"users by cost", entities(explore.Users, all, "totalCost", nil)},
		{"users by traces", entities(explore.Users, all, "traces", nil)},
		{"count of observations", func(ctx context.Context) error { _, _, err := e.Count(ctx, all); return err }},
		{"count of traces", func(ctx context.Context) error {
			_, _, err := e.Count(ctx, &explore.Selection{OfTraces: true})
			return err
		}},
		{"facets of ten columns", func(ctx context.Context) error { _, err := e.Facets(ctx, all, facets, 10); return err }},
		{"facets of ten columns, errors", func(ctx context.Context) error { _, err := e.Facets(ctx, failed, facets, 10); return err }},
		{"facets of ten columns, whole traces", func(ctx context.Context) error {
			_, err := e.Facets(ctx, &explore.Selection{OfTraces: true, ByTrace: true}, facets, 10)
			return err
		}},
		{"histogram", func(ctx context.Context) error { _, err := e.NewHistogram(ctx, all, 60); return err }},
		{"histogram of errors", func(ctx context.Context) error { _, err := e.NewHistogram(ctx, failed, 60); return err }},
		{"groups by model", func(ctx context.Context) error {
			_, _, err := e.GroupBy(ctx, all, filter.ObservationColumn("model"), 20)
			return err
		}},
		{"differences of errors", func(ctx context.Context) error { _, err := e.Differences(ctx, failed, all); return err }},
		{"suggest users by prefix", func(ctx context.Context) error {
			_, err := e.Suggest(ctx, "userId", "user-00", 20, time.Now())
			return err
		}},
		{"suggest keys of metadata", func(ctx context.Context) error {
			_, err := e.Suggest(ctx, "metadata", "", 20, time.Now())
			return err
		}},
		{"public sessions", func(ctx context.Context) error {
			_, _, err := e.Traces.Sessions(ctx, new(traces.SessionQuery), 0, 50)
			return err
		}},
	}
	for _, name := range append(slices.Clip(facets), "isRoot") {
		questions = append(questions, question{"facet of " + name, func(ctx context.Context) error {
			_, err := e.Facets(ctx, all, []string{name}, 10)
			return err
		}})
	}
	return questions
}
