package traces

import (
	"context"
	"fmt"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Term is a condition on traces, or a combination of conditions. Exactly one member is set.
type Term struct {
	All []*Term // all of these hold
	Any []*Term // one of these holds
	Not *Term
	// Trace is a condition on the trace as it is assembled.
	Trace *filter.Condition[domain.TraceSummary]
	// Has are conditions that one of its observations meets, all of them.
	Has []filter.Condition[domain.Observation]
	// In has the hashes of the ids of traces of which it is one.
	In *store.HashSet
}

// opposite returns the verdict about what a term excludes.
func opposite(v store.Verdict) store.Verdict {
	switch v {
	case store.Wanted:
		return store.Unwanted
	case store.Unwanted:
		return store.Wanted
	}
	return v
}

// term returns how a term is decided. What is unclear stays so only if it matters.
func (j *judging) term(t *Term) (check, error) {
	switch {
	case t.Not != nil:
		inner, err := j.term(t.Not)
		return func(totals *store.RankTotals) store.Verdict { return opposite(inner(totals)) }, err
	case t.Trace != nil:
		decide, ok := j.add(t.Trace)
		if !ok {
			return nil, fmt.Errorf("traces cannot be judged by %s %s", t.Trace.Column().ID(), t.Trace.Operator())
		}
		return decide, nil
	case t.Has != nil:
		flag := j.flag(store.RankFlag[domain.Observation]{Where: t.Has})
		return func(totals *store.RankTotals) store.Verdict { return wantedIf(totals.Has(flag)) }, nil
	case t.In != nil:
		return func(totals *store.RankTotals) store.Verdict { return wantedIf(t.In.Has(totals.Hash)) }, nil
	case t.Any != nil:
		return j.each(t.Any, store.Wanted)
	}
	return j.each(t.All, store.Unwanted)
}

// each returns how several terms are decided of which one with the decisive verdict decides.
func (j *judging) each(terms []*Term, decisive store.Verdict) (check, error) {
	var checks []check
	for _, one := range terms {
		decide, err := j.term(one)
		if err != nil {
			return nil, err
		}
		checks = append(checks, decide)
	}
	return func(t *store.RankTotals) store.Verdict {
		verdict := opposite(decisive)
		for _, decide := range checks {
			switch decide(t) {
			case decisive:
				return decisive
			case store.Unclear:
				verdict = store.Unclear
			}
		}
		return verdict
	}, nil
}

// noteMarks records which traces meet conditions on what users set: tags, bookmarks and publication.
func (f *Finder) noteMarks(ctx context.Context, j *judging) error {
	on := func(c *filter.Column[domain.TraceSummary]) func(*field) bool {
		return func(one *field) bool { return one.Column() == c }
	}
	onTags, onBookmarked, onPublic := on(filter.TraceColumn("tags")), on(filter.TraceColumn("bookmarked")), on(filter.Published())
	if f.Marks.Tags != nil && slices.ContainsFunc(j.fields, onTags) {
		tags, err := f.Marks.Tags(ctx)
		if err != nil {
			return err
		}
		for _, one := range j.fields {
			for id, list := range tags {
				if onTags(one) {
					one.note(id, one.MatchList(list))
				}
			}
		}
	}
	if f.Marks.All == nil || !slices.ContainsFunc(j.fields, onBookmarked) && !slices.ContainsFunc(j.fields, onPublic) {
		return nil
	}
	marks, err := f.Marks.All(ctx)
	if err != nil {
		return err
	}
	for _, one := range j.fields {
		for id, m := range marks {
			if said := m.Bookmarked; said != nil && onBookmarked(one) {
				one.note(id, one.Match(&domain.TraceSummary{Bookmarked: *said}))
			}
			if said := m.Public; said != nil && onPublic(one) {
				one.note(id, one.Match(&domain.TraceSummary{Public: *said}))
			}
		}
	}
	return nil
}

// settle assembles traces about whose fields their rows disagree, and records what they are.
func (f *Finder) settle(ctx context.Context, j *judging, ids []string) error {
	if most := f.limit(ctx); len(ids) > most {
		return &TooMany{"traces", most}
	}
	if err := memory.Of(ctx).Grow(ctx, int64(traceBytes*len(ids))); err != nil {
		return err
	}
	for batch := range slices.Chunk(ids, BatchSize) {
		held := memory.NewTally(ctx)
		summaries, err := f.Summaries(ctx, batch, held)
		if err != nil {
			return err
		}
		for _, one := range j.fields {
			for id, summary := range summaries {
				one.note(id, one.Match(summary))
			}
		}
		held.Release()
	}
	return nil
}
