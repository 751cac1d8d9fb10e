package domain

import (
	"encoding/json"
	"time"
)

// Actor is who made a change: kind "api-key" with the key's id; "admin" for whoever has the instance's admin key; "cli" or
// "init" for the operator.
type Actor struct {
	Kind string
	ID   string
}

// AuditEntry records one change of the control plane. Before and After hold the public fields of the thing
// changed as JSON objects, nil where there was none; they never hold secrets.
type AuditEntry struct {
	ID             string
	At             time.Time
	OrganizationID string
	ProjectID      string
	Actor          Actor
	Action         string // create, update, delete
	ResourceKind   string
	ResourceID     string
	Before         json.RawMessage
	After          json.RawMessage
}
