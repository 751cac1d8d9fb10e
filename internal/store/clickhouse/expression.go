package clickhouse

import (
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// expression is the SQL of a column of package filter.
type expression struct {
	value string
	null  string // a condition; "" if the value is never null
}

// millis returns the milliseconds of a time column, rounded down.
func millis(column string) string {
	return "intDiv(" + column + " - positiveModulo(" + column + ", 1000), 1000)"
}

// root is a condition for observations that are the logical root of their trace.
const root = "(parent_id = '' OR is_app_root)"

// seconds returns the time from the start of an observation to a time column, at the precision that clients see.
func seconds(to string) expression {
	return expression{value: "((" + millis(to) + " + place) / 1000)", null: "(" + to + " = 0)"}
}

// observationExpressions returns the columns of observations that are not plain columns of the table, by their ids in
// the catalogue.
func observationExpressions() map[string]expression {
	latency := seconds("end_time")
	return map[string]expression{
		"traceName":        {value: "if(trace_name != '', trace_name, name)", null: "(trace_name = '' AND NOT " + root + ")"},
		"promptVersion":    optional("prompt_version"),
		"latency":          latency,
		"timeToFirstToken": seconds("completion_start_time"),
		"tokensPerSecond": {
			value: "if(" + latency.value + " = 0, inf, output_tokens / " + latency.value + ")",
			null:  "(end_time = 0 OR (" + latency.value + " = 0 AND output_tokens = 0))",
		},
		"inputTokens": number("input_tokens"), "outputTokens": number("output_tokens"), "totalTokens": optional("total_tokens"),
		"inputCost": number("input_cost"), "outputCost": number("output_cost"), "totalCost": optional("total_cost"),
		"isRootObservation":    {value: root},
		"isTraceRoot":          {value: "(parent_id = '' OR as_root)"},
		"hasParentObservation": notEmpty("parent_id"), "hasInput": notEmpty("input"), "hasOutput": notEmpty("output"),
		"isExperimentItemRootSpan": {value: "(experiment_item_root_span_id != '' AND experiment_item_root_span_id = id)"},
		"hasExperimentDescription": notEmpty("experiment_description"), "hasExperimentMetadata": notEmpty("experiment_metadata"),
		"toolDefinitions": number("length(tool_names)"), "toolCalls": number("length(tool_call_names)"),
	}
}

func number(value string) expression { return expression{value: "toFloat64(" + value + ")"} }

func optional(column string) expression {
	return expression{value: "toFloat64(ifNull(" + column + ", 0))", null: "isNull(" + column + ")"}
}

func notEmpty(column string) expression { return expression{value: "notEmpty(" + column + ")"} }

// expressionOf returns the SQL of a column of package filter.
func (d *definition[R]) expressionOf(id string) expression {
	if e, ok := d.expressions[id]; ok {
		return e
	}
	return expression{value: tableName(d.sources[id])}
}

// sourcesOf returns the columns of the table that a column of package filter is computed from.
func (d *definition[R]) sourcesOf(c *filter.Column[R]) []string {
	var names []string
	if !c.Derived() {
		for name := range strings.FieldsSeq(d.sources[c.ID()]) {
			names = append(names, tableName(name))
		}
		return names
	}
	for _, from := range c.From() {
		names = append(names, d.sourcesOf(from)...)
	}
	return names
}

// The catalogue columns by which rows can be looked up, with the letters that identify them in the index.
var (
	indexedObservations = map[string]string{"id": "i", "traceId": "t", "sessionId": "s"}
	indexedScores       = map[string]string{"id": "i", "traceId": "t", "sessionId": "s", "observationId": "o", "experimentId": "e"}
)

// definition holds everything that differs between the tables.
type definition[R any] struct {
	name        string
	columns     []column[R]
	expressions map[string]expression
	sources     map[string]string // the table columns that catalogue columns are computed from
	catalogue   *filter.Catalogue[R]
	indexed     map[string]string
	time        string // the name of the time column
	timeOf      func(*R) domain.Micros
	keyOf       func(*R) (traceID, id string) // the trace id is empty if it is not part of the key
	withKey     func(traceID, id string) R
	hasTrace    bool // the trace id is part of the key
}

func observationsDefinition() *definition[domain.Observation] {
	type row = domain.Observation
	return &definition[row]{
		name: "observations", expressions: observationExpressions(), sources: store.ObservationSources(), catalogue: filter.Observations(),
		columns: columnsOf(store.ObservationColumns(), func(o *row) *string { return &o.Metadata }),
		indexed: indexedObservations, time: "start_time", timeOf: func(o *row) domain.Micros { return o.StartTime },
		keyOf:    func(o *row) (string, string) { return o.TraceID, o.ID },
		withKey:  func(traceID, id string) row { return row{TraceID: traceID, ID: id} },
		hasTrace: true,
	}
}

func scoresDefinition() *definition[domain.Score] {
	type row = domain.Score
	return &definition[row]{
		name: "scores", expressions: map[string]expression{"value": optional("value")}, sources: store.ScoreSources(),
		catalogue: filter.Scores(),
		columns:   columnsOf(store.ScoreColumns(), func(s *row) *string { return &s.Metadata }),
		indexed:   indexedScores, time: "timestamp", timeOf: func(s *row) domain.Micros { return s.Timestamp },
		keyOf:   func(s *row) (string, string) { return "", s.ID },
		withKey: func(_, id string) row { return row{ID: id} },
	}
}
