package analytics

import (
	"errors"
	"fmt"
	"slices"
	"time"
	_ "time/tzdata" // machines may have no time zones

	"almanac/internal/decode"
	"almanac/internal/filter"
)

// Version is a version of the API. Versions differ in their views and in a few rules.
type Version int

// The versions. V1 is deprecated.
const (
	V1 Version = 1
	V2 Version = 2
)

// Query is a query as a client wrote it. It is well-formed; whether its dimensions and measures exist is checked when
// it is planned.
type Query struct {
	Version    Version
	View       string
	Dimensions []string
	Metrics    []Metric
	Filters    []filter.Draft
	// Granularity is the size of time buckets; "" for none.
	Granularity string
	// Zone is the time zone in which days, weeks and months begin; nil for UTC.
	Zone *time.Location
	// From and To are both included.
	From, To time.Time
	Order    []Order
	// Bins is the maximum number of bins in a histogram.
	Bins int
	// RowLimit is the maximum number of rows in the result; 0 if the client does not say.
	RowLimit int
}

// Metric is a measure with its aggregation.
type Metric struct{ Measure, Aggregation string }

// Key returns the name of the metric in the rows of a result.
func (m Metric) Key() string { return m.Aggregation + "_" + m.Measure }

// Order is a field to order rows by.
type Order struct {
	Field      string
	Descending bool
}

// InvalidQueryError is returned for a query that is well-formed but makes no sense. The message is meant for the
// client.
type InvalidQueryError struct{ Message string }

func (e *InvalidQueryError) Error() string { return e.Message }

func refuse(format string, args ...any) *InvalidQueryError {
	return &InvalidQueryError{fmt.Sprintf(format, args...)}
}

// ErrNotJSON means that the query is not a single JSON value.
var ErrNotJSON = errors.New("the query is not valid JSON")

// Bounds of a query.
const (
	maxQueryBytes   = 128 << 10
	maxQueryItems   = 100 // dimensions, metrics, orders
	maxFieldLength  = 200 // characters; unknown names are echoed to the client
	maxBins         = 100
	defaultBins     = 10
	maxRowLimit     = 1000
	defaultRowLimit = 100 // of V2
)

// Names that may occur in a query.
var (
	viewNames = map[Version][]string{
		V1: {"traces", "observations", "scores-numeric", "scores-categorical", "scores-boolean"},
		V2: {"observations", "scores-numeric", "scores-categorical", "scores-boolean"},
	}
	aggregations  = []string{"sum", "avg", "count", "max", "min", "p50", "p75", "p90", "p95", "p99", "histogram", "uniq"}
	granularities = []string{"auto", "minute", "hour", "day", "week", "month"}
)

// ReadQuery reads a query. The error is ErrNotJSON, a *decode.Invalid with everything that is wrong with its form, or a
// *Refused.
func ReadQuery(text string, version Version) (*Query, error) {
	if len(text) > maxQueryBytes {
		return nil, refuse("The query is longer than %d bytes.", maxQueryBytes)
	}
	if decode.CheckJSON([]byte(text)) != nil {
		return nil, ErrNotJSON
	}
	body := decode.NewPart([]byte(text), "query")
	o := body.Object()
	q := &Query{Version: version, Bins: defaultBins}
	q.View = o.Field("view").Enum(viewNames[version]...)
	if v := o.Field("dimensions"); v.Kind() != "undefined" {
		q.Dimensions = distinct(items(v, func(v decode.Value) string { return v.Object().Field("field").TextLen(0, maxFieldLength) }))
	}
	q.Metrics = distinct(items(o.Field("metrics"), readMetric))
	refused := q.readFilters(o.Field("filters"))
	if granularity := decode.Nullish(o.Field("timeDimension"), func(v decode.Value) string {
		o := v.Object()
		if zone := decode.Optional(o.Field("timeZone"), readZone); zone != nil {
			q.Zone = *zone
		}
		return o.Field("granularity").Enum(granularities...)
	}); granularity != nil {
		q.Granularity = *granularity
	}
	q.From, q.To = o.Field("fromTimestamp").Time(), o.Field("toTimestamp").Time()
	if orders := decode.Nullish(o.Field("orderBy"), func(v decode.Value) []Order { return items(v, readOrder) }); orders != nil {
		q.Order = *orders
	}
	q.readConfig(o.Field("config"))
	if err := body.Err(); err != nil {
		return nil, err
	}
	if !q.From.Before(q.To) {
		body.Reject(decode.Violation(body.Path(), "fromTimestamp must be before toTimestamp"))
		return nil, body.Err()
	}
	if refused != nil {
		return nil, refused
	}
	return q, nil
}

// readZone reads the name of a time zone. The zone of the server has no name.
func readZone(v decode.Value) *time.Location {
	const longest = 64
	name := v.TextLen(1, longest)
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		v.Reject(decode.Violation(v.Path(), "timeZone must be the name of a time zone, such as Europe/Berlin"))
		return time.UTC
	}
	return zone
}

func readMetric(v decode.Value) Metric {
	o := v.Object()
	return Metric{Measure: o.Field("measure").TextLen(0, maxFieldLength), Aggregation: o.Field("aggregation").Enum(aggregations...)}
}

func readOrder(v decode.Value) Order {
	o := v.Object()
	return Order{Field: o.Field("field").TextLen(0, 2*maxFieldLength), Descending: o.Field("direction").Enum("asc", "desc") == "desc"}
}

func (q *Query) readConfig(v decode.Value) {
	if kind := v.Kind(); kind == "undefined" || kind == "null" {
		return
	}
	o := v.Object()
	if bins := decode.Nullish(o.Field("bins"), between(1, maxBins)); bins != nil {
		q.Bins = *bins
	}
	if limit := decode.Nullish(o.Field("row_limit"), between(1, maxRowLimit)); limit != nil {
		q.RowLimit = *limit
	}
}

// readFilters reads the conditions. Problems with their form are added to the issues of the query; any other is
// returned.
func (q *Query) readFilters(v decode.Value) error {
	if v.Kind() == "undefined" {
		return nil
	}
	limits := filter.DefaultLimits()
	limits.NoMatches = true
	drafts, err := filter.ParseDrafts(string(v.Raw()), limits, v.Path()...)
	var invalid *decode.Invalid
	var refused *filter.Refused
	switch {
	case errors.As(err, &invalid):
		for _, issue := range invalid.Issues {
			v.Reject(issue)
		}
		return nil
	case errors.As(err, &refused):
		return &InvalidQueryError{refused.Message}
	}
	q.Filters = drafts
	return err
}

// items reads an array.
func items[T any](v decode.Value, read func(decode.Value) T) []T {
	values := v.Array()
	if len(values) > maxQueryItems {
		v.Reject(decode.TooLong(v.Path(), "array", maxQueryItems))
		return nil
	}
	var list []T
	for _, item := range values {
		list = append(list, read(item))
	}
	return list
}

// between reads an integer within bounds.
func between(minimum, maximum int) func(decode.Value) int {
	return func(v decode.Value) int {
		if v.Kind() != "number" {
			return v.Int()
		}
		number := v.Int()
		switch {
		case number > maximum:
			v.Reject(decode.TooBig(v.Path(), float64(maximum)))
		case number < minimum && isInteger(v):
			v.Reject(decode.TooSmall(v.Path(), float64(minimum), false))
		}
		return number
	}
}

// isInteger reports whether a number is an integer, since Int returns 0 if it is not.
func isInteger(v decode.Value) bool {
	probe := decode.NewBody(v.Raw())
	probe.Int()
	return probe.Err() == nil
}

// distinct removes duplicates.
func distinct[T comparable](list []T) []T {
	var result []T
	for _, item := range list {
		if !slices.Contains(result, item) {
			result = append(result, item)
		}
	}
	return result
}
