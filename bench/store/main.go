// Command store measures the embedded event store: the speed and cost of ingest, memory and disk space, and the
// duration of typical queries. It prints one table, optionally with the store on ClickHouse for comparison.
//
//	go run ./bench/store -rows 1000000 -queries
//	go run ./bench/store -rows 200000 -queries -clickhouse -json figures.json -svg .
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"time"

	"almanac/bench/corpus"
	"almanac/bench/internal/report"
	"almanac/internal/store"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args, os.Stdout, os.Stderr, openStore)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "store:", err)
		os.Exit(1)
	}
}

// options are the command-line options.
type options struct {
	rows, scores     int
	dir              string
	mode             corpus.Mode
	seed             uint64
	textMB           int
	memoryMB         int
	clickhouse       bool
	clickhouseRows   int
	jsonPath, svgDir string
	cpuProfile       string
	plan             plan
}

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{plan: plan{patience: patience{warmUps: 3, runs: 100, limit: 10 * time.Second}}}
	flags := flag.NewFlagSet("store", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.rows, "rows", 1_000_000, "rows to store; 0 leaves the embedded store out")
	flags.IntVar(&o.scores, "scores", 0, "store this many scores too and ask for them")
	flags.StringVar(&o.dir, "dir", "", "where to keep the data, which stays; a temporary directory by default")
	flags.TextVar(&o.mode, "mode", corpus.Text, "what rows are like: text, conversations, chats or threads")
	flags.Uint64Var(&o.seed, "seed", 1, "another one gives other rows")
	flags.IntVar(&o.textMB, "text", 32, "megabytes of text to make rows of")
	flags.IntVar(&o.memoryMB, "memory", 0, "megabytes that the program may use, the text to make rows of included; 0 for no limit")
	flags.BoolVar(&o.plan.queries, "queries", false, "measure queries")
	flags.IntVar(&o.plan.load, "load", 0, "measure queries while this many rows per second come in")
	flags.BoolVar(&o.clickhouse, "clickhouse", false, "measure the store on ClickHouse too (`make test-tools` installs its engine)")
	flags.IntVar(&o.clickhouseRows, "clickhouse-rows", 0, "rows to store in ClickHouse; as many as in the embedded store by default")
	flags.StringVar(&o.jsonPath, "json", "", "write the figures to this file")
	flags.StringVar(&o.svgDir, "svg", "", "draw the figures into this directory")
	flags.IntVar(&o.plan.producers, "producers", 4, "how many append at the same time, each waiting for its rows to be safe")
	flags.IntVar(&o.plan.batch, "batch", 500, "rows of one append")
	flags.IntVar(&o.plan.patience.runs, "runs", 100, "how often to repeat a query")
	flags.DurationVar(&o.plan.patience.limit, "limit", 10*time.Second, "how long to repeat a query")
	flags.StringVar(&o.cpuProfile, "cpuprofile", "", "write a CPU profile of the embedded store to this file")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.clickhouseRows == 0 {
		o.clickhouseRows = o.rows
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.rows < 0 || o.scores < 0 || o.textMB < 1 || o.plan.load < 0 || o.plan.producers < 1 || o.plan.batch < 1 ||
		o.plan.patience.runs < 1:
		return o, errors.New("numbers must be positive")
	case o.rows == 0 && !o.clickhouse && o.scores == 0:
		return o, errors.New("there is nothing to measure: -rows is 0, and neither -clickhouse nor -scores is set")
	case o.clickhouse && o.clickhouseRows < 1:
		return o, errors.New("-clickhouse-rows must be set if -rows is 0")
	}
	return o, nil
}

// run is the whole program. open opens the embedded store.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, open func(dir string, budget int64) (store.Store, error)) error {
	o, err := parse(args[1:], stderr)
	if err != nil {
		return err
	}
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "store-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir) //nolint:errcheck // nothing more can be done
	}
	if _, err := io.WriteString(stdout, report.Facts(args, o.dir)); err != nil {
		return err
	}

	var measured []*measurement
	if o.rows > 0 {
		m := o.measurement(stderr, "store", o.rows, func(_ context.Context, dir string) (engine, error) {
			s, err := open(dir, int64(o.memoryMB)<<20)
			if err != nil {
				return nil, err
			}
			return newEmbedded(s, dir)
		})
		if err := profiled(o.cpuProfile, func() error { return m.run(ctx) }); err != nil {
			return fmt.Errorf("embedded store: %w", err)
		}
		measured = append(measured, m)
	}
	if o.clickhouse {
		m := o.measurement(stderr, "on ClickHouse", o.clickhouseRows, func(ctx context.Context, dir string) (engine, error) {
			return openClickHouseStore(ctx, dir)
		})
		if err := m.run(ctx); err != nil {
			return fmt.Errorf("store on ClickHouse: %w", err)
		}
		measured = append(measured, m)
	}
	if len(measured) > 0 {
		if err := o.report(stdout, measured); err != nil {
			return err
		}
		if err := o.keep(args, measured); err != nil {
			return err
		}
	}
	if o.scores > 0 {
		return o.reportScores(ctx, stdout, open)
	}
	return nil
}

// reportScores measures the table of scores, in a separate store.
func (o options) reportScores(ctx context.Context, out io.Writer, open func(dir string, budget int64) (store.Store, error)) error {
	dir := filepath.Join(o.dir, "scores")
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	s, err := open(dir, int64(o.memoryMB)<<20)
	if err != nil {
		return err
	}
	var lines []line
	err = profiled(o.cpuProfile, func() (err error) {
		lines, err = measureScores(ctx, s, dir, o.scores, o.plan)
		return err
	})
	if err = errors.Join(err, s.Close()); err != nil {
		return fmt.Errorf("scores: %w", err)
	}
	return table{name: "store", lines: lines}.write(out)
}

// measurement prepares the measurement of one engine, whose data goes into its own directory. Each has its own
// generator, since the rows are spread over the same days whatever their number.
func (o options) measurement(stderr io.Writer, name string, rows int, open func(context.Context, string) (engine, error)) *measurement {
	g := corpus.New(corpus.Options{Mode: o.mode, Seed: o.seed, Rows: rows, TextBytes: o.textMB << 20})
	return &measurement{
		plan: o.plan, generator: g, rows: rows, name: name, dir: filepath.Join(o.dir, name), open: open,
		perRow: generatorCost(g, min(50_000, max(5_000, rows)), o.plan.batch),
		progress: func(format string, args ...any) {
			_, _ = fmt.Fprintf(stderr, name+": "+format+"\n", args...) // nobody may be looking
		},
	}
}

// profiled calls do and, if path is not empty, writes a CPU profile of it.
func profiled(path string, do func() error) error {
	if path == "" {
		return do()
	}
	f, err := os.Create(path) //nolint:gosec // the operator named it
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return errors.Join(err, f.Close())
	}
	err = do()
	pprof.StopCPUProfile()
	return errors.Join(err, f.Close())
}

// report prints the results of the first engine, with those of the others next to them.
func (o options) report(out io.Writer, measured []*measurement) error {
	w := new(strings.Builder)
	t := table{name: measured[0].name, lines: measured[0].lines}
	for i, m := range measured {
		fmt.Fprintf(w, "rows      %s: %s in mode %s; making one took %.2f µs of CPU, which is subtracted\n",
			m.name, report.Grouped(int64(m.rows)), o.mode, float64(m.perRow)/1000)
		if i > 0 {
			t.baselines = append(t.baselines, baseline{m.name, m.lines})
		}
	}
	fmt.Fprintln(w)
	if err := t.write(w); err != nil {
		return err
	}
	o.explain(w, measured)
	if _, err := io.WriteString(out, w.String()); err != nil {
		return err
	}
	var err error
	for _, m := range measured[1:] {
		if m.rows == measured[0].rows {
			err = errors.Join(err, sameAnswers(measured[0].answers, m.answers))
		}
	}
	return err
}

// explain prints what the figures mean.
func (o options) explain(w io.Writer, measured []*measurement) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // a buffer
	say("\nLoad average at the end: %s", report.LoadAverage())
	say("The program's own memory is what it had before the store was opened; %.0f MB of it are text to make rows of.",
		float64(measured[0].generator.TextBytes())/1e6)
	say("Queries: %d warm-ups, then %d runs or %v, whichever ends first; files are in the system's cache.",
		o.plan.patience.warmUps, o.plan.patience.runs, o.plan.patience.limit)
	if len(measured) > 1 {
		say("Ratio: how many times better the %s is than the engine before it; of acks by p99, of queries by p50.", measured[0].name)
	}
	for _, m := range measured[1:] {
		if rows := measured[0].rows; rows != m.rows {
			say("The %s holds %s rows, %s %s, and nothing is scaled: on as many rows, it would take about %s times as long\n"+
				"for what it reads everything for (q5, q6, q8, q9).", measured[0].name, report.Grouped(int64(rows)), m.name,
				report.Grouped(int64(m.rows)),
				report.Significant(float64(rows)/float64(m.rows)))
		}
		say("%s", clickhouseNotes)
	}
}

// sameAnswers returns an error if two engines with the same rows found different results. One of them would be fast for
// the wrong reason.
func sameAnswers(a, b []timed) error {
	var err error
	for i := range a {
		if !a[i].first.same(b[i].first) {
			err = errors.Join(err, fmt.Errorf("%s: the answers differ: %+v and %+v", a[i].name, a[i].first, b[i].first))
		}
	}
	return err
}
