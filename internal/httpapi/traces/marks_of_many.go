package traces

import (
	"errors"
	"fmt"
	"slices"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/limits/memory"
)

// maxMarkedAtOnce is the maximum number of traces of one request: each is a transaction with an entry in the audit log.
const maxMarkedAtOnce = 100

// manyMarks is a change of the marks of many traces.
type manyMarks struct {
	ids         []string
	bookmarked  *bool
	added, gone []string
}

// markedBody says what a trace was marked with before, so that the change can be undone; null is what its spans say.
type markedBody struct {
	TraceID    string   `json:"traceId"`
	Bookmarked *bool    `json:"bookmarked"`
	Tags       []string `json:"tags"`
}

type unmarkedBody struct {
	TraceID string `json:"traceId"`
	Message string `json:"message"`
}

// MarkTraces bookmarks traces, or adds and removes tags. Each trace keeps its other tags; those that cannot be marked do
// not stop the others.
func (h *Handlers) MarkTraces(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	change, err := readManyMarks(c.Body())
	if err != nil {
		return nil, err
	}
	answer := struct {
		Marked []markedBody   `json:"marked"`
		Failed []unmarkedBody `json:"failed"`
	}{[]markedBody{}, []unmarkedBody{}}
	found, err := h.Finder(scope).Summaries(c.Context(), change.ids, memory.NewTally(c.Context()))
	if err != nil {
		return nil, err
	}
	for _, id := range change.ids {
		message := "There is no such trace in this project"
		if trace := found[id]; trace != nil {
			before, failure, err := h.markOne(c, scope, trace, change)
			if err != nil {
				return nil, err
			}
			if failure == "" {
				answer.Marked = append(answer.Marked, markedBody{id, before.Bookmarked, before.Tags})
				continue
			}
			message = failure
		}
		answer.Failed = append(answer.Failed, unmarkedBody{id, message})
	}
	return answer, nil
}

// markOne changes the marks of a trace and returns what they were, or why they cannot be changed.
func (h *Handlers) markOne(
	c *endpoint.Call, scope domain.ProjectScope, trace *domain.TraceSummary, change *manyMarks,
) (before domain.TraceMark, failure string, err error) {
	full := false
	_, err = h.Catalog.MarkTrace(c.Context(), scope, trace.ID, func(m domain.TraceMark) domain.TraceMark {
		before = m
		after := m
		if change.bookmarked != nil {
			after.Bookmarked = change.bookmarked
		}
		if len(change.added)+len(change.gone) > 0 {
			tags := m.Tags
			if tags == nil {
				tags = trace.Tags // of spans, which the mark outweighs from now on
			}
			after.Tags = changedTags(tags, change)
			full = len(after.Tags) > maxTags && len(after.Tags) > len(tags)
		}
		if full {
			return m
		}
		return after
	}, c.Actor())
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return before, "There is no such trace in this project", nil
	case errors.Is(err, catalog.ErrTooManyMarks):
		return before, tooManyMarks(), nil
	case full && err == nil:
		return before, fmt.Sprintf("A trace can have at most %d tags.", maxTags), nil
	}
	return before, "", err
}

// changedTags returns tags with those that are added and without those that are removed, sorted, distinct and never nil.
func changedTags(tags []string, change *manyMarks) []string {
	after := slices.Concat([]string{}, tags, change.added)
	after = slices.DeleteFunc(after, func(tag string) bool { return slices.Contains(change.gone, tag) })
	slices.Sort(after)
	return slices.Compact(after)
}

func readManyMarks(body decode.Value) (*manyMarks, error) {
	b := body.Object()
	change := new(manyMarks)
	for _, item := range b.Field("traceIds").ArrayLen(1, maxMarkedAtOnce) {
		change.ids = append(change.ids, item.TextLen(1, endpoint.MaxObjectID))
	}
	bookmarked, added, gone := b.Field("bookmarked"), b.Field("addTags"), b.Field("removeTags")
	if bookmarked.Kind() != "undefined" {
		change.bookmarked = new(bookmarked.Bool())
	}
	change.added = decode.NullishOr(added, readTags, nil)
	change.gone = decode.NullishOr(gone, readTags, nil)
	b.Strict()
	body.RejectNoChange(change.bookmarked == nil && len(change.added) == 0 && len(change.gone) == 0)
	slices.Sort(change.ids)
	change.ids = slices.Compact(change.ids)
	return change, b.Err()
}
