package domain

// The dimensions of daily totals: each has totals of its own.
const (
	TotalsByModel = "model"
	TotalsByName  = "name"
	TotalsByUser  = "user"
	TotalsByTrace = "trace" // by the names of traces
	TotalsByLevel = "level" // of all values
	// What the daily metrics ask for: traces by environment, and observations that are no trace records by environment and model.
	TotalsOfTraces = "traces"
	TotalsOfModels = "models"
)

// OtherTotals stands for all values of a day that are not kept one by one.
const OtherTotals = "(other)"

// DailyTotal is what is known of observations of a day that were deleted: sums over those that are alike.
type DailyTotal struct {
	Day         int64 // the UTC day since 1970, as Micros.Day counts them
	By          string
	IsRoot      bool // of TotalsByModel, TotalsByName, TotalsByUser and TotalsByTrace
	Environment string
	Type        string // of TotalsByModel and TotalsByName
	Level       string // of TotalsByModel, TotalsByName, TotalsByUser and TotalsByLevel
	Value       string // of By

	Observations int64
	TraceRecords int64 // of the observations, those that stand for a whole trace
	Traces       int64 // different ones, within the day; of TotalsByLevel, TotalsOfTraces and TotalsOfModels
	InputTokens  int64
	OutputTokens int64
	TotalTokens  int64
	InputCost    float64
	OutputCost   float64
	TotalCost    float64
}

// Key returns the total without its sums: what it is a total of.
func (t *DailyTotal) Key() DailyTotal {
	return DailyTotal{Day: t.Day, By: t.By, IsRoot: t.IsRoot, Environment: t.Environment, Type: t.Type, Level: t.Level, Value: t.Value}
}

// Add adds what another total has.
func (t *DailyTotal) Add(o *DailyTotal) {
	t.Observations, t.TraceRecords, t.Traces = t.Observations+o.Observations, t.TraceRecords+o.TraceRecords, t.Traces+o.Traces
	t.InputTokens, t.OutputTokens, t.TotalTokens = t.InputTokens+o.InputTokens, t.OutputTokens+o.OutputTokens, t.TotalTokens+o.TotalTokens
	t.InputCost, t.OutputCost, t.TotalCost = t.InputCost+o.InputCost, t.OutputCost+o.OutputCost, t.TotalCost+o.TotalCost
}

// TotalsState says how the totals of a project and its rows fit together.
type TotalsState struct {
	// Version changes with the totals, and is 0 if there are none: who reads totals and rows reads it before and after.
	Version int64
	// Pending, if set, is the time before which rows are in the totals although the event store may still have them.
	Pending Micros
	// PendingUpTo is the largest number of such rows in the event store. What has come since then is not in the totals.
	PendingUpTo int64
}
