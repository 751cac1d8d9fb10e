package langfuse

import "encoding/json"

// Rows of files have the members of those of the API under other names.

type observationFileRow struct {
	ID                  string          `json:"id"`
	TraceID             string          `json:"trace_id"`
	ParentID            string          `json:"parent_observation_id"`
	Type                string          `json:"type"`
	Name                string          `json:"name"`
	Level               string          `json:"level"`
	StatusMessage       string          `json:"status_message"`
	Version             string          `json:"version"`
	Environment         string          `json:"environment"`
	Bookmarked          bool            `json:"bookmarked"`
	Public              bool            `json:"public"`
	UserID              string          `json:"user_id"`
	SessionID           string          `json:"session_id"`
	IsRoot              bool            `json:"is_root_observation"`
	StartTime           moment          `json:"start_time"`
	EndTime             moment          `json:"end_time"`
	CompletionStartTime moment          `json:"completion_start_time"`
	CreatedAt           moment          `json:"created_at"`
	UpdatedAt           moment          `json:"updated_at"`
	Input               json.RawMessage `json:"input"`
	Output              json.RawMessage `json:"output"`
	Metadata            json.RawMessage `json:"metadata"`
	Model               string          `json:"-"`
	ProvidedModel       string          `json:"provided_model_name"`
	InternalModelID     string          `json:"-"`
	ModelID             string          `json:"model_id"`
	ModelParameters     json.RawMessage `json:"model_parameters"`
	Usage               json.RawMessage `json:"usage_details"`
	Cost                json.RawMessage `json:"cost_details"`
	TierID              string          `json:"usage_pricing_tier_id"`
	TierName            string          `json:"usage_pricing_tier_name"`
	PromptID            string          `json:"prompt_id"`
	PromptName          string          `json:"prompt_name"`
	PromptVersion       *int64          `json:"prompt_version"`
	Tags                []string        `json:"tags"`
	Release             string          `json:"release"`
	TraceName           string          `json:"trace_name"`
}

type scoreFileRow struct {
	ID               string          `json:"id"`
	Name             string          `json:"name"`
	DataType         string          `json:"data_type"`
	Value            json.RawMessage `json:"value"`
	StringValue      string          `json:"string_value"`
	Source           string          `json:"source"`
	Timestamp        moment          `json:"timestamp"`
	Environment      string          `json:"environment"`
	CreatedAt        moment          `json:"created_at"`
	UpdatedAt        moment          `json:"updated_at"`
	Comment          string          `json:"comment"`
	ConfigID         string          `json:"config_id"`
	Metadata         json.RawMessage `json:"metadata"`
	AuthorUserID     string          `json:"author_user_id"`
	QueueID          string          `json:"queue_id"`
	ExecutionTraceID string          `json:"execution_trace_id"`
	TraceID          string          `json:"trace_id"`
	ObservationID    string          `json:"observation_id"`
	SessionID        string          `json:"session_id"`
	RunID            string          `json:"dataset_run_id"`
	Subject          *scoreSubject   `json:"-"`
}

type traceFileRow struct {
	ID          string          `json:"id"`
	Timestamp   moment          `json:"timestamp"`
	Name        string          `json:"name"`
	UserID      string          `json:"user_id"`
	SessionID   string          `json:"session_id"`
	Release     string          `json:"release"`
	Version     string          `json:"version"`
	Environment string          `json:"environment"`
	Tags        []string        `json:"tags"`
	Public      bool            `json:"public"`
	Bookmarked  bool            `json:"bookmarked"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output"`
	Metadata    json.RawMessage `json:"metadata"`
	CreatedAt   moment          `json:"created_at"`
	UpdatedAt   moment          `json:"updated_at"`
}
