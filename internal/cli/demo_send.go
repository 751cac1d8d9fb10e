package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/klauspost/compress/gzip"

	"almanac/internal/buildinfo"
	"almanac/internal/demo"
	"almanac/internal/ingest/otlp"
)

// demoSending sends a workload and counts what it has sent.
type demoSending struct {
	*terminal
	server   *remoteServer
	workload *demo.Workload
	lastSaid time.Time

	traces, observations, failed, scores int
	byName                               map[string]int // traces
	byKind                               map[string]int // observations
	users, sessions                      map[string]bool
	newest                               *demo.Trace // newest trace with a session
}

// exportSpans is the minimum number of spans in an export; only the last one may have fewer.
const exportSpans = 400

// past sends the traces of the past.
func (s *demoSending) past(ctx context.Context, total int) error {
	var batch []*demo.Trace
	spans := 0
	for {
		trace := s.workload.Next()
		if trace != nil {
			batch = append(batch, trace)
			spans += len(trace.Kinds)
		}
		if spans >= exportSpans || trace == nil && spans > 0 {
			if err := s.send(ctx, batch); err != nil {
				return err
			}
			s.tell("%d of %d traces sent", s.traces, total)
			batch, spans = batch[:0], 0
		}
		if trace == nil {
			return nil
		}
	}
}

// live sends traces as if they happened now, until the duration is over or the context is done.
func (s *demoSending) live(ctx context.Context, rate float64, duration time.Duration) error {
	began := time.Now()
	s.say("now sending %v traces per second; press Ctrl-C to stop", rate)
	var over <-chan time.Time // nil, never ready, without a duration
	if duration > 0 {
		over = time.After(duration)
	}
	const most, least = time.Second, 50 * time.Millisecond // between two exports
	tick := time.NewTicker(min(max(time.Duration(float64(time.Second)/rate), least), most))
	defer tick.Stop()
	sent := 0
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-over:
			return nil
		case now := <-tick.C:
			due := int(now.Sub(began).Seconds()*rate) - sent
			var batch []*demo.Trace
			for range min(due, int(rate)+1) { // no burst after an outage of the server
				batch = append(batch, s.workload.Live(now))
			}
			sent += due
			if len(batch) == 0 {
				continue
			}
			if err := s.send(ctx, batch); err != nil {
				return err
			}
			s.tell("%d traces sent", s.traces)
		}
	}
}

// send sends traces in one export and counts them.
func (s *demoSending) send(ctx context.Context, traces []*demo.Trace) error {
	var body bytes.Buffer
	z := gzip.NewWriter(&body)
	_, _ = z.Write(demo.Export(traces)) // a buffer accepts everything
	_ = z.Close()
	answer, err := s.post(ctx, "/api/public/otel/v1/traces", http.Header{
		"Content-Encoding": {"gzip"}, "X-Langfuse-Ingestion-Version": {"4"},
		"X-Langfuse-Sdk-Name": {"almanac-demo"}, "X-Langfuse-Sdk-Version": {buildinfo.Version()},
	}, body.Bytes())
	if err != nil {
		return fmt.Errorf("sending failed after %d traces: %w", s.traces, err)
	}
	if rejected, message := otlp.ReadPartialSuccess(answer, true); message != "" {
		s.say("the server rejected %d observations: %s", rejected, printable(message))
	}
	for _, t := range traces {
		s.count(t)
	}
	return s.sendScores(ctx, traces)
}

// project returns the name of the project that the keys belong to. It fails at once if the server cannot be reached.
func (s *demoSending) project(ctx context.Context) (string, error) {
	var list struct {
		Data []struct{ Name string }
	}
	var refused *refusedError
	err := s.server.call(ctx, http.MethodGet, "/api/public/projects", nil, &list)
	if errors.Is(err, errAway) || errors.As(err, &refused) || ctx.Err() != nil {
		return "", err
	}
	if err != nil || len(list.Data) == 0 {
		return "", errors.Join(fmt.Errorf("%s does not look like a trace server", s.server.address), err)
	}
	return list.Data[0].Name, nil
}

// post sends a request until the server accepts or refuses it, and returns its response. What is sent has ids, so it may
// be sent again.
func (s *demoSending) post(ctx context.Context, path string, header http.Header, body []byte) (answer []byte, err error) {
	header.Set("Content-Type", "application/json")
	header["X-Idempotency-Key"] = nil // not sent; it tells the transport that the request may be repeated
	err = s.server.retry(ctx, s.terminal, func() error {
		response, err := s.server.send(ctx, http.MethodPost, path, header, body)
		if err != nil {
			return err
		}
		defer response.Body.Close() //nolint:errcheck // only read
		if response.StatusCode/100 != 2 {
			return refusal(response)
		}
		const longest = 1 << 20
		if answer, err = io.ReadAll(io.LimitReader(response.Body, longest)); err != nil {
			return fmt.Errorf("%w: its response ended early: %w", errAway, err)
		}
		return nil
	})
	return answer, err
}

// batchScores is the maximum number of scores in a batch.
const batchScores = 100

// sendScores sends the scores of traces, which are already stored.
func (s *demoSending) sendScores(ctx context.Context, traces []*demo.Trace) error {
	for batch := range slices.Chunk(demo.Scores(traces), batchScores) {
		var told struct {
			Errors []struct{ Message, Error string }
		}
		answer, err := s.post(ctx, "/api/public/ingestion", http.Header{}, demo.Batch(batch))
		if err == nil {
			err = json.Unmarshal(answer, &told)
		}
		if err != nil {
			return fmt.Errorf("sending scores failed after %d traces: %w", s.traces, err)
		}
		if refused := told.Errors; len(refused) > 0 {
			s.say("the server rejected %d scores: %s: %s", len(refused), printable(refused[0].Message),
				printable(refused[0].Error))
		}
		s.scores += len(batch) - len(told.Errors)
	}
	return nil
}

func (s *demoSending) count(t *demo.Trace) {
	if s.byName == nil {
		s.byName, s.byKind = make(map[string]int), make(map[string]int)
		s.users, s.sessions = make(map[string]bool), make(map[string]bool)
	}
	s.traces++
	s.byName[t.Name]++
	if t.User != "" {
		s.users[t.User] = true
	}
	if t.Session != "" {
		s.sessions[t.Session] = true
		s.newest = t
	}
	s.observations += len(t.Kinds)
	s.failed += t.Failed
	for _, kind := range t.Kinds {
		s.byKind[kind]++
	}
}

// tell reports progress at most once per second.
func (s *demoSending) tell(format string, args ...any) {
	if now := time.Now(); now.Sub(s.lastSaid) >= time.Second {
		s.lastSaid = now
		s.say(format, args...)
	}
}
