package domain

import (
	"encoding/json"
	"time"
)

// Organization owns projects and members.
type Organization struct {
	ID        string
	Name      string
	Metadata  json.RawMessage // a JSON object, never empty
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Project holds the traces, scores and all other data of one application.
type Project struct {
	ID               string
	Name             string
	OrganizationID   string
	OrganizationName string
	Metadata         json.RawMessage // a JSON object, never empty
	RetentionDays    int             // 0 keeps data forever
	MaxBytes         int64           // maximum size of events, beyond which the oldest days are deleted; 0 for no limit
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// MinRetentionDays is the minimum retention of a project, apart from 0 (keep forever).
const MinRetentionDays = 3

// MinMaxBytes is the minimum size limit of a project, apart from 0 (no limit).
const MinMaxBytes = 10_000_000
