// Command ingest measures how a server takes traces in over OTLP: spans per second, how long requests take, and, of a
// server that it starts itself, processor time, memory, allocations and bytes on disk for each span.
//
//	go run ./bench/ingest -spans 200000
//	go run ./bench/ingest -rate 5000 -duration 2m
//	go run ./bench/ingest -url http://127.0.0.1:3000 -public-key … -secret-key …
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"time"

	"almanac/bench/corpus"
	"almanac/bench/process"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ingest:", err)
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	spans, batch, connections, rate int
	duration                        time.Duration
	mode                            corpus.Mode
	plain, missingUsage             bool
	binary, serverArgs              string
	url, publicKey, secretKey       string
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("ingest", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.spans, "spans", 200_000, "spans to send; with -rate they are sent again and again, under new ids")
	flags.IntVar(&o.batch, "batch", 500, "spans of one request")
	flags.IntVar(&o.connections, "connections", 4, "requests at the same time")
	flags.IntVar(&o.rate, "rate", 0, "spans per second; 0 for as many as the server takes")
	flags.DurationVar(&o.duration, "duration", time.Minute, "how long to send at a rate")
	flags.TextVar(&o.mode, "mode", corpus.Text, "what spans are like: text, conversations or chats")
	flags.BoolVar(&o.plain, "plain", false, "send without gzip")
	flags.BoolVar(&o.missingUsage, "missing-usage", false, "leave the usage out of a quarter of the calls of models, so that tokens are counted")
	flags.StringVar(&o.binary, "binary", "", "program to start; built from this module by default")
	flags.StringVar(&o.serverArgs, "server-args", "", "more arguments of serve, separated by blanks")
	flags.StringVar(&o.url, "url", "", "send to a server that runs already; its processor time and memory are not measured")
	flags.StringVar(&o.publicKey, "public-key", "", "public key for -url")
	flags.StringVar(&o.secretKey, "secret-key", "", "secret key for -url")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.spans < 1 || o.batch < 1 || o.connections < 1 || o.rate < 0 || o.duration <= 0 {
		return o, errors.New("numbers must be positive")
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return o, nil
}

func run(ctx context.Context, args []string, out, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stderr, "making %d spans\n", o.spans)
	requests, text, err := makeRequests(o)
	if err != nil {
		return err
	}
	if o.url != "" {
		_, _ = fmt.Fprintln(stderr, "sending")
		result, err := send(ctx, o, &process.Server{URL: o.url, PublicKey: o.publicKey, SecretKey: o.secretKey}, requests)
		if err != nil {
			return err
		}
		_, err = io.WriteString(out, report(args, o, result, text))
		return err
	}
	_, _ = fmt.Fprintln(stderr, "starting a server")
	directory, err := os.MkdirTemp("", "ingest-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	t, err := process.Start(ctx, directory, o.binary, strings.Fields(o.serverArgs)...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Stop()) }()
	before := t.Usage()
	watch := t.WatchMemory()
	_, _ = fmt.Fprintln(stderr, "sending")
	result, err := send(ctx, o, t, requests)
	peak := watch()
	if err != nil {
		return err
	}
	answered := t.Usage().Minus(before)
	settled, err := t.Settle(ctx)
	if err != nil {
		return err
	}
	used, spans := settled.Minus(before), float64(result.spans)
	var more strings.Builder
	fmt.Fprintf(&more, "server CPU µs per span         %.1f until everything was written, %.1f while requests were answered\n",
		float64(used.CPU.Microseconds())/spans, float64(answered.CPU.Microseconds())/spans)
	fmt.Fprintf(&more, "server allocations per span    %.1f, %.0f bytes\n", used.Allocations/spans, used.Allocated/spans)
	fmt.Fprintf(&more, "anonymous memory, MB           %.0f at most, %.0f at the end\n", float64(peak)/(1<<20), float64(t.AnonymousMemory())/(1<<20))
	fmt.Fprintf(&more, "bytes on disk per span         %.0f\n", float64(t.DiskUsage())/spans)
	_, err = io.WriteString(out, report(args, o, result, text)+more.String())
	return err
}

// report tells what clients saw.
func report(args []string, o options, result *outcome, text float64) string {
	var w strings.Builder
	fmt.Fprintf(&w, "command                        ingest %s\n", strings.Join(args, " "))
	fmt.Fprintf(&w, "machine                        %d cores, %s, %s\n", runtime.NumCPU(), runtime.Version(), time.Now().UTC().Format(time.RFC3339))
	fmt.Fprintf(&w, "spans                          %d in requests of %d over %d connections, %.0f bytes of text each, %.0f bytes on the wire\n",
		result.spans, o.batch, o.connections, text, float64(result.bytes)/float64(result.spans))
	fmt.Fprintf(&w, "spans/s                        %.0f\n", float64(result.spans)/result.took.Seconds())
	fmt.Fprintf(&w, "answered / refused / failed    %d / %d / %d\n", result.answered, result.refused, result.failed)
	fmt.Fprintf(&w, "request p50 / p99 / max, ms    %.1f / %.1f / %.1f\n", result.quantile(0.5), result.quantile(0.99), result.quantile(1))
	return w.String()
}
