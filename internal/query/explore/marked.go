package explore

import (
	"context"
	"fmt"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// What people do to traces is in the catalog, and the rows of traces are in the store. A condition on it is resolved before
// the store is asked: the traces that people bookmarked, published or commented on are read, all of them, and the store is
// told their ids. So every answer, of lists, counts, facets, charts and actions, is exact, and the same on both stores.
// Their number is bounded: that of marks where they are made, and that of traces with comments here, with a refusal.

// Columns of traces that people set, in conditions on whole traces.
const (
	bookmarkedColumn = "bookmarked"
	publicColumn     = "public"
	commentsColumn   = "commentCount"
)

// MaxCommented is the maximum number of traces with comments in a project that has conditions on comments. Reading as many
// takes about 0.2 s, on SQLite and on PostgreSQL; all marks of a project take about 0.02 s.
const MaxCommented = 100_000

// markClause returns a condition on what people set on traces, or nil if it is on something else. Has and has not, which
// clients send for every column, are about bookmarks that are set, and about any comments.
func markClause(d *filter.Draft) (*clause, error) {
	var column *filter.Column[domain.TraceSummary]
	expected := "boolean"
	switch d.Column {
	case bookmarkedColumn:
		column = filter.TraceColumn("bookmarked")
	case publicColumn:
		column = filter.Published()
	case commentsColumn: // their number is compared like that of observations
		column, expected = filter.ObservationCount(), "number"
	default:
		return nil, nil //nolint:nilnil // as documented
	}
	var made filter.Condition[domain.TraceSummary]
	var err error
	switch has := d.Operator == filter.IsNotNull; {
	case d.IsNull() && expected == "boolean":
		made, err = filter.NewBool(column, filter.Equal, has)
	case d.IsNull() && has:
		made, err = filter.NewNumber(column, filter.Greater, 0)
	case d.IsNull():
		made, err = filter.NewNumber(column, filter.Equal, 0)
	case d.Type() != expected:
		return nil, refusedType(d, expected)
	default:
		made, err = filter.Make(column, d)
	}
	if err != nil {
		return nil, err
	}
	if d.Column == commentsColumn {
		return &clause{comments: &made}, nil
	}
	return &clause{trace: &made}, nil
}

// commented returns a condition on the number of comments as one on traces.
func (e *Explorer) commented(ctx context.Context, c *filter.Condition[domain.TraceSummary]) (*traces.Term, error) {
	counts := map[string]int{}
	if e.Traces != nil && e.Traces.Marks.Comments != nil {
		var err error
		if counts, err = e.Traces.Marks.Comments(ctx, MaxCommented+1); err != nil {
			return nil, err
		}
	}
	if len(counts) > MaxCommented {
		return nil, &filter.Refused{Message: fmt.Sprintf("More than %d traces of this project have comments, which are too many to search by "+
			"the number of comments. Leave out the condition on comments.", MaxCommented)}
	}
	// Traces without comments are not known: those that are selected or not like these are left to the others.
	none, found, taken := c.MatchNumber(0, false), new(store.HashSet), 0
	for id, count := range counts {
		if c.MatchNumber(float64(count), false) != none {
			taken += found.Add(store.TextHash(id))
		}
	}
	held := memory.NewTally(ctx)
	if err := held.Add(int64(taken)); err != nil {
		return nil, err
	}
	t := &traces.Term{In: found}
	if none {
		t = &traces.Term{Not: t}
	}
	return t, nil
}
