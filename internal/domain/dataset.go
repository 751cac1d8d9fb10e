package domain

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// Dataset is a named collection of items to test an application with.
type Dataset struct {
	ID          string
	Name        string
	Description *string
	Metadata    json.RawMessage // nil if there are none
	// InputSchema and ExpectedOutputSchema are JSON Schemas that items must conform to; nil allows any value.
	InputSchema          json.RawMessage
	ExpectedOutputSchema json.RawMessage
	CreatedAt            time.Time
	UpdatedAt            time.Time
	// ActiveItems is the number of items shown in lists.
	ActiveItems int
	// LastWrite is the time of the last write of an item; the start of 1970 if there was none.
	LastWrite time.Time
}

// The states of an item.
const (
	ItemActive   = "ACTIVE"
	ItemArchived = "ARCHIVED" // omitted from lists and runs
)

// DatasetItem is one version of an item. Its values are JSON as sent, nil for null.
type DatasetItem struct {
	ID                  string // unique within the project
	DatasetID           string
	DatasetName         string
	Status              string
	Input               json.RawMessage
	ExpectedOutput      json.RawMessage
	Metadata            json.RawMessage
	SourceTraceID       *string
	SourceObservationID *string
	// WrittenAt is the time at which this version was written. It is unique within a dataset.
	WrittenAt time.Time
}

// DatasetRun is an experiment on a dataset: its items and the resulting traces.
type DatasetRun struct {
	ID          string // see ExperimentID
	Name        string
	Description *string
	Metadata    json.RawMessage // nil if there are none
	DatasetID   string
	DatasetName string
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// DatasetRunItem links an item of a dataset with its result in a run. A run has at most one link per item.
type DatasetRunItem struct {
	ID            string // see RunItemID
	RunID         string
	RunName       string
	DatasetItemID string
	TraceID       string // empty if only the observation is known
	ObservationID *string
	CreatedAt     time.Time
}

// RunItemID returns the id of the link between a run and an item. It is derived from both, so that linking them again
// yields the same link.
func RunItemID(runID, itemID string) string {
	const version = 8 // a custom UUID
	return uuid.NewHash(sha256.New(), uuid.Nil, []byte(runID+"\x00"+itemID), version).String()
}
