package main

import (
	"encoding/json"
	"fmt"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// column is a column of the baseline's table.
type column struct {
	name string
	part store.Want // the part the column belongs to; 0 for narrow ones
	// field returns a pointer to the column's field of a row.
	field func(*domain.Observation) any
}

// columns are all columns. The long ones come last: SQLite reads a row from the front and stops after the last column
// that a query needs.
var columns = []column{
	{"trace_id", 0, func(o *domain.Observation) any { return &o.TraceID }},
	{"id", 0, func(o *domain.Observation) any { return &o.ID }},
	{"start_time", 0, func(o *domain.Observation) any { return &o.StartTime }},
	{"end_time", 0, func(o *domain.Observation) any { return &o.EndTime }},
	{"type", 0, func(o *domain.Observation) any { return &o.Type }},
	{"model", 0, func(o *domain.Observation) any { return &o.Model }},
	{"total_cost", 0, func(o *domain.Observation) any { return &o.TotalCost }},
	{"user_id", 0, func(o *domain.Observation) any { return &o.UserID }},
	{"tags", 0, func(o *domain.Observation) any { return &o.Tags }},
	{"parent_id", 0, func(o *domain.Observation) any { return &o.ParentID }},
	{"is_app_root", 0, func(o *domain.Observation) any { return &o.IsAppRoot }},
	{"as_root", 0, func(o *domain.Observation) any { return &o.AsRoot }},
	{"name", 0, func(o *domain.Observation) any { return &o.Name }},
	{"environment", 0, func(o *domain.Observation) any { return &o.Environment }},
	{"version", 0, func(o *domain.Observation) any { return &o.Version }},
	{"release", 0, func(o *domain.Observation) any { return &o.Release }},
	{"level", 0, func(o *domain.Observation) any { return &o.Level }},
	{"completion_start_time", 0, func(o *domain.Observation) any { return &o.CompletionStartTime }},
	{"created_at", 0, func(o *domain.Observation) any { return &o.CreatedAt }},
	{"updated_at", 0, func(o *domain.Observation) any { return &o.UpdatedAt }},
	{"trace_name", 0, func(o *domain.Observation) any { return &o.TraceName }},
	{"session_id", 0, func(o *domain.Observation) any { return &o.SessionID }},
	{"public", 0, func(o *domain.Observation) any { return &o.Public }},
	{"bookmarked", 0, func(o *domain.Observation) any { return &o.Bookmarked }},
	{"model_id", 0, func(o *domain.Observation) any { return &o.ModelID }},
	{"input_tokens", 0, func(o *domain.Observation) any { return &o.InputTokens }},
	{"output_tokens", 0, func(o *domain.Observation) any { return &o.OutputTokens }},
	{"total_tokens", 0, func(o *domain.Observation) any { return &o.TotalTokens }},
	{"input_cost", 0, func(o *domain.Observation) any { return &o.InputCost }},
	{"output_cost", 0, func(o *domain.Observation) any { return &o.OutputCost }},
	{"pricing_tier_id", 0, func(o *domain.Observation) any { return &o.PricingTierID }},
	{"pricing_tier_name", 0, func(o *domain.Observation) any { return &o.PricingTierName }},
	{"prompt_id", 0, func(o *domain.Observation) any { return &o.PromptID }},
	{"prompt_name", 0, func(o *domain.Observation) any { return &o.PromptName }},
	{"prompt_version", 0, func(o *domain.Observation) any { return &o.PromptVersion }},
	{"tool_names", 0, func(o *domain.Observation) any { return &o.ToolNames }},
	{"tool_call_names", 0, func(o *domain.Observation) any { return &o.ToolCallNames }},
	{"experiment_id", 0, func(o *domain.Observation) any { return &o.ExperimentID }},
	{"experiment_name", 0, func(o *domain.Observation) any { return &o.ExperimentName }},
	{"experiment_dataset_id", 0, func(o *domain.Observation) any { return &o.ExperimentDatasetID }},
	{"experiment_item_id", 0, func(o *domain.Observation) any { return &o.ExperimentItemID }},
	{"experiment_item_version", 0, func(o *domain.Observation) any { return &o.ExperimentItemVersion }},
	{"experiment_item_root_span_id", 0, func(o *domain.Observation) any { return &o.ExperimentItemRootSpanID }},
	{"source", 0, func(o *domain.Observation) any { return &o.Source }},
	{"ingestion_key", 0, func(o *domain.Observation) any { return &o.IngestionKey }},
	{"sdk_name", 0, func(o *domain.Observation) any { return &o.SDKName }},
	{"sdk_version", 0, func(o *domain.Observation) any { return &o.SDKVersion }},
	{"service_name", 0, func(o *domain.Observation) any { return &o.ServiceName }},
	{"service_version", 0, func(o *domain.Observation) any { return &o.ServiceVersion }},
	{"scope_name", 0, func(o *domain.Observation) any { return &o.ScopeName }},
	{"scope_version", 0, func(o *domain.Observation) any { return &o.ScopeVersion }},
	{"telemetry_language", 0, func(o *domain.Observation) any { return &o.TelemetryLanguage }},
	{"telemetry_name", 0, func(o *domain.Observation) any { return &o.TelemetryName }},
	{"telemetry_version", 0, func(o *domain.Observation) any { return &o.TelemetryVersion }},

	{"status_message", store.WantStatus, func(o *domain.Observation) any { return &o.StatusMessage }},
	{"model_parameters", store.WantDetails, func(o *domain.Observation) any { return &o.ModelParameters }},
	{"provided_usage", store.WantUsage, func(o *domain.Observation) any { return &o.ProvidedUsage }},
	{"usage", store.WantUsage, func(o *domain.Observation) any { return &o.Usage }},
	{"provided_cost", store.WantUsage, func(o *domain.Observation) any { return &o.ProvidedCost }},
	{"cost", store.WantUsage, func(o *domain.Observation) any { return &o.Cost }},
	{"metadata", store.WantMetadata, func(o *domain.Observation) any { return &o.Metadata }},
	{"input", store.WantIO, func(o *domain.Observation) any { return &o.Input }},
	{"output", store.WantIO, func(o *domain.Observation) any { return &o.Output }},
	{"trace_input", store.WantTrace, func(o *domain.Observation) any { return &o.TraceInput }},
	{"trace_output", store.WantTrace, func(o *domain.Observation) any { return &o.TraceOutput }},
	{"trace_metadata", store.WantTrace, func(o *domain.Observation) any { return &o.TraceMetadata }},
	{"tool_definitions", store.WantDetails, func(o *domain.Observation) any { return &o.ToolDefinitions }},
	{"tool_calls", store.WantDetails, func(o *domain.Observation) any { return &o.ToolCalls }},
	{"experiment_description", store.WantDetails, func(o *domain.Observation) any { return &o.ExperimentDescription }},
	{"experiment_metadata", store.WantDetails, func(o *domain.Observation) any { return &o.ExperimentMetadata }},
	{"experiment_item_expected_output", store.WantDetails, func(o *domain.Observation) any { return &o.ExperimentItemExpectedOutput }},
	{"experiment_item_metadata", store.WantDetails, func(o *domain.Observation) any { return &o.ExperimentItemMetadata }},
}

// wanted returns the columns that a query with the given parts reads.
func wanted(want store.Want) []column {
	var out []column
	for _, c := range columns {
		if c.part == 0 || c.part&want != 0 {
			out = append(out, c)
		}
	}
	return out
}

// sqlType returns the type of the column of a field.
func sqlType(field any) string {
	switch field.(type) {
	case *bool, *int64, *domain.Micros, *domain.OptInt:
		return "INTEGER"
	case *float64, *domain.OptFloat:
		return "REAL"
	}
	return "TEXT"
}

// sqlValue returns the stored form of a field.
func sqlValue(field any) any {
	switch f := field.(type) {
	case *string:
		return *f
	case *bool:
		return *f
	case *int64:
		return *f
	case *float64:
		return *f
	case *domain.Micros:
		return int64(*f)
	case *domain.OptInt:
		if f.Set {
			return f.Value
		}
		return nil
	case *domain.OptFloat:
		if f.Set {
			return f.Value
		}
		return nil
	case *[]string:
		if len(*f) == 0 {
			return ""
		}
		text, err := json.Marshal(*f)
		if err != nil {
			panic(err) // strings always marshal
		}
		return string(text)
	}
	panic(fmt.Sprintf("BUG: no column for a %T", field))
}

// sqlTarget returns the scan target for a field.
func sqlTarget(field any) any {
	switch f := field.(type) {
	case *domain.Micros:
		return (*int64)(f)
	case *domain.OptInt, *domain.OptFloat, *[]string:
		return &scanner{f}
	}
	return field
}

// scanner reads the fields that database/sql does not support.
type scanner struct{ field any }

// Scan implements sql.Scanner.
func (s *scanner) Scan(value any) error {
	switch f := s.field.(type) {
	case *domain.OptInt:
		f.Value, f.Set = value.(int64)
		return nil
	case *domain.OptFloat:
		f.Value, f.Set = value.(float64)
		return nil
	case *[]string:
		*f = nil
		if text, ok := value.(string); ok && text != "" {
			return json.Unmarshal([]byte(text), f)
		}
		return nil
	}
	return fmt.Errorf("cannot read a %T", s.field)
}
