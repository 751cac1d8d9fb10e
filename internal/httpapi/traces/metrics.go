package traces

import (
	"errors"
	"net/http"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/analytics"
)

// MetricsSuccessor is the path that replaces the deprecated metrics routes.
const MetricsSuccessor = "/api/public/v2/metrics"

// GetMetrics runs an aggregation query.
func (h *Handlers) GetMetrics(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.answerMetrics(c, scope, analytics.V2)
}

// GetMetricsV1 runs an aggregation query of version 1 of the API, which also has traces.
func (h *Handlers) GetMetricsV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.answerMetrics(c, scope, analytics.V1)
}

func (h *Handlers) answerMetrics(c *endpoint.Call, scope domain.ProjectScope, version analytics.Version) (any, error) {
	parameters := c.Query()
	text := parameters.RequiredString("query")
	if err := parameters.Err(); err != nil {
		return nil, err
	}
	question, err := analytics.ReadQuery(text, version)
	if err != nil {
		return nil, metricsError(err)
	}
	result, err := (&analytics.Engine{Store: h.Store, History: h.Catalog}).Answer(c.Context(), scope, question)
	if err != nil {
		return nil, metricsError(err)
	}
	return c.Stream(func(p *endpoint.StreamWriter, dst []byte) ([]byte, error) {
		return append(result.AppendJSON(append(dst, `{"data":`...), p.Flush), '}'), nil
	})
}

// metricsError maps the errors of a metrics query to the client's error.
func metricsError(err error) error {
	var refused *analytics.InvalidQueryError
	var tooLarge *analytics.TooLarge
	switch {
	case errors.Is(err, analytics.ErrNotJSON):
		return respond.InvalidRequest("Invalid JSON in query parameter")
	case errors.As(err, &refused):
		return respond.InvalidRequest(refused.Message)
	case errors.As(err, &tooLarge):
		return &respond.Error{Status: http.StatusUnprocessableEntity, Name: "Request timed out", Message: tooLarge.Message}
	}
	return err
}

// dayBody is a day of the daily metrics.
type dayBody struct {
	Date              string           `json:"date"`
	CountTraces       int              `json:"countTraces"`
	CountObservations int              `json:"countObservations"`
	TotalCost         float64          `json:"totalCost"`
	Usage             []modelUsageBody `json:"usage"`
}

type modelUsageBody struct {
	Model             *string `json:"model"`
	InputUsage        int64   `json:"inputUsage"`
	OutputUsage       int64   `json:"outputUsage"`
	TotalUsage        int64   `json:"totalUsage"`
	TotalCost         float64 `json:"totalCost"`
	CountObservations int     `json:"countObservations"`
	CountTraces       int     `json:"countTraces"`
}

// GetDailyMetrics returns a numbered page of days.
func (h *Handlers) GetDailyMetrics(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	page, query, err := readDailyQuery(c.Query())
	if err != nil {
		return nil, err
	}
	days, err := (&analytics.Engine{Store: h.Store, History: h.Catalog}).Daily(c.Context(), scope, query)
	if err != nil {
		return nil, metricsError(err)
	}
	first := min(page.Offset(), len(days))
	return endpoint.PageOf(c, page, len(days), days[first:min(first+page.Limit, len(days))], dayOf)
}

// readDailyQuery reads the parameters, in the order in which their issues are reported.
func readDailyQuery(q *decode.Query) (decode.Page, *analytics.DailyQuery, error) {
	page := q.Page(endpoint.DefaultPage)
	name, user := q.String("traceName"), q.String("userId")
	tags, environments := q.List("tags"), q.List("environment")
	query := &analytics.DailyQuery{
		From: domain.MicrosOf(q.Time("fromTimestamp")), To: domain.MicrosOf(q.Time("toTimestamp")), UserID: endpoint.ValueOr(user, ""),
	}
	if err := q.Err(); err != nil {
		return page, nil, err
	}
	var failed error
	add := func(condition traceCondition, err error) {
		query.Where, failed = append(query.Where, condition), errors.Join(failed, err)
	}
	if name != nil {
		add(filter.NewText(filter.TraceColumn("name"), filter.Equal, *name))
	}
	if user != nil {
		add(filter.NewText(filter.TraceColumn("userId"), filter.Equal, *user))
	}
	if len(tags) > 0 {
		add(filter.NewTexts(filter.TraceColumn("tags"), filter.AllOf, tags))
	}
	if len(environments) > 0 {
		add(filter.NewTexts(filter.TraceColumn("environment"), filter.AnyOf, environments))
	}
	return page, query, failed
}

func dayOf(d analytics.Day) dayBody {
	body := dayBody{
		Date: d.Date, CountTraces: d.Traces, CountObservations: d.Observations, TotalCost: d.Cost.Dollars(), Usage: []modelUsageBody{},
	}
	for _, u := range d.Usage {
		var model *string // null for none
		if u.Model != "" {
			model = &u.Model
		}
		body.Usage = append(body.Usage, modelUsageBody{
			Model: model, InputUsage: u.Input, OutputUsage: u.Output, TotalUsage: u.Total, TotalCost: u.Cost.Dollars(),
			CountObservations: u.Observations, CountTraces: u.Traces,
		})
	}
	return body
}
