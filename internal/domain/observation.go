package domain

// Observation is one row: a span, a generation, an event or another type. Its key is the trace id together with the id.
// An empty string means unset. Members marked as JSON hold JSON text, or "".
type Observation struct {
	TraceID  string
	ID       string
	ParentID string
	// IsAppRoot is set if the client marked the row as the root of its application.
	IsAppRoot bool
	// AsRoot is set if the row acts as the root of its trace although it names a parent, which was never exported.
	AsRoot bool

	Type          string
	Name          string
	Environment   string
	Version       string
	Release       string
	Level         string
	StatusMessage string

	StartTime           Micros // always set
	EndTime             Micros
	CompletionStartTime Micros
	CreatedAt           Micros
	UpdatedAt           Micros

	TraceName     string
	UserID        string
	SessionID     string
	Tags          []string
	Public        bool
	Bookmarked    bool
	TraceInput    string
	TraceOutput   string
	TraceMetadata string // JSON object

	Input    string
	Output   string
	Metadata string // JSON object of dotted keys; its values are never objects

	Model           string // as named by the client
	ModelID         string // id of the matching definition
	ModelParameters string // JSON

	ProvidedUsage   string // JSON object of integers
	Usage           string // JSON object of integers
	ProvidedCost    string // JSON object of numbers
	Cost            string // JSON object of numbers
	InputTokens     int64
	OutputTokens    int64
	TotalTokens     OptInt
	InputCost       float64
	OutputCost      float64
	TotalCost       OptFloat
	PricingTierID   string
	PricingTierName string

	PromptID      string
	PromptName    string
	PromptVersion OptInt

	ToolDefinitions string // JSON object
	ToolCalls       string // JSON array
	ToolNames       []string
	ToolCallNames   []string

	ExperimentID                 string
	ExperimentName               string
	ExperimentDescription        string
	ExperimentDatasetID          string
	ExperimentMetadata           string // JSON object
	ExperimentItemID             string
	ExperimentItemVersion        string
	ExperimentItemRootSpanID     string
	ExperimentItemExpectedOutput string
	ExperimentItemMetadata       string // JSON object

	Source            string
	IngestionKey      string
	SDKName           string
	SDKVersion        string
	ServiceName       string
	ServiceVersion    string
	ScopeName         string
	ScopeVersion      string
	TelemetryLanguage string
	TelemetryName     string
	TelemetryVersion  string

	// Inherited names the stored columns with values of the trace, which the client did not send with the row; see
	// Heirloom.
	Inherited string
}

// IsRoot reports whether the row is the logical root of its trace: it has no parent, or the client marked it.
func (o *Observation) IsRoot() bool { return o.ParentID == "" || o.IsAppRoot }

// IsTraceRoot reports whether the row is a root of the assembled trace: it has no parent, or the client said that its
// parent, in another process, will never be sent.
func (o *Observation) IsTraceRoot() bool { return o.ParentID == "" || o.AsRoot }

// IsExperimentItem reports whether the row is the root span of an experiment item: the client ran the item's task in
// it.
func (o *Observation) IsExperimentItem() bool {
	return o.ExperimentID != "" && o.ExperimentItemID != "" && o.ExperimentItemRootSpanID == o.ID
}
