package tenants

import (
	"cmp"
	"context"
	"encoding/json"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const selectProject = `SELECT p.id, p.name, p.organization_id, o.name, p.metadata, p.retention_days, p.max_bytes, p.created_at, p.updated_at
	FROM projects p JOIN organizations o ON o.id = p.organization_id`

func scanProject(r tables.Row) (p domain.Project, err error) {
	err = r.Scan(&p.ID, &p.Name, &p.OrganizationID, &p.OrganizationName, tables.AsRaw(&p.Metadata), &p.RetentionDays, &p.MaxBytes,
		tables.AsTime(&p.CreatedAt), tables.AsTime(&p.UpdatedAt))
	return p, err
}

// Project returns the project of the scope.
func (c *Catalog) Project(ctx context.Context, scope domain.ProjectScope) (domain.Project, error) {
	p, err := tables.QueryOne(ctx, c.db.Reader(), scanProject, selectProject+" WHERE p.id = ?", scope.ProjectID())
	return p, tables.WithSubject(err, "project", scope.ProjectID())
}

// Projects returns the projects of an organization, oldest first.
func (c *Catalog) Projects(ctx context.Context, scope domain.OrganizationScope) ([]domain.Project, error) {
	return tables.QueryAll(ctx, c.db.Reader(), scanProject,
		selectProject+" WHERE p.organization_id = ? ORDER BY p.created_at, p.id", scope.OrganizationID())
}

// AllProjects returns the projects of all organizations, oldest first. It is for the operator, who is not bound to an
// organization.
func (c *Catalog) AllProjects(ctx context.Context) ([]domain.Project, error) {
	return tables.QueryAll(ctx, c.db.Reader(), scanProject, selectProject+" ORDER BY p.created_at, p.id")
}

// NewProject is the input of CreateProject. An empty id is replaced by a random one.
type NewProject struct {
	ID            string
	Name          string
	Metadata      json.RawMessage // nil means an empty object
	RetentionDays int
	MaxBytes      int64
}

// CreateProject stores a new project of the organization. It returns domain.ErrConflict if the id is taken, or the name
// within the organization.
func (c *Catalog) CreateProject(
	ctx context.Context, scope domain.OrganizationScope, n NewProject, actor domain.Actor,
) (domain.Project, error) {
	n.ID = cmp.Or(n.ID, domain.NewID())
	if n.Metadata == nil {
		n.Metadata = json.RawMessage("{}")
	}
	created, err := TransactLocked(ctx, c.db, scope, func(s tables.Session) (created domain.Project, err error) {
		// The lock keeps the organization, and this project with it, from being deleted concurrently.
		now := tables.Millis(c.db.Now())
		if err := s.Insert(ctx, "projects (id, organization_id, name, metadata, retention_days, max_bytes, created_at, updated_at)",
			n.ID, scope.OrganizationID(), n.Name, string(n.Metadata), n.RetentionDays, n.MaxBytes, now, now); err != nil {
			return created, err
		}
		if created, err = ProjectOf(ctx, s, scope, n.ID); err != nil {
			return created, err
		}
		return created, auditProject(ctx, s, actor, nil, &created)
	})
	return created, tables.NamedConflict(err, "project", n.Name)
}

// ProjectChange is the input of UpdateProject; an empty name and nil fields are left unchanged.
type ProjectChange struct {
	Name          string
	Metadata      json.RawMessage
	RetentionDays *int
	MaxBytes      *int64
}

// UpdateProject changes a project of the organization.
func (c *Catalog) UpdateProject(
	ctx context.Context, scope domain.OrganizationScope, id string, change ProjectChange, actor domain.Actor,
) (domain.Project, error) {
	after, err := tables.Transact(ctx, c.db, func(s tables.Session) (after domain.Project, err error) {
		before, err := ProjectOf(ctx, s, scope, id)
		if err != nil {
			return after, err
		}
		metadata, retention, most := before.Metadata, before.RetentionDays, before.MaxBytes
		if change.Metadata != nil {
			metadata = change.Metadata
		}
		if change.RetentionDays != nil {
			retention = *change.RetentionDays
		}
		if change.MaxBytes != nil {
			most = *change.MaxBytes
		}
		if _, err := s.Exec(ctx,
			"UPDATE projects SET name = ?, metadata = ?, retention_days = ?, max_bytes = ?, updated_at = ? WHERE id = ? AND "+
				"organization_id = ?",
			cmp.Or(change.Name, before.Name), string(metadata), retention, most, tables.Millis(c.db.Now()), id,
			scope.OrganizationID()); err != nil {
			return after, err
		}
		if after, err = ProjectOf(ctx, s, scope, id); err != nil {
			return after, err
		}
		return after, auditProject(ctx, s, actor, &before, &after)
	})
	return after, tables.NamedConflict(err, "project", change.Name)
}

// DeleteProject deletes a project of the organization with its keys and memberships. Its events are deleted later:
// DeletedProjects returns the project until EventsDeleted is called.
func (c *Catalog) DeleteProject(ctx context.Context, scope domain.OrganizationScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := ProjectOf(ctx, s, scope, id)
		if err != nil {
			return err
		}
		if _, err := s.Exec(ctx, "DELETE FROM projects WHERE id = ? AND organization_id = ?", id, scope.OrganizationID()); err != nil {
			return err
		}
		if err := scheduleDeletion(ctx, s, id); err != nil {
			return err
		}
		return auditProject(ctx, s, actor, &before, nil)
	})
}

// ProjectOf returns a project of the organization.
func ProjectOf(ctx context.Context, s tables.Session, scope domain.OrganizationScope, id string) (domain.Project, error) {
	p, err := tables.QueryOne(ctx, s, scanProject, selectProject+" WHERE p.id = ? AND p.organization_id = ?", id, scope.OrganizationID())
	return p, tables.WithSubject(err, "project", id)
}

func auditProject(ctx context.Context, s tables.Session, actor domain.Actor, before, after *domain.Project) error {
	state := func(p *domain.Project) map[string]any {
		state := map[string]any{"name": p.Name, "metadata": p.Metadata, "retentionDays": p.RetentionDays}
		if p.MaxBytes > 0 {
			state["maxDataBytes"] = p.MaxBytes
		}
		return state
	}
	which := cmp.Or(after, before)
	return s.Audit(ctx, domain.AuditEntry{
		OrganizationID: which.OrganizationID, ProjectID: which.ID, Actor: actor, ResourceKind: tables.KindProject, ResourceID: which.ID,
		Before: tables.StateIf(before, state), After: tables.StateIf(after, state),
	})
}
