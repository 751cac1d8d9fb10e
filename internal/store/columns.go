package store

import "almanac/internal/domain"

// Kind is the type of a column and, for strings, how much its values vary.
type Kind uint8

// The kinds.
const (
	KindWord     Kind = iota // string, usually with few distinct values
	KindText                 // string with many distinct values
	KindID                   // string that differs in almost every row and is read often
	KindLong                 // long string, read only when wanted
	KindTime                 // microseconds; 0 means unset
	KindInt                  // an integer
	KindOptInt               // an integer or null
	KindFloat                // a float
	KindOptFloat             // a float or null
	KindBool                 // true or false
	KindList                 // a list of strings
)

// Column is one field of the rows R. The accessor that matches its kind returns a pointer to the field, for both
// reading and writing.
type Column[R any] struct {
	Name     string
	Kind     Kind
	Want     Want // which part of the row a KindLong column belongs to
	Text     func(*R) *string
	Time     func(*R) *domain.Micros
	Int      func(*R) *int64
	OptInt   func(*R) *domain.OptInt
	Float    func(*R) *float64
	OptFloat func(*R) *domain.OptFloat
	Bool     func(*R) *bool
	List     func(*R) *[]string
}

func word[R any](name string, f func(*R) *string) Column[R] {
	return Column[R]{Name: name, Kind: KindWord, Text: f}
}

func text[R any](name string, f func(*R) *string) Column[R] {
	return Column[R]{Name: name, Kind: KindText, Text: f}
}

func id[R any](name string, f func(*R) *string) Column[R] {
	return Column[R]{Name: name, Kind: KindID, Text: f}
}

func long[R any](name string, want Want, f func(*R) *string) Column[R] {
	return Column[R]{Name: name, Kind: KindLong, Want: want, Text: f}
}

func moment[R any](name string, f func(*R) *domain.Micros) Column[R] {
	return Column[R]{Name: name, Kind: KindTime, Time: f}
}

func boolean[R any](name string, f func(*R) *bool) Column[R] {
	return Column[R]{Name: name, Kind: KindBool, Bool: f}
}

func list[R any](name string, f func(*R) *[]string) Column[R] {
	return Column[R]{Name: name, Kind: KindList, List: f}
}

// ObservationColumns returns the columns of observations. New columns must be added at the end: the embedded store
// writes them in this order.
func ObservationColumns() []Column[domain.Observation] {
	type row = domain.Observation
	return []Column[row]{
		moment("start_time", func(o *row) *domain.Micros { return &o.StartTime }),
		id("id", func(o *row) *string { return &o.ID }),
		text("trace_id", func(o *row) *string { return &o.TraceID }),
		text("parent_id", func(o *row) *string { return &o.ParentID }),
		moment("end_time", func(o *row) *domain.Micros { return &o.EndTime }),
		moment("completion_start_time", func(o *row) *domain.Micros { return &o.CompletionStartTime }),
		word("type", func(o *row) *string { return &o.Type }),
		word("name", func(o *row) *string { return &o.Name }),
		word("level", func(o *row) *string { return &o.Level }),
		word("environment", func(o *row) *string { return &o.Environment }),
		word("version", func(o *row) *string { return &o.Version }),
		word("release", func(o *row) *string { return &o.Release }),
		word("trace_name", func(o *row) *string { return &o.TraceName }),
		text("user_id", func(o *row) *string { return &o.UserID }),
		text("session_id", func(o *row) *string { return &o.SessionID }),
		list("tags", func(o *row) *[]string { return &o.Tags }),
		boolean("is_app_root", func(o *row) *bool { return &o.IsAppRoot }),
		boolean("as_root", func(o *row) *bool { return &o.AsRoot }),
		boolean("public", func(o *row) *bool { return &o.Public }),
		boolean("bookmarked", func(o *row) *bool { return &o.Bookmarked }),
		word("model", func(o *row) *string { return &o.Model }),
		word("model_id", func(o *row) *string { return &o.ModelID }),
		{Name: "input_tokens", Kind: KindInt, Int: func(o *row) *int64 { return &o.InputTokens }},
		{Name: "output_tokens", Kind: KindInt, Int: func(o *row) *int64 { return &o.OutputTokens }},
		{Name: "total_tokens", Kind: KindOptInt, OptInt: func(o *row) *domain.OptInt { return &o.TotalTokens }},
		{Name: "input_cost", Kind: KindFloat, Float: func(o *row) *float64 { return &o.InputCost }},
		{Name: "output_cost", Kind: KindFloat, Float: func(o *row) *float64 { return &o.OutputCost }},
		{Name: "total_cost", Kind: KindOptFloat, OptFloat: func(o *row) *domain.OptFloat { return &o.TotalCost }},
		word("pricing_tier_id", func(o *row) *string { return &o.PricingTierID }),
		word("pricing_tier_name", func(o *row) *string { return &o.PricingTierName }),
		word("prompt_id", func(o *row) *string { return &o.PromptID }),
		word("prompt_name", func(o *row) *string { return &o.PromptName }),
		{Name: "prompt_version", Kind: KindOptInt, OptInt: func(o *row) *domain.OptInt { return &o.PromptVersion }},
		list("tool_names", func(o *row) *[]string { return &o.ToolNames }),
		list("tool_call_names", func(o *row) *[]string { return &o.ToolCallNames }),
		text("experiment_id", func(o *row) *string { return &o.ExperimentID }),
		text("experiment_name", func(o *row) *string { return &o.ExperimentName }),
		text("experiment_dataset_id", func(o *row) *string { return &o.ExperimentDatasetID }),
		text("experiment_item_id", func(o *row) *string { return &o.ExperimentItemID }),
		text("experiment_item_version", func(o *row) *string { return &o.ExperimentItemVersion }),
		text("experiment_item_root_span_id", func(o *row) *string { return &o.ExperimentItemRootSpanID }),
		word("source", func(o *row) *string { return &o.Source }),
		word("ingestion_key", func(o *row) *string { return &o.IngestionKey }),
		word("sdk_name", func(o *row) *string { return &o.SDKName }),
		word("sdk_version", func(o *row) *string { return &o.SDKVersion }),
		word("service_name", func(o *row) *string { return &o.ServiceName }),
		word("service_version", func(o *row) *string { return &o.ServiceVersion }),
		word("scope_name", func(o *row) *string { return &o.ScopeName }),
		word("scope_version", func(o *row) *string { return &o.ScopeVersion }),
		word("telemetry_language", func(o *row) *string { return &o.TelemetryLanguage }),
		word("telemetry_name", func(o *row) *string { return &o.TelemetryName }),
		word("telemetry_version", func(o *row) *string { return &o.TelemetryVersion }),
		moment("created_at", func(o *row) *domain.Micros { return &o.CreatedAt }),
		moment("updated_at", func(o *row) *domain.Micros { return &o.UpdatedAt }),
		long("input", WantIO, func(o *row) *string { return &o.Input }),
		long("output", WantIO, func(o *row) *string { return &o.Output }),
		long("metadata", WantMetadata, func(o *row) *string { return &o.Metadata }),
		long("status_message", WantStatus, func(o *row) *string { return &o.StatusMessage }),
		long("model_parameters", WantDetails, func(o *row) *string { return &o.ModelParameters }),
		long("provided_usage", WantUsage, func(o *row) *string { return &o.ProvidedUsage }),
		long("usage", WantUsage, func(o *row) *string { return &o.Usage }),
		long("provided_cost", WantUsage, func(o *row) *string { return &o.ProvidedCost }),
		long("cost", WantUsage, func(o *row) *string { return &o.Cost }),
		long("tool_definitions", WantDetails, func(o *row) *string { return &o.ToolDefinitions }),
		long("tool_calls", WantDetails, func(o *row) *string { return &o.ToolCalls }),
		long("experiment_description", WantDetails, func(o *row) *string { return &o.ExperimentDescription }),
		long("experiment_metadata", WantDetails, func(o *row) *string { return &o.ExperimentMetadata }),
		long("experiment_item_expected_output", WantDetails, func(o *row) *string { return &o.ExperimentItemExpectedOutput }),
		long("experiment_item_metadata", WantDetails, func(o *row) *string { return &o.ExperimentItemMetadata }),
		long("trace_input", WantTrace, func(o *row) *string { return &o.TraceInput }),
		long("trace_output", WantTrace, func(o *row) *string { return &o.TraceOutput }),
		long("trace_metadata", WantTrace, func(o *row) *string { return &o.TraceMetadata }),
		word("inherited", func(o *row) *string { return &o.Inherited }),
	}
}

// ScoreColumns returns the columns of scores. New columns must be added at the end here as well.
func ScoreColumns() []Column[domain.Score] {
	type row = domain.Score
	return []Column[row]{
		moment("timestamp", func(s *row) *domain.Micros { return &s.Timestamp }),
		id("id", func(s *row) *string { return &s.ID }),
		// Almost every score has a different trace and is looked up by it: KindID reads one page of ids for that rather
		// than a dictionary.
		id("trace_id", func(s *row) *string { return &s.TraceID }),
		id("observation_id", func(s *row) *string { return &s.ObservationID }),
		text("session_id", func(s *row) *string { return &s.SessionID }),
		text("experiment_id", func(s *row) *string { return &s.ExperimentID }),
		word("name", func(s *row) *string { return &s.Name }),
		word("source", func(s *row) *string { return &s.Source }),
		word("data_type", func(s *row) *string { return &s.DataType }),
		{Name: "value", Kind: KindOptFloat, OptFloat: func(s *row) *domain.OptFloat { return &s.Value }},
		text("string_value", func(s *row) *string { return &s.StringValue }),
		word("environment", func(s *row) *string { return &s.Environment }),
		word("config_id", func(s *row) *string { return &s.ConfigID }),
		word("queue_id", func(s *row) *string { return &s.QueueID }),
		word("author_user_id", func(s *row) *string { return &s.AuthorUserID }),
		id("execution_trace_id", func(s *row) *string { return &s.ExecutionTraceID }),
		moment("created_at", func(s *row) *domain.Micros { return &s.CreatedAt }),
		moment("updated_at", func(s *row) *domain.Micros { return &s.UpdatedAt }),
		long("comment", WantDetails, func(s *row) *string { return &s.Comment }),
		long("metadata", WantMetadata, func(s *row) *string { return &s.Metadata }),
		moment("event_at", func(s *row) *domain.Micros { return &s.EventAt }),
		word("browser_key", func(s *row) *string { return &s.BrowserKey }),
	}
}

// ObservationSources maps the id of each column of package filter, other than derived ones, to the stored columns that
// its value is computed from, separated by spaces.
func ObservationSources() map[string]string {
	return map[string]string{
		"id": "id", "type": "type", "level": "level", "environment": "environment", "name": "name",
		"traceId": "trace_id", "statusMessage": "status_message", "version": "version", "userId": "user_id",
		"sessionId": "session_id", "promptName": "prompt_name", "model": "model", "modelId": "model_id",
		"traceName": "trace_name name parent_id is_app_root", "release": "release",
		"parentObservationId": "parent_id", "experimentId": "experiment_id", "tags": "tags",
		"startTime": "start_time", "endTime": "end_time", "latency": "start_time end_time",
		"timeToFirstToken": "start_time completion_start_time",
		"tokensPerSecond":  "start_time end_time output_tokens",
		"inputTokens":      "input_tokens", "outputTokens": "output_tokens", "totalTokens": "total_tokens",
		"inputCost": "input_cost", "outputCost": "output_cost", "totalCost": "total_cost",
		"promptVersion": "prompt_version", "isRootObservation": "parent_id is_app_root",
		"hasParentObservation": "parent_id", "hasInput": "input", "hasOutput": "output",
		"isExperimentItemRootSpan": "id experiment_item_root_span_id", "experimentDatasetId": "experiment_dataset_id",
		"experimentItemId":         "experiment_item_id",
		"hasExperimentDescription": "experiment_description", "hasExperimentMetadata": "experiment_metadata",
		"experimentName": "experiment_name", "ingestionApiKey": "ingestion_key", "ingestionSdkName": "sdk_name",
		"ingestionSdkVersion": "sdk_version", "ingestionSource": "source", "toolDefinitions": "tool_names",
		"toolCalls": "tool_call_names", "toolNames": "tool_names", "calledToolNames": "tool_call_names",
		"input": "input", "output": "output", "metadata": "metadata", "createdAt": "created_at", "updatedAt": "updated_at",
		"givenTraceName": "trace_name", "isTraceRoot": "parent_id as_root",
		"sentBookmarked": "bookmarked", "sentPublic": "public",
	}
}

// ScoreSources is ObservationSources for scores.
func ScoreSources() map[string]string {
	return map[string]string{
		"id": "id", "traceId": "trace_id", "observationId": "observation_id", "sessionId": "session_id",
		"experimentId": "experiment_id", "name": "name", "source": "source", "dataType": "data_type",
		"environment": "environment", "configId": "config_id", "queueId": "queue_id",
		"authorUserId": "author_user_id", "stringValue": "string_value", "comment": "comment",
		"value": "value", "timestamp": "timestamp", "metadata": "metadata",
	}
}
