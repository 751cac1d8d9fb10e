// Package fill makes stores with rows of the corpus for benchmarks.
package fill

import (
	"context"
	"errors"

	"almanac/bench/corpus"
	"almanac/internal/domain"
	"almanac/internal/store/segment"
)

// Open opens the store in a directory. If it is empty, it is filled with rows of one project.
func Open(ctx context.Context, directory, project string, o corpus.Options) (*segment.Store, error) {
	s, err := segment.Open(directory, segment.Options{})
	if err != nil || s.Stats().Observations.Rows > 0 {
		return s, err
	}
	scope := domain.OfProject(project) //nolint:forbidigo // a store of its own, which nobody else reads
	g := corpus.New(o)
	batch := make([]domain.Observation, 1000)
	for n := 0; n < o.Rows && err == nil; n += len(batch) {
		g.Fill(batch)
		err = s.Observations().Append(ctx, scope, batch[:min(len(batch), o.Rows-n)])
	}
	if err == nil {
		err = s.Flush(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}
