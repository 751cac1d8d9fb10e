package respond

import (
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// ExperimentFields is a set of groups of fields that experiments are written with. The core is part of every set.
type ExperimentFields uint16

// The groups.
const (
	ExperimentCore ExperimentFields = 1 << iota
	ExperimentMetadata
	ExperimentScores
)

// experimentGroups are the names of the groups, each at the position of its bit.
var experimentGroups = []string{"core", "metadata", "scores"}

// ParseExperimentFields reads names of groups, each of which must exist.
func ParseExperimentFields(names []string) (ExperimentFields, *Error) {
	set, refused := parseGroups(names, experimentGroups)
	return ExperimentFields(set) | ExperimentCore, refused
}

// Has reports whether the set holds all of these groups.
func (f ExperimentFields) Has(groups ExperimentFields) bool { return f&groups == groups }

// AppendExperiment appends an experiment. The scores are those to show with it.
func AppendExperiment(
	dst []byte, e *domain.ExperimentSummary, projectID string, fields ExperimentFields, scores []domain.Score, flush Flush,
) []byte {
	dst = append(dst, `{"id":`...)
	dst = jsontext.AppendString(dst, e.ID)
	dst = append(dst, `,"name":`...)
	dst = jsontext.AppendString(dst, e.Name)
	dst = append(dst, `,"description":`...)
	dst = jsontext.AppendLongString(dst, e.Description, flush)
	dst = append(dst, `,"startTime":`...)
	dst = appendDate(dst, e.StartTime)
	dst = append(dst, `,"endTime":`...)
	dst = appendDate(dst, e.EndTime)
	dst = append(dst, `,"itemCount":`...)
	dst = strconv.AppendInt(dst, int64(e.Items), 10)
	dst = append(dst, `,"datasetId":`...)
	dst = appendTextOrNull(dst, e.DatasetID)
	if fields.Has(ExperimentMetadata) {
		dst = append(dst, `,"metadata":`...)
		dst = appendObject(dst, e.Metadata, flush)
	}
	if fields.Has(ExperimentScores) {
		dst = append(dst, `,"scores":`...)
		dst = appendScores(dst, scores, projectID, flush)
	}
	return append(dst, '}')
}

// appendScores appends a list of scores, each with what it is about. Those that cannot be shown are not in it.
func appendScores(dst []byte, scores []domain.Score, projectID string, flush Flush) []byte {
	dst = append(dst, '[')
	for n := range scores {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = AppendScore(dst, &scores[n], projectID, ScoreSubject, flush)
	}
	return append(dst, ']')
}
