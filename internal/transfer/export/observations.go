package export

import (
	"cmp"
	"context"
	"errors"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/query/explore"
	"almanac/internal/store"
)

func observationFields() []field[domain.Observation] {
	type row = domain.Observation
	fields := []field[row]{
		text("id", func(o *row) string { return o.ID }),
		text("traceId", func(o *row) string { return o.TraceID }),
		text("traceName", func(o *row) string {
			if o.IsRoot() {
				return cmp.Or(o.TraceName, o.Name) // a root lends its name to a trace that has none
			}
			return o.TraceName
		}),
		text("type", func(o *row) string { return o.Type }),
		text("name", func(o *row) string { return o.Name }),
		moment("startTime", func(o *row) domain.Micros { return o.StartTime }),
		moment("endTime", func(o *row) domain.Micros { return o.EndTime }),
		moment("completionStartTime", func(o *row) domain.Micros { return o.CompletionStartTime }),
		text("environment", func(o *row) string { return cmp.Or(o.Environment, "default") }),
		text("version", func(o *row) string { return o.Version }),
		text("userId", func(o *row) string { return o.UserID }),
		text("sessionId", func(o *row) string { return o.SessionID }),
		text("level", func(o *row) string { return cmp.Or(o.Level, "DEFAULT") }),
		text("statusMessage", func(o *row) string { return o.StatusMessage }),
		text("promptName", func(o *row) string { return o.PromptName }),
		text("promptId", func(o *row) string { return o.PromptID }),
		{Column{"promptVersion", Int}, func(o *row, v *Value) { v.optInt(o.PromptVersion) }},
		text("modelId", func(o *row) string { return o.ModelID }),
		text("providedModelName", func(o *row) string { return o.Model }),
		rawJSON("modelParameters", func(o *row) string { return o.ModelParameters }),
		rawJSON("usageDetails", func(o *row) string { return cmp.Or(o.Usage, "{}") }),
		rawJSON("costDetails", func(o *row) string { return cmp.Or(o.Cost, "{}") }),
		{Column{"totalCost", Float}, func(o *row, v *Value) { v.optFloat(o.TotalCost) }},
		text("input", func(o *row) string { return o.Input }),
		text("output", func(o *row) string { return o.Output }),
		rawJSON("metadata", func(o *row) string { return cmp.Or(o.Metadata, "{}") }),
		{Column{"latencyMs", Int}, func(o *row, v *Value) { v.millis(o.StartTime, o.EndTime) }},
		{Column{"timeToFirstTokenMs", Int}, func(o *row, v *Value) { v.millis(o.StartTime, o.CompletionStartTime) }},
		list("tags", func(o *row) []string { return o.Tags }),
		text("release", func(o *row) string { return o.Release }),
		text("parentObservationId", (*row).SentParentID),
		boolean("bookmarked", func(o *row) bool { return o.Bookmarked }),
		boolean("public", func(o *row) bool { return o.Public }),
		boolean("isRootObservation", (*row).IsRoot),
		moment("createdAt", func(o *row) domain.Micros { return o.CreatedAt }),
		moment("updatedAt", func(o *row) domain.Micros { return o.UpdatedAt }),
		text("usagePricingTierId", func(o *row) string { return o.PricingTierID }),
		text("usagePricingTierName", func(o *row) string { return o.PricingTierName }),
		rawJSON("toolDefinitions", func(o *row) string { return cmp.Or(o.ToolDefinitions, "{}") }),
		rawJSON("toolCalls", func(o *row) string { return cmp.Or(o.ToolCalls, "[]") }),
		list("toolCallNames", func(o *row) []string { return o.ToolCallNames }),
		text("experimentId", func(o *row) string { return o.ExperimentID }),
		text("experimentName", func(o *row) string { return o.ExperimentName }),
		text("experimentDatasetId", func(o *row) string { return o.ExperimentDatasetID }),
		text("experimentItemId", func(o *row) string { return o.ExperimentItemID }),
		boolean("asRoot", func(o *row) bool { return o.AsRoot }),
	}
	for _, m := range originFields() {
		if m.json {
			fields = append(fields, rawJSON(m.name, m.get))
		} else {
			fields = append(fields, text(m.name, m.get))
		}
	}
	return fields
}

// originField is a field that is shown nowhere in a table of observations, but without which an import would not restore
// them.
type originField struct {
	name string // in batch exports; scheduled exports have it in snake case
	json bool
	get  func(*domain.Observation) string
}

func originFields() []originField {
	type row = domain.Observation
	return []originField{
		{"experimentDescription", false, func(o *row) string { return o.ExperimentDescription }},
		{"experimentMetadata", true, func(o *row) string { return o.ExperimentMetadata }},
		{"experimentItemVersion", false, func(o *row) string { return o.ExperimentItemVersion }},
		{"experimentItemRootSpanId", false, func(o *row) string { return o.ExperimentItemRootSpanID }},
		{"experimentItemExpectedOutput", false, func(o *row) string { return o.ExperimentItemExpectedOutput }},
		{"experimentItemMetadata", true, func(o *row) string { return o.ExperimentItemMetadata }},
		{"traceInput", false, func(o *row) string { return o.TraceInput }},
		{"traceOutput", false, func(o *row) string { return o.TraceOutput }},
		{"traceMetadata", true, func(o *row) string { return o.TraceMetadata }},
		{"sdkName", false, func(o *row) string { return o.SDKName }},
		{"sdkVersion", false, func(o *row) string { return o.SDKVersion }},
		{"serviceName", false, func(o *row) string { return o.ServiceName }},
		{"serviceVersion", false, func(o *row) string { return o.ServiceVersion }},
		{"scopeName", false, func(o *row) string { return o.ScopeName }},
		{"scopeVersion", false, func(o *row) string { return o.ScopeVersion }},
		{"telemetrySdkLanguage", false, func(o *row) string { return o.TelemetryLanguage }},
		{"telemetrySdkName", false, func(o *row) string { return o.TelemetryName }},
		{"telemetrySdkVersion", false, func(o *row) string { return o.TelemetryVersion }},
	}
}

// observations returns the table of selected observations, as of the moment when reading begins.
func (r *Reader) observations(ctx context.Context, q *Request) (*Table, error) {
	selected, err := r.selected(ctx, q)
	if err != nil {
		return nil, err
	}
	fields := observationFields()
	beside, err := r.extraColumns(ctx, q, "OBSERVATION", columnsOf(fields))
	if err != nil {
		return nil, err
	}
	total, err := r.count(ctx, selected)
	if err != nil {
		return nil, err
	}
	marks, err := r.Catalog.AllTraceMarks(ctx, r.Scope)
	if err != nil {
		return nil, err
	}
	fillRow := func(o *domain.Observation, row []Value) {
		if m, marked := marks[o.TraceID]; marked {
			own := *o // the row is the store's
			m.OutweighRow(&own)
			o = &own
		}
		fill(fields, o.Sent(), row)
	}
	query := store.Query[domain.Observation]{
		From: selected.From, To: selected.To, Where: append(append([]condition{}, selected.Within...), selected.Where...),
		Want: store.WantAll,
		Once: true,
	}
	return &Table{Columns: beside.columns, Total: total, rows: func(ctx context.Context, emit func([]Value) error) error {
		if beside.empty() { // nothing to look up, so nothing needs copying
			row := make([]Value, len(beside.columns))
			for o, err := range r.Store.Observations().Scan(ctx, r.Scope, query) {
				if err != nil {
					return err
				}
				fillRow(o, row)
				if err := emit(row); err != nil {
					return err
				}
			}
			return nil
		}
		some := batches[*domain.Observation]{held: memory.NewTally(ctx), hand: func(rows []*domain.Observation) error {
			return emitAll(ctx, beside, rows, func(o *domain.Observation) subject {
				return subject{traceID: o.TraceID, id: o.ID}
			}, fillRow, emit)
		}}
		for o, err := range r.Store.Observations().Scan(ctx, r.Scope, query) {
			if err != nil {
				return err
			}
			if err := some.add(new(o.Clone()), o.TextBytes()); err != nil {
				return err
			}
		}
		return some.flush()
	}}, nil
}

// count returns the number of selected observations, or of traces that have one, or nil if counting takes too long.
func (r *Reader) count(ctx context.Context, s *explore.Selection) (*int64, error) {
	count, exact, err := r.explorer().Count(ctx, s)
	switch {
	case errors.Is(err, store.ErrTooLarge):
		return nil, nil //nolint:nilnil // nobody knows
	case err != nil || !exact:
		return nil, err
	}
	return new(int64(count)), nil
}
