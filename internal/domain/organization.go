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

// Project holds traces, scores and everything else that one application reports.
type Project struct {
	ID               string
	Name             string
	OrganizationID   string
	OrganizationName string
	Metadata         json.RawMessage // a JSON object, never empty
	RetentionDays    int             // 0 keeps data for ever
	MaxBytes         int64           // of events; the oldest days are deleted beyond it. 0 is no limit
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// MinRetentionDays is the shortest retention a project can have, apart from 0 (keep for ever).
const MinRetentionDays = 3

// MinMaxBytes is the smallest size that a project can be limited to, apart from 0 (no limit).
const MinMaxBytes = 10_000_000
