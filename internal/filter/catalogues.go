package filter

import (
	"math"
	"sync"

	"almanac/internal/domain"
)

// Significant decimals of numbers. Durations have milliseconds, and tokens are compared as precisely as durations
// because API clients expect it. Prices of single tokens need more.
const (
	decimalsOfTime = 3
	decimalsOfCost = 12
)

var (
	observations = sync.OnceValue(newObservations)
	scores       = sync.OnceValue(newScores)
)

// Observations returns the columns of observations.
func Observations() *Catalogue[domain.Observation] { return observations() }

// Scores returns the columns of scores.
func Scores() *Catalogue[domain.Score] { return scores() }

func newObservations() *Catalogue[domain.Observation] {
	type row = domain.Observation
	c := new(Catalogue[row])

	c.addText("id", func(o *row) string { return o.ID })
	c.addText("traceId", func(o *row) string { return o.TraceID })
	c.addTime("startTime", func(o *row) domain.Micros { return o.StartTime })
	c.addTime("endTime", func(o *row) domain.Micros { return o.EndTime }).nullable = true
	c.addEmptyIsNull("parentObservationId", func(o *row) string { return o.ParentID })

	c.addText("type", func(o *row) string { return o.Type })
	c.addText("name", func(o *row) string { return o.Name })
	c.addText("level", func(o *row) string { return o.Level })
	c.addText("statusMessage", func(o *row) string { return o.StatusMessage })
	c.addText("version", func(o *row) string { return o.Version })
	c.addText("environment", func(o *row) string { return o.Environment }, "traceEnvironment")
	c.addEmptyIsNull("release", func(o *row) string { return o.Release })
	c.addNullableText("traceName", traceName)
	c.addText("userId", func(o *row) string { return o.UserID })
	c.addText("sessionId", func(o *row) string { return o.SessionID })
	c.addList("tags", func(o *row) []string { return o.Tags }, "traceTags")

	c.addText("model", func(o *row) string { return o.Model }, "providedModelName")
	c.addText("modelId", func(o *row) string { return o.ModelID })
	c.addText("promptName", func(o *row) string { return o.PromptName })
	c.addNullableNumber("promptVersion", -1, func(o *row) (float64, bool) { return optInt(o.PromptVersion) })

	c.addNullableNumber("latency", decimalsOfTime, func(o *row) (float64, bool) { return seconds(o.StartTime, o.EndTime) })
	c.addNullableNumber("timeToFirstToken", decimalsOfTime, func(o *row) (float64, bool) {
		return seconds(o.StartTime, o.CompletionStartTime)
	})
	// A quotient is not a multiple of milliseconds, so cutting it to three decimals would make close values equal.
	c.addNullableNumber("tokensPerSecond", decimalsOfCost, tokensPerSecond)
	c.addNumber("inputTokens", decimalsOfTime, func(o *row) float64 { return float64(o.InputTokens) })
	c.addNumber("outputTokens", decimalsOfTime, func(o *row) float64 { return float64(o.OutputTokens) })
	c.addNullableNumber("totalTokens", decimalsOfTime, func(o *row) (float64, bool) { return optInt(o.TotalTokens) }, "tokens")
	c.addNumber("inputCost", decimalsOfCost, func(o *row) float64 { return o.InputCost })
	c.addNumber("outputCost", decimalsOfCost, func(o *row) float64 { return o.OutputCost })
	c.addNullableNumber("totalCost", decimalsOfCost, func(o *row) (float64, bool) { return o.TotalCost.Value, !o.TotalCost.Set })

	c.addBool("isRootObservation", (*row).IsRoot)
	c.addBool("hasParentObservation", func(o *row) bool { return o.ParentID != "" })
	c.addBool("hasInput", func(o *row) bool { return o.Input != "" })
	c.addBool("hasOutput", func(o *row) bool { return o.Output != "" })
	c.addBool("isExperimentItemRootSpan", func(o *row) bool {
		return o.ExperimentItemRootSpanID != "" && o.ExperimentItemRootSpanID == o.ID
	})

	c.addEmptyIsNull("experimentId", func(o *row) string { return o.ExperimentID })
	c.addText("experimentName", func(o *row) string { return o.ExperimentName })
	c.addText("experimentDatasetId", func(o *row) string { return o.ExperimentDatasetID })
	c.addText("experimentItemId", func(o *row) string { return o.ExperimentItemID })
	c.addBool("hasExperimentDescription", func(o *row) bool { return o.ExperimentDescription != "" })
	c.addBool("hasExperimentMetadata", func(o *row) bool { return o.ExperimentMetadata != "" })
	c.addText("ingestionApiKey", func(o *row) string { return o.IngestionKey })
	c.addText("ingestionSdkName", func(o *row) string { return o.SDKName })
	c.addText("ingestionSdkVersion", func(o *row) string { return o.SDKVersion })
	c.addText("ingestionSource", func(o *row) string { return o.Source })

	c.addNumber("toolDefinitions", -1, func(o *row) float64 { return float64(len(o.ToolNames)) })
	c.addNumber("toolCalls", -1, func(o *row) float64 { return float64(len(o.ToolCallNames)) })
	c.addList("toolNames", func(o *row) []string { return o.ToolNames })
	c.addList("calledToolNames", func(o *row) []string { return o.ToolCallNames })

	c.addLongText("input", func(o *row) string { return o.Input })
	c.addLongText("output", func(o *row) string { return o.Output })
	c.addMetadata("metadata", func(o *row) string { return o.Metadata })
	c.addUnlisted(&Column[row]{id: "createdAt", kind: Time, time: func(o *row) domain.Micros { return o.CreatedAt }})
	c.addUnlisted(&Column[row]{id: "updatedAt", kind: Time, time: func(o *row) domain.Micros { return o.UpdatedAt }})
	c.addUnlisted(&Column[row]{id: "givenTraceName", kind: Text, text: neverNull(func(o *row) string { return o.TraceName })})
	c.addUnlisted(&Column[row]{id: "isTraceRoot", kind: Bool, boolean: (*row).IsTraceRoot})
	c.addUnlisted(&Column[row]{id: "sentBookmarked", kind: Bool, boolean: func(o *row) bool { return o.Bookmarked }})
	c.addUnlisted(&Column[row]{id: "sentPublic", kind: Bool, boolean: func(o *row) bool { return o.Public }})
	return c
}

// CreatedAt returns the unlisted column of the time when an observation arrived.
func CreatedAt() *Column[domain.Observation] { return observations().unlisted[0] }

// UpdatedAt returns the unlisted column of the time when the stored version of an observation arrived.
func UpdatedAt() *Column[domain.Observation] { return observations().unlisted[1] }

// GivenTraceName returns the unlisted column of the trace name in a row, which is empty if the row has none.
func GivenTraceName() *Column[domain.Observation] { return observations().unlisted[2] }

// IsTraceRoot returns the unlisted column of whether a row is a root of the assembled trace.
func IsTraceRoot() *Column[domain.Observation] { return observations().unlisted[3] }

// SentBookmarked returns the unlisted column of whether a row was sent as bookmarked, whatever users set.
func SentBookmarked() *Column[domain.Observation] { return observations().unlisted[4] }

// SentPublic returns the unlisted column of whether a row was sent as public, whatever users set.
func SentPublic() *Column[domain.Observation] { return observations().unlisted[5] }

func newScores() *Catalogue[domain.Score] {
	type row = domain.Score
	c := new(Catalogue[row])

	c.addText("id", func(s *row) string { return s.ID })
	c.addText("traceId", func(s *row) string { return s.TraceID })
	c.addText("observationId", func(s *row) string { return s.ObservationID })
	c.addText("sessionId", func(s *row) string { return s.SessionID })
	c.addText("experimentId", func(s *row) string { return s.ExperimentID }, "datasetRunId")
	c.addTime("timestamp", func(s *row) domain.Micros { return s.Timestamp })

	c.addText("name", func(s *row) string { return s.Name })
	c.addText("source", func(s *row) string { return s.Source })
	c.addText("dataType", func(s *row) string { return s.DataType })
	c.addNullableNumber("value", -1, func(s *row) (float64, bool) { return s.Value.Value, !s.Value.Set })
	c.addText("stringValue", func(s *row) string { return s.StringValue })

	c.addText("environment", func(s *row) string { return s.Environment })
	c.addText("configId", func(s *row) string { return s.ConfigID })
	c.addText("queueId", func(s *row) string { return s.QueueID })
	c.addText("authorUserId", func(s *row) string { return s.AuthorUserID })
	c.addText("comment", func(s *row) string { return s.Comment })
	c.addMetadata("metadata", func(s *row) string { return s.Metadata })
	return c
}

// traceName returns the name of the row's trace. The logical root lends its own name, even an empty one, to a trace
// that has none; rows below it do not know that name.
func traceName(o *domain.Observation) (name string, null bool) {
	switch {
	case o.TraceName != "":
		return o.TraceName, false
	case o.IsRoot():
		return o.Name, false
	}
	return "", true
}

// seconds returns the time between from and to, each at the precision that clients see.
func seconds(from, to domain.Micros) (value float64, null bool) {
	if to == 0 {
		return 0, true
	}
	return float64(to.Millis()-from.Millis()) / 1000, false
}

func tokensPerSecond(o *domain.Observation) (value float64, null bool) {
	latency, null := seconds(o.StartTime, o.EndTime)
	switch {
	case null, latency == 0 && o.OutputTokens == 0:
		return 0, true
	case latency == 0:
		return math.Inf(1), false
	}
	return float64(o.OutputTokens) / latency, false
}

func optInt(v domain.OptInt) (value float64, null bool) { return float64(v.Value), !v.Set }
