package export

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/ingest/pricing"
	"almanac/internal/store"
)

// Scheduled is the style of scheduled export files, which are read by other programs: nothing in them is escaped for
// spreadsheets.
var Scheduled = Style{Times: "2006-01-02 15:04:05.000000", Formulas: true, NoHeader: true}

// ScheduledVersion is incremented when the meaning of a column of scheduled exports changes. New columns are only ever
// appended.
const ScheduledVersion = 1

// FieldGroups returns the column groups that scheduled exports of observations can have.
func FieldGroups() []string {
	return []string{"core", "basic", "time", "io", "metadata", "model", "usage", "prompt", "metrics", "tools", "trace_context"}
}

// Arrivals selects the rows of a scheduled export: those that arrived in a window.
type Arrivals struct {
	Window store.Window
	From   domain.Micros // minimum time of the rows; 0 for all
	Format string
	Groups []string // column groups; nil for all
	Prices *pricing.Lists
	// Marked returns the ids, after a given one and in order, of traces whose earlier rows are written again because
	// people changed their marks. It may be nil.
	Marked func(ctx context.Context, after string, limit int) ([]string, error)
}

// set returns a text field that is never null.
func set[R any](name string, get func(*R) string) field[R] {
	return field[R]{Column{name, Text}, func(r *R, v *Value) { v.Set, v.Text = true, get(r) }}
}

// seconds returns a field with the time from the start in seconds, null if the end is missing.
func seconds(name string, to func(*domain.Observation) domain.Micros) field[domain.Observation] {
	return field[domain.Observation]{Column{name, Float}, func(o *domain.Observation, v *Value) {
		if end := to(o); end != 0 {
			v.float(float64(end-o.StartTime) / 1e6)
		}
	}}
}

// unitPrice returns a field with the price of one unit of usage: that of the default tier of the row's model, as the API
// shows it.
func unitPrice(name, kind string, models *pricing.List) field[domain.Observation] {
	prices := make(map[string]Value) // many rows have few models
	return field[domain.Observation]{Column{name, Float}, func(o *domain.Observation, v *Value) {
		if o.ModelID == "" {
			return
		}
		price, known := prices[o.ModelID]
		if !known {
			if m, found := models.Model(o.ModelID); found && m.DefaultTier() != nil {
				if perUnit, has := m.DefaultTier().Price(kind); has {
					price.float(perUnit)
				}
			}
			prices[strings.Clone(o.ModelID)] = price // the store owns the row
		}
		*v = price
	}}
}

// arrivalGroup is a group of columns, in order.
type arrivalGroup struct {
	name   string
	fields []field[domain.Observation]
}

func arrivalGroups(format string, models *pricing.List) []arrivalGroup {
	type row = domain.Observation
	model := []field[row]{
		set("provided_model_name", func(o *row) string { return o.Model }),
		set("model_id", func(o *row) string { return o.ModelID }),
		rawJSON("model_parameters", func(o *row) string { return cmp.Or(o.ModelParameters, "{}") }),
	}
	if format != Parquet {
		model = append(model, unitPrice("input_price", "input", models), unitPrice("output_price", "output", models),
			unitPrice("total_price", "total", models))
	}
	origin := []field[row]{
		set("experiment_id", func(o *row) string { return o.ExperimentID }),
		set("experiment_name", func(o *row) string { return o.ExperimentName }),
		set("experiment_dataset_id", func(o *row) string { return o.ExperimentDatasetID }),
		set("experiment_item_id", func(o *row) string { return o.ExperimentItemID }),
		boolean("as_root", func(o *row) bool { return o.AsRoot }),
	}
	for _, m := range originFields() {
		if m.json {
			origin = append(origin, rawJSON(snakeCase(m.name), m.get))
		} else {
			origin = append(origin, set(snakeCase(m.name), m.get))
		}
	}
	return []arrivalGroup{
		{"core", []field[row]{
			set("id", func(o *row) string { return o.ID }),
			set("trace_id", func(o *row) string { return o.TraceID }),
			moment("start_time", func(o *row) domain.Micros { return o.StartTime }),
			moment("end_time", func(o *row) domain.Micros { return o.EndTime }),
			{Column{"project_id", Text}, nil},
			set("parent_observation_id", (*row).SentParentID),
			set("type", func(o *row) string { return o.Type }),
		}},
		{"basic", []field[row]{
			set("name", func(o *row) string { return o.Name }),
			set("level", func(o *row) string { return cmp.Or(o.Level, "DEFAULT") }),
			set("status_message", func(o *row) string { return o.StatusMessage }),
			set("version", func(o *row) string { return o.Version }),
			set("environment", func(o *row) string { return cmp.Or(o.Environment, "default") }),
			boolean("bookmarked", func(o *row) bool { return o.Bookmarked }),
			boolean("public", func(o *row) bool { return o.Public }),
			set("user_id", func(o *row) string { return o.UserID }),
			set("session_id", func(o *row) string { return o.SessionID }),
			boolean("is_root_observation", (*row).IsRoot),
		}},
		{"time", []field[row]{
			moment("completion_start_time", func(o *row) domain.Micros { return o.CompletionStartTime }),
			moment("created_at", func(o *row) domain.Micros { return o.CreatedAt }),
			moment("updated_at", func(o *row) domain.Micros { return o.UpdatedAt }),
		}},
		{"io", []field[row]{
			set("input", func(o *row) string { return o.Input }),
			set("output", func(o *row) string { return o.Output }),
		}},
		{"metadata", []field[row]{rawJSON("metadata", func(o *row) string { return cmp.Or(o.Metadata, "{}") })}},
		{"model", model},
		{"usage", []field[row]{
			rawJSON("usage_details", func(o *row) string { return cmp.Or(o.Usage, "{}") }),
			rawJSON("cost_details", func(o *row) string { return cmp.Or(o.Cost, "{}") }),
			number("total_cost", func(o *row) float64 { return o.TotalCost.Value }),
			text("usage_pricing_tier_id", func(o *row) string { return o.PricingTierID }),
			text("usage_pricing_tier_name", func(o *row) string { return o.PricingTierName }),
		}},
		{"prompt", []field[row]{
			set("prompt_id", func(o *row) string { return o.PromptID }),
			set("prompt_name", func(o *row) string { return o.PromptName }),
			{Column{"prompt_version", Int}, func(o *row, v *Value) { v.optInt(o.PromptVersion) }},
		}},
		{"metrics", []field[row]{
			seconds("latency", func(o *row) domain.Micros { return o.EndTime }),
			seconds("time_to_first_token", func(o *row) domain.Micros { return o.CompletionStartTime }),
		}},
		{"trace_context", []field[row]{
			list("tags", func(o *row) []string { return o.Tags }),
			set("release", func(o *row) string { return o.Release }),
			set("trace_name", func(o *row) string {
				if o.IsRoot() {
					return cmp.Or(o.TraceName, o.Name)
				}
				return o.TraceName
			}),
		}},
		{"tools", []field[row]{
			rawJSON("tool_definitions", func(o *row) string { return cmp.Or(o.ToolDefinitions, "{}") }),
			rawJSON("tool_calls", func(o *row) string { return cmp.Or(o.ToolCalls, "[]") }),
			list("tool_call_names", func(o *row) []string { return o.ToolCallNames }),
		}},
		// Only in files with all groups: columns that the Langfuse layout lacks.
		{"", origin},
	}
}

// snakeCase returns the name of a column in scheduled exports.
func snakeCase(name string) string {
	var b []byte
	for _, c := range []byte(name) {
		if c >= 'A' && c <= 'Z' {
			b = append(b, '_')
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return string(b)
}

// ofProject returns the project id field.
func ofProject[R any](scope domain.ProjectScope) field[R] {
	return set("project_id", func(*R) string { return scope.ProjectID() })
}

// ArrivedObservations returns the table of observations that arrived in a window.
func (r *Reader) ArrivedObservations(ctx context.Context, a Arrivals) (*Table, error) {
	models, err := a.Prices.Of(ctx, r.Scope)
	if err != nil {
		return nil, err
	}
	var fields []field[domain.Observation]
	want := store.Want(0)
	parts := map[string]store.Want{
		"basic": store.WantStatus, "io": store.WantIO, "metadata": store.WantMetadata, "usage": store.WantUsage, "model": store.WantDetails,
		"tools": store.WantDetails,
		"":      store.WantDetails | store.WantTrace,
	}
	for _, g := range arrivalGroups(a.Format, models) {
		if a.Groups == nil || slices.Contains(a.Groups, g.name) {
			fields = append(fields, g.fields...)
			want |= parts[g.name]
		}
	}
	for n := range fields {
		if fields[n].get == nil {
			fields[n] = ofProject[domain.Observation](r.Scope)
		}
	}
	marks, err := r.Catalog.AllTraceMarks(ctx, r.Scope)
	if err != nil {
		return nil, err
	}
	query := store.Query[domain.Observation]{Arrived: &a.Window, From: a.From, Want: want, Once: true}
	return &Table{Columns: columnsOf(fields), rows: func(ctx context.Context, emit func([]Value) error) error {
		row := make([]Value, len(fields))
		write := func(query store.Query[domain.Observation]) error {
			for o, err := range r.Store.Observations().Scan(ctx, r.Scope, query) {
				if err != nil {
					return err
				}
				if m, marked := marks[o.TraceID]; marked {
					own := *o // the store owns the row
					m.OutweighRow(&own)
					o = &own
				}
				fill(fields, o.Sent(), row)
				if err := emit(row); err != nil {
					return err
				}
			}
			return nil
		}
		if err := write(query); err != nil || a.Marked == nil {
			return err
		}
		query.Arrived = &store.Window{After: -1, UpTo: a.Window.After}
		for after := ""; ; {
			ids, err := a.Marked(ctx, after, markedAtOnce)
			if err != nil || len(ids) == 0 {
				return err
			}
			after = ids[len(ids)-1]
			query.Where = []filter.Condition[domain.Observation]{
				filter.Must(filter.NewTexts(filter.ObservationColumn("traceId"), filter.AnyOf, ids)),
			}
			if err := write(query); err != nil {
				return err
			}
		}
	}}, nil
}

// markedAtOnce is the number of marked traces whose rows are read at a time.
const markedAtOnce = 500

func arrivedScoreFields(scope domain.ProjectScope) []field[domain.Score] {
	type row = domain.Score
	return []field[row]{
		set("id", func(s *row) string { return s.ID }),
		moment("timestamp", func(s *row) domain.Micros { return s.Timestamp }),
		ofProject[row](scope),
		set("environment", func(s *row) string { return cmp.Or(s.Environment, "default") }),
		set("trace_id", func(s *row) string { return s.TraceID }),
		set("observation_id", func(s *row) string { return s.ObservationID }),
		set("session_id", func(s *row) string { return s.SessionID }),
		set("dataset_run_id", func(s *row) string { return s.ExperimentID }),
		set("name", func(s *row) string { return s.Name }),
		{Column{"value", Float}, func(s *row, v *Value) { v.optFloat(s.Value) }},
		set("source", func(s *row) string { return s.Source }),
		set("comment", func(s *row) string { return s.Comment }),
		set("data_type", func(s *row) string { return s.DataType }),
		set("string_value", func(s *row) string { return s.StringValue }),
		moment("created_at", func(s *row) domain.Micros { return s.CreatedAt }),
		moment("updated_at", func(s *row) domain.Micros { return s.UpdatedAt }),
		// Columns that the Langfuse layout lacks.
		rawJSON("metadata", func(s *row) string { return cmp.Or(s.Metadata, "{}") }),
		set("config_id", func(s *row) string { return s.ConfigID }),
		set("queue_id", func(s *row) string { return s.QueueID }),
		set("author_user_id", func(s *row) string { return s.AuthorUserID }),
		set("execution_trace_id", func(s *row) string { return s.ExecutionTraceID }),
	}
}

// ArrivedScores returns the table of scores that arrived in a window.
func (r *Reader) ArrivedScores(a Arrivals) *Table {
	type row = domain.Score
	fields := arrivedScoreFields(r.Scope)
	query := store.Query[row]{
		Arrived: &a.Window, From: a.From, Want: store.WantDetails | store.WantMetadata, Once: true,
	}
	return &Table{Columns: columnsOf(fields), rows: func(ctx context.Context, emit func([]Value) error) error {
		values := make([]Value, len(fields))
		for s, err := range r.Store.Scores().Scan(ctx, r.Scope, query) {
			if err != nil {
				return err
			}
			fill(fields, s, values)
			if err := emit(values); err != nil {
				return err
			}
		}
		return nil
	}}
}

// DeletedRow is a row of the deletions file: the key of a deleted row, or a time before which all rows of a table were
// deleted.
type DeletedRow struct {
	Table string
	domain.RowKey
	Before, DeletedAt domain.Micros
}

func deletedFields() []field[DeletedRow] {
	type row = DeletedRow
	return []field[row]{
		set("table", func(d *row) string { return d.Table }),
		text("id", func(d *row) string { return d.ID }),
		text("trace_id", func(d *row) string { return d.TraceID }),
		moment("before", func(d *row) domain.Micros { return d.Before }),
		moment("deleted_at", func(d *row) domain.Micros { return d.DeletedAt }),
	}
}

// DeletedRows returns the table of deletions.
func DeletedRows(each func(ctx context.Context, emit func(DeletedRow) error) error) *Table {
	fields := deletedFields()
	return &Table{Columns: columnsOf(fields), rows: func(ctx context.Context, emit func([]Value) error) error {
		values := make([]Value, len(fields))
		return each(ctx, func(d DeletedRow) error {
			fill(fields, &d, values)
			return emit(values)
		})
	}}
}
