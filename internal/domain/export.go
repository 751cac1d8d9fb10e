package domain

import (
	"encoding/json"
	"time"
)

// The states of an export.
const (
	ExportQueued    = "queued"
	ExportRunning   = "running"
	ExportDone      = "done"
	ExportFailed    = "failed"
	ExportCancelled = "cancelled"
)

// ExportLife is how long the file of an export can be downloaded after it was finished.
const ExportLife = 24 * time.Hour

// Export is a file that is made, or was made, of what a project has.
type Export struct {
	ID     string
	Table  string
	Format string
	// Request says what is in the file, in the form of package export.
	Request json.RawMessage
	State   string
	Rows    int64
	Total   *int64 // how many rows there will be; nil if that is not known
	Bytes   int64
	Error   string
	Actor   Actor // who asked for it
	// ActorName is what a person is called, as of now; empty for others.
	ActorName string
	// AsOf is the moment that the rows are of; nil until it began.
	AsOf       *time.Time
	FinishedAt *time.Time
	// ExpiresAt is until when the file can be downloaded; nil unless it is done.
	ExpiresAt *time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Open reports whether the export is not finished.
func (e *Export) Open() bool { return e.State == ExportQueued || e.State == ExportRunning }

// Available reports whether the file can be downloaded.
func (e *Export) Available(now time.Time) bool {
	return e.State == ExportDone && e.ExpiresAt != nil && now.Before(*e.ExpiresAt)
}

// ExportPart is a piece of the file of an export.
type ExportPart struct {
	BlobKey string
	Bytes   int64
}
