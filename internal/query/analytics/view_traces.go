package analytics

import (
	"sync"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// traceRow is a trace assembled from its rows.
type traceRow struct {
	*domain.TraceSummary
	observations int
	scores       int
	cost         domain.OptFloat // null if none of its rows has a cost
}

type (
	traceView      = view[traceRow, traceRow]
	traceColumns   = columns[traceRow, traceRow]
	traceDimension = dimension[traceRow, traceRow]
	traceMeasure   = measure[traceRow, traceRow]
)

// ofTrace returns a column of traces. No store has it.
func ofTrace(name string) traceColumns {
	return traceColumns{joined: filter.Lift(filter.TraceColumn(name), func(r *traceRow) *domain.TraceSummary { return r.TraceSummary })}
}

var tracesV1 = sync.OnceValue(func() *traceView {
	number := func(name string, get func(*traceRow) float64) traceColumns {
		return traceColumns{joined: filter.DerivedNumber(name, func(r *traceRow) (float64, bool) { return get(r), false })}
	}
	at := ofTrace("timestamp")
	return &traceView{
		time: at, timeName: "timestamp", metadata: ofTrace("metadata"),
		dimensions: []traceDimension{
			textDimension("id", ofTrace("id"), orNull),
			textDimension("name", ofTrace("name")),
			{
				name: "tags", shows: showsList, filterType: typeList, test: ofTrace("tags"),
				key: traceColumns{joined: wholeList(ofTrace("tags").joined)},
			},
			textDimension("userId", ofTrace("userId"), orNull),
			textDimension("sessionId", ofTrace("sessionId"), orNull),
			textDimension("release", ofTrace("release"), orNull),
			textDimension("version", ofTrace("version"), orNull),
			textDimension("environment", ofTrace("environment")),
			textDimension("timestampMonth", traceColumns{joined: partOfTime(at.joined, monthLayout)}),
		},
		measures: []traceMeasure{
			{name: countMeasure, column: traceColumns{joined: one[traceRow]()}},
			{name: "observationsCount", column: number("observationsCount", func(r *traceRow) float64 { return float64(r.observations) })},
			{name: "scoresCount", needs: needScores, column: number("scoresCount", func(r *traceRow) float64 { return float64(r.scores) })},
			{name: "uniqueUserIds", text: true, nullable: true, column: ofTrace("userId")},
			{name: "uniqueSessionIds", text: true, nullable: true, column: ofTrace("sessionId")},
			{name: "latency", nullable: true, column: number("latency", func(r *traceRow) float64 { return float64(r.LatencyMillis) })},
			{name: "totalTokens", column: number("totalTokens", func(r *traceRow) float64 { return float64(r.TotalTokens) })},
			{
				name: "totalCost", cost: true, nullable: true,
				column: traceColumns{
					joined: filter.DerivedNumber("totalCost", func(r *traceRow) (float64, bool) { return r.cost.Value, !r.cost.Set }),
				},
			},
		},
	}
})
