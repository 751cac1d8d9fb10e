package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"almanac/internal/demo"
)

// demoSending sends a workload and counts what it has sent.
type demoSending struct {
	*terminal
	client   *demo.Client
	workload *demo.Workload
	lastSaid time.Time
	encoder  demo.Encoder
	body     []byte // of an export; reused

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
			spans += len(trace.Spans)
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
	s.body = s.encoder.AppendExport(s.body[:0], traces)
	rejected, message, err := s.client.Export(ctx, s.body)
	if err != nil {
		return fmt.Errorf("sending failed after %d traces: %w", s.traces, err)
	}
	if message != "" {
		s.say("the server rejected %d observations: %s", rejected, message)
	}
	for _, t := range traces {
		s.count(t)
	}
	return s.sendScores(ctx, traces)
}

// batchScores is the maximum number of scores in a batch.
const batchScores = 100

// sendScores sends the scores of traces, which are already stored.
func (s *demoSending) sendScores(ctx context.Context, traces []*demo.Trace) error {
	var all []demo.Score
	for _, t := range traces {
		all = append(all, t.Scores()...)
	}
	for batch := range slices.Chunk(all, batchScores) {
		body, err := demo.ScoreBatch(batch)
		if err != nil {
			return err
		}
		refused, message, err := s.client.Scores(ctx, body)
		if err != nil {
			return fmt.Errorf("sending scores failed after %d traces: %w", s.traces, err)
		}
		if refused > 0 {
			s.say("the server rejected %d scores: %s", refused, message)
		}
		s.scores += len(batch) - refused
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
	s.observations += len(t.Spans)
	for _, span := range t.Spans {
		s.byKind[span.Kind()]++
		if span.Failed() {
			s.failed++
		}
	}
}

// tell reports progress at most once per second.
func (s *demoSending) tell(format string, args ...any) {
	if now := time.Now(); now.Sub(s.lastSaid) >= time.Second {
		s.lastSaid = now
		s.say(format, args...)
	}
}
