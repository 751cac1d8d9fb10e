package domain

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// Dataset is a named collection of items to test an application with.
type Dataset struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Description *string         `json:"description"`
	Metadata    json.RawMessage `json:"metadata"` // nil if there are none
	// InputSchema and ExpectedOutputSchema are JSON Schemas that items must conform to; nil allows any value.
	InputSchema          json.RawMessage `json:"inputSchema"`
	ExpectedOutputSchema json.RawMessage `json:"expectedOutputSchema"`
	CreatedAt            time.Time       `json:"-"`
	UpdatedAt            time.Time       `json:"-"`
	// ActiveItems is the number of items shown in lists.
	ActiveItems int `json:"-"`
	// LastWrite is the time of the last write of an item; the start of 1970 if there was none.
	LastWrite time.Time `json:"-"`
}

// The states of an item.
const (
	ItemActive   = "ACTIVE"
	ItemArchived = "ARCHIVED" // omitted from lists and runs
)

// DatasetItem is one version of an item. Its values are JSON as sent, nil for null.
type DatasetItem struct {
	ID                  string          `json:"id"` // unique within the project
	Status              string          `json:"status"`
	Input               json.RawMessage `json:"input"`
	ExpectedOutput      json.RawMessage `json:"expectedOutput"`
	Metadata            json.RawMessage `json:"metadata"`
	SourceTraceID       *string         `json:"sourceTraceId"`
	SourceObservationID *string         `json:"sourceObservationId"`
	DatasetID           string          `json:"datasetId"`
	DatasetName         string          `json:"datasetName"`
	// WrittenAt is the time at which this version was written. Only versions that were written at once share it.
	WrittenAt time.Time `json:"-"`
}

// DatasetRun is an experiment on a dataset: its items and the resulting traces.
type DatasetRun struct {
	ID          string          `json:"id"` // see ExperimentID
	Name        string          `json:"name"`
	Description *string         `json:"description"`
	Metadata    json.RawMessage `json:"metadata"` // nil if there are none
	DatasetID   string          `json:"datasetId"`
	DatasetName string          `json:"-"`
	CreatedAt   time.Time       `json:"-"`
	UpdatedAt   time.Time       `json:"-"`
}

// DatasetRunItem links an item of a dataset with its result in a run. A run has at most one link per item.
type DatasetRunItem struct {
	ID            string    `json:"id"`      // see RunItemID
	TraceID       string    `json:"traceId"` // empty if only the observation is known
	ObservationID *string   `json:"observationId"`
	RunID         string    `json:"datasetRunId"`
	RunName       string    `json:"datasetRunName"`
	DatasetItemID string    `json:"datasetItemId"`
	CreatedAt     time.Time `json:"-"`
}

// RunItemID returns the id of the link between a run and an item. It is derived from both, so that linking them again
// yields the same link.
func RunItemID(runID, itemID string) string {
	const version = 8 // a custom UUID
	return uuid.NewHash(sha256.New(), uuid.Nil, []byte(runID+"\x00"+itemID), version).String()
}
