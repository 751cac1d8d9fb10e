package respond

import (
	"almanac/internal/domain"
)

// ExperimentFields is a set of field groups of experiments. The core group is part of every set.
type ExperimentFields uint16

// The groups.
const (
	ExperimentCore ExperimentFields = 1 << iota
	ExperimentMetadata
	ExperimentScores
)

// experimentGroups are the names of the groups, each at the position of its bit.
var experimentGroups = []string{"core", "metadata", "scores"}

// ParseExperimentFields parses group names, each of which must exist.
func ParseExperimentFields(names []string) (ExperimentFields, *Error) {
	set, refused := parseGroups(names, experimentGroups)
	return ExperimentFields(set) | ExperimentCore, refused
}

// Has reports whether the set holds all of these groups.
func (f ExperimentFields) Has(groups ExperimentFields) bool { return f&groups == groups }

// AppendExperiment appends an experiment with the given scores.
func AppendExperiment(
	dst []byte, e *domain.ExperimentSummary, projectID string, fields ExperimentFields, scores []domain.Score, flush Flush,
) []byte {
	dst = appendText(dst, `{"id":`, e.ID)
	dst = appendText(dst, `,"name":`, e.Name)
	dst = appendLongText(dst, `,"description":`, e.Description, flush)
	dst = appendDate(dst, `,"startTime":`, e.StartTime)
	dst = appendDate(dst, `,"endTime":`, e.EndTime)
	dst = appendInt(dst, `,"itemCount":`, int64(e.Items))
	dst = appendTextOrNull(dst, `,"datasetId":`, e.DatasetID)
	if fields.Has(ExperimentMetadata) {
		dst = appendObject(dst, `,"metadata":`, e.Metadata, flush)
	}
	if fields.Has(ExperimentScores) {
		dst = appendScores(dst, `,"scores":`, scores, projectID, flush)
	}
	return append(dst, '}')
}

// appendScores appends a list of scores with their subjects. CanAppendScore must hold for each.
func appendScores(dst []byte, name string, scores []domain.Score, projectID string, flush Flush) []byte {
	dst = append(append(dst, name...), '[')
	for n := range scores {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = AppendScore(dst, &scores[n], projectID, ScoreSubject, flush)
	}
	return append(dst, ']')
}
