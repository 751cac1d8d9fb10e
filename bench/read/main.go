// Command read measures reads through HTTP: it fills the store of a new server with rows, starts the server on it, and
// asks the questions that people ask. With -load, spans come in meanwhile.
//
//	go run ./bench/read -rows 1000000
//	go run ./bench/read -rows 1000000 -load 5000
//	go run ./bench/read -rows 1000000 -only metrics
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"almanac/bench/corpus"
	"almanac/bench/process"
	"almanac/internal/domain"
	"almanac/internal/store/segment"
)

func main() { process.Main("read", run) }

type options struct {
	rows, load, runs int
	limit            time.Duration
	binary           string
	only             string
}

func run(ctx context.Context, args []string, out, stderr io.Writer) (err error) {
	var o options
	flags := flag.NewFlagSet("read", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.rows, "rows", 1_000_000, "rows to fill the store with")
	flags.IntVar(&o.load, "load", 0, "spans per second that come in while questions are asked")
	flags.IntVar(&o.runs, "runs", 200, "how often to ask each question")
	flags.DurationVar(&o.limit, "limit", 15*time.Second, "how long to ask each question at most")
	flags.StringVar(&o.binary, "binary", "", "program to start; built from this module by default")
	flags.StringVar(&o.only, "only", "", "ask only about rows or metrics")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.rows < 1000 || o.runs < 1 || o.load < 0 {
		return errors.New("there must be at least 1000 rows and one run")
	}
	directory, err := os.MkdirTemp("", "read-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	s, err := process.Start(ctx, directory, o.binary) // makes the project
	if err != nil {
		return err
	}
	publicKey, secretKey := s.PublicKey, s.SecretKey
	project, err := s.Project(ctx)
	if err = errors.Join(err, s.Stop()); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stderr, "filling the store with %d rows\n", o.rows)
	known, err := fill(ctx, filepath.Join(directory, "data", "events"), project, o.rows)
	if err != nil {
		return err
	}
	if o.binary == "" {
		o.binary = filepath.Join(directory, "almanac")
	}
	if s, err = process.Start(ctx, directory, o.binary); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	s.PublicKey, s.SecretKey = publicKey, secretKey
	var w strings.Builder
	fmt.Fprintf(&w, "command  read %s\nmachine  %d cores, %s, %s\nrows     %d over %d days, %d bytes on disk each\n\n", strings.Join(args, " "),
		runtime.NumCPU(), runtime.Version(), time.Now().UTC().Format(time.RFC3339), o.rows, days, s.DiskUsage()/int64(o.rows))
	stopLoad := startLoad(ctx, s, o.load)
	w.WriteString(process.Heading())
	for _, q := range asked(known, o.only) {
		if err := s.Ask(ctx, &w, q, o.runs, o.limit); err != nil {
			return err
		}
	}
	fmt.Fprintf(&w, "\nanonymous memory of the server  %.0f MB\n", float64(s.AnonymousMemory())/(1<<20))
	if o.load > 0 {
		fmt.Fprintln(&w, stopLoad())
	}
	_, err = io.WriteString(out, w.String())
	return err
}

// asked returns the questions to ask.
func asked(known *facts, only string) []process.Question {
	switch only {
	case "rows":
		return questions(known)
	case "metrics":
		return metricsQuestions(known)
	}
	return append(questions(known), metricsQuestions(known)...)
}

// days is how much time the rows cover.
const days = 7

// facts are what questions need to know of the rows.
type facts struct {
	traces   []string
	from, to domain.Micros
	models   []string
	tags     []string
}

// fill writes rows straight into the store, all of one project.
func fill(ctx context.Context, directory, project string, rows int) (known *facts, err error) {
	s, err := segment.Open(directory, segment.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	g := corpus.New(corpus.Options{Rows: rows, Days: days})
	batch := make([]domain.Observation, 1000)
	for n := 0; n < rows; n += len(batch) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		part := batch[:min(len(batch), rows-n)]
		g.Fill(part)
		if err := s.Observations().Append(ctx, domain.OfProject(project), part); err != nil { //nolint:forbidigo // a directory of its own, filled before anybody serves it
			return nil, err
		}
	}
	known = &facts{models: g.Models(), tags: g.Tags()}
	known.from, known.to = g.Bounds()
	main := g.Projects()[0]
	for n := 0; n < g.Traces(main); n += 1 + g.Traces(main)/1000 {
		known.traces = append(known.traces, g.TraceID(main, n))
	}
	return known, s.Flush(ctx)
}
