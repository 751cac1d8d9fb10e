package filtertest

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"almanac/internal/domain"
)

// Types of values in addition to string, []string, bool, *big.Rat and nil, which is null.
type (
	// Millis is a point in time: whole milliseconds since 1970.
	Millis int64
	// Infinity is greater than any number.
	Infinity struct{}
	// Entries are the entries of metadata, in order.
	Entries []Entry
	// Entry is an entry of metadata: its dotted key, and the text of its value.
	Entry struct{ Key, Text string }
)

// Value returns the value of a column in a row.
func Value(column string, o *domain.Observation) any {
	switch column {
	case "id":
		return o.ID
	case "traceId":
		return o.TraceID
	case "parentObservationId":
		return o.ParentID
	case "type":
		return o.Type
	case "name":
		return o.Name
	case "level":
		return o.Level
	case "statusMessage":
		return o.StatusMessage
	case "version":
		return o.Version
	case "environment":
		return o.Environment
	case "release":
		return o.Release
	case "userId":
		return o.UserID
	case "sessionId":
		return o.SessionID
	case "model":
		return o.Model
	case "modelId":
		return o.ModelID
	case "promptName":
		return o.PromptName
	case "experimentId":
		return o.ExperimentID
	case "experimentName":
		return o.ExperimentName
	case "experimentDatasetId":
		return o.ExperimentDatasetID
	case "experimentItemId":
		return o.ExperimentItemID
	case "ingestionApiKey":
		return o.IngestionKey
	case "ingestionSdkName":
		return o.SDKName
	case "ingestionSdkVersion":
		return o.SDKVersion
	case "ingestionSource":
		return o.Source
	case "input":
		return o.Input
	case "output":
		return o.Output
	case "traceName":
		if o.TraceName == "" && o.ParentID != "" && !o.IsAppRoot {
			return nil
		}
		if o.TraceName == "" {
			return o.Name
		}
		return o.TraceName

	case "tags":
		return o.Tags
	case "toolNames":
		return o.ToolNames
	case "calledToolNames":
		return o.ToolCallNames
	case "metadata":
		return entriesOf(o.Metadata)

	case "isRootObservation":
		return o.ParentID == "" || o.IsAppRoot
	case "hasParentObservation":
		return o.ParentID != ""
	case "hasInput":
		return o.Input != ""
	case "hasOutput":
		return o.Output != ""
	case "hasExperimentDescription":
		return o.ExperimentDescription != ""
	case "hasExperimentMetadata":
		return o.ExperimentMetadata != ""
	case "isExperimentItemRootSpan":
		return o.ExperimentItemRootSpanID != "" && o.ExperimentItemRootSpanID == o.ID
	}
	if isTime(column) {
		return timeValue(column, o)
	}
	return numberValue(column, o)
}

func isTime(column string) bool { return column == "startTime" || column == "endTime" }

func timeValue(column string, o *domain.Observation) any {
	at := o.StartTime
	if column == "endTime" {
		at = o.EndTime
	}
	if at == 0 {
		return nil
	}
	return millisOf(at)
}

func numberValue(column string, o *domain.Observation) any {
	switch column {
	case "latency":
		return secondsBetween(o.StartTime, o.EndTime)
	case "timeToFirstToken":
		return secondsBetween(o.StartTime, o.CompletionStartTime)
	case "tokensPerSecond":
		latency, ok := secondsBetween(o.StartTime, o.EndTime).(*big.Rat)
		switch {
		case !ok, latency.Sign() == 0 && o.OutputTokens == 0:
			return nil
		case latency.Sign() == 0:
			return Infinity{}
		}
		return new(big.Rat).Quo(big.NewRat(o.OutputTokens, 1), latency)
	case "inputTokens":
		return big.NewRat(o.InputTokens, 1)
	case "outputTokens":
		return big.NewRat(o.OutputTokens, 1)
	case "totalTokens":
		return whole(o.TotalTokens)
	case "promptVersion":
		return whole(o.PromptVersion)
	case "inputCost":
		return new(big.Rat).SetFloat64(o.InputCost)
	case "outputCost":
		return new(big.Rat).SetFloat64(o.OutputCost)
	case "totalCost":
		if !o.TotalCost.Set {
			return nil
		}
		return new(big.Rat).SetFloat64(o.TotalCost.Value)
	case "toolDefinitions":
		return big.NewRat(int64(len(o.ToolNames)), 1)
	case "toolCalls":
		return big.NewRat(int64(len(o.ToolCallNames)), 1)
	}
	panic("the oracle does not know the column " + column)
}

// unaliased returns the proper name of a column.
func unaliased(column string) string {
	switch column {
	case "traceEnvironment":
		return "environment"
	case "traceTags":
		return "tags"
	case "providedModelName":
		return "model"
	case "tokens":
		return "totalTokens"
	}
	return column
}

// emptyIsNull reports whether an empty text in a column counts as null.
func emptyIsNull(column string) bool {
	return slices.Contains([]string{"release", "parentObservationId", "experimentId"}, column)
}

// millisOf rounds down, also before 1970.
func millisOf(at domain.Micros) Millis {
	millis, rest := int64(at)/1000, int64(at)%1000
	if rest < 0 {
		millis--
	}
	return Millis(millis)
}

func secondsBetween(from, to domain.Micros) any {
	if to == 0 {
		return nil
	}
	return big.NewRat(int64(millisOf(to)-millisOf(from)), 1000)
}

func whole(v domain.OptInt) any {
	if !v.Set {
		return nil
	}
	return big.NewRat(v.Value, 1)
}

// entriesOf parses metadata whose values are not objects. If a key occurs twice, the first entry counts.
func entriesOf(object string) Entries {
	d := json.NewDecoder(strings.NewReader(object))
	if _, err := d.Token(); err != nil {
		return nil // empty
	}
	var entries Entries
	for d.More() {
		key, err := d.Token()
		if err != nil {
			panic(err)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			panic(err)
		}
		name, _ := key.(string)
		entries = append(entries, Entry{name, entryText(raw)})
	}
	return entries
}

func entryText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil { // also null, which is empty
		return text
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		panic(err)
	}
	return compact.String()
}
