package traces

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/memory"
)

// The limits of tags set by people.
const (
	maxTags = 100
	maxTag  = 200 // characters
)

// markBody holds the properties of a trace that people can set.
type markBody struct {
	Public     bool     `json:"public"`
	Bookmarked bool     `json:"bookmarked"`
	Tags       []string `json:"tags"`
}

// MarkTrace publishes, bookmarks or tags a trace. Values set by people override those of spans, even of spans that
// arrive later; null removes the override.
func (h *Handlers) MarkTrace(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	edit, err := readMarks(c.Body())
	if err != nil {
		return nil, err
	}
	if public := edit(domain.TraceMark{}).Public; public != nil && *public {
		if err := c.Require(domain.TracesPublish); err != nil {
			return nil, err
		}
	}
	id := c.Path("traceId")
	missing := respond.NotFound("There is no such trace in this project")
	if trace, err := h.summary(c, scope, id); err != nil || trace == nil {
		return nil, cmp.Or[error](err, missing)
	}
	_, err = h.Catalog.MarkTrace(c.Context(), scope, id, edit, c.Actor())
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return nil, missing
	case errors.Is(err, catalog.ErrTooManyMarks):
		return nil, respond.Conflict(tooManyMarks())
	case err != nil:
		return nil, err
	}
	trace, err := h.summary(c, scope, id)
	if err != nil || trace == nil {
		return nil, cmp.Or[error](err, missing)
	}
	return markBody{trace.Public, trace.Bookmarked, domain.NotNil(trace.Tags)}, nil
}

func tooManyMarks() string {
	return fmt.Sprintf("People have published, bookmarked or tagged %d traces of this project, which is the limit. "+
		"Undo some first.", catalog.MaxTraceMarks)
}

// summary returns a trace, or nil if there is none with that id.
func (h *Handlers) summary(c *endpoint.Call, scope domain.ProjectScope, id string) (*domain.TraceSummary, error) {
	if len(id) > endpoint.MaxObjectID {
		return nil, nil
	}
	found, err := h.Finder(scope).Summaries(c.Context(), []string{id}, memory.NewTally(c.Context()))
	return found[id], err
}

// readMarks reads a change of a trace's marks. Absent members stay unchanged.
func readMarks(body decode.Value) (func(domain.TraceMark) domain.TraceMark, error) {
	b := body.Object()
	public, bookmarked, tags := b.Field("public"), b.Field("bookmarked"), b.Field("tags")
	saysPublic, saysBookmarked := decode.Nullish(public, decode.Value.Bool), decode.Nullish(bookmarked, decode.Value.Bool)
	given := decode.Nullish(tags, readTags)
	b.Strict()
	body.RejectNoChange(public.Kind() == "undefined" && bookmarked.Kind() == "undefined" && tags.Kind() == "undefined")
	return func(m domain.TraceMark) domain.TraceMark {
		if public.Kind() != "undefined" {
			m.Public = saysPublic
		}
		if bookmarked.Kind() != "undefined" {
			m.Bookmarked = saysBookmarked
		}
		if tags.Kind() != "undefined" {
			m.Tags = nil
			decode.Set(&m.Tags, given)
		}
		return m
	}, b.Err()
}

// readTags reads tags. The result is sorted, distinct and never nil.
func readTags(v decode.Value) []string {
	tags := []string{}
	for _, item := range v.ArrayLen(0, maxTags) {
		tags = append(tags, item.TrimmedLen(1, maxTag))
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}
