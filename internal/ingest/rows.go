package ingest

import (
	"context"
	"fmt"

	"almanac/internal/domain"
	"almanac/internal/ingest/semconv"
)

// Row is an observation that the server itself makes, with its usage, from which the cost follows.
type Row struct {
	Observation domain.Observation
	Usage       []domain.UsageEntry
}

// Rows stores observations that the server itself makes as if a client had exported them: they are priced, masked, linked
// to their prompts and counted, and files are taken out of them. It returns them as stored. They are on disk and visible
// to every read unless there is an error.
func (p *Pipeline) Rows(
	ctx context.Context, scope domain.ProjectScope, by domain.Consumer, made []Row,
) (rows []domain.Observation, err error) {
	now := domain.MicrosOf(p.options.Clock())
	bytes := int64(0)
	for n := range made {
		bytes += int64(made[n].Observation.TextBytes())
	}
	work, err := p.beginWork(ctx, scope.ProjectID(), bytes)
	if err != nil {
		return nil, err
	}
	defer work.release()
	taken, err := p.options.Usage.Reserve(by, domain.Amounts{0, int64(len(made)), bytes})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			taken.Undo()
		}
	}()
	prices, err := p.options.Prices.Of(ctx, scope)
	if err != nil {
		return nil, p.storeError(fmt.Errorf("cannot read the models of project %s: %w", scope.ProjectID(), err))
	}
	var (
		files  extraction
		newest domain.Micros
	)
	mapper := new(semconv.Mapper) // the rows use its memory, so it is not shared
	mapper.Begin(semconv.Source{}, now)
	masks := p.options.Masks.of(scope.ProjectID())
	rows = make([]domain.Observation, len(made))
	for n := range made {
		row := &rows[n]
		*row = made[n].Observation
		row.CreatedAt, row.UpdatedAt = now, now
		mapper.FindTools(row)
		prices.Apply(row, made[n].Usage, nil)
		for m := range masks {
			masks[m].apply(row)
		}
		if p.options.Media != nil {
			if err := work.Grow(ctx, files.take(row)); err != nil {
				return nil, err
			}
		}
		newest = max(newest, row.StartTime)
	}
	work.endTurn() // the rest waits for disks and other servers
	domain.HandDown(rows)
	p.keepMedia(ctx, scope, &files)
	p.LinkPrompts(ctx, scope, rows)
	if err := p.options.Table.Append(ctx, scope, rows); err != nil {
		return nil, p.storeError(err)
	}
	p.NoteEvent(newest)
	return rows, nil
}
