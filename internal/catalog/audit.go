package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"almanac/internal/domain"
)

// audit writes an entry, under the current time, in the transaction of the change it records. Whoever remembers what was
// changed is told when the transaction ends.
func (s session) audit(ctx context.Context, e domain.AuditEntry) error {
	s.note(Change{Kind: e.ResourceKind, OrganizationID: e.OrganizationID, ProjectID: e.ProjectID})
	id, err := orderedID()
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, `INSERT INTO audit_log (id, at, organization_id, project_id, actor_kind, actor_id, action, resource_kind, resource_id, state_before, state_after)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		id, millis(s.now()), e.OrganizationID, e.ProjectID, e.Actor.Kind, e.Actor.ID, e.Action, e.ResourceKind, e.ResourceID,
		optionalText(e.Before), optionalText(e.After))
	return err
}

// auditInProject writes an entry about a thing of a project.
func (s session) auditInProject(ctx context.Context, scope domain.ProjectScope, actor domain.Actor, action, kind, id string, before, after json.RawMessage) error {
	organization, err := queryOne(ctx, s, scanText, "SELECT organization_id FROM projects WHERE id = ?", scope.ProjectID())
	if err != nil {
		return named(err, "project", scope.ProjectID())
	}
	return s.audit(ctx, domain.AuditEntry{
		OrganizationID: organization, ProjectID: scope.ProjectID(), Actor: actor,
		Action: action, ResourceKind: kind, ResourceID: id, Before: before, After: after,
	})
}

// RecordDeletion writes an audit entry for each of these things of a project, which are kept elsewhere: it is called before
// they are deleted there, so that nothing disappears without an entry.
func (c *Catalog) RecordDeletion(ctx context.Context, scope domain.ProjectScope, kind string, ids []string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		p, err := queryOne(ctx, s, scanProject, selectProject+" WHERE p.id = ?", scope.ProjectID())
		if err != nil {
			return named(err, "project", scope.ProjectID())
		}
		for _, id := range ids {
			if err := s.audit(ctx, domain.AuditEntry{
				OrganizationID: p.OrganizationID, ProjectID: p.ID, Actor: actor, Action: "delete", ResourceKind: kind, ResourceID: id,
			}); err != nil {
				return fmt.Errorf("cannot record the deletion of %d things of kind %s: %w", len(ids), kind, err)
			}
		}
		return nil
	})
}

// AuditLog returns the changes made in an organization, oldest first.
func (c *Catalog) AuditLog(ctx context.Context, scope domain.OrganizationScope) ([]domain.AuditEntry, error) {
	return queryAll(ctx, c.reader(), scanAuditEntry, `SELECT id, at, organization_id, project_id, actor_kind, actor_id, action, resource_kind, resource_id, state_before, state_after
		FROM audit_log WHERE organization_id = ? ORDER BY at, id`, scope.OrganizationID())
}

func scanAuditEntry(r row) (domain.AuditEntry, error) {
	var (
		e             domain.AuditEntry
		at            int64
		before, after sql.Null[string]
	)
	err := r.Scan(&e.ID, &at, &e.OrganizationID, &e.ProjectID, &e.Actor.Kind, &e.Actor.ID, &e.Action, &e.ResourceKind, &e.ResourceID, &before, &after)
	e.At = fromMillis(at)
	if before.Valid {
		e.Before = json.RawMessage(before.V)
	}
	if after.Valid {
		e.After = json.RawMessage(after.V)
	}
	return e, err
}

func optionalText(raw json.RawMessage) *string {
	if raw == nil {
		return nil
	}
	return new(string(raw))
}

// stateOf returns the fields as a JSON object.
func stateOf(fields map[string]any) json.RawMessage { return json.RawMessage(textOf(fields)) }

// textOf returns a value of plain texts, numbers, lists and maps as JSON.
func textOf(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic("BUG: a plain value does not marshal: " + err.Error())
	}
	return string(raw)
}
