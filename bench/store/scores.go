package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/bench/internal/report"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

const (
	scoreProject        = "scored"
	scoresPerTrace      = 3
	scoresPerSession    = 200 // of the scores that have one
	scoresPerExperiment = 500 // likewise
)

// scoreStart is the time of the first score; there is one per second.
var scoreStart = domain.MicrosOf(time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC))

// scramble returns an id that looks random for a number.
func scramble(kind string, n int) string {
	sum := sha256.Sum256(fmt.Append([]byte(kind), n))
	return hex.EncodeToString(sum[:16])
}

// scoreOf returns the n-th score: most are of observations, some of sessions, some of experiments.
func scoreOf(n int) domain.Score {
	s := domain.Score{
		ID: scramble("score", n), Timestamp: scoreStart + domain.Micros(n)*1_000_000, Name: fmt.Sprint("metric ", n%12), Source: "EVAL",
		DataType: domain.ScoreNumeric, Value: domain.FloatOf(float64(n%101) / 100), Environment: "production",
		Metadata: `{"run":"nightly"}`,
		Comment:  "the answer follows the instructions and cites its sources",
	}
	s.CreatedAt, s.UpdatedAt, s.EventAt = s.Timestamp, s.Timestamp, s.Timestamp
	switch n % 10 {
	case 0:
		s.SessionID = scramble("session", n/scoresPerSession)
	case 1:
		s.ExperimentID = scramble("experiment", n/scoresPerExperiment)
		fallthrough
	default:
		s.TraceID, s.ObservationID = scramble("trace", n/scoresPerTrace), scramble("observation", n)[:16]
	}
	return s
}

// measureScores stores scores and queries them.
func measureScores(ctx context.Context, s store.Store, dir string, count int, p plan) ([]line, error) {
	m := &measurement{plan: p}
	debug.FreeOSMemory()
	own := thisProcess.anonymousMemory()
	peak := thisProcess.watchMemory()
	cpu := thisProcess.cpuTime()
	for n := range min(count, 50_000) {
		_ = scoreOf(n)
	}
	perRow := float64(thisProcess.cpuTime()-cpu) / float64(min(count, 50_000))
	cpu, began := thisProcess.cpuTime(), time.Now()
	group, inner := errgroup.WithContext(ctx)
	for producer := range p.producers {
		group.Go(func() error {
			batch := make([]domain.Score, 0, p.batch)
			for first := producer * p.batch; first < count; first += p.producers * p.batch {
				batch = batch[:0]
				for n := first; n < min(first+p.batch, count); n++ {
					batch = append(batch, scoreOf(n))
				}
				if err := s.Scores().Append(inner, scope(scoreProject), batch); err != nil {
					return fmt.Errorf("append %d scores: %w", len(batch), err)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if err := s.Flush(ctx); err != nil {
		return nil, err
	}
	took, micros := time.Since(began), (float64(thisProcess.cpuTime()-cpu)/float64(count)-perRow)/1000
	disk, err := settledUsage(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("look at the files: %w", err)
	}
	m.lines = append(m.lines, heading("scores"))
	m.add("rows", report.Grouped(int64(count)), 0, neither)
	m.add("rows/s with the final flush", report.Significant(float64(count)/took.Seconds()), 0, higher)
	m.add("CPU µs per row, flush included", report.Significant(micros), micros, lower)
	m.add("bytes per row on disk", report.Significant(float64(disk)/float64(count)), 0, lower)
	m.addMemory("anonymous memory beyond the program's own, peak, MB", peak()-own, lower)

	results, err := measureQueries(ctx, &embedded{store: s}, scoreQueries(s, count), p.patience)
	if err != nil {
		return nil, err
	}
	m.lines = append(m.lines, heading("queries on scores: p50 / p99 / CPU, ms"))
	m.addTimed(results)
	return m.lines, nil
}

func scoreQueries(s store.Store, count int) []query {
	columns := filter.Scores()
	column := func(id string) *filter.Column[domain.Score] {
		c, ok := columns.Column(id)
		if !ok {
			panic("BUG: scores have no column " + id)
		}
		return c
	}
	read := func(rows iter.Seq2[*domain.Score, error]) (a answer, err error) {
		for _, err := range rows {
			if err != nil {
				return a, err
			}
			a.rows++
		}
		return a, nil
	}
	by := func(name, id string, value func(n int) string) query {
		return query{name, func(ctx context.Context, _ engine, rng *rand.Rand) (answer, error) {
			c, err := filter.NewText(column(id), filter.Equal, value(rng.IntN(count)))
			if err != nil {
				return answer{}, err
			}
			return read(s.Scores().Scan(ctx, scope(scoreProject), store.Query[domain.Score]{Where: []filter.Condition[domain.Score]{c}}))
		}}
	}
	return []query{
		by("s1 by id", "id", func(n int) string { return scoreOf(n).ID }),
		by("s2 by trace", "traceId", func(n int) string { return scoreOf(n/10*10 + 2).TraceID }),
		by("s3 by observation", "observationId", func(n int) string { return scoreOf(n/10*10 + 2).ObservationID }),
		by("s4 by session", "sessionId", func(n int) string { return scoreOf(n / 10 * 10).SessionID }),
		by("s5 by experiment", "experimentId", func(n int) string { return scoreOf(n/10*10 + 1).ExperimentID }),
		{"s6 newest 50", func(ctx context.Context, _ engine, _ *rand.Rand) (answer, error) {
			return read(s.Scores().Scan(ctx, scope(scoreProject), store.Query[domain.Score]{Limit: 50}))
		}},
		{"s7 deep page of 100", func(ctx context.Context, _ engine, rng *rand.Rand) (answer, error) {
			row := scoreOf(rng.IntN(count))
			return read(s.Scores().Scan(ctx, scope(scoreProject), store.Query[domain.Score]{
				Limit: 100, After: &store.Position{Millis: row.Timestamp.Millis(), ID: row.ID},
			}))
		}},
		{"s8 count and average by name and day", func(ctx context.Context, _ engine, _ *rand.Rand) (answer, error) {
			groups, err := s.Scores().Aggregate(ctx, scope(scoreProject), store.AggregateQuery[domain.Score]{
				Bucket: dayMillis, GroupBy: []*filter.Column[domain.Score]{column("name")},
				Measures: []store.Measure[domain.Score]{{Function: store.Count}, {Function: store.Average, Column: column("value")}},
			})
			if err != nil {
				return answer{}, err
			}
			return answer{rows: len(groups.Rows)}, nil
		}},
	}
}
