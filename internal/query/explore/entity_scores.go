package explore

import (
	"context"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// ScoreTally sums up the scores of one name.
type ScoreTally struct {
	Count int
	// Sum is that of the numbers among them, of which there are Numbers.
	Sum     float64
	Numbers int
	// Texts are the most frequent of the others, with their counts, at most MaxTextsShown.
	Texts []ValueCount
	texts map[string]int
}

// MaxTextsShown is the maximum number of different texts of scores that are shown of a session or user.
const MaxTextsShown = 5

// MaxScoredTraces is the number of traces of the entities on a page up to which their scores are looked up.
const MaxScoredTraces = 20_000

// addEntityScores adds the scores of entities: those of their traces in the selection and, of a session, its own. Entities
// with too many traces have none, rather than some of them.
func (e *Explorer) addEntityScores(ctx context.Context, s *Selection, kind *EntityKind, entities []*Entity) error {
	byID := make(map[string]*Entity, len(entities))
	room := MaxScoredTraces
	var ids []string
	for _, o := range entities {
		if o.Traces > room {
			continue
		}
		room -= o.Traces
		byID[o.ID], o.Scores = o, make(map[string]*ScoreTally)
		ids = append(ids, o.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	owners, err := e.ownersOfTraces(ctx, s, kind, ids)
	if err != nil {
		return err
	}
	held := memory.NewTally(ctx)
	defer held.Release()
	if *kind == Sessions {
		if err := e.addOwnScores(ctx, byID, ids, held); err != nil {
			return err
		}
	}
	traceIDs := make([]string, 0, len(owners))
	for id := range owners {
		traceIDs = append(traceIDs, id)
	}
	slices.Sort(traceIDs)
	const atOnce = 1000
	for batch := range slices.Chunk(traceIDs, atOnce) {
		in, err := filter.NewTexts(filter.ScoreColumn("traceId"), filter.AnyOf, batch)
		if err != nil {
			return err
		}
		ownersOf := func(score *domain.Score) []string { return owners[score.TraceID] }
		if err := e.tallyScores(ctx, append(shownScores(), in), held, ownersOf, byID); err != nil {
			return err
		}
	}
	for _, o := range entities {
		for _, tally := range o.Scores {
			tally.settle()
		}
	}
	return nil
}

// ownersOfTraces returns the entities of traces.
func (e *Explorer) ownersOfTraces(ctx context.Context, s *Selection, kind *EntityKind, ids []string) (map[string][]string, error) {
	key := columnOf(kind.column)
	these, err := named(key, ids)
	if err != nil {
		return nil, err
	}
	groups, err := e.aggregate(ctx, s, store.AggregateQuery[row]{GroupBy: []*column{key, columnOf("traceId")}}, these)
	if err != nil {
		return nil, err
	}
	defer memory.Of(ctx).Shrink(groups.Held)
	owners := make(map[string][]string, len(groups.Rows))
	for n := range groups.Rows {
		keys := groups.Rows[n].Keys
		owners[keys[1]] = append(owners[keys[1]], keys[0])
	}
	return owners, nil
}

func (e *Explorer) addOwnScores(ctx context.Context, byID map[string]*Entity, ids []string, held *memory.Tally) error {
	in, err := filter.NewTexts(filter.ScoreColumn("sessionId"), filter.AnyOf, ids)
	if err != nil {
		return err
	}
	return e.tallyScores(ctx, append(ownScores(), in), held, func(score *domain.Score) []string { return []string{score.SessionID} }, byID)
}

// tallyScores adds the scores that meet conditions to the entities that they belong to.
func (e *Explorer) tallyScores(
	ctx context.Context, where []scoreCondition, held *memory.Tally, ownersOf func(*domain.Score) []string, byID map[string]*Entity,
) error {
	const perTally, perText = 160, 64
	for score, err := range e.Store.Scores().Scan(ctx, e.Scope, store.Query[domain.Score]{Where: where}) {
		if err != nil {
			return err
		}
		for _, id := range ownersOf(score) {
			o := byID[id]
			if o == nil {
				continue
			}
			tally := o.Scores[score.Name]
			if tally == nil {
				tally = &ScoreTally{texts: make(map[string]int)}
				o.Scores[strings.Clone(score.Name)] = tally
				if err := held.Add(int64(perTally + len(score.Name))); err != nil {
					return err
				}
			}
			before := len(tally.texts)
			text := tally.add(score)
			if len(tally.texts) > before {
				if err := held.Add(int64(perText + len(text))); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// add counts a score, and returns its text if it is not a number.
func (t *ScoreTally) add(score *domain.Score) (text string) {
	t.Count++
	if score.DataType == "NUMERIC" {
		if score.Value.Set {
			t.Sum += score.Value.Value
			t.Numbers++
		}
		return ""
	}
	text = strings.Clone(shorten(cutBytes(score.StringValue, 8*PreviewLength)))
	t.texts[text]++
	return text
}

// settle keeps the most frequent texts.
func (t *ScoreTally) settle() {
	best := newRanking(MaxTextsShown, compareCounts)
	for text, count := range t.texts {
		v := ValueCount{text, count}
		best.add(v, func() ValueCount { return v })
	}
	t.Texts, t.texts = best.sorted(), nil
}
