package tables

import (
	"context"
	"encoding/json"

	"almanac/internal/domain"
)

// AuditColumns are the columns of the audit log.
const AuditColumns = `id, at, organization_id, project_id, actor_kind, actor_id, action, resource_kind, resource_id,
	address, request_id, client, state_before, state_after`

// ActorName selects the display name of the user in the columns actor_kind and actor_id of a table, or an empty string
// for other actors. Accounts are kept when people leave.
const ActorName = `COALESCE((SELECT COALESCE(NULLIF(u.name, ''), u.email) FROM users u WHERE actor_kind = 'user' AND u.id = actor_id), '')`

// Audit writes an entry with the current time and the origin from the context, in the transaction of the change that it
// records. Unless the action is set, it is derived from the states. Subscribers are notified of the change when the
// transaction ends.
func (s Session) Audit(ctx context.Context, e domain.AuditEntry) error {
	if e.Action != ActionView && e.Action != ActionDownload {
		s.Note(Change{Kind: e.ResourceKind, OrganizationID: e.OrganizationID, ProjectID: e.ProjectID})
	}
	switch {
	case e.Action != "":
	case e.After == nil:
		e.Action = "delete"
	case e.Before == nil:
		e.Action = "create"
	default:
		e.Action = "update"
	}
	from := domain.OriginOf(ctx)
	return s.Insert(ctx, "audit_log ("+AuditColumns+")",
		OrderedID(), Millis(s.Now()), e.OrganizationID, e.ProjectID, e.Actor.Kind, e.Actor.ID, e.Action, e.ResourceKind, e.ResourceID,
		from.Address, from.RequestID, from.Client, AsRaw(&e.Before), AsRaw(&e.After))
}

// AuditInProject writes an entry about an object of a project.
func (s Session) AuditInProject(
	ctx context.Context, scope domain.ProjectScope, actor domain.Actor, kind, id string, before, after json.RawMessage,
) error {
	organization, err := QueryOne(ctx, s, ScanValue[string], "SELECT organization_id FROM projects WHERE id = ?", scope.ProjectID())
	if err != nil {
		return WithSubject(err, "project", scope.ProjectID())
	}
	return s.Audit(ctx, domain.AuditEntry{
		OrganizationID: organization, ProjectID: scope.ProjectID(), Actor: actor,
		ResourceKind: kind, ResourceID: id, Before: before, After: after,
	})
}

// ActionView is the action of an entry about something that was viewed and not changed.
const ActionView = "view"

// ActionDownload is the action of an entry about a downloaded file.
const ActionDownload = "download"

// SecretReplaced is a field of the state after a change that also replaced a secret. Secrets are never recorded.
const SecretReplaced = "secretReplaced"

// StateOf returns the fields as a JSON object.
func StateOf(fields map[string]any) json.RawMessage { return json.RawMessage(TextOf(fields)) }

// StateIf returns the state of an object, or nil if the object is nil.
func StateIf[T any](record *T, state func(*T) map[string]any) json.RawMessage {
	if record == nil {
		return nil
	}
	return StateOf(state(record))
}

// TextOf returns a value made of strings, numbers, lists and maps as JSON.
func TextOf(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic("BUG: a plain value does not marshal: " + err.Error())
	}
	return string(raw)
}
