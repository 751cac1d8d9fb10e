package traces

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"almanac/internal/domain"
)

// Assembly is a trace being assembled. Its zero value has no rows. It keeps no reference to the rows that are added,
// nor to their texts.
type Assembly struct {
	trace domain.TraceSummary // fields that are final; the rest is decided in Summary
	rows  int
	// Rows that do not stand for the trace: their number, and whether one has a cost.
	observations int
	hasCost      bool
	tags         map[string]struct{}
	own          *traceRecord
	mark         *domain.TraceMark // set by users

	traceName, rootName        string
	environment, rootEnv       string
	traceInput, traceOutput    string
	rootInput, rootOutput      string
	ingestedVersion            string
	hasRoot                    bool
	timed                      bool  // there is a row that does not stand for the trace
	firstStart                 int64 // milliseconds
	lastStart, lastEnd, closed int64 // closed is the last end, except of events
	hasEnd, hasOrigin          bool
	inputCost, outputCost      domain.Sum
	totalCost                  domain.Sum
	traceMetadata              leaves
	rootMetadata               leaves
	originMetadata             leaves
}

// HasTraceFields reports whether a row carries anything that the client set on the whole trace.
func HasTraceFields(o *domain.Observation) bool {
	return o.TraceName != "" || o.UserID != "" || o.SessionID != "" || len(o.Tags) > 0 || o.Public ||
		o.TraceInput != "" || o.TraceOutput != "" || o.TraceMetadata != ""
}

// Rows returns the number of rows that were added.
func (a *Assembly) Rows() int { return a.rows }

// Observations returns the number of added rows that do not stand for the trace.
func (a *Assembly) Observations() int { return a.observations }

// HasCost reports whether one of these has a cost, even if it is 0.
func (a *Assembly) HasCost() bool { return a.hasCost }

// Needs returns the maximum memory that Add takes for the long texts of a row, in bytes.
func (a *Assembly) Needs(o *domain.Observation) int64 {
	return kept(a.traceInput, o.TraceInput) + kept(a.traceOutput, o.TraceOutput) + metadataCopies*int64(len(o.TraceMetadata))
}

// NeedsContent is like Needs, for AddContent.
func (a *Assembly) NeedsContent(o *domain.Observation) int64 {
	switch {
	case o.IsTraceRecord():
		return int64(len(o.Input)+len(o.Output)) + metadataCopies*int64(len(o.Metadata))
	case o.IsTraceRoot():
		return kept(a.rootInput, o.Input) + kept(a.rootOutput, o.Output) + metadataCopies*int64(len(o.Metadata))
	case !a.hasOrigin && HasTraceFields(o):
		return metadataCopies * int64(len(o.Metadata))
	}
	return 0
}

// metadataCopies is how many copies of metadata are in memory while that of several rows is merged.
const metadataCopies = 4

func kept(known, text string) int64 {
	if known != "" {
		return 0
	}
	return int64(len(text))
}

// Add adds a row, except for what AddContent adds.
func (a *Assembly) Add(o *domain.Observation) {
	t := &a.trace
	if a.rows == 0 {
		t.ID, t.Timestamp, t.CreatedAt = strings.Clone(o.TraceID), o.StartTime, o.CreatedAt
	}
	a.rows++
	t.Timestamp, t.CreatedAt, t.UpdatedAt = min(t.Timestamp, o.StartTime), min(t.CreatedAt, o.CreatedAt), max(t.UpdatedAt, o.UpdatedAt)
	if o.IsTraceRecord() {
		a.own = newTraceRecord(o)
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
	if o.IsTraceRoot() {
		take(&a.rootName, o.Name)
		take(&a.rootEnv, o.Environment)
		if !a.hasRoot {
			a.hasRoot, t.Bookmarked = true, o.Bookmarked
		}
	}
}

// AddContent adds the long texts of a row: input, output and metadata of a root. A trace without a root gets the
// resource and scope attributes of the latest row for which HasTraceFields is true. Other rows need not be read for
// this.
func (a *Assembly) AddContent(o *domain.Observation) {
	switch {
	case o.IsTraceRecord() && a.own != nil:
		a.own.input, a.own.output = strings.Clone(o.Input), strings.Clone(o.Output)
		a.rootMetadata.add(o.Metadata, everything)
	case o.IsTraceRoot():
		take(&a.rootInput, o.Input)
		take(&a.rootOutput, o.Output)
		a.rootMetadata.add(o.Metadata, everything)
	case !a.hasOrigin && HasTraceFields(o):
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

// Summary returns the trace made of the added rows.
func (a *Assembly) Summary() *domain.TraceSummary {
	t := a.trace
	t.Name = cmp.Or(a.traceName, a.rootName)
	// Unlike everything else, the environment of a root takes precedence over that of later rows.
	t.Environment = cmp.Or(a.rootEnv, a.environment)
	t.Input, t.Output = cmp.Or(a.traceInput, a.rootInput), cmp.Or(a.traceOutput, a.rootOutput)
	if a.hasRoot {
		t.Metadata = merge(&a.traceMetadata, &a.rootMetadata)
	} else {
		t.Metadata = merge(&a.traceMetadata, &a.originMetadata)
	}
	if a.own != nil {
		a.own.override(&t)
	} else {
		t.Version = cmp.Or(t.Version, a.ingestedVersion)
	}
	t.Tags = slices.Sorted(maps.Keys(a.tags))
	t.InputCost, t.OutputCost, t.TotalCost = a.inputCost.Dollars(), a.outputCost.Dollars(), a.totalCost.Dollars()
	t.LatencyMillis = max(a.lastStart, a.lastEnd) - a.firstStart
	if a.mark != nil {
		a.mark.ApplyTo(&t)
	}
	return &t
}

// EndedMillis returns the time from the first start to the last end, which reads of a single trace report as its
// latency. Events have no end; if nothing ended, the last start counts.
func (a *Assembly) EndedMillis() int64 {
	if a.hasEnd {
		return max(0, a.closed-a.firstStart)
	}
	return a.lastStart - a.firstStart
}

// take sets a string unless a newer row has set it.
func take(to *string, text string) {
	if *to == "" && text != "" {
		*to = strings.Clone(text)
	}
}
