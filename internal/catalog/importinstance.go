package catalog

import (
	"context"
	"fmt"
	"time"

	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/people"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

// ImportedAssignment is the assignment of a user to an annotation queue.
type ImportedAssignment struct {
	QueueID   string
	Email     string
	CreatedAt time.Time
}

// ImportInstance is like Import for records that belong to no project, or that define the projects. It is for the
// operator, who is not bound to an organization. Changes are audited as if the actor had made them.
//
// Records have one of these types: domain.Organization, domain.Project, domain.Account (its password is not imported),
// ImportedMember, domain.StoredKey (its hash may be the one from the source), domain.BlobStorageIntegration,
// ImportedAssignment, domain.AuditEntry.
func (c *Catalog) ImportInstance(
	ctx context.Context, records []any, state func([]tables.ImportOutcome) (ImportState, error), actor domain.Actor,
) error {
	return c.importAll(ctx, records, state, func(s tables.Session, record any) (tables.ImportOutcome, error) {
		return importInstanceRecord(ctx, s, record, actor)
	})
}

func importInstanceRecord(ctx context.Context, s tables.Session, record any, actor domain.Actor) (tables.ImportOutcome, error) {
	switch t := record.(type) {
	case domain.Organization:
		return tenants.ImportOrganization(ctx, s, t, actor)
	case domain.Project:
		return tenants.ImportProject(ctx, s, t, actor)
	case domain.Account:
		return people.ImportAccount(ctx, s, t, actor)
	case people.ImportedMember:
		return people.ImportMember(ctx, s, t, actor)
	case domain.StoredKey:
		return tenants.ImportKey(ctx, s, t, actor)
	case domain.BlobStorageIntegration:
		return exports.ImportBlobStorage(ctx, s, t, actor)
	case ImportedAssignment:
		return importAssignment(ctx, s, t)
	case domain.AuditEntry:
		return importAuditEntry(ctx, s, t)
	}
	panic(fmt.Sprintf("BUG: records of type %T cannot be imported", record))
}

func importAssignment(ctx context.Context, s tables.Session, n ImportedAssignment) (tables.ImportOutcome, error) {
	user, err := tables.Optional(people.ReadUser(ctx, s, "email", domain.NormalEmail(n.Email)))
	if err != nil || user == nil {
		return tables.ImportSkipped(people.SkippedUser), err
	}
	queue, err := s.Exists(ctx, "SELECT id FROM annotation_queues WHERE id = ?", n.QueueID)
	if err != nil || !queue {
		return tables.ImportSkipped(skippedQueue), err
	}
	added, err := s.Exec(ctx, `INSERT INTO annotation_queue_assignments (queue_id, user_id, created_at) VALUES (?, ?, ?)
		ON CONFLICT DO NOTHING`, n.QueueID, user.ID, tables.Millis(n.CreatedAt))
	return tables.ImportOutcome{Unchanged: added == 0}, err
}

// importAuditEntry stores an entry as it is, and no entry for the import itself: what it describes happened elsewhere.
func importAuditEntry(ctx context.Context, s tables.Session, n domain.AuditEntry) (tables.ImportOutcome, error) {
	added, err := s.Exec(ctx, "INSERT INTO audit_log ("+tables.AuditColumns+") VALUES ("+tables.Placeholders(14)+") ON CONFLICT DO NOTHING",
		n.ID, tables.Millis(n.At), n.OrganizationID, n.ProjectID, n.Actor.Kind, n.Actor.ID, n.Action, n.ResourceKind, n.ResourceID,
		n.Origin.Address, n.Origin.RequestID, n.Origin.Client, tables.AsRaw(&n.Before), tables.AsRaw(&n.After))
	return tables.ImportOutcome{Unchanged: added == 0}, err
}
