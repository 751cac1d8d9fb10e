package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"almanac/bench/corpus"
	"almanac/internal/domain"
	"almanac/internal/store"
)

// query is one of the measured queries. Its parameters differ in each run; the sequence is the same for every engine.
type query struct {
	name string
	run  func(ctx context.Context, e engine, rng *rand.Rand) (answer, error)
}

// questions makes queries about the data of a generator.
type questions struct {
	generator *corpus.Generator
	project   string
	traces    int
	from, to  domain.Micros
}

// newQuestions is about the rows made so far, so that later rows do not change the queries.
func newQuestions(g *corpus.Generator) questions {
	q := questions{generator: g, project: g.Projects()[0]}
	q.traces = g.Traces(q.project)
	q.from, q.to = g.Bounds()
	return q
}

// repeated returns the queries that change nothing.
func (q questions) repeated() []query {
	return []query{
		{"q1 newest 50, narrow", func(ctx context.Context, e engine, _ *rand.Rand) (answer, error) {
			return e.newest(ctx, q.project, 50, 0)
		}},
		{"q2 newest 1,000 with input and output", func(ctx context.Context, e engine, _ *rand.Rand) (answer, error) {
			return e.newest(ctx, q.project, 1000, store.WantIO)
		}},
		{"q3 one trace, narrow", func(ctx context.Context, e engine, rng *rand.Rand) (answer, error) {
			return e.trace(ctx, q.project, q.generator.TraceID(q.project, rng.IntN(q.traces)), 0)
		}},
		{"q3 one trace, with all texts", func(ctx context.Context, e engine, rng *rand.Rand) (answer, error) {
			return e.trace(ctx, q.project, q.generator.TraceID(q.project, rng.IntN(q.traces)), store.WantAll)
		}},
		{"q4 type, model, latency, tags in 7 days", func(ctx context.Context, e engine, rng *rand.Rand) (answer, error) {
			const week = 7 * dayMillis * 1000
			return e.matching(ctx, q.project, match{
				from: max(q.from, q.to-week), to: q.to,
				types:  []string{"GENERATION", "AGENT"},
				models: two(rng, q.generator.Models()), tags: two(rng, q.generator.Tags()),
				aboveMillis: 2000 + rng.Int64N(4000), limit: 50,
			})
		}},
		{"q5 rare metadata value", func(ctx context.Context, e engine, _ *rand.Rand) (answer, error) {
			return e.withMetadata(ctx, q.project, corpus.RareKey, corpus.RareValue, 50)
		}},
		{"q6 rare word in input", func(ctx context.Context, e engine, _ *rand.Rand) (answer, error) {
			return e.withWord(ctx, q.project, corpus.RareWord, 50)
		}},
		{"q7 page of 200 in the middle", func(ctx context.Context, e engine, rng *rand.Rand) (answer, error) {
			span := q.to - q.from
			at := q.from + span/4 + domain.Micros(rng.Int64N(int64(span/2)))
			return e.after(ctx, q.project, store.Position{Millis: at.Millis()}, 200)
		}},
		{"q8 cost, count, p95 latency by model, hour", func(ctx context.Context, e engine, _ *rand.Rand) (answer, error) {
			return e.costByModelAndHour(ctx, q.project)
		}},
		{"q9 distinct users by day", func(ctx context.Context, e engine, _ *rand.Rand) (answer, error) {
			return e.usersByDay(ctx, q.project)
		}},
	}
}

// two returns two different elements of a list.
func two(rng *rand.Rand, from []string) []string {
	first := rng.IntN(len(from))
	second := (first + 1 + rng.IntN(len(from)-1)) % len(from)
	return []string{from[first], from[second]}
}

// deletion deletes 1,000 traces spread over the whole time range, or all if there are fewer, and checks that they are
// gone.
func (q questions) deletion(ctx context.Context, e engine) (timed, error) {
	n := min(1000, q.traces)
	ids := make([]string, n)
	for i := range ids {
		ids[i] = q.generator.TraceID(q.project, i*q.traces/n)
	}
	cpu, began := e.process().cpuTime(), time.Now()
	deleted, err := e.deleteTraces(ctx, q.project, ids)
	took, cpuTook := time.Since(began), e.process().cpuTime()-cpu
	if err != nil {
		return timed{}, fmt.Errorf("delete %d traces: %w", n, err)
	}
	for i := 0; i < n; i += max(1, n/20) {
		left, err := e.trace(ctx, q.project, ids[i], 0)
		if err != nil {
			return timed{}, fmt.Errorf("read the deleted trace %s: %w", ids[i], err)
		}
		if left.rows > 0 {
			return timed{}, fmt.Errorf("the deleted trace %s still has %d rows", ids[i], left.rows)
		}
	}
	return timed{name: "q10 delete 1,000 traces, once", runs: 1, took: durations{took}, cpu: cpuTook, first: answer{rows: deleted}}, nil
}

// timed holds the timings of a query.
type timed struct {
	name  string
	runs  int
	took  durations
	cpu   time.Duration // of the engine's process, on average
	first answer
}

// patience limits how often queries are repeated.
type patience struct {
	warmUps, runs int
	limit         time.Duration // for all runs of a query; at least one is made
}

// measureQueries runs the queries one after the other.
func measureQueries(ctx context.Context, e engine, queries []query, p patience) ([]timed, error) {
	var out []timed
	for i, q := range queries {
		t, err := measureQuery(ctx, e, q, uint64(i), p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.name, err)
		}
		out = append(out, t)
	}
	return out, nil
}

func measureQuery(ctx context.Context, e engine, q query, seed uint64, p patience) (timed, error) {
	rng := rand.New(rand.NewPCG(seed, 3)) //nolint:gosec // repeatable on purpose
	t := timed{name: q.name}
	deadline := time.Now().Add(p.limit)
	for i := range p.warmUps {
		found, err := q.run(ctx, e, rng)
		if err != nil {
			return t, err
		}
		if i == 0 {
			t.first = found
		}
		if time.Now().After(deadline) {
			break
		}
	}
	cpu := e.process().cpuTime()
	for t.runs == 0 || t.runs < p.runs && time.Now().Before(deadline) {
		began := time.Now()
		if _, err := q.run(ctx, e, rng); err != nil {
			return t, err
		}
		t.took = append(t.took, time.Since(began))
		t.runs++
	}
	t.cpu = (e.process().cpuTime() - cpu) / time.Duration(t.runs)
	return t, nil
}
