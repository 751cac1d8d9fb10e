package analytics

// ViewSchema describes what can be queried in a view.
type ViewSchema struct {
	View       string            `json:"view"`
	Dimensions []DimensionSchema `json:"dimensions"`
	Measures   []MeasureSchema   `json:"measures"`
}

// DimensionSchema is a dimension that rows can be grouped by and filtered on.
type DimensionSchema struct {
	Field string `json:"field"`
	// Filters are the types of conditions that fit the dimension.
	Filters []string `json:"filterTypes"`
	// HighCardinality means that there may be as many values as rows, so a query needs an order and a limit.
	HighCardinality bool `json:"highCardinality,omitempty"`
}

// MeasureSchema is a value of each row that can be aggregated.
type MeasureSchema struct {
	Measure      string   `json:"measure"`
	Aggregations []string `json:"aggregations"`
}

// Schema describes all views.
func Schema() []ViewSchema {
	var all []ViewSchema
	for _, name := range viewNames[V2] {
		if name == "observations" {
			all = append(all, schemaOf(name, observationsV2()))
			continue
		}
		all = append(all, schemaOf(name, scoresOf(V2, name)))
	}
	return all
}

func schemaOf[S, R any](name string, v *view[S, R]) ViewSchema {
	schema := ViewSchema{View: name}
	for _, d := range v.dimensions {
		schema.Dimensions = append(schema.Dimensions, DimensionSchema{d.name, fittingTypes[d.filterType], d.highCardinality})
	}
	for _, m := range v.measures {
		fitting := aggregations
		if m.text {
			fitting = []string{"count", "uniq"}
		}
		schema.Measures = append(schema.Measures, MeasureSchema{m.name, fitting})
	}
	return schema
}
