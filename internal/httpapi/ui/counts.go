package ui

import (
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/explore"
)

// finish rejects members of a body that have not been read, and returns err or the issues of the body.
func finish(b *decode.Object, err error) error {
	b.Strict()
	if err != nil {
		return err
	}
	return b.Err()
}

type countBody struct {
	Count int  `json:"count"`
	Exact bool `json:"exact"`
}

// QueryCount counts observations, traces, sessions or users.
func (h *Handlers) QueryCount(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	of := decode.NullishOr(b.Field("of"), func(v decode.Value) string {
		return v.Enum("observations", "traces", "sessions", "users")
	}, "observations")
	s, err := readSelection(b)
	if err := finish(b, err); err != nil {
		return nil, err
	}
	switch of {
	case "sessions", "users":
		kind := explore.Sessions
		if of == "users" {
			kind = explore.Users
		}
		count, err := h.explorer(scope).CountEntities(c.Context(), s, kind)
		return countBody{count, true}, err
	case "traces":
		s.OfTraces = true
	}
	count, exact, err := h.explorer(scope).Count(c.Context(), s)
	return countBody{count, exact}, err
}

type facetsBody struct {
	Facets  map[string][]explore.ValueCount `json:"facets"`
	Partial bool                            `json:"partial"`
}

// QueryFacets counts the values of columns.
func (h *Handlers) QueryFacets(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	var names []string
	for _, item := range b.Field("columns").ArrayLen(1, maxFacets) {
		name, _ := readColumn(item)
		names = append(names, name)
	}
	limit := readLimit(b, defaultFacet, maxFacet)
	s, err := readSelection(b)
	if err := finish(b, err); err != nil {
		return nil, err
	}
	facets, err := h.explorer(scope).Facets(c.Context(), s, names, limit)
	if err != nil {
		return nil, err
	}
	return facetsBody{facets.Values, facets.Partial}, nil
}

// readColumn reads the name of a column whose values can be counted.
func readColumn(v decode.Value) (string, *filter.Column[domain.Observation]) {
	name := v.TextLen(1, maxColumn)
	column, ok := explore.FacetColumn(name)
	if name != "" && !ok {
		v.Reject(decode.Violation(v.Path(), "There is no column of this name whose values can be counted"))
	}
	return name, column
}

type histogramBody struct {
	Start   respond.Time `json:"start"`
	Step    int64        `json:"step"`
	Buckets []bucketBody `json:"buckets"`
	Partial bool         `json:"partial"`
}

type bucketBody struct {
	Count  int `json:"count"`
	Errors int `json:"errors"`
}

// QueryHistogram counts observations over time.
func (h *Handlers) QueryHistogram(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	buckets := decode.NullishOr(b.Field("buckets"), func(v decode.Value) int { return v.IntWithin(2, maxBuckets) }, defaultBuckets)
	s, err := readSelection(b)
	if err := finish(b, err); err != nil {
		return nil, err
	}
	found, err := h.explorer(scope).NewHistogram(c.Context(), s, buckets)
	if err != nil {
		return nil, err
	}
	return histogramBody{
		respond.Time(time.UnixMilli(found.Start)), found.Step,
		endpoint.Map(found.Buckets, func(b explore.Bucket) bucketBody { return bucketBody(b) }), found.Partial,
	}, nil
}

type groupsBody struct {
	Groups  []groupBody `json:"groups"`
	Partial bool        `json:"partial"`
}

type groupBody struct {
	Value       string   `json:"value"`
	Count       int      `json:"count"`
	Errors      int      `json:"errors"`
	P50         *float64 `json:"p50"`
	P95         *float64 `json:"p95"`
	TotalCost   float64  `json:"totalCost"`
	TotalTokens int64    `json:"totalTokens"`
}

// QueryGroups groups observations by a column.
func (h *Handlers) QueryGroups(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	_, column := readColumn(b.Field("by"))
	limit := readLimit(b, defaultGroups, maxGroups)
	s, err := readSelection(b)
	if err := finish(b, err); err != nil {
		return nil, err
	}
	groups, partial, err := h.explorer(scope).GroupBy(c.Context(), s, column, limit)
	if err != nil {
		return nil, err
	}
	return groupsBody{endpoint.Map(groups, func(g explore.Group) groupBody { return groupBody(g) }), partial}, nil
}

type differencesBody struct {
	Selected    int                  `json:"selected"`
	Baseline    int                  `json:"baseline"`
	Differences []explore.Difference `json:"differences"`
	Partial     bool                 `json:"partial"`
}

// QueryDifferences finds the values that distinguish the selected observations from a baseline.
func (h *Handlers) QueryDifferences(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	selected, baseline := b.Field("selection").Object(), b.Field("baseline").Object()
	s, err := readSelection(selected)
	selected.Strict()
	if err != nil {
		return nil, err
	}
	others, err := readSelection(baseline)
	baseline.Strict()
	if err := finish(b, err); err != nil {
		return nil, err
	}
	found, err := h.explorer(scope).Differences(c.Context(), s, others)
	if err != nil {
		return nil, err
	}
	return differencesBody{found.Selected, found.Baseline, found.Values, found.Partial}, nil
}

// Suggest returns values of a column that begin with a prefix.
func (h *Handlers) Suggest(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	name, prefix := q.RequiredString("column"), endpoint.ValueOr(q.String("prefix"), "")
	limit := q.Int("limit", decode.IntRule{Default: defaultSuggested, Min: 1, Max: maxFacet})
	_, known := explore.FacetColumn(name)
	switch {
	case name != "" && (len(name) > maxColumn || !known && name != "metadata" && !explore.SuggestsScores(name)):
		q.Add(decode.Violation([]any{"column"}, "There is no column of this name whose values can be suggested"))
	case len(prefix) > maxPrefix:
		q.Add(decode.TooLong([]any{"prefix"}, "string", maxPrefix))
	}
	if err := q.Err(); err != nil {
		return nil, err
	}
	values, err := h.explorer(scope).Suggest(c.Context(), name, prefix, limit, time.Now())
	if err != nil {
		return nil, err
	}
	return map[string]any{"values": values}, nil
}
