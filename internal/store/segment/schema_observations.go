package segment

import (
	"almanac/internal/domain"
	"almanac/internal/store"
)

type obs = domain.Observation

func shortText[R any](name string, f func(*R) *string) column[R] {
	return column[R]{name: name, class: classShort, text: f}
}

func idText[R any](name string, f func(*R) *string) column[R] {
	return column[R]{name: name, class: classID, text: f}
}

func longText[R any](name string, want store.Want, f func(*R) *string) column[R] {
	return column[R]{name: name, class: classLong, want: want, text: f}
}

func timeColumn[R any](name string, f func(*R) *domain.Micros) column[R] {
	return column[R]{name: name, class: classTime, time: f}
}

func boolColumn[R any](name string, f func(*R) *bool) column[R] {
	return column[R]{name: name, class: classBool, bool: f}
}

func listColumn[R any](name string, f func(*R) *[]string) column[R] {
	return column[R]{name: name, class: classList, list: f}
}

// observationSchema describes the table of observations.
func observationSchema() *schema[obs] {
	columns := []column[obs]{
		timeColumn("start_time", func(o *obs) *domain.Micros { return &o.StartTime }),
		idText("id", func(o *obs) *string { return &o.ID }),
		shortText("trace_id", func(o *obs) *string { return &o.TraceID }),
		shortText("parent_id", func(o *obs) *string { return &o.ParentID }),
		timeColumn("end_time", func(o *obs) *domain.Micros { return &o.EndTime }),
		timeColumn("completion_start_time", func(o *obs) *domain.Micros { return &o.CompletionStartTime }),
		shortText("type", func(o *obs) *string { return &o.Type }),
		shortText("name", func(o *obs) *string { return &o.Name }),
		shortText("level", func(o *obs) *string { return &o.Level }),
		shortText("environment", func(o *obs) *string { return &o.Environment }),
		shortText("version", func(o *obs) *string { return &o.Version }),
		shortText("release", func(o *obs) *string { return &o.Release }),
		shortText("trace_name", func(o *obs) *string { return &o.TraceName }),
		shortText("user_id", func(o *obs) *string { return &o.UserID }),
		shortText("session_id", func(o *obs) *string { return &o.SessionID }),
		listColumn("tags", func(o *obs) *[]string { return &o.Tags }),
		boolColumn("is_app_root", func(o *obs) *bool { return &o.IsAppRoot }),
		boolColumn("as_root", func(o *obs) *bool { return &o.AsRoot }),
		boolColumn("public", func(o *obs) *bool { return &o.Public }),
		boolColumn("bookmarked", func(o *obs) *bool { return &o.Bookmarked }),
		shortText("model", func(o *obs) *string { return &o.Model }),
		shortText("model_id", func(o *obs) *string { return &o.ModelID }),
		{name: "input_tokens", class: classInt, int: func(o *obs) *int64 { return &o.InputTokens }},
		{name: "output_tokens", class: classInt, int: func(o *obs) *int64 { return &o.OutputTokens }},
		{name: "total_tokens", class: classOptInt, optI: func(o *obs) *domain.OptInt { return &o.TotalTokens }},
		{name: "input_cost", class: classFloat, float: func(o *obs) *float64 { return &o.InputCost }},
		{name: "output_cost", class: classFloat, float: func(o *obs) *float64 { return &o.OutputCost }},
		{name: "total_cost", class: classOptFloat, optF: func(o *obs) *domain.OptFloat { return &o.TotalCost }},
		shortText("pricing_tier_id", func(o *obs) *string { return &o.PricingTierID }),
		shortText("pricing_tier_name", func(o *obs) *string { return &o.PricingTierName }),
		shortText("prompt_id", func(o *obs) *string { return &o.PromptID }),
		shortText("prompt_name", func(o *obs) *string { return &o.PromptName }),
		{name: "prompt_version", class: classOptInt, optI: func(o *obs) *domain.OptInt { return &o.PromptVersion }},
		listColumn("tool_names", func(o *obs) *[]string { return &o.ToolNames }),
		listColumn("tool_call_names", func(o *obs) *[]string { return &o.ToolCallNames }),
		shortText("experiment_id", func(o *obs) *string { return &o.ExperimentID }),
		shortText("experiment_name", func(o *obs) *string { return &o.ExperimentName }),
		shortText("experiment_dataset_id", func(o *obs) *string { return &o.ExperimentDatasetID }),
		shortText("experiment_item_id", func(o *obs) *string { return &o.ExperimentItemID }),
		shortText("experiment_item_version", func(o *obs) *string { return &o.ExperimentItemVersion }),
		shortText("experiment_item_root_span_id", func(o *obs) *string { return &o.ExperimentItemRootSpanID }),
		shortText("source", func(o *obs) *string { return &o.Source }),
		shortText("ingestion_key", func(o *obs) *string { return &o.IngestionKey }),
		shortText("sdk_name", func(o *obs) *string { return &o.SDKName }),
		shortText("sdk_version", func(o *obs) *string { return &o.SDKVersion }),
		shortText("service_name", func(o *obs) *string { return &o.ServiceName }),
		shortText("service_version", func(o *obs) *string { return &o.ServiceVersion }),
		shortText("scope_name", func(o *obs) *string { return &o.ScopeName }),
		shortText("scope_version", func(o *obs) *string { return &o.ScopeVersion }),
		shortText("telemetry_language", func(o *obs) *string { return &o.TelemetryLanguage }),
		shortText("telemetry_name", func(o *obs) *string { return &o.TelemetryName }),
		shortText("telemetry_version", func(o *obs) *string { return &o.TelemetryVersion }),
		timeColumn("created_at", func(o *obs) *domain.Micros { return &o.CreatedAt }),
		timeColumn("updated_at", func(o *obs) *domain.Micros { return &o.UpdatedAt }),
		longText("input", store.WantIO, func(o *obs) *string { return &o.Input }),
		longText("output", store.WantIO, func(o *obs) *string { return &o.Output }),
		longText("metadata", store.WantMetadata, func(o *obs) *string { return &o.Metadata }),
		longText("status_message", store.WantStatus, func(o *obs) *string { return &o.StatusMessage }),
		longText("model_parameters", store.WantDetails, func(o *obs) *string { return &o.ModelParameters }),
		longText("provided_usage", store.WantUsage, func(o *obs) *string { return &o.ProvidedUsage }),
		longText("usage", store.WantUsage, func(o *obs) *string { return &o.Usage }),
		longText("provided_cost", store.WantUsage, func(o *obs) *string { return &o.ProvidedCost }),
		longText("cost", store.WantUsage, func(o *obs) *string { return &o.Cost }),
		longText("tool_definitions", store.WantDetails, func(o *obs) *string { return &o.ToolDefinitions }),
		longText("tool_calls", store.WantDetails, func(o *obs) *string { return &o.ToolCalls }),
		longText("experiment_description", store.WantDetails, func(o *obs) *string { return &o.ExperimentDescription }),
		longText("experiment_metadata", store.WantDetails, func(o *obs) *string { return &o.ExperimentMetadata }),
		longText("experiment_item_expected_output", store.WantDetails, func(o *obs) *string { return &o.ExperimentItemExpectedOutput }),
		longText("experiment_item_metadata", store.WantDetails, func(o *obs) *string { return &o.ExperimentItemMetadata }),
		longText("trace_input", store.WantTrace, func(o *obs) *string { return &o.TraceInput }),
		longText("trace_output", store.WantTrace, func(o *obs) *string { return &o.TraceOutput }),
		longText("trace_metadata", store.WantTrace, func(o *obs) *string { return &o.TraceMetadata }),
	}
	s := &schema[obs]{table: "observations", columns: columns, keyedByTrace: true}
	at := s.index()
	s.id, s.trace, s.session, s.time = at("id"), at("trace_id"), at("session_id"), at("start_time")
	s.named = []int{s.trace, s.id, s.session}
	s.words = []int{at("input"), at("output")}
	s.metadata = at("metadata")
	s.physical = map[string][]int{
		"id": {at("id")}, "type": {at("type")}, "level": {at("level")}, "environment": {at("environment")}, "name": {at("name")},
		"traceId": {at("trace_id")}, "statusMessage": {at("status_message")}, "version": {at("version")}, "userId": {at("user_id")},
		"sessionId": {at("session_id")}, "promptName": {at("prompt_name")}, "model": {at("model")}, "modelId": {at("model_id")},
		"traceName": {at("trace_name"), at("name"), at("parent_id"), at("is_app_root")}, "release": {at("release")},
		"parentObservationId": {at("parent_id")}, "experimentId": {at("experiment_id")}, "tags": {at("tags")},
		"startTime": {at("start_time")}, "endTime": {at("end_time")}, "latency": {at("start_time"), at("end_time")},
		"timeToFirstToken": {at("start_time"), at("completion_start_time")},
		"tokensPerSecond":  {at("start_time"), at("end_time"), at("output_tokens")},
		"inputTokens":      {at("input_tokens")}, "outputTokens": {at("output_tokens")}, "totalTokens": {at("total_tokens")},
		"inputCost": {at("input_cost")}, "outputCost": {at("output_cost")}, "totalCost": {at("total_cost")},
		"promptVersion": {at("prompt_version")}, "isRootObservation": {at("parent_id"), at("is_app_root")},
		"hasParentObservation": {at("parent_id")}, "hasInput": {at("input")}, "hasOutput": {at("output")},
		"isExperimentItemRootSpan": {at("id"), at("experiment_item_root_span_id")}, "experimentDatasetId": {at("experiment_dataset_id")},
		"experimentItemId":         {at("experiment_item_id")},
		"hasExperimentDescription": {at("experiment_description")}, "hasExperimentMetadata": {at("experiment_metadata")},
		"experimentName": {at("experiment_name")}, "ingestionApiKey": {at("ingestion_key")}, "ingestionSdkName": {at("sdk_name")},
		"ingestionSdkVersion": {at("sdk_version")}, "ingestionSource": {at("source")}, "toolDefinitions": {at("tool_names")},
		"toolCalls": {at("tool_call_names")}, "toolNames": {at("tool_names")}, "calledToolNames": {at("tool_call_names")},
		"input": {at("input")}, "output": {at("output")}, "metadata": {at("metadata")},
	}
	return s
}

// scoreSchema describes the table of scores.
func scoreSchema() *schema[domain.Score] {
	type row = domain.Score
	columns := []column[row]{
		timeColumn("timestamp", func(s *row) *domain.Micros { return &s.Timestamp }),
		idText("id", func(s *row) *string { return &s.ID }),
		// Almost every score is of another trace, and is looked up by it: a page of ids is read for that, and no dictionary.
		idText("trace_id", func(s *row) *string { return &s.TraceID }),
		idText("observation_id", func(s *row) *string { return &s.ObservationID }),
		shortText("session_id", func(s *row) *string { return &s.SessionID }),
		shortText("experiment_id", func(s *row) *string { return &s.ExperimentID }),
		shortText("name", func(s *row) *string { return &s.Name }),
		shortText("source", func(s *row) *string { return &s.Source }),
		shortText("data_type", func(s *row) *string { return &s.DataType }),
		{name: "value", class: classOptFloat, optF: func(s *row) *domain.OptFloat { return &s.Value }},
		shortText("string_value", func(s *row) *string { return &s.StringValue }),
		shortText("environment", func(s *row) *string { return &s.Environment }),
		shortText("config_id", func(s *row) *string { return &s.ConfigID }),
		shortText("queue_id", func(s *row) *string { return &s.QueueID }),
		shortText("author_user_id", func(s *row) *string { return &s.AuthorUserID }),
		idText("execution_trace_id", func(s *row) *string { return &s.ExecutionTraceID }),
		timeColumn("created_at", func(s *row) *domain.Micros { return &s.CreatedAt }),
		timeColumn("updated_at", func(s *row) *domain.Micros { return &s.UpdatedAt }),
		longText("comment", store.WantDetails, func(s *row) *string { return &s.Comment }),
		longText("metadata", store.WantMetadata, func(s *row) *string { return &s.Metadata }),
		timeColumn("event_at", func(s *row) *domain.Micros { return &s.EventAt }),
		shortText("browser_key", func(s *row) *string { return &s.BrowserKey }),
	}
	s := &schema[row]{table: "scores", columns: columns}
	at := s.index()
	s.id, s.trace, s.session, s.time = at("id"), at("trace_id"), at("session_id"), at("timestamp")
	s.named = []int{s.id, s.trace, at("observation_id"), s.session, at("experiment_id")}
	s.metadata = at("metadata")
	s.physical = map[string][]int{
		"id": {at("id")}, "traceId": {at("trace_id")}, "observationId": {at("observation_id")}, "sessionId": {at("session_id")},
		"experimentId": {at("experiment_id")}, "name": {at("name")}, "source": {at("source")}, "dataType": {at("data_type")},
		"environment": {at("environment")}, "configId": {at("config_id")}, "queueId": {at("queue_id")},
		"authorUserId": {at("author_user_id")}, "stringValue": {at("string_value")}, "comment": {at("comment")},
		"value": {at("value")}, "timestamp": {at("timestamp")}, "metadata": {at("metadata")},
	}
	return s
}

// index returns a function that finds a column by its name.
func (s *schema[R]) index() func(name string) int {
	return func(name string) int {
		for n := range s.columns {
			if s.columns[n].name == name {
				return n
			}
		}
		panic("BUG: the table " + s.table + " has no column " + name)
	}
}
