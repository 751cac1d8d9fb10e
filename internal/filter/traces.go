package filter

import (
	"sync"

	"almanac/internal/domain"
)

var traces = sync.OnceValue(newTraces)

// Traces returns the columns of traces assembled from their observations. No store has such rows: the code that
// assembles them calls Match.
func Traces() *Catalogue[domain.TraceSummary] { return traces() }

// ObservationCount returns the unlisted column of the number of observations of a trace.
func ObservationCount() *Column[domain.TraceSummary] { return traces().unlisted[0] }

// Published returns the unlisted column of whether a trace is public.
func Published() *Column[domain.TraceSummary] { return traces().unlisted[1] }

func newTraces() *Catalogue[domain.TraceSummary] {
	type row = domain.TraceSummary
	c := new(Catalogue[row])
	c.addText("id", func(t *row) string { return t.ID }, "traceId")
	c.addText("name", func(t *row) string { return t.Name }, "traceName")
	c.addTime("timestamp", func(t *row) domain.Micros { return t.Timestamp })
	c.addText("userId", func(t *row) string { return t.UserID })
	c.addText("sessionId", func(t *row) string { return t.SessionID })
	c.addText("environment", func(t *row) string { return t.Environment })
	c.addText("version", func(t *row) string { return t.Version })
	c.addEmptyIsNull("release", func(t *row) string { return t.Release })
	c.addList("tags", func(t *row) []string { return t.Tags }, "traceTags")
	c.addBool("bookmarked", func(t *row) bool { return t.Bookmarked })
	c.addMetadata("metadata", func(t *row) string { return t.Metadata })
	c.addText("level", (*row).Level)
	c.addNumber("errorCount", -1, func(t *row) float64 { return float64(t.ErrorCount) })
	c.addNumber("warningCount", -1, func(t *row) float64 { return float64(t.WarningCount) })
	c.addNumber("defaultCount", -1, func(t *row) float64 { return float64(t.DefaultCount) })
	c.addNumber("debugCount", -1, func(t *row) float64 { return float64(t.DebugCount) })
	c.addNumber("latency", decimalsOfTime, func(t *row) float64 { return float64(t.LatencyMillis) / 1000 })
	c.addNumber("inputTokens", decimalsOfTime, func(t *row) float64 { return float64(t.InputTokens) })
	c.addNumber("outputTokens", decimalsOfTime, func(t *row) float64 { return float64(t.OutputTokens) })
	c.add(&Column[row]{id: "totalTokens", kind: Number, decimals: decimalsOfTime, number: func(t *row) (float64, bool) {
		return float64(t.TotalTokens), false
	}}, []string{"tokens"})
	c.addNumber("inputCost", decimalsOfCost, func(t *row) float64 { return t.InputCost })
	c.addNumber("outputCost", decimalsOfCost, func(t *row) float64 { return t.OutputCost })
	c.addNumber("totalCost", decimalsOfCost, func(t *row) float64 { return t.TotalCost })
	c.addUnlisted(&Column[row]{id: "observationCount", kind: Number, number: func(t *row) (float64, bool) {
		return float64(t.ErrorCount + t.WarningCount + t.DefaultCount + t.DebugCount), false
	}})
	c.addUnlisted(&Column[row]{id: "public", kind: Bool, boolean: func(t *row) bool { return t.Public }})
	return c
}
