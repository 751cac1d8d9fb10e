package analytics

import (
	"sync"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// observationRow is an observation with what it was joined with.
type observationRow struct {
	*domain.Observation
	trace  *domain.TraceSummary
	scores int // on the observation, in the time range
	// One kind of its cost or usage, and the amount.
	kind   string
	amount float64
	// One of the tools it was offered, and one of those it called.
	tool, call string
}

type (
	observationView      = view[domain.Observation, observationRow]
	observationColumns   = columns[domain.Observation, observationRow]
	observationDimension = dimension[domain.Observation, observationRow]
	observationMeasure   = measure[domain.Observation, observationRow]
)

// ofObservation returns a column that observations themselves have.
func ofObservation(c *filter.Column[domain.Observation]) observationColumns {
	return observationColumns{stored: c, joined: filter.Lift(c, func(r *observationRow) *domain.Observation { return r.Observation })}
}

// storedColumn returns a column of the catalogue.
func storedColumn(name string) observationColumns {
	return ofObservation(filter.ObservationColumn(name))
}

// ofRow returns a text column that only joined rows have.
func ofRow(name string, get func(*observationRow) string) observationColumns {
	return observationColumns{joined: filter.DerivedText(name, func(r *observationRow) (string, bool) { return get(r), false })}
}

var observationsV2 = sync.OnceValue(func() *observationView {
	type d = observationDimension
	start := filter.ObservationColumn("startTime")
	tags := d{
		name: "tags", shows: showsList, filterType: typeList, test: storedColumn("tags"),
		key: ofObservation(wholeList(filter.ObservationColumn("tags"))),
	}
	version := d{
		name: "promptVersion", shows: showsNumber, filterType: typeText, nullable: true,
		key: storedColumn("promptVersion"), test: ofObservation(numberText(filter.ObservationColumn("promptVersion"))),
	}
	return &observationView{
		time: ofObservation(start), timeName: "start_time", metadata: storedColumn("metadata"),
		dimensions: []d{
			textDimension("id", storedColumn("id"), orNull, highCardinality),
			textDimension("traceId", storedColumn("traceId"), orNull, highCardinality),
			textDimension("environment", storedColumn("environment"), orNull),
			textDimension("parentObservationId", storedColumn("parentObservationId"), orNull, highCardinality),
			boolDimension("isRootObservation", storedColumn("isRootObservation")),
			textDimension("type", storedColumn("type")),
			textDimension("name", storedColumn("name")),
			textDimension("level", storedColumn("level")),
			textDimension("version", storedColumn("version"), orNull),
			textDimension("userId", storedColumn("userId"), orNull, highCardinality),
			textDimension("sessionId", storedColumn("sessionId"), orNull, highCardinality),
			tags,
			textDimension("release", storedColumn("release"), orNull),
			textDimension("traceName", storedColumn("traceName"), shownNull),
			textDimension("traceRelease", storedColumn("release"), orNull),
			textDimension("traceVersion", storedColumn("version"), orNull),
			textDimension("providedModelName", storedColumn("model"), orNull),
			textDimension("promptName", storedColumn("promptName"), orNull),
			version,
			textDimension("startTimeMonth", ofObservation(partOfTime(start, monthLayout))),
			{
				name: "toolNames", filterType: typeElements, elements: true, needs: needTools, test: storedColumn("toolNames"),
				key: observationColumns{
					stored: filter.ObservationColumn("toolNames"),
					joined: ofRow("toolNames", func(r *observationRow) string { return r.tool }).joined,
				},
			},
			{
				// A row can call a tool several times, and each call counts, so the list as the store groups it will
				// not do.
				name: "calledToolNames", filterType: typeElements, elements: true, needs: needCalls, test: storedColumn("calledToolNames"),
				key: ofRow("calledToolNames", func(r *observationRow) string { return r.call }),
			},
			textDimension("costType", ofRow("costType", func(r *observationRow) string { return r.kind }),
				needing[domain.Observation, observationRow](needCost)),
			textDimension("usageType", ofRow("usageType", func(r *observationRow) string { return r.kind }),
				needing[domain.Observation, observationRow](needUsage)),
			textDimension("experimentName", storedColumn("experimentName"), orNull, highCardinality),
			textDimension("experimentDatasetId", storedColumn("experimentDatasetId"), orNull, highCardinality),
			textDimension("experimentId", storedColumn("experimentId"), orNull, highCardinality),
		},
		measures: observationMeasures(),
	}
})

func observationMeasures() []observationMeasure {
	type row = domain.Observation
	start, end, first := filter.ObservationColumn("startTime"), filter.ObservationColumn("endTime"),
		filter.ObservationColumn("timeToFirstToken")
	input, output, total := filter.ObservationColumn("inputTokens"), filter.ObservationColumn("outputTokens"),
		filter.ObservationColumn("totalTokens")
	number := func(name string, get func(*row) (float64, bool), from ...*filter.Column[row]) observationColumns {
		return ofObservation(filter.DerivedNumber(name, get, from...))
	}
	amount := observationColumns{joined: filter.DerivedNumber("amount", func(r *observationRow) (float64, bool) { return r.amount, false })}
	return []observationMeasure{
		{name: countMeasure, column: ofObservation(one(filter.ObservationColumn("type")))},
		{name: "traceId", text: true, nullable: true, column: storedColumn("traceId")},
		{name: "uniqueUserIds", text: true, nullable: true, column: storedColumn("userId")},
		{name: "uniqueSessionIds", text: true, nullable: true, column: storedColumn("sessionId")},
		{
			name: "latency", nullable: true, fast: filter.ObservationColumn("latency"), form: inMillis,
			column: number("latency", func(o *row) (float64, bool) { return millisBetween(o.StartTime, o.EndTime) }, start, end),
		},
		{
			name: "streamingLatency", nullable: true,
			column: number("streamingLatency", func(o *row) (float64, bool) {
				return millisBetween(o.CompletionStartTime, o.EndTime)
			}, first, end),
		},
		{name: "inputTokens", column: ofObservation(input)},
		{name: "outputTokens", column: ofObservation(output)},
		{name: "totalTokens", column: ofObservation(numberOrZero(total)), fast: total, form: orZero},
		{
			name: "outputTokensPerSecond", nullable: true, column: number("outputTokensPerSecond", func(o *row) (float64, bool) {
				return perSecond(float64(o.OutputTokens), o.CompletionStartTime, o.EndTime)
			}, output, first, end),
		},
		{
			name: "tokensPerSecond", nullable: true, column: number("tokensPerSecond", func(o *row) (float64, bool) {
				return perSecond(float64(o.TotalTokens.Value), o.StartTime, o.EndTime)
			}, total, start, end),
		},
		{name: "inputCost", cost: true, column: storedColumn("inputCost")},
		{name: "outputCost", cost: true, column: storedColumn("outputCost")},
		{
			name: "totalCost", cost: true, emptyIsNull: true, column: ofObservation(numberOrZero(filter.ObservationColumn("totalCost"))),
			fast: filter.ObservationColumn("totalCost"), form: orZero,
		},
		{
			name: "timeToFirstToken", nullable: true, fast: first, form: inMillis,
			column: number("timeToFirstToken", func(o *row) (float64, bool) {
				return millisBetween(o.StartTime, o.CompletionStartTime)
			}, first),
		},
		{
			name: "countScores", needs: needScores,
			column: observationColumns{
				joined: filter.DerivedNumber("countScores", func(r *observationRow) (float64, bool) { return float64(r.scores), false }),
			},
		},
		{name: "toolDefinitions", nullable: true, column: ofObservation(numberOrNull(filter.ObservationColumn("toolDefinitions")))},
		{name: "toolCalls", nullable: true, column: ofObservation(numberOrNull(filter.ObservationColumn("toolCalls")))},
		{name: "costByType", cost: true, column: amount, adds: "costType", needs: needCost},
		{name: "usageByType", column: amount, adds: "usageType", needs: needUsage},
	}
}

// observationsV1 differs in the trace fields of an observation: there they come from the whole trace. Rows that stand
// for a trace do not count as observations.
var observationsV1 = sync.OnceValue(func() *observationView {
	v := observationsV2().
		withoutDimensions("release", "isRootObservation", "costType", "usageType", "experimentName", "experimentDatasetId", "experimentId").
		withoutMeasures("traceId", "uniqueUserIds", "uniqueSessionIds", "costByType", "usageByType")
	ofTrace := func(name string) observationColumns {
		return observationColumns{
			joined: filter.Lift(filter.TraceColumn(name), func(r *observationRow) *domain.TraceSummary { return r.trace }),
		}
	}
	for name, column := range map[string]string{
		"userId": "userId", "sessionId": "sessionId", "traceName": "name", "traceRelease": "release", "traceVersion": "version",
	} {
		d := v.dimension(name)
		d.key, d.test, d.needs = ofTrace(column), ofTrace(column), needTrace
	}
	parent := v.dimension("parentObservationId")
	parent.key = ofObservation(filter.DerivedText("parentObservationId", func(o *domain.Observation) (string, bool) {
		return o.SentParentID(), o.SentParentID() == ""
	}, filter.ObservationColumn("parentObservationId"), filter.ObservationColumn("traceId"), filter.ObservationColumn("ingestionSource")))
	parent.test = parent.key
	v.dimension("traceName").nullable = false // a trace without a name has an empty one
	tags := v.dimension("tags")
	tags.test, tags.needs = ofTrace("tags"), needTrace
	tags.key = observationColumns{joined: wholeList(tags.test.joined)}
	return v
})

func observationsOf(version Version) *observationView {
	if version == V1 {
		return observationsV1()
	}
	return observationsV2()
}
