package respond

import (
	"cmp"

	"almanac/internal/domain"
)

// ItemFields is a set of field groups of experiment items. The core group is part of every set.
type ItemFields uint16

// The groups.
const (
	ItemCore ItemFields = 1 << iota
	ItemDataset
	ItemIO
	ItemMetadata           // of the observation that represents the item
	ItemOwnMetadata        // of the item in its dataset
	ItemExperimentMetadata // of the experiment
	ItemScores
)

// itemGroups are the names of the groups, each at the position of its bit.
var itemGroups = []string{"core", "dataset", "io", "metadata", "itemMetadata", "experimentMetadata", "scores"}

// ParseItemFields parses group names, each of which must exist. Without any names, the set is core and dataset.
func ParseItemFields(names []string) (ItemFields, *Error) {
	set, refused := parseGroups(names, itemGroups)
	if set == 0 {
		return ItemCore | ItemDataset, refused
	}
	return ItemFields(set) | ItemCore, refused
}

// Has reports whether the set holds all of these groups.
func (f ItemFields) Has(groups ItemFields) bool { return f&groups == groups }

// AppendExperimentItem appends an experiment item, represented by an observation, with the given scores. Input and
// output are written as strings even if they are JSON, and metadata is not truncated.
func AppendExperimentItem(
	dst []byte, o *domain.Observation, projectID string, fields ItemFields, scores []domain.Score, flush Flush,
) []byte {
	dst = appendItemCore(dst, o)
	if fields.Has(ItemDataset) {
		dst = appendTextOrNull(dst, `,"experimentDatasetId":`, o.ExperimentDatasetID)
		dst = appendTextOrNull(dst, `,"experimentItemVersion":`, o.ExperimentItemVersion)
	}
	if fields.Has(ItemIO) {
		dst = appendLongText(dst, `,"input":`, o.Input, flush)
		dst = appendLongText(dst, `,"output":`, o.Output, flush)
		dst = appendLongText(dst, `,"expectedOutput":`, o.ExperimentItemExpectedOutput, flush)
	}
	if fields.Has(ItemMetadata) {
		dst = appendObject(dst, `,"metadata":`, o.Metadata, flush)
	}
	if fields.Has(ItemOwnMetadata) {
		dst = appendObject(dst, `,"experimentItemMetadata":`, o.ExperimentItemMetadata, flush)
	}
	if fields.Has(ItemExperimentMetadata) {
		dst = appendObject(dst, `,"experimentMetadata":`, o.ExperimentMetadata, flush)
		dst = appendLongText(dst, `,"experimentDescription":`, o.ExperimentDescription, flush)
	}
	if fields.Has(ItemScores) {
		dst = appendScores(dst, `,"scores":`, scores, projectID, flush)
	}
	return append(dst, '}')
}

func appendItemCore(dst []byte, o *domain.Observation) []byte {
	dst = appendText(dst, `{"id":`, o.ID)
	dst = appendText(dst, `,"traceId":`, o.TraceID)
	dst = appendDate(dst, `,"startTime":`, o.StartTime)
	dst = appendDateOrNull(dst, `,"endTime":`, o.EndTime)
	dst = appendText(dst, `,"level":`, cmp.Or(o.Level, defaultLevel))
	dst = appendText(dst, `,"environment":`, cmp.Or(o.Environment, defaultEnvironment))
	dst = appendText(dst, `,"experimentId":`, o.ExperimentID)
	dst = appendText(dst, `,"experimentName":`, o.ExperimentName)
	return appendText(dst, `,"experimentItemId":`, o.ExperimentItemID)
}
