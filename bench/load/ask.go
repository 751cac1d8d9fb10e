package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// mix is a set of questions of one kind.
type mix struct {
	kind      string
	questions []question
}

// supported prepares questions, asks each once, and returns those that the target answers. The others are recorded in
// the result with the response of the target.
func (m *measurement) supported(ctx context.Context, x mix) ([]question, error) {
	var answered []question
	for _, q := range x.questions {
		a := answer{}
		if q.prepare != nil {
			if err := q.prepare(ctx, m.target, &q); err != nil {
				a = answer{status: "not asked", problem: err.Error()}
			}
		}
		if a.status == "" {
			a = m.ask(ctx, &q, q.path(rand.New(rand.NewPCG(m.seed, 1))))
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !a.ok {
			m.result.Requests = append(m.result.Requests, requestFigures{Kind: x.kind, Name: q.name, LeftOut: a.leftOut()})
			continue
		}
		answered = append(answered, q)
	}
	return answered, nil
}

func (m *measurement) ask(ctx context.Context, q *question, path string) answer {
	a, _ := m.target.get(ctx, path, cmp.Or(q.row, "projectId"))
	return a
}

// asking returns a stream that cycles through questions, each with its own tally.
func (m *measurement) asking(questions []question, tallies []tally) stream {
	return stream{prepare: func(n int) (func(context.Context) answer, *tally) {
		q := &questions[n%len(questions)]
		path := q.path(rand.New(rand.NewPCG(m.seed, uint64(n)+2)))
		return func(ctx context.Context) answer { return m.ask(ctx, q, path) }, &tallies[n%len(questions)]
	}}
}

// measureQuestions asks one question after the other, so that the cost of each is known.
func (m *measurement) measureQuestions(ctx context.Context, x mix) error {
	const warmUps = 5
	m.result.fact("asked", "each question up to %d times or for %v, over %s, %s; %d more before to warm up, which do not count",
		m.runs, m.duration, plural(m.connections, "connection"), pace(float64(m.rate)), warmUps)
	questions, err := m.supported(ctx, x)
	if err != nil {
		return err
	}
	if len(questions) == 0 {
		return fmt.Errorf("the target answers no question about %s: %s", x.kind, m.result.Requests[0].LeftOut)
	}
	all := make([]used, len(m.processes))
	var took time.Duration
	answered := 0
	for n := range questions {
		m.progress("asking: %s", questions[n].name)
		var tallies [2]tally
		asking := m.asking(questions[n:n+1], tallies[:1])
		asking.connections, asking.total = 1, warmUps
		asking.drive(ctx)
		asking = m.asking(questions[n:n+1], tallies[1:])
		asking.connections, asking.rate, asking.total, asking.duration = m.connections, float64(m.rate), m.runs, m.duration
		m.meter.start()
		lasted := asking.drive(ctx)
		costs := m.meter.stop()
		if err := ctx.Err(); err != nil {
			return err
		}
		figures := newFigures(x.kind, questions[n].name, &tallies[1], lasted)
		figures.attribute(costs[:len(m.processes)])
		m.result.Requests = append(m.result.Requests, figures)
		for p := range all {
			all[p].cpu += costs[p].cpu
			all[p].peak = max(all[p].peak, costs[p].peak)
		}
		took += lasted
		answered += figures.Answered
	}
	for n, p := range m.processes {
		m.result.Processes = append(m.result.Processes, newProcessFigures(p, all[n], took, "request", answered))
	}
	return nil
}

// pace describes how requests follow each other.
func pace(rate float64) string {
	if rate == 0 {
		return "each as soon as the last one was answered"
	}
	return fmt.Sprintf("%g requests a second, timed from when each was due", rate)
}
