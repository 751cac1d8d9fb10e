package domain

import (
	"strconv"
	"time"
)

// Mark is how far the tables of the event store are, in the numbers that rows get when they are appended.
type Mark struct{ Observations, Scores int64 }

// NoMark is before all rows.
var NoMark = Mark{-1, -1}

// RowKey names a row that was deleted. The trace id is empty if it is not part of the key.
type RowKey struct {
	TraceID string `json:"t,omitempty"`
	ID      string `json:"i"`
}

// ExportDeletion is a deletion that scheduled exports tell of: of rows by their keys, or of all rows of a table before a time.
type ExportDeletion struct {
	ID        string
	Table     string
	Keys      []RowKey
	Before    Micros
	DeletedAt *time.Time // nil if it is not certain that it was carried out
}

// ExportInterval returns how often an integration exports.
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

// ExportFrequencies are how often an integration can export.
func ExportFrequencies() []string {
	return []string{"every_5_minutes", "every_20_minutes", "hourly", "daily", "weekly"}
}

// SecretPlace is what the secret of an integration is sealed for.
func (b *BlobStorageIntegration) SecretPlace() string {
	return "blob storage of project " + strconv.Quote(b.ProjectID)
}
