package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/bench/corpus"
	"almanac/bench/internal/process"
)

// The modes.
const (
	ingest  = "ingest"
	read    = "read"
	metrics = "metrics"
	scored  = "scores"
	mixed   = "mixed"
	fair    = "fair"
	compare = "compare"
)

// options are the command-line options.
type options struct {
	mode string

	url, publicKey, secretKey, otlpPath string
	protocol                            protocol
	headers                             headers
	plain                               bool
	binary, before, serverArgs          string

	connections, readers, batch, rate, spans, rows, runs int
	readRate                                             float64
	duration, warmUp                                     time.Duration
	seed                                                 uint64
	corpus                                               corpus.Mode
	missingUsage                                         bool
	textBytes                                            int // see corpus.Options; there is no flag for it

	processes         processes
	data              string
	jsonPath, svgPath string
	profilePath       string
	kill              bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{protocol: protobufOverHTTP, headers: make(headers)}
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.mode, "mode", mixed,
		"what to do: ingest, read, metrics, scores, mixed: spans come in while rows and metrics are read, fair: spans of one project "+
			"while many read another, or compare: spans and questions to -before and -binary by turns")
	flags.StringVar(&o.url, "url", "", "server to measure; without it, one of ours is started in a temporary directory")
	flags.StringVar(&o.publicKey, "public-key", "", "public key for -url (LANGFUSE_PUBLIC_KEY)")
	flags.StringVar(&o.secretKey, "secret-key", "", "secret key for -url (LANGFUSE_SECRET_KEY)")
	flags.StringVar((*string)(&o.protocol), "protocol", string(o.protocol), "how spans are sent: http/protobuf or grpc")
	flags.StringVar(&o.otlpPath, "otlp-path", "/api/public/otel/v1/traces",
		"where spans are sent to over HTTP; /v1/traces of most other servers")
	flags.Var(o.headers, "header", "header of every request, name=value; may be repeated")
	flags.BoolVar(&o.plain, "plain", false, "send spans without gzip")
	flags.StringVar(&o.binary, "binary", "", "program to start; built from this module by default")
	flags.StringVar(&o.before, "before", "", "with -mode compare, program to compare with")
	flags.StringVar(&o.serverArgs, "server-args", "", "more arguments of serve, separated by blanks")
	flags.IntVar(&o.connections, "connections", 0, "requests at the same time; 4 for spans and 1 for questions by default")
	flags.IntVar(&o.readers, "readers", 0,
		"with -mode mixed, questions of each kind at the same time, 1 by default; with -mode fair, readers, 200 by default")
	flags.IntVar(&o.batch, "batch", 500, "spans of one request")
	flags.IntVar(&o.rate, "rate", 0, "spans, or questions, per second; 0 for as many as are answered")
	flags.Float64Var(&o.readRate, "read-rate", 0, "with -mode mixed, questions of each kind per second; 0 for as many as are answered")
	flags.IntVar(&o.spans, "spans", 200_000, "spans to send if no -duration is set, the same ones every time")
	flags.DurationVar(&o.duration, "duration", 0,
		"how long to send spans, made up to be of that moment; how long to ask each question at most, 15s by default; 30s with -mode mixed")
	flags.DurationVar(&o.warmUp, "warm-up", 3*time.Second, "how long to send before anything is counted, if spans are sent for a -duration")
	flags.IntVar(&o.rows, "rows", 0,
		"rows to fill a server of our own with before questions are asked; 1,000,000 by default, 100,000 with -mode mixed")
	flags.IntVar(&o.runs, "runs", 200, "how often to ask each question")
	flags.Uint64Var(&o.seed, "seed", 0, "another number makes other spans and other questions")
	flags.TextVar(&o.corpus, "corpus", corpus.Text, "what spans are like: text, conversations, chats or threads")
	flags.BoolVar(&o.missingUsage, "missing-usage", false,
		"leave the usage out of a quarter of the calls of models, so that tokens are counted")
	flags.Var(&o.processes, "pid", "process to measure, name=number; may be repeated")
	flags.StringVar(&o.data, "data", "", "directory whose growth is measured")
	flags.StringVar(&o.jsonPath, "json", "", "file for all figures")
	flags.StringVar(&o.profilePath, "cpuprofile", "", "file for a profile of a server of our own while spans come in for a -duration")
	flags.BoolVar(&o.kill, "kill", false, "at the end, kill a server of our own and measure how long it takes to be ready again")
	flags.StringVar(&o.svgPath, "svg", "", "file for a picture of how long requests took")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return o.completed()
}

// completed returns the options with the defaults of the mode, or an error if they are invalid.
func (o options) completed() (options, error) {
	questions, rows, duration, readers := 1, 1_000_000, 15*time.Second, 1
	switch o.mode {
	case ingest:
		questions, rows, duration = 4, 0, 0
	case mixed:
		questions, rows, duration = 4, 100_000, 30*time.Second
	case fair:
		questions, rows, duration, readers = 16, 200_000, 30*time.Second, 200
		o.batch, o.rate = 1, cmp.Or(o.rate, 10)
	case compare:
		rows, duration = 100_000, 5*time.Second
	case read, metrics, scored:
	default:
		return o, fmt.Errorf("-mode %q: expected ingest, read, metrics, scores, mixed, fair or compare", o.mode)
	}
	o.readers = cmp.Or(o.readers, readers)
	o.connections, o.rows, o.duration = cmp.Or(o.connections, questions), cmp.Or(o.rows, rows), cmp.Or(o.duration, duration)
	if o.url != "" {
		o.publicKey, o.secretKey = cmp.Or(o.publicKey, os.Getenv("LANGFUSE_PUBLIC_KEY")),
			cmp.Or(o.secretKey, os.Getenv("LANGFUSE_SECRET_KEY"))
	}
	switch {
	case min(o.connections, o.readers, o.batch, o.spans, o.runs) < 1 || min(o.rate, o.rows) < 0 || o.duration < 0 || o.warmUp < 0 ||
		o.readRate < 0:
		return o, errors.New("numbers must be positive")
	case o.rows > 0 && o.rows < 1000:
		return o, fmt.Errorf("-rows %d: expected at least 1000", o.rows)
	case o.protocol != protobufOverHTTP && o.protocol != grpc:
		return o, fmt.Errorf("-protocol %q: expected http/protobuf or grpc", o.protocol)
	case o.protocol == grpc && (o.mode != ingest || o.url == ""):
		return o, errors.New("-protocol grpc is for -mode ingest with a -url: questions are asked over HTTP")
	case o.url != "" && (o.kill || o.profilePath != ""):
		return o, errors.New("-kill and -cpuprofile are for servers that are started here: they cannot be used with -url")
	case o.profilePath != "" && (o.mode != ingest && o.mode != mixed || o.duration < time.Second):
		return o, errors.New("-cpuprofile is for -mode ingest or mixed with a -duration of a second or more")
	case (o.mode == compare) != (o.before != ""):
		return o, errors.New("-mode compare and -before are for each other")
	case o.url != "" && (o.mode == scored || o.mode == fair || o.mode == compare):
		return o, fmt.Errorf("-mode %s needs data that it made itself: it cannot be used with -url", o.mode)
	}
	if address, err := url.Parse(o.url); o.url != "" && (err != nil || address.Host == "" || address.User != nil) {
		return o, errors.New("-url must be like http://host:port, and keys are options of their own")
	}
	return o, nil
}

// headers are added to every request.
type headers http.Header

// String returns an empty string: values of headers may be secrets.
func (headers) String() string { return "" }

// Set adds a header, name=value.
func (h headers) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return errors.New("expected name=value")
	}
	http.Header(h).Add(name, value)
	return nil
}

// named is a process with its name in the report.
type named struct {
	name string
	pid  process.PID
}

// processes are the processes to measure.
type processes []named

// String returns an empty string: there are none by default.
func (processes) String() string { return "" }

// Set adds a process, name=number.
func (p *processes) Set(text string) error {
	name, number, _ := strings.Cut(text, "=")
	pid, err := strconv.Atoi(number)
	if name == "" || err != nil || pid < 1 {
		return errors.New("expected name=number")
	}
	if _, err := os.Stat(fmt.Sprintf("/proc/%d/stat", pid)); err != nil {
		return fmt.Errorf("no process can be measured: %w", err)
	}
	*p = append(*p, named{name, process.PID(pid)})
	return nil
}

// withoutSecrets returns the command line without secrets.
func withoutSecrets(args []string) []string {
	shown := slices.Clone(args)
	for n := range shown {
		name, value, joined := strings.Cut(strings.TrimLeft(shown[n], "-"), "=")
		if shown[n] == "" || shown[n][0] != '-' || name != "secret-key" && name != "header" {
			continue
		}
		if joined {
			shown[n] = "-" + name + "=" + hidden(name, value)
		} else if n+1 < len(shown) {
			shown[n+1] = hidden(name, shown[n+1])
		}
	}
	return shown
}

// hidden returns the value of an option with its secret part replaced.
func hidden(option, value string) string {
	if header, _, ok := strings.Cut(value, "="); ok && option == "header" {
		return header + "=…"
	}
	return "…"
}
