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
	// InputSchema and ExpectedOutputSchema are JSON Schemas that the items meet; nil if any value will do.
	InputSchema          json.RawMessage
	ExpectedOutputSchema json.RawMessage
	CreatedAt            time.Time
	UpdatedAt            time.Time
	// ActiveItems is how many items lists show.
	ActiveItems int
	// LastWrite is when an item was last written; the beginning of 1970 if none ever was.
	LastWrite time.Time
}

// The states of an item.
const (
	ItemActive   = "ACTIVE"
	ItemArchived = "ARCHIVED" // it is left out of lists and runs
)

// DatasetItem is one version of an item. Its values are JSON as it was sent, nil for null.
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
	// WrittenAt is when this version was written. No two versions within a dataset have the same time.
	WrittenAt time.Time
}

// DatasetRun is an experiment on a dataset: its items, and the traces that they led to.
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

// DatasetRunItem links an item of a dataset with what became of it in a run. A run has at most one link for an item.
type DatasetRunItem struct {
	ID            string // see RunItemID
	RunID         string
	RunName       string
	DatasetItemID string
	TraceID       string // empty if only the observation is known
	ObservationID *string
	CreatedAt     time.Time
}

// RunItemID returns the id of the link between a run and an item. It follows from the two, so that linking them again
// leads to the same link.
func RunItemID(runID, itemID string) string {
	const version = 8 // a UUID whose meaning is ours
	return uuid.NewHash(sha256.New(), uuid.Nil, []byte(runID+"\x00"+itemID), version).String()
}
