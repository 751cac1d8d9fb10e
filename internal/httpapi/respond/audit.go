package respond

import (
	"encoding/json"

	"almanac/internal/domain"
)

// AuditEntry is an entry of the audit log as clients see it.
type AuditEntry struct {
	ID             string          `json:"id"`
	Timestamp      Time            `json:"timestamp"`
	OrganizationID string          `json:"organizationId"`
	ProjectID      *string         `json:"projectId"`
	Actor          AuditActor      `json:"actor"`
	Action         string          `json:"action"`
	ResourceType   string          `json:"resourceType"`
	ResourceID     string          `json:"resourceId"`
	Address        *string         `json:"address"`
	RequestID      *string         `json:"requestId"`
	Client         *string         `json:"client"`
	Before         json.RawMessage `json:"before"`
	After          json.RawMessage `json:"after"`
}

// AuditActor is the author of a change. Only people have names.
type AuditActor struct {
	Type string  `json:"type"`
	ID   *string `json:"id"`
	Name *string `json:"name"`
}

// NewAuditEntry converts an entry of the audit log.
func NewAuditEntry(e *domain.AuditEntry) AuditEntry {
	return AuditEntry{
		ID: e.ID, Timestamp: Time(e.At), OrganizationID: e.OrganizationID, ProjectID: notEmpty(e.ProjectID),
		Actor: AuditActor{e.Actor.Kind, notEmpty(e.Actor.ID), notEmpty(e.ActorName)}, Action: e.Action, ResourceType: e.ResourceKind,
		ResourceID: e.ResourceID,
		Address:    notEmpty(e.Origin.Address), RequestID: notEmpty(e.Origin.RequestID), Client: notEmpty(e.Origin.Client),
		Before: e.Before, After: e.After,
	}
}

// notEmpty returns a pointer to text, or nil, which is written as null, if it is empty.
func notEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
