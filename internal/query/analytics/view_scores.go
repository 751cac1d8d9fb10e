package analytics

import (
	"sync"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// scoreRow is a score with the observations that it was joined with.
type scoreRow struct {
	*domain.Score
	root     *domain.Observation // of its trace
	observed *domain.Observation // the one that was scored
}

type (
	scoreView      = view[domain.Score, scoreRow]
	scoreColumns   = columns[domain.Score, scoreRow]
	scoreDimension = dimension[domain.Score, scoreRow]
	scoreMeasure   = measure[domain.Score, scoreRow]
)

// ofScore returns a column that scores themselves have.
func ofScore(c *filter.Column[domain.Score]) scoreColumns {
	return scoreColumns{stored: c, joined: filter.Lift(c, func(r *scoreRow) *domain.Score { return r.Score })}
}

// ofRoot returns a column of the root of the score's trace.
func ofRoot(c *filter.Column[domain.Observation]) scoreColumns {
	return scoreColumns{joined: filter.Lift(c, func(r *scoreRow) *domain.Observation { return r.root })}
}

// ofObserved returns a column of the observation that was scored.
func ofObserved(c *filter.Column[domain.Observation]) scoreColumns {
	return scoreColumns{joined: filter.Lift(c, func(r *scoreRow) *domain.Observation { return r.observed })}
}

// scoresBase is common to all views of scores.
var scoresBase = sync.OnceValue(func() *scoreView {
	type d = scoreDimension
	withRoot, withObserved := needing[domain.Score, scoreRow](needRoot), needing[domain.Score, scoreRow](needObserved)
	own := func(name string) scoreColumns { return ofScore(filter.ScoreColumn(name)) }
	root := func(name string) scoreColumns { return ofRoot(filter.ObservationColumn(name)) }
	observed := func(name string) scoreColumns { return ofObserved(filter.ObservationColumn(name)) }
	at, version, tags := filter.ScoreColumn("timestamp"), filter.ObservationColumn("promptVersion"), filter.ObservationColumn("tags")
	// Scores do not name the evaluator that made them.
	evaluator := filter.DerivedText("evaluatorId", func(*domain.Score) (string, bool) { return "", true }, filter.ScoreColumn("dataType"))
	return &scoreView{
		time: ofScore(at), timeName: "timestamp", metadata: own("metadata"),
		dimensions: []d{
			textDimension("id", own("id"), shownNull, highCardinality),
			textDimension("environment", own("environment")),
			textDimension("name", own("name")),
			textDimension("source", own("source")),
			textDimension("dataType", own("dataType")),
			textDimension("traceId", own("traceId"), shownNull, highCardinality),
			textDimension("traceName", root("traceName"), shownNull, withRoot),
			{name: "tags", shows: showsList, filterType: typeList, needs: needRoot, test: ofRoot(tags), key: ofRoot(wholeList(tags))},
			textDimension("userId", root("userId"), orNull, highCardinality, withRoot),
			textDimension("sessionId", own("sessionId"), shownNull, highCardinality),
			textDimension("datasetRunId", own("experimentId"), shownNull, highCardinality),
			textDimension("traceRelease", root("release"), orNull, withRoot),
			textDimension("traceVersion", root("version"), orNull, withRoot),
			textDimension("observationId", own("observationId"), shownNull, highCardinality),
			textDimension("observationName", observed("name"), withObserved),
			textDimension("observationModelName", observed("model"), orNull, withObserved),
			textDimension("observationPromptName", observed("promptName"), orNull, withObserved),
			{
				name: "observationPromptVersion", shows: showsNumber, filterType: typeText, nullable: true, needs: needObserved,
				key: ofObserved(version), test: ofObserved(numberText(version)),
			},
			textDimension("configId", own("configId"), shownNull),
			textDimension("timestampMonth", ofScore(partOfTime(at, monthLayout))),
			textDimension("timestampDay", ofScore(partOfTime(at, dayLayout))),
			textDimension("experimentName", observed("experimentName"), orNull, highCardinality, withObserved),
			textDimension("experimentId", observed("experimentId"), orNull, highCardinality, withObserved),
			textDimension("evaluatorId", ofScore(evaluator), shownNull, highCardinality),
		},
		measures: []scoreMeasure{{name: countMeasure, column: ofScore(one(filter.ScoreColumn("dataType")))}},
	}
})

// scoreViews are the views of scores by their names.
var scoreViews = sync.OnceValue(func() map[string]*scoreView {
	value := ofScore(filter.ScoreColumn("value"))
	ofValue := scoreMeasure{name: "value", column: value, nullable: true}
	with := func(d scoreDimension, measures ...scoreMeasure) *scoreView {
		v := *scoresBase()
		v.dimensions = append([]scoreDimension{}, v.dimensions...)
		v.dimensions = append(v.dimensions, d)
		v.measures = append(append([]scoreMeasure{}, v.measures...), measures...)
		return &v
	}
	isTrue := ofScore(filter.DerivedBool("booleanValue", func(s *domain.Score) bool {
		return s.Value.Value == 1
	}, filter.ScoreColumn("value")))
	return map[string]*scoreView{
		"scores-numeric": with(scoreDimension{
			name: "value", shows: showsNumber, filterType: typeNumber, key: value, test: value,
		}, ofValue),
		"scores-categorical": with(textDimension("stringValue", ofScore(filter.ScoreColumn("stringValue")))),
		"scores-boolean":     with(boolDimension("booleanValue", isTrue), ofValue),
	}
})

// scoreTypes are the data types of the scores in each view.
var scoreTypes = map[string][]string{
	"scores-numeric":     {domain.ScoreNumeric, domain.ScoreBoolean},
	"scores-categorical": {domain.ScoreCategorical},
	"scores-boolean":     {domain.ScoreBoolean},
}

// scoresOf returns the view of scores with this name.
func scoresOf(version Version, name string) *scoreView {
	v := scoreViews()[name]
	if version == V1 {
		return v.withoutDimensions("datasetRunId", "experimentName", "experimentId")
	}
	return v
}
