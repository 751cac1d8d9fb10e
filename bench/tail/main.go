// Command tail measures how soon acknowledged rows come out of GET /api/public/tail, and how many rows a tail of
// everything sees. Send spans at the same time:
//
//	go run ./bench/tail -url http://127.0.0.1:3000 -public-key pk-lf-… -secret-key sk-lf-… -duration 20s &
//	go run ./bench/load -mode ingest -rate 5000 -duration 25s -url http://127.0.0.1:3000 -public-key pk-lf-… -secret-key sk-lf-…
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/bench/internal/process"
)

// probe is the name of the spans whose delay is measured.
const probe = "tail-probe"

func main() { process.Main("tail", run) }

type measurement struct {
	url, publicKey, secretKey string

	mu      sync.Mutex
	sent    map[string]time.Time // when a probe was acknowledged, by its trace id
	times   []time.Duration
	rows    int
	skipped int
	events  int
}

func run(ctx context.Context, args []string, out, stderr io.Writer) error {
	m := &measurement{sent: make(map[string]time.Time)}
	flags := flag.NewFlagSet("tail", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&m.url, "url", "http://127.0.0.1:3000", "the server")
	flags.StringVar(&m.publicKey, "public-key", "", "public key of the project")
	flags.StringVar(&m.secretKey, "secret-key", "", "secret key of the project")
	duration := flags.Duration("duration", 20*time.Second, "how long to measure")
	every := flags.Duration("every", 250*time.Millisecond, "how often a span is sent whose way is timed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	following, leave := context.WithCancel(ctx)
	filter := url.QueryEscape(`[{"type":"string","column":"name","operator":"=","value":"` + probe + `"}]`)
	var tails sync.WaitGroup
	failures := make(chan error, 2)
	for path, each := range map[string]func(news){"?limit=200": m.count, "?filter=" + filter: m.arrive} {
		ready := make(chan struct{})
		tails.Go(func() {
			if err := m.follow(following, path, ready, each); following.Err() == nil {
				failures <- fmt.Errorf("a tail ended: %w", err)
			}
		})
		select {
		case <-ready:
		case err := <-failures:
			leave()
			return err
		}
	}
	for end := time.Now().Add(*duration); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(*every) {
		if err := m.send(ctx); err != nil {
			leave()
			return err
		}
	}
	time.Sleep(5 * time.Second) // for the last ones to arrive
	leave()
	tails.Wait()
	select {
	case err := <-failures:
		return err
	default:
	}
	slices.Sort(m.times)
	if len(m.times) == 0 {
		return fmt.Errorf("none of %d probes came", len(m.sent))
	}
	at := func(share float64) time.Duration {
		return m.times[int(share*float64(len(m.times)-1))].Round(time.Millisecond)
	}
	_, err := fmt.Fprintf(out,
		"%d of %d probes came, p50 %v, p95 %v, slowest %v after they were acknowledged\nthe tail of everything: %d rows in %d events, %d "+
			"more counted\n",
		len(m.times), len(m.sent), at(0.5), at(0.95), at(1), m.rows, m.events, m.skipped)
	return err
}

type news struct {
	Rows    []struct{ TraceID string }
	Skipped int
}

// follow calls each with what arrives.
func (m *measurement) follow(ctx context.Context, path string, ready chan<- struct{}, each func(news)) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, m.url+"/api/public/tail"+path, nil)
	if err != nil {
		return err
	}
	r.SetBasicAuth(m.publicKey, m.secretKey)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s", answer.Status)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 8<<20)
	name := ""
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case field == "event":
			if name = value; name == "ready" {
				close(ready)
			}
		case field == "data" && name == "rows":
			var n news
			if err := json.Unmarshal([]byte(value), &n); err != nil {
				return err
			}
			each(n)
		}
	}
	return lines.Err()
}

func (m *measurement) count(n news) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows, m.skipped, m.events = m.rows+len(n.Rows), m.skipped+n.Skipped, m.events+1
}

func (m *measurement) arrive(n news) {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range n.Rows {
		if at, ok := m.sent[r.TraceID]; ok && !at.IsZero() {
			m.times = append(m.times, max(0, now.Sub(at)))
		}
	}
}

// send sends a probe and records when it was acknowledged.
func (m *measurement) send(ctx context.Context) error {
	now := time.Now().UnixNano()
	trace := fmt.Sprintf("%032x", now)
	body := fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"%s","spanId":"%016x","name":"%s",`+
		`"startTimeUnixNano":"%d","endTimeUnixNano":"%d"}]}]}]}`, trace, now, probe, now, now)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url+"/api/public/otel/v1/traces", bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	r.SetBasicAuth(m.publicKey, m.secretKey)
	r.Header.Set("Content-Type", "application/json")
	m.mu.Lock() // so that it cannot arrive before it is recorded
	defer m.mu.Unlock()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	m.sent[trace] = time.Now()
	_, _ = io.Copy(io.Discard, answer.Body)
	if err := answer.Body.Close(); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("a probe was answered %s", answer.Status)
	}
	return nil
}
