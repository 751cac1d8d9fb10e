// Command export measures exports of a running server: the time per format, and the memory above that of the idle
// server. With -ingest it also sends spans meanwhile.
//
//	go run ./bench/export -rows 1000000 -text 1000
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"almanac/bench/internal/process"
	"almanac/bench/internal/report"
	"almanac/internal/domain"
	"almanac/internal/store/segment"
	"almanac/internal/transfer/export"
)

func main() { process.Main("export", run) }

func run(ctx context.Context, args []string, out, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rows := flags.Int("rows", 1_000_000, "how many observations there are")
	text := flags.Int("text", 1000, "bytes of the input of each")
	ingest := flags.Int("ingest", 0, "how many spans a second are sent meanwhile, each as long; then memory is that of both")
	binary := flags.String("binary", "", "the program; built if it is not named")
	if err := flags.Parse(args); err != nil {
		return err
	}
	directory, err := os.MkdirTemp("", "bench-export-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	start := func() (*process.Server, error) {
		return process.StartKeyed(ctx, directory, *binary, "--log-level", "warn")
	}
	first, err := start() // creates the catalog
	if err != nil {
		return err
	}
	if err := errors.Join(first.Stop(), fill(ctx, first.Events(), *rows, *text)); err != nil {
		return err
	}
	server, err := start()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if err := process.Settle(ctx, server.PID); err != nil {
		return err
	}
	_, _ = fmt.Fprint(out, report.Facts(append([]string{"export"}, args...), directory))
	idle := server.PID.AnonymousMemory()
	sending, stop := context.WithCancel(ctx)
	sent := make(chan error, 1)
	go func() { sent <- send(sending, server, *ingest, *text) }()
	results := make(map[string]result)
	for _, format := range export.Formats() {
		peak := server.PID.WatchMemory()
		began := time.Now()
		made, err := makeFile(ctx, server, format)
		if err != nil {
			stop()
			return errors.Join(err, <-sent)
		}
		results[format] = result{*made, time.Since(began).Seconds(), peak() - idle}
	}
	stop()
	if err := <-sent; err != nil {
		return err
	}
	// Parquet files are compressed, so compare how fast rows are written, in terms of the size of the others.
	lines := results[export.JSONL]
	rowBytes := float64(lines.Bytes) / float64(lines.Rows)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintf(table, "format\tseconds\trows/s\tMB\tMB/s\tas JSONL, MB/s\tpeak MB above idle (%d)\t\n", idle>>20)
	for _, format := range export.Formats() {
		r := results[format]
		rate := float64(r.Rows) / r.seconds
		_, _ = fmt.Fprintf(table, "%s\t%.1f\t%.0f\t%d\t%.0f\t%.0f\t%d\t\n",
			format, r.seconds, rate, r.Bytes>>20, float64(r.Bytes>>20)/r.seconds, rate*rowBytes/(1<<20), r.peak>>20)
	}
	return table.Flush()
}

// result is the cost of one file.
type result struct {
	made
	seconds float64
	peak    int64
}

// send sends spans at the given rate per second, a hundred at a time, until ctx is done.
func send(ctx context.Context, server *process.Server, rate, text int) error {
	const batch = 100
	if rate == 0 {
		return nil
	}
	input := strings.Repeat("and ", text/4)
	for tick := time.NewTicker(time.Second * batch / time.Duration(rate)); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return nil
		case <-tick.C:
		}
		now := time.Now().UnixNano()
		var spans []string
		for n := range batch {
			spans = append(spans,
				fmt.Sprintf(`{"traceId":"%032x","spanId":"%016x","name":"sent","startTimeUnixNano":"%d","endTimeUnixNano":"%d",`+
					`"attributes":[{"key":"langfuse.observation.input","value":{"stringValue":"%s"}}]}`, now, now+int64(n), now,
					now, input))
		}
		body := `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Join(spans, ",") + `]}]}]}`
		if _, err := server.Post(ctx, "/api/public/otel/v1/traces", body); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// fill writes rows with different texts.
func fill(ctx context.Context, directory string, rows, text int) error {
	s, err := segment.Open(directory, segment.Options{})
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // no secret
	words := strings.Fields("the model said that it can not answer because a tool did return an error and the user should try again " +
		"later with another order")
	scope, at := domain.OfProject(process.KeyedProject), time.Now().Add(-24*time.Hour).UnixMicro() //nolint:forbidigo // a store of its own
	for from := 0; from < rows; from += 2000 {
		var batch []domain.Observation
		for n := from; n < min(from+2000, rows); n++ {
			var input strings.Builder
			for input.Len() < text {
				input.WriteString(words[r.IntN(len(words))])
				input.WriteByte(' ')
			}
			start := domain.Micros(at + int64(n)*1000)
			batch = append(batch, domain.Observation{
				TraceID: fmt.Sprintf("%032x", n/5), ID: fmt.Sprintf("%016x", n), StartTime: start, EndTime: start + 900_000,
				Type: "GENERATION", Name: "answer",
				Model: "gpt-4o", Input: input.String(), Output: "done", Metadata: `{"tenant":"t1","attempt":1}`,
				Usage:       `{"input":120,"output":30,"total":150}`,
				InputTokens: 120, OutputTokens: 30, TotalCost: domain.FloatOf(0.00125), UserID: fmt.Sprintf("user-%d", n%1000),
				Tags: []string{"prod"},
			})
		}
		if err := s.Observations().Append(ctx, scope, batch); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	return errors.Join(s.Flush(ctx), s.Close())
}

type made struct {
	ID, State, Error string
	Rows, Bytes      int64
}

// makeFile starts an export in a format and waits for it.
func makeFile(ctx context.Context, server *process.Server, format string) (*made, error) {
	body, err := server.Post(ctx, "/api/public/exports", `{"table":"observations","format":"`+format+`"}`)
	if err != nil {
		return nil, err
	}
	e := new(made)
	if err := json.Unmarshal(body, e); err != nil {
		return nil, err
	}
	for e.State == domain.ExportQueued || e.State == domain.ExportRunning {
		time.Sleep(50 * time.Millisecond)
		if body, err = server.Get(ctx, "/api/public/exports/"+e.ID); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, e); err != nil {
			return nil, err
		}
	}
	if e.State != domain.ExportDone {
		return nil, fmt.Errorf("the export of %s is %s: %s", format, e.State, e.Error)
	}
	return e, nil
}
