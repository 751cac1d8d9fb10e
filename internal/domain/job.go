package domain

import "time"

// The states of background jobs. Exports also end in the states of exports.
const (
	JobQueued  = "queued"  // due, and waits for a server
	JobRunning = "running" // a server works on it
	JobWaiting = "waiting" // recurs, and is due later
	JobFailed  = "failed"  // it failed; if it is due, it is tried again then
)

// Job is a background job as operators see it, whatever it does.
type Job struct {
	Kind string `json:"kind"`
	// ID is unique within the kind.
	ID        string `json:"id"`
	ProjectID string `json:"projectId,omitempty"`
	// Subject is the exported table or the bucket of an export, or the name of an experiment.
	Subject string `json:"subject,omitempty"`
	State   string `json:"state"`
	// DueAt is since when or from when on the job is due; nil if it is not any more.
	DueAt      *time.Time `json:"dueAt,omitempty"`
	StartedAt  *time.Time `json:"startedAt,omitempty"`
	FinishedAt *time.Time `json:"finishedAt,omitempty"`
	// Server is the server that works on the job; empty for none.
	Server string `json:"server,omitempty"`
	// Failures is how often the job failed since it last succeeded.
	Failures int    `json:"failures"`
	Error    string `json:"error,omitempty"`
	// Rows is how many rows have been handled so far, and Total of how many; nil if that is not known.
	Rows  int64  `json:"rows"`
	Total *int64 `json:"totalRows,omitempty"`
}
