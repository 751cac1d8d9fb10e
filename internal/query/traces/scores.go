package traces

import (
	"context"
	"errors"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// ShowsScore reports whether reads of traces show a score: it is on the trace or an observation in it, and is not a
// correction.
func ShowsScore(s *domain.Score) bool {
	return s.SessionID == "" && s.ExperimentID == "" && s.DataType != domain.ScoreCorrection
}

// EachScore calls each with the scores that the traces show.
func (f *Finder) EachScore(ctx context.Context, ids []string, want store.Want, each func(*domain.Score) error) error {
	for s, err := range f.Store.Scores().Lookup(ctx, f.Scope, store.Lookup{TraceIDs: ids, Want: want}) {
		if err != nil {
			return err
		}
		if ShowsScore(s) {
			if err := each(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// withScores returns the traces whose scores meet the conditions.
func (f *Finder) withScores(ctx context.Context, q *Query, all []found) ([]found, error) {
	if len(q.Scores) == 0 || len(all) == 0 {
		return all, nil
	}
	ids := make([]string, len(all))
	for n := range all {
		ids[n] = all[n].id
	}
	scores := make(map[string][]domain.Score)
	err := f.EachScore(ctx, ids, 0, func(s *domain.Score) error {
		if slices.ContainsFunc(q.Scores, func(d filter.Draft) bool { return d.Key == s.Name }) {
			id := strings.Clone(s.TraceID)
			scores[id] = append(scores[id], domain.Score{
				Name: strings.Clone(s.Name), DataType: strings.Clone(s.DataType), Value: s.Value, StringValue: strings.Clone(s.StringValue),
			})
		}
		return nil
	})
	return slices.DeleteFunc(all, func(f found) bool {
		return slices.ContainsFunc(q.Scores, func(d filter.Draft) bool { return !meetScores(&d, scores[f.id]) })
	}), err
}

// meetScores reports whether the scores of a trace meet a condition.
func meetScores(d *filter.Draft, scores []domain.Score) bool {
	switch d.Type() {
	case "numberObject":
		average, ok := averageOf(d.Key, scores)
		return ok && filter.Compare(d.Operator, average, d.Number)
	case "booleanObject":
		found := slices.ContainsFunc(scores, func(s domain.Score) bool {
			return s.Name == d.Key && s.DataType == "BOOLEAN" && (s.Value.Value == 1) == d.Bool
		})
		return found == (d.Operator == filter.Equal)
	}
	found := slices.ContainsFunc(scores, func(s domain.Score) bool {
		return s.Name == d.Key && s.DataType == "CATEGORICAL" && slices.Contains(d.Texts, s.StringValue)
	})
	return found == (d.Operator == filter.AnyOf)
}

// averageOf returns the average of the numeric and boolean scores with a name.
func averageOf(name string, scores []domain.Score) (average float64, ok bool) {
	sum, count := 0.0, 0
	for n := range scores {
		if s := &scores[n]; s.Name == name && (s.DataType == "NUMERIC" || s.DataType == "BOOLEAN") {
			sum += s.Value.Value
			count++
		}
	}
	return sum / float64(max(1, count)), count > 0
}

// Scored returns traces that meet the conditions, including all of those that have scores selected by the query.
func (f *Finder) Scored(ctx context.Context, q *Query, scores store.Query[domain.Score]) ([]string, error) {
	candidates, err := f.scoredCandidates(ctx, q, scores)
	if err != nil {
		return nil, err
	}
	all, err := f.evaluateAll(ctx, q, candidates)
	return inOrder(q, all), err
}

// scoredCandidates returns traces, including all that meet the conditions and have scores selected by the query. It
// starts from whichever is smaller: if there are few scores, their traces; otherwise the traces that the conditions
// leave, without those that have no such score if there are many.
func (f *Finder) scoredCandidates(ctx context.Context, q *Query, scores store.Query[domain.Score]) ([]string, error) {
	ofScores := func() (map[string]int64, error) {
		ids, err := having(ctx, f, f.Store.Scores(), filter.ScoreColumn("traceId"), scores)
		if err == nil {
			err = remember(ctx, ids)
		}
		return ids, err
	}
	count, err := store.CountRows(ctx, f.Store.Scores(), f.Scope, scores)
	if err != nil {
		return nil, err
	}
	if count <= BatchSize {
		scored, err := ofScores()
		return newestFirst(scored), err
	}
	candidates, err := f.candidates(ctx, q)
	_, manyTraces := errors.AsType[*TooMany](err)
	if err != nil && !manyTraces || err == nil && len(candidates) <= BatchSize {
		return candidates, err
	}
	scored, scoredErr := ofScores()
	_, manyScored := errors.AsType[*TooMany](scoredErr)
	switch {
	case manyScored:
		return candidates, err
	case scoredErr != nil || manyTraces:
		return newestFirst(scored), scoredErr
	}
	return slices.DeleteFunc(candidates, func(id string) bool { _, has := scored[id]; return !has }), nil
}
