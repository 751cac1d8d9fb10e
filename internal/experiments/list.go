package experiments

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// MaxExperiments is how many experiments the pages before one may have shown.
const MaxExperiments = 100_000

// ErrTooMany means that the pages before have shown more experiments than can be remembered.
var ErrTooMany = fmt.Errorf("there are more than %d experiments before the page", MaxExperiments)

// Query says which experiments are listed.
type Query struct {
	// From and To bound the start of rows. Rows outside do not count in any way.
	From, To domain.Micros
	// Where must all be met by at least one row of an experiment.
	Where []filter.Condition[domain.Observation]
	// After is where the page before ended; nil for the first page.
	After *Cursor
	// Limit is how many experiments a page has.
	Limit int
	// Metadata says whether these are wanted, too.
	Metadata bool
}

// Cursor is where a page ended: the newest of the rows of its last experiment that meet the conditions.
type Cursor struct {
	ExperimentID string
	StartTime    domain.Micros
	TraceID      string
	ID           string
	// Until is the millisecond of the newest row of all when the first page was read. An experiment that goes on gets newer
	// rows, which do not change its place for those who walk through the pages already.
	Until int64
}

// Page is a page of experiments.
type Page struct {
	Experiments []*domain.ExperimentSummary
	// Next is where the page ends; nil if it is the last.
	Next *Cursor
}

// List returns a page of experiments: the one that has the newest row comes first.
//
// Rows are stored newest first, so the first row of an experiment that a scan meets decides its place. The scan ends with
// the page. Only then are all rows of the experiments on the page read, which may reach far back.
func List(ctx context.Context, rows store.Table[domain.Observation], scope domain.ProjectScope, q Query) (*Page, error) {
	l := &listing{rows: rows, scope: scope, Query: q}
	if err := l.find(ctx); err != nil {
		return nil, err
	}
	if len(l.ids) == 0 {
		return new(Page), nil
	}
	if err := l.summarize(ctx); err != nil {
		return nil, err
	}
	page := &Page{Next: l.next}
	for _, id := range l.ids {
		s := l.summaries[id]
		if s.rows == 0 {
			continue // deleted meanwhile
		}
		if err := l.describe(ctx, s); err != nil {
			return nil, err
		}
		page.Experiments = append(page.Experiments, &s.experiment)
	}
	return page, nil
}

// listing is a page that is being read.
type listing struct {
	rows  store.Table[domain.Observation]
	scope domain.ProjectScope
	Query

	ids       []string // of the experiments on the page, in order
	summaries map[string]*summary
	next      *Cursor
}

// find finds the experiments of the page.
func (l *listing) find(ctx context.Context) error {
	seen, err := l.before(ctx)
	if err != nil {
		return err
	}
	query := l.matching()
	if l.After != nil {
		query.After = &store.Position{Millis: l.After.StartTime.Millis(), TraceID: l.After.TraceID, ID: l.After.ID}
	}
	var last Cursor
	first := true
	for row, err := range l.rows.Scan(ctx, l.scope, query) {
		if err != nil {
			return err
		}
		if first {
			first, last.Until = false, row.StartTime.Millis()
		}
		if _, again := seen[row.ExperimentID]; again {
			continue
		}
		if len(l.ids) == l.Limit {
			if l.After != nil {
				last.Until = l.After.Until
			}
			l.next = &last
			break
		}
		id := strings.Clone(row.ExperimentID)
		seen[id] = struct{}{}
		l.ids = append(l.ids, id)
		last = Cursor{
			ExperimentID: id, StartTime: row.StartTime, TraceID: strings.Clone(row.TraceID), ID: strings.Clone(row.ID), Until: last.Until,
		}
	}
	return nil
}

// matching selects the rows that decide which experiments are listed, and where.
func (l *listing) matching() store.Query[domain.Observation] {
	q := store.Query[domain.Observation]{From: l.From, To: l.To, Where: append(ofExperiments(), l.Where...)}
	if l.After != nil && l.After.Until != 0 {
		q.To = earlier(q.To, startOf(l.After.Until+1))
	}
	return q
}

// before returns the experiments of the pages before: those that have a row up to where the last of them ended.
func (l *listing) before(ctx context.Context) (map[string]struct{}, error) {
	seen := make(map[string]struct{})
	if l.After == nil {
		return seen, nil
	}
	seen[l.After.ExperimentID] = struct{}{} // even if its rows were deleted meanwhile
	end := store.Position{Millis: l.After.StartTime.Millis(), TraceID: l.After.TraceID, ID: l.After.ID}
	query := l.matching()
	groups, err := l.rows.Aggregate(ctx, l.scope, store.AggregateQuery[domain.Observation]{
		From: later(query.From, startOf(end.Millis+1)), To: query.To, Where: query.Where, MaxGroups: MaxExperiments,
		GroupBy:  []*filter.Column[domain.Observation]{column("experimentId")},
		Measures: []store.Measure[domain.Observation]{{Function: store.Count}},
	})
	if errors.Is(err, store.ErrTooLarge) {
		return nil, ErrTooMany
	}
	if err != nil {
		return nil, err
	}
	for n := range groups.Rows {
		seen[groups.Rows[n].Keys[0]] = struct{}{}
	}
	// The page may have ended in the middle of a millisecond.
	query.From, query.To = later(query.From, startOf(end.Millis)), earlier(query.To, startOf(end.Millis+1))
	for row, err := range l.rows.Scan(ctx, l.scope, query) {
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

// isBehind says whether a row of the same millisecond comes after a position.
func isBehind(row *domain.Observation, p store.Position) bool {
	return row.TraceID < p.TraceID || row.TraceID == p.TraceID && row.ID < p.ID
}

// summarize reads all rows of the experiments on the page.
func (l *listing) summarize(ctx context.Context) error {
	l.summaries = make(map[string]*summary, len(l.ids))
	for _, id := range l.ids {
		l.summaries[id] = new(summary)
	}
	ofPage, err := filter.NewTexts(column("experimentId"), filter.AnyOf, l.ids)
	if err != nil {
		return err
	}
	query := store.Query[domain.Observation]{From: l.From, To: l.To, Where: []filter.Condition[domain.Observation]{ofPage}}
	for row, err := range l.rows.Scan(ctx, l.scope, query) {
		if err != nil {
			return err
		}
		l.summaries[row.ExperimentID].add(row)
	}
	return nil
}

// describe reads the long texts of an experiment. They are the same in many rows, and lie beside texts that are longer
// still, so just the newest row is opened that has one.
func (l *listing) describe(ctx context.Context, s *summary) error {
	err := l.readNewest(ctx, s, "hasExperimentDescription", func(row *domain.Observation) {
		take(&s.experiment.Description, row.ExperimentDescription)
	})
	if err != nil || !l.Metadata {
		return err
	}
	return l.readNewest(ctx, s, "hasExperimentMetadata", func(row *domain.Observation) {
		take(&s.experiment.Metadata, row.ExperimentMetadata)
	})
}

// readNewest reads the newest row of an experiment for which a column is true, if there is one.
func (l *listing) readNewest(ctx context.Context, s *summary, has string, read func(*domain.Observation)) error {
	of, err := filter.NewText(column("experimentId"), filter.Equal, s.experiment.ID)
	if err != nil {
		return err
	}
	query := store.Query[domain.Observation]{
		From: s.experiment.StartTime, To: s.newest + 1, Limit: 1, Want: store.WantDetails,
		Where: []filter.Condition[domain.Observation]{of, must(filter.NewBool(column(has), filter.Equal, true))},
	}
	for row, err := range l.rows.Scan(ctx, l.scope, query) {
		if err != nil {
			return err
		}
		read(row)
	}
	return nil
}
