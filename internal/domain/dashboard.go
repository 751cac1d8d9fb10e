package domain

import "time"

// Widget is a chart on dashboards: what it measures and how it is drawn.
type Widget struct {
	ID          string            `json:"-"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	View        string            `json:"view"`
	Dimensions  []WidgetDimension `json:"dimensions"`
	Metrics     []WidgetMetric    `json:"metrics"`
	Filters     []StoredFilter    `json:"filters"`
	ChartType   string            `json:"chartType"`
	Chart       ChartConfig       `json:"chartConfig"`
	CreatedAt   time.Time         `json:"-"`
	UpdatedAt   time.Time         `json:"-"`
}

// WidgetDimension is a field that a widget groups by.
type WidgetDimension struct {
	Field string `json:"field"`
}

// WidgetMetric is a measure and its aggregation in a widget.
type WidgetMetric struct {
	Measure   string `json:"measure"`
	Aggregate string `json:"agg"`
}

// ChartConfig describes how a widget is drawn. Nil members are up to the client.
type ChartConfig struct {
	Type        string     `json:"type"`
	RowLimit    *int       `json:"row_limit,omitempty"`
	ValueLabels *bool      `json:"show_value_labels,omitempty"`
	Bins        *int       `json:"bins,omitempty"`
	DefaultSort *ChartSort `json:"defaultSort,omitempty"`
}

// ChartSort is the initial order of a chart.
type ChartSort struct {
	Column string `json:"column"`
	Order  string `json:"order"`
}

// Dashboard is a set of widgets on a grid.
type Dashboard struct {
	ID          string
	Name        string
	Description string
	Placements  []Placement
	Filters     []StoredFilter
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// The kinds of placements.
const (
	PlacedWidget = "widget"
	PlacedPreset = "preset"
)

// GridColumns is the number of columns in the grid of a dashboard.
const GridColumns = 12

// Placement is the position of a widget of the project, or of a built-in preset, on a dashboard. Its id is unique
// within the dashboard.
type Placement struct {
	Type     string `json:"type"`
	ID       string `json:"id"`
	WidgetID string `json:"widgetId,omitempty"`
	PresetID string `json:"presetId,omitempty"`
	X        int    `json:"x"`
	Y        int    `json:"y"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
}

// Bottom returns the first row of the grid below all placements.
func (d Dashboard) Bottom() int {
	bottom := 0
	for _, p := range d.Placements {
		bottom = max(bottom, p.Y+p.Height)
	}
	return bottom
}
