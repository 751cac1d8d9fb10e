package domain

// The dimensions of daily totals. Each has its own totals.
const (
	TotalsByModel = "model"
	TotalsByName  = "name"
	TotalsByUser  = "user"
	TotalsByTrace = "trace" // by trace name
	TotalsByLevel = "level" // over all values
	// Needed for the daily metrics: traces by environment, and observations other than trace records by environment and
	// model.
	TotalsOfTraces = "traces"
	TotalsOfModels = "models"
)

// OtherTotals is the value for everything in a day that is not kept separately.
const OtherTotals = "(other)"

// DailyTotal sums up similar observations of a day that have been deleted.
type DailyTotal struct {
	Day         int64 // UTC days since 1970, as in Micros.Day
	By          string
	IsRoot      bool // for TotalsByModel, TotalsByName, TotalsByUser and TotalsByTrace
	Environment string
	Type        string // for TotalsByModel and TotalsByName
	Level       string // for TotalsByModel, TotalsByName, TotalsByUser and TotalsByLevel
	Value       string // value of the dimension By

	Observations int64
	TraceRecords int64 // observations that stand for a whole trace
	Traces       int64 // distinct traces within the day; for TotalsByLevel, TotalsOfTraces and TotalsOfModels
	InputTokens  int64
	OutputTokens int64
	TotalTokens  int64
	InputCost    float64
	OutputCost   float64
	TotalCost    float64
}

// Key returns the total without its sums.
func (t *DailyTotal) Key() DailyTotal {
	return DailyTotal{Day: t.Day, By: t.By, IsRoot: t.IsRoot, Environment: t.Environment, Type: t.Type, Level: t.Level, Value: t.Value}
}

// Add adds the sums of another total.
func (t *DailyTotal) Add(o *DailyTotal) {
	t.Observations, t.TraceRecords, t.Traces = t.Observations+o.Observations, t.TraceRecords+o.TraceRecords, t.Traces+o.Traces
	t.InputTokens, t.OutputTokens, t.TotalTokens = t.InputTokens+o.InputTokens, t.OutputTokens+o.OutputTokens, t.TotalTokens+o.TotalTokens
	t.InputCost, t.OutputCost, t.TotalCost = t.InputCost+o.InputCost, t.OutputCost+o.OutputCost, t.TotalCost+o.TotalCost
}

// TotalsState describes how the totals and the rows of a project relate.
type TotalsState struct {
	// Version changes with the totals, and is 0 if there are none. A reader of both totals and rows compares it before and
	// after.
	Version int64
	// Pending, if set, is the time before which rows are included in the totals although the event store may still have
	// them.
	Pending Micros
	// PendingUpTo is the largest sequence number of such rows in the event store. Rows that arrived later are not in the
	// totals.
	PendingUpTo int64
}
