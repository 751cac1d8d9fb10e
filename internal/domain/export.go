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

// ExportLife is how long the file of an export can be downloaded after completion.
const ExportLife = 24 * time.Hour

// Export is a file with data of a project, finished or in progress.
type Export struct {
	ID     string
	Table  string
	Format string
	// Request describes the contents of the file, in the format of package export.
	Request json.RawMessage
	State   string
	Rows    int64
	Total   *int64 // expected number of rows; nil if unknown
	Bytes   int64
	Error   string
	Actor   Actor // who requested it
	// ActorName is the current name of a user; empty for other actors.
	ActorName string
	// AsOf is the time at which the rows were read; nil until the export starts.
	AsOf       *time.Time
	FinishedAt *time.Time
	// ExpiresAt is the time until which the file can be downloaded; nil unless State is ExportDone.
	ExpiresAt *time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Open reports whether the export is still queued or running.
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
