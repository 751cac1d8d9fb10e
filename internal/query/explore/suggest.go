package explore

import (
	"context"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

const (
	// recently is how far back values are suggested from before older ones are looked for.
	recently = 7 * 24 * time.Hour
	// looseRows is the number of rows read to suggest metadata.
	looseRows = 2000
	// looseValues is the maximum number of distinct values held meanwhile.
	looseValues = 10_000
)

// Suggest returns values of a column that begin with a prefix, most frequent first. Recent rows are tried first. The
// name is one that FacetColumn accepts, "metadata" for the keys of metadata, "scores" for the names of scores, or
// "scores." followed by the name of a score for its text values.
func (e *Explorer) Suggest(ctx context.Context, name, prefix string, limit int, now time.Time) (values []ValueCount, err error) {
	values = []ValueCount{}
	score, scored := strings.CutPrefix(name, scoresPrefix)
	_, err = e.withTimeLimit(ctx, func(ctx context.Context) error {
		switch key, entry := strings.CutPrefix(name, metadataPrefix); {
		case name == "metadata":
			values, err = e.suggestMetadata(ctx, prefix, limit, func(key, _ string) (string, bool) { return key, true })
		case entry:
			values, err = e.suggestMetadata(ctx, prefix, limit, func(name, text string) (string, bool) { return text, name == key })
		case name == scoresColumn:
			values, err = e.suggestScores(ctx, filter.ScoreColumn("name"), prefix, limit)
		case scored:
			named := filter.Must(filter.NewText(filter.ScoreColumn("name"), filter.Equal, score))
			values, err = e.suggestScores(ctx, filter.ScoreColumn("stringValue"), prefix, limit, named)
		default:
			values, err = e.suggestColumn(ctx, name, prefix, limit, now)
		}
		return err
	})
	return values, err
}

func (e *Explorer) suggestColumn(ctx context.Context, name, prefix string, limit int, now time.Time) ([]ValueCount, error) {
	c, ok := FacetColumn(name)
	if !ok {
		return []ValueCount{}, nil
	}
	var more []condition
	if prefix != "" && c.Kind() == filter.Text {
		begins, err := filter.NewText(c, filter.StartsWith, prefix)
		if err != nil {
			return nil, err
		}
		more = append(more, begins)
	}
	most := limit
	if c.Kind() != filter.Text && prefix != "" {
		most = maxFacetValues // others are filtered out below
	}
	var values []ValueCount
	for _, s := range []*Selection{{From: domain.MicrosOf(now.Add(-recently))}, {}} {
		found, _, err := e.countValues(ctx, s, c, most, more...)
		if err != nil {
			return nil, err
		}
		values = slices.DeleteFunc(found, func(v ValueCount) bool { return !strings.HasPrefix(v.Value, prefix) })
		if len(values) > 0 {
			break
		}
	}
	return append([]ValueCount{}, values[:min(limit, len(values))]...), nil
}

// suggestMetadata counts the values that take returns for metadata entries of the newest rows.
func (e *Explorer) suggestMetadata(
	ctx context.Context, prefix string, limit int, take func(key, text string) (string, bool),
) ([]ValueCount, error) {
	counts := make(map[string]int)
	held := memory.NewTally(ctx)
	defer held.Release()
	some := filter.Must(filter.NewNull(columnOf("metadata"), false))
	for o, err := range e.Store.Observations().Scan(ctx, e.Scope, store.Query[row]{
		Where: []condition{some}, Limit: looseRows, Want: store.WantMetadata,
	}) {
		if ctx.Err() != nil {
			break // a partial result is still useful
		}
		if err != nil {
			return nil, err
		}
		var failure error
		filter.EachLeaf(o.Metadata, func(key, text string) bool {
			value, ok := take(key, text)
			if !ok || value == "" || !strings.HasPrefix(value, prefix) || len(value) > 8*PreviewLength {
				return true
			}
			if _, known := counts[value]; !known {
				if len(counts) == looseValues {
					return true
				}
				if failure = held.Add(int64(len(value)) + 64); failure != nil {
					return false
				}
				value = strings.Clone(value)
			}
			counts[value]++
			return true
		})
		if failure != nil {
			return nil, failure
		}
	}
	best := newRanking(limit, compareCounts)
	for value, count := range counts {
		v := ValueCount{value, count}
		best.add(v, func() ValueCount { return v })
	}
	return append([]ValueCount{}, best.sorted()...), nil
}

// suggestScores counts the values of a column of scores.
func (e *Explorer) suggestScores(
	ctx context.Context, c *filter.Column[domain.Score], prefix string, limit int, where ...scoreCondition,
) ([]ValueCount, error) {
	q := store.AggregateQuery[domain.Score]{
		Where: append(shownScores(), where...), GroupBy: []*filter.Column[domain.Score]{c},
		Measures:  []store.Measure[domain.Score]{{Function: store.Count}},
		MaxGroups: maxFacetValues,
	}
	if prefix != "" {
		begins, err := filter.NewText(c, filter.StartsWith, prefix)
		if err != nil {
			return nil, err
		}
		q.Where = append(q.Where, begins)
	}
	groups, err := e.Store.Scores().Aggregate(ctx, e.Scope, q)
	if tooLarge(err) {
		return []ValueCount{}, nil
	}
	if err != nil {
		return nil, err
	}
	best := newRanking(limit, compareCounts)
	for n := range groups.Rows {
		v := ValueCount{groups.Rows[n].Keys[0], int(numberOf(groups.Rows[n].Values[0]))}
		if v.Value == "" {
			continue
		}
		best.add(v, func() ValueCount { return v })
	}
	return append([]ValueCount{}, best.sorted()...), nil
}
