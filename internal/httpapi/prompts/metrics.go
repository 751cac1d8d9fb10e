package prompts

import (
	"math"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/promptstats"
)

const (
	usesSince       = 7 * 24 * time.Hour
	defaultBuckets  = 60
	maxBuckets      = 200
	maxMetricsRange = 366 * 24 * time.Hour
)

// CountPromptUses returns how often prompts were used in the last days.
func (h *Handlers) CountPromptUses(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	var names []string
	for _, item := range b.Field("names").ArrayLen(1, maxHeads) {
		names = append(names, item.TextLen(1, endpoint.MaxName))
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	since := time.Now().Add(-usesSince)
	uses, err := h.stats(scope).Uses(c.Context(), names, domain.MicrosOf(since))
	return map[string]any{"since": respond.Time(since), "uses": uses}, err
}

func (h *Handlers) stats(scope domain.ProjectScope) *promptstats.Stats {
	return &promptstats.Stats{Store: h.Store, History: h.Catalog, Scope: scope}
}

type versionMetricsBody struct {
	Version int            `json:"version"`
	Count   int            `json:"count"`
	Errors  int            `json:"errors"`
	Latency percentileBody `json:"latency"`
	Tokens  tokensBody     `json:"tokens"`
	Cost    *costBody      `json:"cost"`
	FirstAt respond.Time   `json:"firstAt"`
	LastAt  respond.Time   `json:"lastAt"`
	Scores  []scoresBody   `json:"scores"`
}

type percentileBody struct {
	P50 *float64 `json:"p50"`
	P95 *float64 `json:"p95"`
}

type tokensBody struct {
	Input  *float64 `json:"input"`
	Output *float64 `json:"output"`
}

type costBody struct {
	Mean *float64 `json:"mean"`
	P50  *float64 `json:"p50"`
	Sum  *float64 `json:"sum"`
}

type scoresBody struct {
	Name     string         `json:"name"`
	Source   string         `json:"source"`
	DataType string         `json:"dataType"`
	Count    int            `json:"count"`
	Mean     *float64       `json:"mean"`
	Values   map[string]int `json:"values"`
}

type pointBody struct {
	Bucket  int      `json:"bucket"`
	Version int      `json:"version"`
	Count   int      `json:"count"`
	Errors  int      `json:"errors"`
	P50     *float64 `json:"p50"`
	Cost    *float64 `json:"cost"`
}

func newVersionMetricsBody(v promptstats.Version) versionMetricsBody {
	body := versionMetricsBody{
		Version: v.Version, Count: v.Count, Errors: v.Errors, Latency: percentileBody{v.P50, v.P95}, Tokens: tokensBody{v.Input, v.Output},
		FirstAt: respond.Time(v.First.Time()), LastAt: respond.Time(v.Last.Time()),
		Scores: endpoint.Map(v.Scores, func(s promptstats.Score) scoresBody { return scoresBody(s) }),
	}
	if v.Sum != nil {
		body.Cost = &costBody{v.Mean, v.Median, v.Sum}
	}
	return body
}

// GetPromptMetrics returns how the versions of a prompt did, and how that changed over time.
func (h *Handlers) GetPromptMetrics(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	q := promptstats.Query{Name: b.Field("name").TextLen(1, endpoint.MaxName)}
	from, to := b.Field("from").Time(), b.Field("to").Time()
	q.From, q.To = domain.MicrosOf(from), domain.MicrosOf(to)
	q.Buckets = decode.NullishOr(b.Field("buckets"), func(v decode.Value) int { return v.IntWithin(1, maxBuckets) }, defaultBuckets)
	if versions := b.Field("versions"); versions.Kind() != "undefined" && versions.Kind() != "null" {
		for _, item := range versions.ArrayLen(1, promptstats.MaxVersions) {
			q.Versions = append(q.Versions, item.IntWithin(1, math.MaxInt32))
		}
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	if !from.Before(to) || to.Sub(from) > maxMetricsRange {
		return nil, respond.InvalidRequest("The time range must begin before it ends, and be at most 366 days long.")
	}
	result, err := h.stats(scope).Of(c.Context(), q)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"versions": endpoint.Map(result.Versions, newVersionMetricsBody),
		"series": map[string]any{
			"start": respond.Time(time.UnixMilli(result.Start)), "step": result.Step, "buckets": result.Buckets,
			"points": endpoint.Map(result.Points, func(p promptstats.Point) pointBody { return pointBody(p) }),
		},
		"partial": result.Partial,
	}, nil
}
