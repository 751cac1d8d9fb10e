package experiments

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// ScoreQuery selects the scores shown with experiments and items.
type ScoreQuery struct {
	// Limit is the maximum number of scores for each experiment or item. The most recently written are selected.
	Limit int
	// Show reports whether a score can be shown at all. Corrections are never shown.
	Show func(*domain.Score) bool
}

// Item identifies an item by the row that represents it.
type Item struct{ TraceID, ID string }

// OfExperiments returns the scores of experiments as a whole, by experiment id, the most recently written first.
func (q ScoreQuery) OfExperiments(
	ctx context.Context, scores store.Table[domain.Score], scope domain.ProjectScope, ids []string,
) (map[string][]domain.Score, error) {
	found := make(map[string][]domain.Score, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	own := make(map[string]string, len(ids)) // our copies of the ids: those in rows belong to the store
	for _, id := range ids {
		own[id] = id
	}
	ofPage, err := filter.NewTexts(filter.ScoreColumn("experimentId"), filter.AnyOf, ids)
	if err != nil {
		return nil, err
	}
	query := store.Query[domain.Score]{Where: []filter.Condition[domain.Score]{ofPage}}
	held := memory.NewTally(ctx)
	for s, err := range scores.Scan(ctx, scope, query) {
		if err != nil {
			return nil, err
		}
		if s.TraceID == "" && s.ObservationID == "" && s.SessionID == "" && q.shows(s) {
			id := own[s.ExperimentID]
			if found[id], err = q.add(found[id], s, held); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// OfItems returns the scores of items, the most recently written first: those of the row that represents the item, and
// those of its trace as a whole.
func (q ScoreQuery) OfItems(
	ctx context.Context, scores store.Table[domain.Score], scope domain.ProjectScope, items []Item,
) (map[Item][]domain.Score, error) {
	found := make(map[Item][]domain.Score, len(items))
	if len(items) == 0 {
		return found, nil
	}
	var traces []string
	inTrace := make(map[string][]Item, len(items))
	for _, item := range items {
		if inTrace[item.TraceID] == nil {
			traces = append(traces, item.TraceID)
		}
		inTrace[item.TraceID] = append(inTrace[item.TraceID], item)
	}
	held := memory.NewTally(ctx)
	for s, err := range scores.Lookup(ctx, scope, store.Lookup{TraceIDs: traces}) {
		if err != nil {
			return nil, err
		}
		if s.SessionID != "" || s.ExperimentID != "" || !q.shows(s) {
			continue
		}
		for _, item := range inTrace[s.TraceID] {
			if s.ObservationID == "" || s.ObservationID == item.ID {
				if found[item], err = q.add(found[item], s, held); err != nil {
					return nil, err
				}
			}
		}
	}
	return found, nil
}

func (q ScoreQuery) shows(s *domain.Score) bool {
	return s.DataType != domain.ScoreCorrection && q.Show(s)
}

// add inserts a copy of a score into a sorted list, unless the list is full of scores that were written later. The
// memory is held until the request ends.
func (q ScoreQuery) add(list []domain.Score, s *domain.Score, held *memory.Tally) ([]domain.Score, error) {
	at, _ := slices.BinarySearchFunc(list, s, func(a domain.Score, b *domain.Score) int { return writtenBefore(&a, b) })
	if at >= q.Limit {
		return list, nil
	}
	bytes := scoreBytes(s)
	if len(list) >= q.Limit {
		bytes -= scoreBytes(&list[q.Limit-1])
		list = list[:q.Limit-1]
	}
	if err := held.Add(bytes); err != nil {
		return nil, err
	}
	return slices.Insert(list, at, cloneScore(s)), nil
}

// writtenBefore orders scores, the most recently written first.
func writtenBefore(a, b *domain.Score) int {
	return cmp.Or(
		cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(b.EventAt, a.EventAt), cmp.Compare(b.Timestamp, a.Timestamp),
		cmp.Compare(b.ID, a.ID),
	)
}

// scoreBytes returns the memory taken by a copy of a score in a growing list.
func scoreBytes(s *domain.Score) int64 {
	const row = 800
	return int64(row + len(s.StringValue) + len(s.Name))
}

// cloneScore copies the parts of a score that are shown, since its strings belong to the store.
func cloneScore(s *domain.Score) domain.Score {
	c := *s
	c.Comment, c.Metadata, c.BrowserKey = "", "", "" // not shown
	for _, text := range []*string{
		&c.ID, &c.TraceID, &c.ObservationID, &c.SessionID, &c.ExperimentID, &c.Name, &c.Source, &c.DataType, &c.StringValue,
		&c.Environment, &c.ConfigID, &c.QueueID, &c.AuthorUserID, &c.ExecutionTraceID,
	} {
		*text = strings.Clone(*text)
	}
	return c
}
