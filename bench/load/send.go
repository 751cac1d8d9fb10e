package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"almanac/bench/corpus"
	"almanac/internal/domain"
)

// sender makes requests with spans.
type sender struct {
	target *target
	// bodies are sent repeatedly, each time with new ids and current times.
	bodies []*body
	// ready holds the same bodies compressed, if each is sent only once.
	ready [][]byte
	// text is the average number of bytes of text in a span.
	text float64
	salt uint64
	sent *sample // accepted traces
}

// poolSize is the number of different spans if they are sent repeatedly.
const poolSize = 20_000

// newSender makes all spans before the measurement: a fixed number, or a pool to be sent for a duration.
func newSender(o options, t *target, sent *sample) (*sender, error) {
	s := &sender{target: t, salt: rand.Uint64(), sent: sent}
	spans := o.spans
	options := corpus.Options{Rows: spans, Mode: o.corpus, Seed: o.seed, TextBytes: o.textBytes}
	if o.duration > 0 {
		// The rows are spaced as they are sent.
		spans, options.Days, options.Rows = poolSize, 1, 24*60*60*max(o.rate, 1000)
	}
	g := corpus.New(options)
	count := (spans + o.batch - 1) / o.batch
	s.bodies = make([]*body, count)
	if o.duration == 0 {
		s.ready = make([][]byte, count)
	}
	text := 0
	errs := make([]error, count)
	var work sync.WaitGroup
	turns := make(chan struct{}, 2)
	for n := range count {
		rows := make([]domain.Observation, min(o.batch, spans-n*o.batch))
		g.Fill(rows)
		for i := range rows {
			text += len(rows[i].Input) + len(rows[i].Output) + len(rows[i].Metadata)
		}
		turns <- struct{}{}
		work.Go(func() {
			errs[n] = s.make(n, rows, o.missingUsage)
			<-turns
		})
	}
	work.Wait()
	s.text = float64(text) / float64(spans)
	for _, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("cannot make spans: %w", err)
		}
	}
	return s, nil
}

// make makes body n.
func (s *sender) make(n int, rows []domain.Observation, missingUsage bool) error {
	b, err := newBody(encode(rows, missingUsage))
	if err == nil && s.ready != nil {
		s.ready[n], err = s.compress(b.raw, gzip.DefaultCompression)
		b.raw = nil // no longer needed, and large
	}
	s.bodies[n] = b
	return err
}

// compress returns the bytes to send.
func (s *sender) compress(raw []byte, level int) ([]byte, error) {
	if s.target.plain {
		return raw, nil
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, level)
	if err == nil {
		_, err = w.Write(raw)
	}
	if err == nil {
		err = w.Close()
	}
	return packed.Bytes(), err
}

// prepare makes request n.
func (s *sender) prepare(n int) func(ctx context.Context) answer {
	b := s.bodies[n%len(s.bodies)]
	if s.ready != nil {
		return func(ctx context.Context) answer { return s.target.export(ctx, s.ready[n], b.spans) }
	}
	// All bodies of a round have the same key: traces span bodies.
	raw := b.stamped(scattered(n/len(s.bodies)+1, 0x9e3779b97f4a7c15)^s.salt, time.Now())
	trace := hex.EncodeToString(raw[b.ids[0] : b.ids[0]+16])
	wire, err := s.compress(raw, gzip.BestSpeed)
	return func(ctx context.Context) answer {
		if err != nil {
			return failure(err)
		}
		a := s.target.export(ctx, wire, b.spans)
		if a.ok {
			s.sent.add(trace)
		}
		return a
	}
}

// sample keeps the most recent of many values, to choose from.
type sample struct {
	mu     sync.Mutex
	values []string
	next   int
}

const sampleSize = 1000

func (s *sample) add(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.values) < sampleSize {
		s.values = append(s.values, value)
		return
	}
	s.values[s.next] = value
	s.next = (s.next + 1) % sampleSize
}

// pick returns one of the values. There must be at least one.
func (s *sample) pick(r *rand.Rand) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[r.IntN(len(s.values))]
}
