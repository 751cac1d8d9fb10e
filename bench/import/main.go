// Command import measures how long it takes to import a project: an Almanac server plays the old installation, and the
// program imports everything from its API into an empty data directory.
//
//	go run ./bench/import -rows 1000000
//	go run ./bench/import -rows 100000 -source-version 3
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"almanac/bench/corpus"
	"almanac/bench/internal/fill"
	"almanac/bench/internal/process"
	"almanac/bench/internal/report"
	"almanac/internal/domain"
)

func main() { process.Main("import", run) }

const items = 1000 // of a dataset

type options struct {
	rows, scores  int
	binary, data  string
	sourceVersion int
	arguments     []string // for the importer
}

func run(ctx context.Context, args []string, out, stderr io.Writer) (err error) {
	var o options
	flags := flag.NewFlagSet("import", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.rows, "rows", 1_000_000, "how many observations the source has; there is a score for every ten")
	flags.StringVar(&o.binary, "binary", "", "the program; built if it is not named")
	flags.StringVar(&o.data, "data", "", "directory for the source, which is filled if it is empty, and kept; a temporary one if unset")
	flags.IntVar(&o.sourceVersion, "source-version", 4, "which API is imported from, that of 3 or of 4")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.scores, o.arguments = o.rows/10, flags.Args()
	directory, err := os.MkdirTemp("", "bench-import-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	if o.data == "" {
		o.data = filepath.Join(directory, "source")
	}
	source, err := startSource(ctx, &o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Stop()) }()
	if err := process.Settle(ctx, source.PID); err != nil {
		return err
	}
	if o.binary == "" {
		o.binary = source.Binary()
	}
	_, _ = fmt.Fprint(out, report.Facts(append([]string{"import"}, args...), directory))
	return o.measure(ctx, source, filepath.Join(directory, "target"), out)
}

// startSource starts the server to import from, with rows in its store.
func startSource(ctx context.Context, o *options) (*process.Server, error) {
	start := func() (*process.Server, error) {
		return process.StartKeyed(ctx, o.data, o.binary, "--log-level", "warn")
	}
	_, missing := os.Stat(filepath.Join(o.data, "data"))
	server, err := start() // creates the catalog
	if err != nil || missing == nil {
		return server, err
	}
	if err := errors.Join(addItems(ctx, server), server.Stop()); err != nil {
		return nil, err
	}
	if err := addRows(ctx, server.Events(), o); err != nil {
		return nil, err
	}
	return start()
}

// addItems creates a dataset through the API.
func addItems(ctx context.Context, server *process.Server) error {
	if _, err := server.Post(ctx, "/api/public/v2/datasets", `{"name":"questions"}`); err != nil {
		return err
	}
	for n := range items {
		body := fmt.Sprintf(`{"id":"item-%d","datasetName":"questions","input":{"question":"what is %d?"},"expectedOutput":"%d"}`, n, n, n)
		if _, err := server.Post(ctx, "/api/public/dataset-items", body); err != nil {
			return err
		}
	}
	return nil
}

// addRows writes observations and scores directly into the store.
func addRows(ctx context.Context, directory string, o *options) (err error) {
	s, err := fill.Open(ctx, directory, process.KeyedProject, corpus.Options{Rows: o.rows, Days: 7})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	scope := domain.OfProject(process.KeyedProject) //nolint:forbidigo // a store of its own, which nobody else reads
	r := rand.New(rand.NewPCG(3, 4))                //nolint:gosec // the same scores every time
	first := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for from := 0; from < o.scores; from += 1000 {
		var batch []domain.Score
		for n := from; n < min(from+1000, o.scores); n++ {
			at := domain.MicrosOf(first.Add(time.Duration(n) * 5 * time.Second))
			batch = append(batch, domain.Score{
				ID: fmt.Sprintf("score-%d", n), TraceID: fmt.Sprintf("%032x", n), Name: "accuracy", Source: "API",
				DataType: domain.ScoreNumeric,
				Value:    domain.FloatOf(float64(r.IntN(1001)) / 1000), Environment: "default",
				Comment:   "The answer names the right section.",
				Timestamp: at, CreatedAt: at, UpdatedAt: at, EventAt: at,
			})
		}
		if err := s.Scores().Append(ctx, scope, batch); err != nil {
			return err
		}
	}
	return s.Flush(ctx)
}

// table is the cost of importing one table.
type table struct {
	name    string
	records int64
	took    time.Duration
	bytes   int64 // of responses of the source
	peak    int64 // memory of the importer so far
}

func (o *options) measure(ctx context.Context, source *process.Server, target string, out io.Writer) error {
	importer := exec.CommandContext(ctx, o.binary, append([]string{ //nolint:gosec // the program that is measured
		"import", "langfuse", "--from", source.URL, "--public-key", source.PublicKey, "--secret-key", source.SecretKey, "--keep-key",
		"--source-version", strconv.Itoa(o.sourceVersion), "--data", target,
	}, o.arguments...)...)
	importer.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	var printed bytes.Buffer
	importer.Stdout = &printed
	said, err := importer.StderrPipe()
	if err != nil {
		return err
	}
	before, served := source.Sent(), source.PID.CPU()
	began := time.Now()
	if err := importer.Start(); err != nil {
		return err
	}
	pid := process.PID(importer.Process.Pid)
	tables, complaints := follow(said, source, pid, began, before)
	if err := importer.Wait(); err != nil {
		return fmt.Errorf("the import failed: %w\n%s%s", err, complaints, printed.String())
	}
	took := time.Since(began)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "table\trecords\tseconds\trecords/s\tMB received\tpeak MB\t")
	all, peak := int64(0), int64(0)
	for _, t := range tables {
		all, peak = all+t.records, max(peak, t.peak)
		_, _ = fmt.Fprintf(w, "%s\t%s\t%.1f\t%s\t%d\t%d\t\n", t.name, report.Grouped(t.records), t.took.Seconds(),
			report.Significant(float64(t.records)/max(t.took.Seconds(), 0.001)), t.bytes>>20, t.peak>>20)
	}
	_, _ = fmt.Fprintf(w, "all\t%s\t%.1f\t%s\t%d\t%d\t\n", report.Grouped(all), took.Seconds(),
		report.Significant(float64(all)/took.Seconds()),
		(source.Sent()-before)>>20, peak>>20)
	if err := w.Flush(); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, "CPU: importer %.1f s, source %.1f s; %d MB of %d MB are in the event store; load average %s\n%s",
		(importer.ProcessState.UserTime() + importer.ProcessState.SystemTime()).Seconds(), (source.PID.CPU() - served).Seconds(),
		process.DiskUsage(filepath.Join(target, "events"))>>20, source.DiskUsage()>>20, report.LoadAverage(), printed.String())
	for name, want := range map[string]int{"observations": o.rows, "scores": o.scores, "dataset_items": items} {
		if !regexp.MustCompile(fmt.Sprintf(`(?m)^%s +%d +%d `, name, want, want)).Match(printed.Bytes()) {
			return fmt.Errorf("the report does not say that all %d %s were imported", want, name)
		}
	}
	return nil
}

var progress = regexp.MustCompile(`(\w+): (\d+) records, `)

// follow reads the output of the importer until it ends. It returns the cost of each table, and all other output.
func follow(said io.Reader, source *process.Server, pid process.PID, began time.Time, sent int64) (tables []table, rest string) {
	var others strings.Builder
	last := began // when the previous table was finished
	for lines := bufio.NewScanner(said); lines.Scan(); {
		m := progress.FindStringSubmatch(lines.Text())
		if m == nil {
			others.WriteString(lines.Text() + "\n")
			continue
		}
		if n := len(tables); n == 0 || tables[n-1].name != m[1] {
			if n > 0 {
				last, sent = last.Add(tables[n-1].took), sent+tables[n-1].bytes
			}
			tables = append(tables, table{name: m[1]})
		}
		t := &tables[len(tables)-1]
		t.records, _ = strconv.ParseInt(m[2], 10, 64)
		t.took, t.bytes, t.peak = time.Since(last), source.Sent()-sent, pid.PeakMemory()
	}
	return tables, others.String()
}
