package experiments

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// MaxExperiments is the maximum number of experiments on all pages before the requested one.
const MaxExperiments = 100_000

// ErrTooMany means that there are more than MaxExperiments experiments before the page.
var ErrTooMany = fmt.Errorf("there are more than %d experiments before the page", MaxExperiments)

// Query selects the experiments to list.
type Query struct {
	// From and To bound the start times of rows. Rows outside are ignored entirely.
	From, To domain.Micros
	// Where has conditions that at least one row of an experiment must meet together. A condition that an unset string
	// meets, such as one that excludes values, must also be met by the experiment as a whole: a row that does not
	// repeat the name does not show that there is none.
	Where []filter.Condition[domain.Observation]
	// After is where the previous page ended; nil for the first page.
	After *Cursor
	// Limit is the maximum number of experiments on the page.
	Limit int
	// Metadata requests the metadata of the experiments as well.
	Metadata bool
}

// Cursor is where a page ended: the newest matching row of its last experiment.
type Cursor struct {
	ExperimentID string
	StartTime    domain.Micros
	TraceID      string
	ID           string
	// Until is the millisecond of the newest row when the first page was read. An experiment in progress gets newer
	// rows, which must not move it while a client is paging.
	Until int64
}

func (c *Cursor) position() store.Position {
	return store.Position{Millis: c.StartTime.Millis(), TraceID: c.TraceID, ID: c.ID}
}

// Page is a page of experiments.
type Page struct {
	// IDs are the ids of the experiments on the page, in order.
	IDs []string
	// Next is where the page ends; nil for the last page.
	Next *Cursor

	rows      store.Table[domain.Observation]
	scope     domain.ProjectScope
	query     Query
	summaries map[string]*summary
}

// List returns a page of experiments, ordered by their newest row, newest first.
//
// Rows are stored newest first, so the first row of an experiment that a scan finds determines its place. The scan ends
// with the page. Only then are all rows of the experiments on the page read, which may reach far back.
func List(ctx context.Context, rows store.Table[domain.Observation], scope domain.ProjectScope, q Query) (*Page, error) {
	p := &Page{rows: rows, scope: scope, query: q}
	if err := p.find(ctx); err != nil {
		return nil, err
	}
	if len(p.IDs) == 0 {
		return p, nil
	}
	if err := p.summarize(ctx); err != nil {
		return nil, err
	}
	p.IDs = slices.DeleteFunc(p.IDs, func(id string) bool { return !p.summaries[id].meets(q.Where) })
	if len(p.IDs) == 0 {
		return p, nil
	}
	return p, p.findDescriptions(ctx)
}

// Experiments returns the experiments of the page, in order. Their long fields are read one experiment at a time, since
// they may be very long.
func (p *Page) Experiments(ctx context.Context) iter.Seq2[*domain.ExperimentSummary, error] {
	return func(yield func(*domain.ExperimentSummary, error) bool) {
		held := memory.NewTally(ctx)
		defer held.Release()
		for _, id := range p.IDs {
			held.Release()
			described, err := p.describe(ctx, p.summaries[id], held)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(described, nil) {
				return
			}
		}
	}
}

// Summaries returns the experiments of the page, in order, without their long fields.
func (p *Page) Summaries() []domain.ExperimentSummary {
	list := make([]domain.ExperimentSummary, len(p.IDs))
	for n, id := range p.IDs {
		list[n] = p.summaries[id].experiment
	}
	return list
}

// find finds the experiments of the page.
func (p *Page) find(ctx context.Context) error {
	seen, err := p.before(ctx)
	if err != nil {
		return err
	}
	query := p.matching()
	var last Cursor
	if p.query.After != nil {
		query.After, last.Until = new(p.query.After.position()), p.query.After.Until
	}
	for row, err := range p.rows.Scan(ctx, p.scope, query) {
		if err != nil {
			return err
		}
		if _, again := seen[row.ExperimentID]; again {
			continue
		}
		if len(p.IDs) == p.query.Limit {
			p.Next = &last
			return nil
		}
		if p.query.After == nil && len(p.IDs) == 0 {
			last.Until = row.StartTime.Millis()
		}
		id := strings.Clone(row.ExperimentID)
		seen[id] = struct{}{}
		p.IDs = append(p.IDs, id)
		last.ExperimentID, last.StartTime = id, row.StartTime
		last.TraceID, last.ID = strings.Clone(row.TraceID), strings.Clone(row.ID)
	}
	return nil
}

// matching selects the rows that determine which experiments are listed, and in which order.
func (p *Page) matching() store.Query[domain.Observation] {
	q := store.Query[domain.Observation]{From: p.query.From, To: p.query.To, Where: append(ofExperiments(), p.query.Where...)}
	if p.query.After != nil && p.query.After.Until != 0 {
		q.To = earlier(q.To, startOf(p.query.After.Until+1))
	}
	return q
}

// before returns the experiments on earlier pages: those with a row up to the end of the previous page.
func (p *Page) before(ctx context.Context) (map[string]struct{}, error) {
	seen := make(map[string]struct{})
	if p.query.After == nil {
		return seen, nil
	}
	seen[p.query.After.ExperimentID] = struct{}{} // even if its rows have been deleted since
	end := p.query.After.position()
	query := p.matching()
	groups, err := p.rows.Aggregate(ctx, p.scope, store.AggregateQuery[domain.Observation]{
		From: later(query.From, startOf(end.Millis+1)), To: query.To, Where: query.Where, MaxGroups: MaxExperiments,
		GroupBy:  []*filter.Column[domain.Observation]{filter.ObservationColumn("experimentId")},
		Measures: []store.Measure[domain.Observation]{{Function: store.Count}},
	})
	if errors.Is(err, store.ErrTooLarge) {
		return nil, ErrTooMany
	}
	if err != nil {
		return nil, err
	}
	const perExperiment = 300 // the group and its map entry
	held := memory.NewTally(ctx)
	if err := held.Add(int64(perExperiment * len(groups.Rows))); err != nil {
		return nil, err
	}
	for n := range groups.Rows {
		seen[groups.Rows[n].Keys[0]] = struct{}{}
	}
	// The page may have ended in the middle of a millisecond.
	query.From, query.To = later(query.From, startOf(end.Millis)), earlier(query.To, startOf(end.Millis+1))
	for row, err := range p.rows.Scan(ctx, p.scope, query) {
		if err != nil {
			return nil, err
		}
		if isBehind(row, end) {
			break
		}
		if _, known := seen[row.ExperimentID]; known {
			continue
		}
		if len(seen) > MaxExperiments {
			return nil, ErrTooMany
		}
		seen[strings.Clone(row.ExperimentID)] = struct{}{}
	}
	return seen, nil
}

// isBehind reports whether a row of the same millisecond comes after a position.
func isBehind(row *domain.Observation, at store.Position) bool {
	return row.TraceID < at.TraceID || row.TraceID == at.TraceID && row.ID < at.ID
}

// summarize reads all rows of the experiments on the page.
func (p *Page) summarize(ctx context.Context) error {
	p.summaries = make(map[string]*summary, len(p.IDs))
	for _, id := range p.IDs {
		p.summaries[id] = new(summary)
	}
	ofPage, err := filter.NewTexts(filter.ObservationColumn("experimentId"), filter.AnyOf, p.IDs)
	if err != nil {
		return err
	}
	query := store.Query[domain.Observation]{From: p.query.From, To: p.query.To, Where: []filter.Condition[domain.Observation]{ofPage}}
	for row, err := range p.rows.Scan(ctx, p.scope, query) {
		if err != nil {
			return err
		}
		p.summaries[row.ExperimentID].add(row)
	}
	return nil
}
