package dashboards

import (
	"errors"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/analytics"
)

// The limits of widgets and dashboards.
const (
	maxDashboardName        = 500
	maxDashboardDescription = 10_000
	maxWidgetFields         = 50
	maxWidgetField          = 200
	maxChartRows            = 1000
	maxChartBins            = 100
)

// ListWidgets returns a numbered page of widgets, most recently changed first.
func (h *Handlers) ListWidgets(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	page, err := endpoint.ReadPage(c)
	if err != nil {
		return nil, err
	}
	return endpoint.CatalogList(c, scope, page, h.Catalog.Widgets, wire.FromWidget)
}

// CreateWidget serves POST /api/public/unstable/dashboard-widgets.
func (h *Handlers) CreateWidget(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readWidget(c.Body())
	if err != nil {
		return nil, err
	}
	created, err := h.Catalog.Widgets.Create(c.Context(), scope, n, c.Actor())
	return endpoint.Show(created, err, wire.FromWidget)
}

// GetWidget serves GET /api/public/unstable/dashboard-widgets/{widgetId}.
func (h *Handlers) GetWidget(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	w, err := h.Catalog.Widgets.Get(c.Context(), scope, c.Path("widgetId"))
	return endpoint.Show(w, widgetError(err), wire.FromWidget)
}

// UpdateWidget changes the members that are present in the body. A new chart type without a config resets the config.
func (h *Handlers) UpdateWidget(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	change, err := readWidgetChange(c.Body())
	if err != nil {
		return nil, err
	}
	w, err := h.Catalog.Widgets.Change(c.Context(), scope, c.Path("widgetId"), change.apply, c.Actor())
	return endpoint.Show(w, widgetError(err), wire.FromWidget)
}

// DeleteWidget serves DELETE /api/public/unstable/dashboard-widgets/{widgetId}.
func (h *Handlers) DeleteWidget(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.Widgets.Delete(c.Context(), scope, c.Path("widgetId"), c.Actor())
	return endpoint.Confirm(widgetError(err), respond.Message{Message: "Dashboard widget successfully deleted"})
}

func widgetError(err error) error {
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound("Dashboard widget not found within authorized project")
	case errors.Is(err, domain.ErrConflict):
		return respond.Conflict("The widget is placed on a dashboard. Remove it from there first.")
	}
	return err
}

func widgetViews() []string {
	return []string{"observations", "scores-numeric", "scores-boolean", "scores-categorical"}
}

func chartTypes() []string {
	return []string{
		"LINE_TIME_SERIES", "AREA_TIME_SERIES", "BAR_TIME_SERIES", "HORIZONTAL_BAR", "VERTICAL_BAR", "PIE", "NUMBER", "HISTOGRAM",
		"PIVOT_TABLE",
	}
}

func readWidget(body decode.Value) (domain.Widget, error) {
	b := body.Object()
	n := domain.Widget{
		Name:        readDashboardName(b.Field("name")),
		Description: decode.NullishOr(b.Field("description"), readDashboardDescription, ""),
		View:        b.Field("view").Enum(widgetViews()...),
		Dimensions:  readDimensions(b.Field("dimensions")),
		Metrics:     readMetrics(b.Field("metrics")),
		Filters:     endpoint.ReadStoredFilters(b.Field("filters")),
		ChartType:   b.Field("chartType").Enum(chartTypes()...),
	}
	config := b.Field("chartConfig")
	n.Chart = decode.NullishOr(config, readChartConfig, domain.ChartConfig{})
	b.Strict()
	if err := b.Err(); err != nil {
		return n, err
	}
	if err := checkWidgetFields(n); err != nil {
		return n, err
	}
	return withChart(n, n.Chart)
}

// checkWidgetFields checks that the dimensions and metrics of a widget are valid for its view.
func checkWidgetFields(w domain.Widget) error {
	var issues []decode.Issue
	whole := analytics.Query{Version: analytics.V2, View: w.View}
	check := func(q analytics.Query, path ...any) {
		q.Version, q.View = whole.Version, whole.View
		if err := q.CheckFields(); err != nil {
			issues = append(issues, decode.Violation(path, err.Error()))
		}
	}
	for n, dimension := range w.Dimensions {
		check(analytics.Query{Dimensions: []string{dimension.Field}}, "dimensions", n, "field")
		whole.Dimensions = append(whole.Dimensions, dimension.Field)
	}
	for n, metric := range w.Metrics {
		asked := analytics.Metric{Measure: metric.Measure, Aggregation: metric.Aggregate}
		check(analytics.Query{Metrics: []analytics.Metric{asked}}, "metrics", n, "measure")
		whole.Metrics = append(whole.Metrics, asked)
	}
	if len(issues) == 0 {
		check(whole)
	}
	if len(issues) > 0 {
		return &decode.Invalid{Issues: issues}
	}
	return nil
}

// withChart sets the chart config of a widget, whose type must be the widget's chart type.
func withChart(w domain.Widget, config domain.ChartConfig) (domain.Widget, error) {
	if config.Type != "" && config.Type != w.ChartType {
		return w, &decode.Invalid{Issues: []decode.Issue{
			decode.Violation([]any{"chartConfig", "type"}, "chartConfig.type must be the chartType, which is "+w.ChartType),
		}}
	}
	config.Type = w.ChartType
	w.Chart = config
	return w, nil
}

func readDashboardName(v decode.Value) string        { return v.TextLen(1, maxDashboardName) }
func readDashboardDescription(v decode.Value) string { return v.TextLen(0, maxDashboardDescription) }

func readDimensions(v decode.Value) []domain.WidgetDimension {
	dimensions := []domain.WidgetDimension{}
	for _, item := range v.ArrayLen(0, maxWidgetFields) {
		b := item.Object()
		dimensions = append(dimensions, domain.WidgetDimension{Field: b.Field("field").TextLen(1, maxWidgetField)})
		b.Strict()
	}
	return dimensions
}

func readMetrics(v decode.Value) []domain.WidgetMetric {
	metrics := []domain.WidgetMetric{}
	for _, item := range v.ArrayLen(1, maxWidgetFields) {
		b := item.Object()
		metrics = append(metrics, domain.WidgetMetric{
			Measure:   b.Field("measure").TextLen(1, maxWidgetField),
			Aggregate: b.Field("agg").Enum("sum", "avg", "count", "max", "min", "p50", "p75", "p90", "p95", "p99", "histogram", "uniq"),
		})
		b.Strict()
	}
	return metrics
}

func readChartConfig(v decode.Value) domain.ChartConfig {
	b := v.Object()
	config := domain.ChartConfig{
		Type:        decode.NullishOr(b.Field("type"), func(v decode.Value) string { return v.Enum(chartTypes()...) }, ""),
		RowLimit:    decode.Nullish(b.Field("row_limit"), func(v decode.Value) int { return v.IntWithin(1, maxChartRows) }),
		ValueLabels: decode.Nullish(b.Field("show_value_labels"), decode.Value.Bool),
		Bins:        decode.Nullish(b.Field("bins"), func(v decode.Value) int { return v.IntWithin(1, maxChartBins) }),
		DefaultSort: decode.Nullish(b.Field("defaultSort"), readChartSort),
	}
	b.Strict()
	return config
}

func readChartSort(v decode.Value) domain.ChartSort {
	b := v.Object()
	sort := domain.ChartSort{Column: b.Field("column").TextLen(1, maxWidgetField), Order: b.Field("order").Enum("ASC", "DESC")}
	b.Strict()
	return sort
}

// widgetChange is a change of a widget; nil members stay unchanged.
type widgetChange struct {
	name, description, view, chartType *string
	dimensions                         *[]domain.WidgetDimension
	metrics                            *[]domain.WidgetMetric
	filters                            *[]domain.StoredFilter
	chart                              *domain.ChartConfig
}

func readWidgetChange(body decode.Value) (widgetChange, error) {
	b := body.Object()
	change := widgetChange{
		name:        decode.Nullish(b.Field("name"), readDashboardName),
		description: decode.Nullish(b.Field("description"), readDashboardDescription),
		view:        decode.Nullish(b.Field("view"), func(v decode.Value) string { return v.Enum(widgetViews()...) }),
		dimensions:  decode.Nullish(b.Field("dimensions"), readDimensions),
		metrics:     decode.Nullish(b.Field("metrics"), readMetrics),
		filters:     decode.Nullish(b.Field("filters"), endpoint.ReadStoredFilters),
		chartType:   decode.Nullish(b.Field("chartType"), func(v decode.Value) string { return v.Enum(chartTypes()...) }),
		chart:       decode.Nullish(b.Field("chartConfig"), readChartConfig),
	}
	b.Strict()
	body.RejectNoChange(change == widgetChange{})
	return change, b.Err()
}

func (change widgetChange) apply(w domain.Widget) (domain.Widget, error) {
	decode.Set(&w.Name, change.name)
	decode.Set(&w.Description, change.description)
	decode.Set(&w.View, change.view)
	decode.Set(&w.Dimensions, change.dimensions)
	decode.Set(&w.Metrics, change.metrics)
	decode.Set(&w.Filters, change.filters)
	chart := w.Chart
	if change.chartType != nil && *change.chartType != w.ChartType {
		w.ChartType, chart = *change.chartType, domain.ChartConfig{}
	}
	decode.Set(&chart, change.chart)
	if change.view != nil || change.dimensions != nil || change.metrics != nil {
		if err := checkWidgetFields(w); err != nil {
			return w, err
		}
	}
	return withChart(w, chart)
}
