package domain

import "time"

// Widget is a chart that dashboards show: what is measured, and how it is drawn.
type Widget struct {
	ID          string
	Name        string
	Description string
	View        string
	Dimensions  []WidgetDimension
	Metrics     []WidgetMetric
	Filters     []StoredFilter
	ChartType   string
	Chart       ChartConfig
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// WidgetDimension is a field by which a widget groups.
type WidgetDimension struct {
	Field string `json:"field"`
}

// WidgetMetric is what a widget measures.
type WidgetMetric struct {
	Measure   string `json:"measure"`
	Aggregate string `json:"agg"`
}

// ChartConfig is how a widget is drawn. What is nil is left to whoever draws it.
type ChartConfig struct {
	Type        string     `json:"type"`
	RowLimit    *int       `json:"row_limit,omitempty"`
	ValueLabels *bool      `json:"show_value_labels,omitempty"`
	Bins        *int       `json:"bins,omitempty"`
	DefaultSort *ChartSort `json:"defaultSort,omitempty"`
}

// ChartSort is the order in which a chart starts.
type ChartSort struct {
	Column string `json:"column"`
	Order  string `json:"order"`
}

// Dashboard is a set of widgets, laid out on a grid.
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

// GridColumns is how many columns the grid of a dashboard has.
const GridColumns = 12

// Placement is where a dashboard shows a widget of the project or a preset of the product. Its id is unique within the dashboard.
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
