package experiments

import (
	"context"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// findDescriptions finds the newest row with a description for each experiment on the page, without reading any
// description: most experiments have none, or the same one in many rows.
func (p *Page) findDescriptions(ctx context.Context) error {
	missing := len(p.IDs)
	for row, err := range p.rows.Scan(ctx, p.scope, p.having("hasExperimentDescription", p.IDs)) {
		if err != nil {
			return err
		}
		s := p.summaries[row.ExperimentID]
		if s.described != (place{}) {
			continue
		}
		s.described = placeOf(row)
		if missing--; missing == 0 {
			return nil
		}
	}
	return nil
}

// having selects the rows of experiments for which a boolean column is true.
func (p *Page) having(name string, ids []string) store.Query[domain.Observation] {
	return store.Query[domain.Observation]{
		From: p.query.From, To: p.query.To, Where: []filter.Condition[domain.Observation]{
			filter.Must(filter.NewTexts(filter.ObservationColumn("experimentId"), filter.AnyOf, ids)),
			filter.Must(filter.NewBool(filter.ObservationColumn(name), filter.Equal, true)),
		},
	}
}

// describe reads the long fields of an experiment. They are stored next to even longer ones, so it reads as few rows as
// possible.
func (p *Page) describe(ctx context.Context, s *summary, held *memory.Tally) (*domain.ExperimentSummary, error) {
	e := s.experiment
	if s.described != (place{}) {
		err := p.open(ctx, s.described.query(), func(row *domain.Observation) error {
			return takeLong(&e.Description, row.ExperimentDescription, held)
		})
		if err != nil {
			return nil, err
		}
	}
	if !p.query.Metadata {
		return &e, nil
	}
	// Clients repeat metadata on every row, so the newest is likely to have it.
	for _, query := range []store.Query[domain.Observation]{s.newest.query(), p.having("hasExperimentMetadata", []string{e.ID})} {
		err := p.open(ctx, query, func(row *domain.Observation) error {
			return takeLong(&e.Metadata, row.ExperimentMetadata, held)
		})
		if err != nil || e.Metadata != "" {
			return &e, err
		}
	}
	return &e, nil
}

// open reads the first row that a query selects, if there is one, with its long fields.
func (p *Page) open(ctx context.Context, query store.Query[domain.Observation], read func(*domain.Observation) error) error {
	query.Limit, query.Want = 1, store.WantDetails
	for row, err := range p.rows.Scan(ctx, p.scope, query) {
		if err != nil {
			return err
		}
		if err := read(row); err != nil {
			return err
		}
	}
	return nil
}

// takeLong keeps a string that may be very long.
func takeLong(kept *string, text string, held *memory.Tally) error {
	if err := held.Add(int64(len(text))); err != nil {
		return err
	}
	take(kept, text)
	return nil
}

// query selects the row at the place.
func (at place) query() store.Query[domain.Observation] {
	return store.Query[domain.Observation]{
		From: at.start, To: at.start + 1, Where: []filter.Condition[domain.Observation]{
			filter.Must(filter.NewText(filter.ObservationColumn("traceId"), filter.Equal, at.traceID)),
			filter.Must(filter.NewText(filter.ObservationColumn("id"), filter.Equal, at.id)),
		},
	}
}
