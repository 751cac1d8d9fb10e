package clickhouse

import (
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// expression is what a column of package filter is in SQL.
type expression struct {
	value string
	null  string // a condition; "" if there is always a value
	from  string // the columns that it is made of, separated by blanks; "" if the value is one
}

// columns returns what the expression is made of.
func (e expression) columns() []string {
	if e.from == "" {
		return []string{e.value}
	}
	return strings.Fields(e.from)
}

// millis returns the milliseconds of a time column, rounded down.
func millis(column string) string {
	return "intDiv(" + column + " - positiveModulo(" + column + ", 1000), 1000)"
}

// root reports whether an observation is the logical root of its trace.
const root = "(parent_id = '' OR is_app_root)"

// seconds returns the time from the start of an observation to a time column, at the precision that clients see.
func seconds(to string) expression {
	return expression{value: "((" + millis(to) + " + place) / 1000)", null: "(" + to + " = 0)", from: "start_time " + to}
}

// observationExpressions returns the columns of observations by the ids of the catalogue. Metadata is not among them:
// conditions on it are about its entries.
func observationExpressions() map[string]expression {
	latency := seconds("end_time")
	return map[string]expression{
		"id": {value: "id"}, "traceId": {value: "trace_id"}, "parentObservationId": {value: "parent_id"},
		"startTime": {value: "start_time"}, "endTime": {value: "end_time"},
		"type": {value: "type"}, "name": {value: "name"}, "level": {value: "level"}, "statusMessage": {value: "status_message"},
		"version": {value: "version_of_app"}, "environment": {value: "environment"}, "release": {value: "release"},
		"traceName": {
			value: "if(trace_name != '', trace_name, name)", null: "(trace_name = '' AND NOT " + root + ")",
			from: "trace_name name parent_id is_app_root",
		},
		"userId": {value: "user_id"}, "sessionId": {value: "session_id"}, "tags": {value: "tags"},
		"model": {value: "model"}, "modelId": {value: "model_id"}, "promptName": {value: "prompt_name"},
		"promptVersion":    optional("prompt_version"),
		"latency":          latency,
		"timeToFirstToken": seconds("completion_start_time"),
		"tokensPerSecond": {
			value: "if(" + latency.value + " = 0, inf, output_tokens / " + latency.value + ")",
			null:  "(end_time = 0 OR (" + latency.value + " = 0 AND output_tokens = 0))",
			from:  "start_time end_time output_tokens",
		},
		"inputTokens": number("input_tokens"), "outputTokens": number("output_tokens"), "totalTokens": optional("total_tokens"),
		"inputCost": number("input_cost"), "outputCost": number("output_cost"), "totalCost": optional("total_cost"),
		"isRootObservation":    {value: root, from: "parent_id is_app_root"},
		"hasParentObservation": notEmpty("parent_id"), "hasInput": notEmpty("input"), "hasOutput": notEmpty("output"),
		"isExperimentItemRootSpan": {
			value: "(experiment_item_root_span_id != '' AND experiment_item_root_span_id = id)", from: "experiment_item_root_span_id id",
		},
		"experimentId": {value: "experiment_id"}, "experimentName": {value: "experiment_name"},
		"experimentDatasetId": {value: "experiment_dataset_id"}, "experimentItemId": {value: "experiment_item_id"},
		"hasExperimentDescription": notEmpty("experiment_description"), "hasExperimentMetadata": notEmpty("experiment_metadata"),
		"ingestionApiKey": {value: "ingestion_key"}, "ingestionSdkName": {value: "sdk_name"}, "ingestionSdkVersion": {value: "sdk_version"},
		"ingestionSource": {value: "source"},
		"toolDefinitions": {value: "toFloat64(length(tool_names))", from: "tool_names"},
		"toolCalls":       {value: "toFloat64(length(tool_call_names))", from: "tool_call_names"},
		"toolNames":       {value: "tool_names"}, "calledToolNames": {value: "tool_call_names"},
		"input": {value: "input"}, "output": {value: "output"}, "metadata": {value: "metadata"},
	}
}

// scoreExpressions returns the columns of scores.
func scoreExpressions() map[string]expression {
	return map[string]expression{
		"id": {value: "id"}, "traceId": {value: "trace_id"}, "observationId": {value: "observation_id"}, "sessionId": {value: "session_id"},
		"experimentId": {value: "experiment_id"}, "timestamp": {value: "timestamp"},
		"name": {value: "name"}, "source": {value: "source"}, "dataType": {value: "data_type"},
		"value": optional("value"), "stringValue": {value: "string_value"},
		"environment": {value: "environment"}, "configId": {value: "config_id"}, "queueId": {value: "queue_id"},
		"authorUserId": {value: "author_user_id"}, "comment": {value: "comment"}, "metadata": {value: "metadata"},
	}
}

func number(column string) expression {
	return expression{value: "toFloat64(" + column + ")", from: column}
}

func optional(column string) expression {
	return expression{value: "toFloat64(ifNull(" + column + ", 0))", null: "isNull(" + column + ")", from: column}
}

func notEmpty(column string) expression {
	return expression{value: "notEmpty(" + column + ")", from: column}
}

// columnsOf returns the columns of the table that a column of package filter is made of.
func columnsOf[R any](expressions map[string]expression, c *filter.Column[R]) []string {
	if !c.Derived() {
		return expressions[c.ID()].columns()
	}
	var columns []string
	for _, from := range c.From() {
		columns = append(columns, columnsOf(expressions, from)...)
	}
	return columns
}

// indexed are the columns of the catalogue by which rows are looked up, with the letter that stands for them in the index.
var (
	indexedObservations = map[string]string{"id": "i", "traceId": "t", "sessionId": "s"}
	indexedScores       = map[string]string{"id": "i", "traceId": "t", "sessionId": "s", "observationId": "o", "experimentId": "e"}
)

// definition is everything about one of the tables that differs between them.
type definition[R any] struct {
	name        string
	columns     []column[R]
	expressions map[string]expression
	catalogue   *filter.Catalogue[R]
	indexed     map[string]string
	time        string // the name of its column
	timeOf      func(*R) domain.Micros
	keyOf       func(*R) (traceID, id string) // the trace id is empty if it is not part of the key
	withKey     func(traceID, id string) R
	hasTrace    bool // the trace id is part of the key
}

func observationsDefinition() *definition[domain.Observation] {
	type row = domain.Observation
	return &definition[row]{
		name: "observations", columns: observationColumns(), expressions: observationExpressions(), catalogue: filter.Observations(),
		indexed: indexedObservations, time: "start_time", timeOf: func(o *row) domain.Micros { return o.StartTime },
		keyOf:    func(o *row) (string, string) { return o.TraceID, o.ID },
		withKey:  func(traceID, id string) row { return row{TraceID: traceID, ID: id} },
		hasTrace: true,
	}
}

func scoresDefinition() *definition[domain.Score] {
	type row = domain.Score
	return &definition[row]{
		name: "scores", columns: scoreColumns(), expressions: scoreExpressions(), catalogue: filter.Scores(),
		indexed: indexedScores, time: "timestamp", timeOf: func(s *row) domain.Micros { return s.Timestamp },
		keyOf:   func(s *row) (string, string) { return "", s.ID },
		withKey: func(_, id string) row { return row{ID: id} },
	}
}
