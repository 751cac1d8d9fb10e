package domain

import (
	"strconv"
	"time"
)

// Mark is a position in the tables of the event store, as sequence numbers of appended rows.
type Mark struct{ Observations, Scores int64 }

// NoMark is the position before all rows.
var NoMark = Mark{-1, -1}

// RowKey identifies a deleted row. The trace id is empty if it is not part of the key.
type RowKey struct {
	TraceID string `json:"t,omitempty"`
	ID      string `json:"i"`
}

// ExportDeletion is a deletion reported by scheduled exports: of rows by key, or of all rows of a table before a time.
type ExportDeletion struct {
	ID        string
	Table     string
	Keys      []RowKey
	Before    Micros
	DeletedAt *time.Time // nil if it is not known to be completed
}

// ExportInterval returns the interval between the exports of an integration.
func (b *BlobStorageIntegration) ExportInterval() time.Duration {
	switch b.ExportFrequency {
	case "every_5_minutes":
		return 5 * time.Minute
	case "every_20_minutes":
		return 20 * time.Minute
	case "hourly":
		return time.Hour
	case "weekly":
		return 7 * 24 * time.Hour
	}
	return 24 * time.Hour
}

// ExportFrequencies returns the valid export frequencies.
func ExportFrequencies() []string {
	return []string{"every_5_minutes", "every_20_minutes", "hourly", "daily", "weekly"}
}

// SecretPlace returns the context that the secret of an integration is sealed for.
func (b *BlobStorageIntegration) SecretPlace() string {
	return "blob storage of project " + strconv.Quote(b.ProjectID)
}
