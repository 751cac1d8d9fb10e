package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"almanac/bench/internal/process"
	"almanac/bench/internal/report"
)

// running is a stream with its results.
type running struct {
	stream
	kind    string
	names   []string // of tallies
	tallies []tally
	took    time.Duration
}

// sending returns the stream of spans.
func (m *measurement) sending(s *sender) *running {
	r := &running{kind: "spans", names: []string{fmt.Sprintf("export of %d spans", m.batch)}, tallies: make([]tally, 1)}
	r.stream = stream{connections: m.connections, rate: float64(m.rate) / float64(m.batch), duration: m.duration}
	if m.duration > 0 {
		r.warmUp = m.warmUp
	} else {
		r.total = len(s.bodies)
	}
	r.prepare = func(n int) (func(context.Context) answer, *tally) {
		if m.duration > 0 {
			n++ // the first one was already sent, to see whether the target accepts spans
		}
		return s.prepare(n), &r.tallies[0]
	}
	wire := "gzip"
	if m.plain {
		wire = "not compressed"
	}
	m.result.fact("spans", "%d in a request (%s, %s) over %s, %s; %.0f bytes of text each", m.batch, m.protocol, wire,
		plural(m.connections, "connection"), pace(r.rate), s.text)
	return r
}

// newSender makes the spans. If they are sent for a duration, the first ones are sent immediately: a target that
// refuses them is not measured.
func (m *measurement) newSender(ctx context.Context) (*sender, error) {
	m.progress("making spans")
	s, err := newSender(m.options, m.target, new(sample))
	if err != nil || m.duration == 0 {
		return s, err
	}
	if a := s.prepare(0)(ctx); !a.ok {
		return nil, fmt.Errorf("the target does not take spans: %s %s", a.status, a.problem)
	}
	return s, nil
}

// measureSpans sends spans.
func (m *measurement) measureSpans(ctx context.Context) error {
	s, err := m.newSender(ctx)
	if err != nil {
		return err
	}
	return m.drive(ctx, m.sending(s))
}

// measureMixed sends spans while questions of both kinds are asked.
func (m *measurement) measureMixed(ctx context.Context) error {
	s, err := m.newSender(ctx)
	if err != nil {
		return err
	}
	if m.known == nil {
		m.progress("looking for what to ask for")
		if m.known, err = discoverSoon(ctx, m.target); err != nil {
			return err
		}
	}
	m.known.sent = s.sent
	m.known.to = time.Now().Add(m.warmUp + m.duration)
	m.known.from = m.known.to.Add(-days * 24 * time.Hour)
	streams := []*running{m.sending(s)}
	for _, x := range []mix{{"rows", rowQuestions(m.known)}, {"metrics", metricsQuestions(m.known)}} {
		questions, err := m.supported(ctx, x)
		if err != nil {
			return err
		}
		if len(questions) == 0 {
			continue // the report shows it
		}
		r := &running{kind: x.kind, tallies: make([]tally, len(questions))}
		for _, q := range questions {
			r.names = append(r.names, q.name)
		}
		r.stream = m.asking(questions, r.tallies)
		r.connections, r.rate, r.duration, r.warmUp = m.readers, m.readRate, m.duration, m.warmUp
		streams = append(streams, r)
		m.result.fact(x.kind, "questions by turns over %s, %s", plural(m.readers, "connection"), pace(m.readRate))
	}
	return m.drive(ctx, streams...)
}

// discoverSoon waits for the first rows of a target that shows them some time after accepting them.
func discoverSoon(ctx context.Context, t *target) (k *known, err error) {
	for range 60 {
		if k, err = discover(ctx, t); !errors.Is(err, errNoRows) {
			return k, err
		}
		if !sleep(ctx, 500*time.Millisecond) {
			return nil, ctx.Err()
		}
	}
	return nil, err
}

// drive runs streams concurrently and measures them. The first one must be that of spans.
func (m *measurement) drive(ctx context.Context, streams ...*running) error {
	spans := streams[0]
	m.progress("sending")
	if spans.warmUp == 0 {
		m.result.fact("warm-up", "none, everything counts")
		m.meter.start()
	}
	var work sync.WaitGroup
	var profileErr error
	if m.profilePath != "" {
		work.Go(func() { profileErr = m.profile(ctx, spans.warmUp+spans.duration) })
	}
	for _, r := range streams {
		work.Go(func() { r.took = r.drive(ctx) })
	}
	if spans.warmUp > 0 {
		m.result.fact("warm-up", "%v before the %v that count; its requests and what they cost are left out", spans.warmUp, spans.duration)
		sleep(ctx, spans.warmUp)
		m.meter.start()
	}
	work.Wait()
	answering := m.meter.cpu()
	if err := process.Settle(ctx, pids(m.processes)...); err != nil {
		return err
	}
	settled := m.meter.stop()
	for _, r := range streams {
		for n := range r.tallies {
			m.result.Requests = append(m.result.Requests, newFigures(r.kind, r.names[n], &r.tallies[n], r.took))
		}
	}
	t := &spans.tallies[0]
	if len(t.times) == 0 {
		return fmt.Errorf("no request was answered: %s", statuses(t.failures, t.problem))
	}
	m.result.spans(t, spans.took)
	if spans.duration > 0 {
		m.result.Spans.all += int64(m.batch) // the request that was already sent
	}
	unit := "span"
	if len(streams) > 1 {
		unit = "span, questions included"
	}
	for n, p := range m.meter.processes {
		figures := newProcessFigures(p, used{answering[n], settled[n].peak}, spans.took, unit, int(t.units))
		if n < len(m.processes) {
			figures.settle(settled[n].cpu, int(t.units))
		}
		m.result.Processes = append(m.result.Processes, figures)
	}
	if allocated := m.meter.allocated(); allocated.Allocations > 0 && len(streams) == 1 {
		m.result.fact("allocated", "%.1f times and %s bytes by the server for a span", allocated.Allocations/float64(t.units),
			report.Grouped(int64(allocated.Allocated/float64(t.units))))
	}
	return errors.Join(profileErr, ctx.Err())
}

func pids(list processes) []process.PID {
	numbers := make([]process.PID, len(list))
	for n, p := range list {
		numbers[n] = p.pid
	}
	return numbers
}
