package catalog

import (
	"context"
	"encoding/json"

	"almanac/internal/domain"
)

// auditColumns are those of the audit log.
const auditColumns = `id, at, organization_id, project_id, actor_kind, actor_id, action, resource_kind, resource_id,
	address, request_id, client, state_before, state_after`

// audit writes an entry, under the current time and with the origin that the context has, in the transaction of the change it
// records. The action follows from the states, unless it is named. Whoever caches what was changed is told when the transaction ends.
func (s session) audit(ctx context.Context, e domain.AuditEntry) error {
	if e.Action != actionView && e.Action != actionDownload {
		s.note(Change{Kind: e.ResourceKind, OrganizationID: e.OrganizationID, ProjectID: e.ProjectID})
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
	return s.insert(ctx, "audit_log ("+auditColumns+")",
		orderedID(), millis(s.now()), e.OrganizationID, e.ProjectID, e.Actor.Kind, e.Actor.ID, e.Action, e.ResourceKind, e.ResourceID,
		from.Address, from.RequestID, from.Client, asRaw(&e.Before), asRaw(&e.After))
}

// auditInProject writes an entry about a thing of a project.
func (s session) auditInProject(ctx context.Context, scope domain.ProjectScope, actor domain.Actor, kind, id string, before, after json.RawMessage) error {
	organization, err := queryOne(ctx, s, scanValue[string], "SELECT organization_id FROM projects WHERE id = ?", scope.ProjectID())
	if err != nil {
		return named(err, "project", scope.ProjectID())
	}
	return s.audit(ctx, domain.AuditEntry{
		OrganizationID: organization, ProjectID: scope.ProjectID(), Actor: actor,
		ResourceKind: kind, ResourceID: id, Before: before, After: after,
	})
}

// actionView is the action of an entry about something that was read and not changed.
const actionView = "view"

// actionDownload is the action of an entry about a file that somebody took away.
const actionDownload = "download"

// secretReplaced is a member of the state after a change that also replaced a secret, which is never recorded.
const secretReplaced = "secretReplaced"

// stateOf returns the fields as a JSON object.
func stateOf(fields map[string]any) json.RawMessage { return json.RawMessage(textOf(fields)) }

// stateIf returns the state of a thing, or nil if there is none.
func stateIf[T any](thing *T, state func(*T) map[string]any) json.RawMessage {
	if thing == nil {
		return nil
	}
	return stateOf(state(thing))
}

// textOf returns a value of plain texts, numbers, lists and maps as JSON.
func textOf(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic("BUG: a plain value does not marshal: " + err.Error())
	}
	return string(raw)
}
