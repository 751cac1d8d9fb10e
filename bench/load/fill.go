package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"almanac/bench/corpus"
	"almanac/bench/internal/process"
	"almanac/internal/domain"
	"almanac/internal/store/segment"
)

// days is the time range of the rows that a server is filled with.
const days = 7

// startFilled starts a server on a directory whose store the given function has filled.
func startFilled(
	ctx context.Context, o options, directory string, stderr io.Writer, fill func(events, project string) error,
) (*process.Server, error) {
	arguments := strings.Fields(o.serverArgs)
	s, err := process.Start(ctx, directory, o.binary, arguments...) // creates the project
	if err != nil {
		return nil, err
	}
	publicKey, secretKey := s.PublicKey, s.SecretKey
	project, err := s.Project(ctx)
	if err = errors.Join(err, s.Stop()); err != nil {
		return nil, err
	}
	_, _ = fmt.Fprintf(stderr, "filling the store with %d rows\n", o.rows)
	if err := fill(s.Events(), project); err != nil {
		return nil, fmt.Errorf("cannot fill the store: %w", err)
	}
	if o.binary == "" {
		o.binary = s.Binary()
	}
	if o.mode == fair {
		arguments = append(arguments, neighbourArgs()...)
	}
	if s, err = process.Start(ctx, directory, o.binary, arguments...); err != nil {
		return nil, err
	}
	s.PublicKey, s.SecretKey = publicKey, secretKey
	// The work of the server on its files after a start is not part of the measurement.
	if err := process.Settle(ctx, s.PID); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// fillRows writes rows of one project directly into the store. Without a start they are the same every time.
func fillRows(ctx context.Context, o options, directory, project string, start time.Time) (k *known, err error) {
	s, err := segment.Open(directory, segment.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	g := corpus.New(corpus.Options{
		Rows: o.rows, Days: days, Mode: o.corpus, Seed: o.seed, Start: start, PlantEvery: o.rows / 9, TextBytes: o.textBytes,
	})
	batch := make([]domain.Observation, 1000)
	for n := 0; n < o.rows; n += len(batch) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		part := batch[:min(len(batch), o.rows-n)]
		g.Fill(part)
		if err := s.Observations().Append(ctx, domain.OfProject(project), part); err != nil { //nolint:forbidigo // a directory of its own, filled before anybody serves it
			return nil, err
		}
	}
	return knownOf(g), s.Flush(ctx)
}

// knownOf returns what can be queried in rows that were generated here.
func knownOf(g *corpus.Generator) *known {
	k := &known{
		models: g.Models(), tags: g.Tags(), word: corpus.RareWord, rare: member{corpus.RareKey, corpus.RareValue},
		few: member{corpus.TenantKey, corpus.SmallTenant}, many: member{corpus.TenantKey, corpus.LargeTenant},
	}
	from, to := g.Bounds()
	k.from, k.to = from.Time(), to.Time()
	k.models = k.models[:len(k.models)-1] // the last one is an embedding model, which is not queried
	main := g.Projects()[0]
	for n := 0; n < g.Traces(main); n += 1 + g.Traces(main)/1000 {
		k.traces = append(k.traces, g.TraceID(main, n))
	}
	return k
}
