package respond

import (
	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// ItemFields is a set of groups of fields that items of experiments are written with. The core is part of every set.
type ItemFields uint16

// The groups.
const (
	ItemCore ItemFields = 1 << iota
	ItemDataset
	ItemIO
	ItemMetadata           // of the row that stands for the item
	ItemOwnMetadata        // of the item in its dataset
	ItemExperimentMetadata // of the experiment
	ItemScores
)

// itemGroups are the names of the groups, each at the position of its bit.
var itemGroups = []string{"core", "dataset", "io", "metadata", "itemMetadata", "experimentMetadata", "scores"}

// ParseItemFields reads names of groups, each of which must exist. Without any name, the dataset is returned.
func ParseItemFields(names []string) (ItemFields, *Error) {
	set, refused := parseGroups(names, itemGroups)
	if set == 0 {
		return ItemCore | ItemDataset, refused
	}
	return ItemFields(set) | ItemCore, refused
}

// Has reports whether the set holds all of these groups.
func (f ItemFields) Has(groups ItemFields) bool { return f&groups == groups }

// AppendExperimentItem appends an item of an experiment, which a row stands for. The scores are those to show with it.
// Texts are returned as they were sent, whatever they hold, and metadata are not cut.
func AppendExperimentItem(dst []byte, o *domain.Observation, projectID string, fields ItemFields, scores []domain.Score, flush Flush) []byte {
	dst = appendItemCore(dst, o)
	if fields.Has(ItemDataset) {
		dst = append(dst, `,"experimentDatasetId":`...)
		dst = appendTextOrNull(dst, o.ExperimentDatasetID)
		dst = append(dst, `,"experimentItemVersion":`...)
		dst = appendTextOrNull(dst, o.ExperimentItemVersion)
	}
	if fields.Has(ItemIO) {
		dst = append(dst, `,"input":`...)
		dst = jsontext.AppendLongString(dst, o.Input, flush)
		dst = append(dst, `,"output":`...)
		dst = jsontext.AppendLongString(dst, o.Output, flush)
		dst = append(dst, `,"expectedOutput":`...)
		dst = jsontext.AppendLongString(dst, o.ExperimentItemExpectedOutput, flush)
	}
	if fields.Has(ItemMetadata) {
		dst = append(dst, `,"metadata":`...)
		dst = appendObject(dst, o.Metadata, flush)
	}
	if fields.Has(ItemOwnMetadata) {
		dst = append(dst, `,"experimentItemMetadata":`...)
		dst = appendObject(dst, o.ExperimentItemMetadata, flush)
	}
	if fields.Has(ItemExperimentMetadata) {
		dst = append(dst, `,"experimentMetadata":`...)
		dst = appendObject(dst, o.ExperimentMetadata, flush)
		dst = append(dst, `,"experimentDescription":`...)
		dst = jsontext.AppendLongString(dst, o.ExperimentDescription, flush)
	}
	if fields.Has(ItemScores) {
		dst = append(dst, `,"scores":`...)
		dst = appendScores(dst, scores, projectID, flush)
	}
	return append(dst, '}')
}

func appendItemCore(dst []byte, o *domain.Observation) []byte {
	dst = append(dst, `{"id":`...)
	dst = jsontext.AppendString(dst, o.ID)
	dst = append(dst, `,"traceId":`...)
	dst = jsontext.AppendString(dst, o.TraceID)
	dst = append(dst, `,"startTime":`...)
	dst = appendDate(dst, o.StartTime)
	dst = append(dst, `,"endTime":`...)
	dst = appendDateOrNull(dst, o.EndTime)
	dst = append(dst, `,"level":`...)
	dst = appendTextOr(dst, o.Level, defaultLevel)
	dst = append(dst, `,"environment":`...)
	dst = appendTextOr(dst, o.Environment, defaultEnvironment)
	dst = append(dst, `,"experimentId":`...)
	dst = jsontext.AppendString(dst, o.ExperimentID)
	dst = append(dst, `,"experimentName":`...)
	dst = jsontext.AppendString(dst, o.ExperimentName)
	dst = append(dst, `,"experimentItemId":`...)
	return jsontext.AppendString(dst, o.ExperimentItemID)
}
