// Command load measures a server from outside: how it ingests spans over OTLP, how it answers queries, or both at the
// same time. The server is an Almanac started in a temporary directory, or any other that speaks the same API. Spans
// can be sent to anything that accepts OTLP.
//
//	go run ./bench/load -mode ingest -spans 200000
//	go run ./bench/load -mode read -rows 1000000
//	go run ./bench/load -mode mixed -rate 2000 -duration 1m
//	go run ./bench/load -mode fair -readers 200
//	go run ./bench/load -mode compare -before /tmp/almanac-0.1.0
//	go run ./bench/load -mode ingest -url http://127.0.0.1:4318 -otlp-path /v1/traces -rate 5000 -duration 1m -pid collector=1234
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"almanac/bench/internal/process"
	"almanac/bench/internal/report"
)

func main() { process.Main("load", run) }

// measurement is one run.
type measurement struct {
	options
	target *target
	meter  *meter
	known  *known
	scores scoreCorpus
	stderr io.Writer
	result *result
	// profiler is the address of our server's profiler, if a profile is wanted.
	profiler string
}

func run(ctx context.Context, args []string, out, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	return o.run(ctx, args, out, stderr)
}

// run measures and reports.
func (o options) run(ctx context.Context, args []string, out, stderr io.Writer) (err error) {
	m := &measurement{options: o, stderr: stderr, meter: new(meter), result: new(result)}
	directory := o.data
	if o.url == "" {
		if directory, err = os.MkdirTemp("", "load-bench-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	}
	// Taken before the run, so that the load average shows what else was running.
	facts := report.Facts(append([]string{"load"}, withoutSecrets(args)...), directory)
	if o.mode == compare {
		return o.compare(ctx, directory, out, stderr, facts)
	}
	m.result.Facts = strings.Split(strings.TrimSpace(facts), "\n")
	if o.url == "" {
		if err := m.listenForProfiles(); err != nil {
			return err
		}
		server, err := m.startServer(ctx, directory)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, m.meter.server.Stop()) }()
		m.use(server)
	}
	m.target = newTarget(m.options)
	defer m.target.client.CloseIdleConnections()
	m.meter.processes = slices.Concat(m.processes, processes{{"load, this program", process.PID(os.Getpid())}})
	disk := m.disk()
	if err := m.measure(ctx); err != nil {
		return err
	}
	m.result.fact("after", "load average %s", report.LoadAverage())
	if m.data != "" && m.result.Spans != nil {
		m.result.disk(m.data, disk, m.disk())
	}
	if m.kill {
		if err := m.restart(ctx); err != nil {
			return err
		}
	}
	if err := m.result.keep(o.jsonPath, o.svgPath); err != nil {
		return err
	}
	return m.result.write(out)
}

// startServer starts a server filled as the mode requires.
func (m *measurement) startServer(ctx context.Context, directory string) (*process.Server, error) {
	m.progress("starting a server")
	switch m.mode {
	case ingest:
		return process.Start(ctx, directory, m.binary, strings.Fields(m.serverArgs)...)
	case scored:
		m.scores = scoreCorpus{scores: m.rows}
		return startFilled(ctx, m.options, directory, m.stderr, func(events, project string) error {
			return m.scores.fill(ctx, events, project)
		})
	}
	start := time.Time{}
	if m.mode == mixed || m.mode == fair { // what is ingested follows
		start = time.Now().Add(-days * 24 * time.Hour)
	}
	return startFilled(ctx, m.options, directory, m.stderr, func(events, project string) (err error) {
		m.known, err = fillRows(ctx, m.options, events, project, start)
		return err
	})
}

// use makes the started server the target.
func (m *measurement) use(s *process.Server) {
	m.url, m.publicKey, m.secretKey = s.URL, s.PublicKey, s.SecretKey
	m.meter.server = s
	m.processes = append(processes{{"server", s.PID}}, m.processes...)
	if m.data == "" {
		m.data = s.Events()
	}
	if m.rows > 0 {
		m.result.fact("filled", "%s rows, %s bytes on disk for each", report.Grouped(int64(m.rows)),
			report.Grouped(s.DiskUsage()/int64(m.rows)))
	}
}

func (m *measurement) disk() int64 {
	if m.data == "" {
		return 0
	}
	return process.DiskUsage(m.data)
}

func (m *measurement) progress(format string, args ...any) {
	_, _ = fmt.Fprintf(m.stderr, format+"\n", args...)
}

// measure runs the mode.
func (m *measurement) measure(ctx context.Context) (err error) {
	switch m.mode {
	case ingest:
		return m.measureSpans(ctx)
	case mixed:
		return m.measureMixed(ctx)
	case fair:
		return m.measureFair(ctx)
	case scored:
		return m.measureQuestions(ctx, mix{"scores", scoreQuestions(m.scores)})
	}
	if m.known == nil {
		m.progress("looking for what to ask for")
		if m.known, err = discover(ctx, m.target); err != nil {
			return err
		}
	}
	if m.mode == metrics {
		return m.measureQuestions(ctx, mix{"metrics", metricsQuestions(m.known)})
	}
	return m.measureQuestions(ctx, mix{"rows", rowQuestions(m.known)})
}
