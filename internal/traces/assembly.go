package traces

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"almanac/internal/domain"
)

// Assembly is a trace that is being put together. Its zero value has no rows yet. It keeps no reference to the rows that
// are added, nor to their texts.
type Assembly struct {
	trace domain.TraceSummary // what is known for good; the rest is decided at the end
	rows  int
	// Of the rows that do not stand for the trace: how many there are, and whether one has a cost.
	observations int
	hasCost      bool
	tags         map[string]struct{}
	own          *standIn
	mark         *domain.TraceMark // what people say

	traceName, rootName        string
	environment, rootEnv       string
	traceInput, traceOutput    string
	rootInput, rootOutput      string
	ingestedVersion            string
	hasRoot                    bool
	timed                      bool  // there is a row that has a duration
	firstStart                 int64 // milliseconds
	lastStart, lastEnd, closed int64 // closed is the last end of what is no event
	hasEnd, hasOrigin          bool
	inputCost, outputCost      domain.Sum
	totalCost                  domain.Sum
	traceMetadata              leaves
	rootMetadata               leaves
	originMetadata             leaves
}

// IsRoot reports whether a row stands for its whole trace: it has no parent, or the client said that its parent, which is of
// another process, will never be sent.
func IsRoot(o *domain.Observation) bool { return o.ParentID == "" || o.AsRoot }

// SpeaksOfTrace reports whether a row carries anything that the client said of the whole trace.
func SpeaksOfTrace(o *domain.Observation) bool {
	return o.TraceName != "" || o.UserID != "" || o.SessionID != "" || len(o.Tags) > 0 || o.Public ||
		o.TraceInput != "" || o.TraceOutput != "" || o.TraceMetadata != ""
}

// Rows returns how many rows were added.
func (a *Assembly) Rows() int { return a.rows }

// Observations returns how many of them do not stand for the trace.
func (a *Assembly) Observations() int { return a.observations }

// HasCost reports whether one of them has a cost, even if it is 0.
func (a *Assembly) HasCost() bool { return a.hasCost }

// Needs returns how many bytes of a row's long texts Add keeps at most, and what is made of them.
func (a *Assembly) Needs(o *domain.Observation) int64 {
	return kept(a.traceInput, o.TraceInput) + kept(a.traceOutput, o.TraceOutput) + metadataCopies*int64(len(o.TraceMetadata))
}

// NeedsContent returns the same of AddContent.
func (a *Assembly) NeedsContent(o *domain.Observation) int64 {
	switch {
	case o.IsTraceRecord():
		return int64(len(o.Input)+len(o.Output)) + metadataCopies*int64(len(o.Metadata))
	case IsRoot(o):
		return kept(a.rootInput, o.Input) + kept(a.rootOutput, o.Output) + metadataCopies*int64(len(o.Metadata))
	case !a.hasOrigin && SpeaksOfTrace(o):
		return metadataCopies * int64(len(o.Metadata))
	}
	return 0
}

// metadataCopies is how many times metadata are in memory when those of several rows are put together.
const metadataCopies = 4

func kept(known, text string) int64 {
	if known != "" {
		return 0
	}
	return int64(len(text))
}

// Add adds a row, without what AddContent takes from it.
func (a *Assembly) Add(o *domain.Observation) {
	t := &a.trace
	if a.rows == 0 {
		t.ID, t.Timestamp, t.CreatedAt = strings.Clone(o.TraceID), o.StartTime, o.CreatedAt
	}
	a.rows++
	t.Timestamp, t.CreatedAt, t.UpdatedAt = min(t.Timestamp, o.StartTime), min(t.CreatedAt, o.CreatedAt), max(t.UpdatedAt, o.UpdatedAt)
	if o.IsTraceRecord() {
		a.own = newStandIn(o)
	} else {
		a.addTimes(o)
		a.addFigures(o)
	}

	take(&a.traceName, o.TraceName)
	take(&a.environment, o.Environment)
	if o.IsIngested() {
		take(&a.ingestedVersion, o.Version)
	} else {
		take(&t.Version, o.Version)
	}
	take(&t.Release, o.Release)
	take(&t.UserID, o.UserID)
	take(&t.SessionID, o.SessionID)
	take(&a.traceInput, o.TraceInput)
	take(&a.traceOutput, o.TraceOutput)
	a.traceMetadata.add(o.TraceMetadata, everything)
	a.addTags(o.Tags)
	t.Public = t.Public || o.Public
	if IsRoot(o) {
		take(&a.rootName, o.Name)
		take(&a.rootEnv, o.Environment)
		if !a.hasRoot {
			a.hasRoot, t.Bookmarked = true, o.Bookmarked
		}
	}
}

// AddContent adds what is long of a row: input, output and metadata of a root. A trace without a root has the resource and
// the scope of the latest row that speaks of the trace. Rows of which neither is true need not be read for this.
func (a *Assembly) AddContent(o *domain.Observation) {
	switch {
	case o.IsTraceRecord() && a.own != nil:
		a.own.input, a.own.output = strings.Clone(o.Input), strings.Clone(o.Output)
		a.rootMetadata.add(o.Metadata, everything)
	case IsRoot(o):
		take(&a.rootInput, o.Input)
		take(&a.rootOutput, o.Output)
		a.rootMetadata.add(o.Metadata, everything)
	case !a.hasOrigin && SpeaksOfTrace(o):
		a.hasOrigin = true
		a.originMetadata.add(o.Metadata, ofOrigin)
	}
}

func (a *Assembly) addTimes(o *domain.Observation) {
	start := o.StartTime.Millis()
	if !a.timed {
		a.timed, a.firstStart, a.lastStart, a.lastEnd = true, start, start, start
	}
	a.firstStart, a.lastStart = min(a.firstStart, start), max(a.lastStart, start)
	if o.EndTime == 0 {
		return
	}
	end := o.EndTime.Millis()
	a.lastEnd = max(a.lastEnd, end)
	if o.Type != "EVENT" && (!a.hasEnd || end > a.closed) {
		a.closed, a.hasEnd = end, true
	}
}

func (a *Assembly) addTags(tags []string) {
	for _, tag := range tags {
		if _, known := a.tags[tag]; known {
			continue
		}
		if a.tags == nil {
			a.tags = make(map[string]struct{}, len(tags))
		}
		a.tags[strings.Clone(tag)] = struct{}{}
	}
}

func (a *Assembly) addFigures(o *domain.Observation) {
	t := &a.trace
	a.observations++
	a.hasCost = a.hasCost || o.TotalCost.Set
	switch o.Level {
	case "ERROR":
		t.ErrorCount++
	case "WARNING":
		t.WarningCount++
	case "DEBUG":
		t.DebugCount++
	default:
		t.DefaultCount++
	}
	t.InputTokens += o.InputTokens
	t.OutputTokens += o.OutputTokens
	t.TotalTokens += o.TotalTokens.Value
	a.inputCost.Add(o.InputCost)
	a.outputCost.Add(o.OutputCost)
	a.totalCost.Add(o.TotalCost.Value)
}

// Summary returns the trace of the rows that were added.
func (a *Assembly) Summary() *domain.TraceSummary {
	t := a.trace
	t.Name = cmp.Or(a.traceName, a.rootName)
	// Unlike everything else, the environment of a root outweighs that of later rows.
	t.Environment = cmp.Or(a.rootEnv, a.environment)
	t.Input, t.Output = cmp.Or(a.traceInput, a.rootInput), cmp.Or(a.traceOutput, a.rootOutput)
	if a.hasRoot {
		t.Metadata = merge(&a.traceMetadata, &a.rootMetadata)
	} else {
		t.Metadata = merge(&a.traceMetadata, &a.originMetadata)
	}
	if a.own != nil {
		a.own.outweigh(&t)
	} else {
		t.Version = cmp.Or(t.Version, a.ingestedVersion)
	}
	t.Tags = slices.Sorted(maps.Keys(a.tags))
	t.InputCost, t.OutputCost, t.TotalCost = a.inputCost.Dollars(), a.outputCost.Dollars(), a.totalCost.Dollars()
	t.LatencyMillis = max(a.lastStart, a.lastEnd) - a.firstStart
	if a.mark != nil {
		a.mark.Outweigh(&t)
	}
	return &t
}

// EndedMillis returns how long it took from the first start to the last end, which is what reads of a single trace call
// its latency: events have no end, and if nothing ended, the last start counts.
func (a *Assembly) EndedMillis() int64 {
	if a.hasEnd {
		return max(0, a.closed-a.firstStart)
	}
	return a.lastStart - a.firstStart
}

// take sets a text that nothing newer has set.
func take(to *string, text string) {
	if *to == "" && text != "" {
		*to = strings.Clone(text)
	}
}
