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
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// MinRetentionDays is the shortest retention a project can have, apart from 0 (keep for ever).
const MinRetentionDays = 3
