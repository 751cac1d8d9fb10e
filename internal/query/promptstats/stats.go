// Package promptstats computes how prompts and their versions are used, from observations and scores.
package promptstats

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/analytics"
	"almanac/internal/store"
)

type (
	row       = domain.Observation
	measure   = store.Measure[row]
	condition = filter.Condition[row]
)

// Stats reads the rows of a project.
type Stats struct {
	Store   store.Store
	History analytics.History
	Scope   domain.ProjectScope
	// TimeLimit is the time after which a result is partial; 0 for the default.
	TimeLimit time.Duration
}

const defaultTimeLimit = 5 * time.Second

// Uses returns the number of observations since a time by the names of their prompts; names without any are absent.
func (s *Stats) Uses(ctx context.Context, names []string, since domain.Micros) (map[string]int, error) {
	name := filter.ObservationColumn("promptName")
	where, err := filter.NewTexts(name, filter.AnyOf, names)
	if err != nil {
		return nil, err
	}
	groups, err := s.Store.Observations().Aggregate(ctx, s.Scope, store.AggregateQuery[row]{
		From: since, Where: []condition{where}, GroupBy: []*filter.Column[row]{name}, Measures: []measure{{Function: store.Count}},
	})
	if err != nil {
		return nil, err
	}
	uses := make(map[string]int, len(groups.Rows))
	for n := range groups.Rows {
		uses[groups.Rows[n].Keys[0]] = int(groups.Rows[n].Values[0].Value)
	}
	return uses, nil
}

// Query asks for the metrics of the versions of a prompt.
type Query struct {
	Name     string
	From, To domain.Micros
	Versions []int // empty for the highest
	Buckets  int   // the maximum number of buckets of the series
}

// MaxVersions is the maximum number of versions of a result.
const MaxVersions = 100

// Version has the metrics of a version. Fields are nil where no observation has the value.
type Version struct {
	Version           int
	Count, Errors     int
	P50, P95          *float64 // latencies, in seconds
	Input, Output     *float64 // medians of tokens
	Mean, Median, Sum *float64 // costs
	First, Last       domain.Micros
	Scores            []Score
}

// Score summarizes the scores of one name, source and type of the observations of a version.
type Score struct {
	Name, Source, DataType string
	Count                  int
	Mean                   *float64       // of numbers
	Values                 map[string]int // counts of categories and booleans
}

// Point has the metrics of a version in a bucket of the series.
type Point struct {
	Bucket, Version, Count, Errors int
	P50, Cost                      *float64
}

// Result has the metrics of versions, highest first, and their series over time.
type Result struct {
	Versions    []Version
	Start, Step int64 // of the series, in milliseconds
	Buckets     int
	Points      []Point
	Partial     bool // time ran out, or there were too many groups
}

// shortestBucket is the shortest length of the buckets of series.
const shortestBucket = time.Minute

// Of returns the metrics of the versions of a prompt.
func (s *Stats) Of(ctx context.Context, q Query) (*Result, error) {
	result := newResult(q)
	limit := s.TimeLimit
	if limit == 0 {
		limit = defaultTimeLimit
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, part := range []func(context.Context, Query, *Result) error{s.versions, s.series, s.scores} {
		err := part(limited, q, result)
		if ctx.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, store.ErrTooLarge)) {
			result.Partial = true
			return result, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return result, nil
}

func newResult(q Query) *Result {
	result := &Result{Versions: []Version{}, Points: []Point{}}
	first, last := q.From.Millis(), max(q.From.Millis(), (q.To-1).Millis())
	result.Start, result.Step = store.Divide(first, last, q.Buckets, shortestBucket.Milliseconds())
	result.Buckets = int((last-result.Start)/result.Step) + 1
	return result
}

// of returns the condition for the observations of a prompt.
func of(q Query, versions []int) ([]condition, error) {
	name, err := filter.NewText(filter.ObservationColumn("promptName"), filter.Equal, q.Name)
	if err != nil || len(versions) == 0 {
		return []condition{name}, err
	}
	numbers := make([]float64, len(versions))
	for n, version := range versions {
		numbers[n] = float64(version)
	}
	which, err := filter.NewNumbers(filter.ObservationColumn("promptVersion"), filter.AnyOf, numbers)
	return []condition{name, which}, err
}

func failed() condition {
	return filter.Must(filter.NewText(filter.ObservationColumn("level"), filter.Equal, "ERROR"))
}

// aggregate groups the observations of a prompt by version, and calls each with the groups that have one.
func (s *Stats) aggregate(
	ctx context.Context, q Query, versions []int, bucket int64, measures []measure, each func(version int, g *store.Group),
	more ...condition,
) error {
	where, err := of(q, versions)
	if err != nil {
		return err
	}
	groups, err := s.Store.Observations().Aggregate(ctx, s.Scope, store.AggregateQuery[row]{
		From: q.From, To: q.To, Where: append(where, more...), GroupBy: []*filter.Column[row]{filter.ObservationColumn("promptVersion")},
		Bucket: bucket, Measures: measures,
	})
	if err != nil {
		return err
	}
	for n := range groups.Rows {
		g := &groups.Rows[n]
		if number, err := strconv.ParseFloat(g.Keys[0], 64); err == nil && !g.Nulls[0] && number == math.Trunc(number) &&
			math.Abs(number) <= math.MaxInt32 {
			each(int(number), g)
		}
	}
	return nil
}

func (s *Stats) versions(ctx context.Context, q Query, result *Result) error {
	latency, cost := filter.ObservationColumn("latency"), filter.ObservationColumn("totalCost")
	start := filter.ObservationColumn("startTime")
	err := s.aggregate(ctx, q, q.Versions, 0, []measure{
		{Function: store.Count},
		{Function: store.Quantile, Column: latency, Quantile: 0.5},
		{Function: store.Quantile, Column: latency, Quantile: 0.95},
		{Function: store.Quantile, Column: filter.ObservationColumn("inputTokens"), Quantile: 0.5},
		{Function: store.Quantile, Column: filter.ObservationColumn("outputTokens"), Quantile: 0.5},
		{Function: store.Average, Column: cost},
		{Function: store.Quantile, Column: cost, Quantile: 0.5},
		{Function: store.Sum, Column: cost},
		{Function: store.Min, Column: start},
		{Function: store.Max, Column: start},
		{Function: store.Count, Column: cost},
	}, func(version int, g *store.Group) {
		v := Version{
			Version: version, Count: int(g.Values[0].Value), P50: optional(g.Values[1]), P95: optional(g.Values[2]),
			Input: optional(g.Values[3]), Output: optional(g.Values[4]), Mean: optional(g.Values[5]), Median: optional(g.Values[6]),
			First: domain.Micros(g.Values[8].Value), Last: domain.Micros(g.Values[9].Value),
		}
		if g.Values[10].Value > 0 {
			v.Sum = optional(g.Values[7])
		}
		result.Versions = append(result.Versions, v)
	})
	if err != nil {
		return err
	}
	slices.SortFunc(result.Versions, func(a, b Version) int { return b.Version - a.Version })
	if len(result.Versions) > MaxVersions {
		result.Versions, result.Partial = result.Versions[:MaxVersions], true
	}
	if len(result.Versions) == 0 {
		return nil
	}
	return s.aggregate(ctx, q, result.numbers(), 0, []measure{{Function: store.Count}}, func(version int, g *store.Group) {
		if v := result.version(version); v != nil {
			v.Errors = int(g.Values[0].Value)
		}
	}, failed())
}

func (r *Result) numbers() []int {
	numbers := make([]int, len(r.Versions))
	for n, v := range r.Versions {
		numbers[n] = v.Version
	}
	return numbers
}

func (r *Result) version(number int) *Version {
	at, found := slices.BinarySearchFunc(r.Versions, number, func(v Version, number int) int { return number - v.Version })
	if !found {
		return nil
	}
	return &r.Versions[at]
}

func (s *Stats) series(ctx context.Context, q Query, result *Result) error {
	if len(result.Versions) == 0 {
		return nil
	}
	cost := filter.ObservationColumn("totalCost")
	type place struct{ bucket, version int }
	places := make(map[place]int)
	at := func(version int, g *store.Group) place {
		return place{int((g.Bucket - result.Start) / result.Step), version}
	}
	if err := s.aggregate(ctx, q, result.numbers(), result.Step, []measure{
		{Function: store.Count},
		{Function: store.Quantile, Column: filter.ObservationColumn("latency"), Quantile: 0.5},
		{Function: store.Sum, Column: cost},
		{Function: store.Count, Column: cost},
	}, func(version int, g *store.Group) {
		here := at(version, g)
		p := Point{Bucket: here.bucket, Version: version, Count: int(g.Values[0].Value), P50: optional(g.Values[1])}
		if g.Values[3].Value > 0 {
			p.Cost = optional(g.Values[2])
		}
		places[here] = len(result.Points)
		result.Points = append(result.Points, p)
	}); err != nil {
		return err
	}
	if err := s.aggregate(ctx, q, result.numbers(), result.Step, []measure{{Function: store.Count}}, func(version int, g *store.Group) {
		if n, ok := places[at(version, g)]; ok {
			result.Points[n].Errors = int(g.Values[0].Value)
		}
	}, failed()); err != nil {
		return err
	}
	slices.SortFunc(result.Points, func(a, b Point) int {
		if a.Bucket != b.Bucket {
			return a.Bucket - b.Bucket
		}
		return b.Version - a.Version
	})
	return nil
}

func optional(v domain.OptFloat) *float64 {
	if !v.Set || math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
		return nil
	}
	return &v.Value
}
