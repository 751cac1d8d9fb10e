package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"almanac/internal/domain"
)

const selectProject = `SELECT p.id, p.name, p.organization_id, o.name, p.metadata, p.retention_days, p.created_at, p.updated_at
	FROM projects p JOIN organizations o ON o.id = p.organization_id`

func scanProject(r row) (domain.Project, error) {
	var (
		p                domain.Project
		metadata         string
		created, updated int64
	)
	err := r.Scan(&p.ID, &p.Name, &p.OrganizationID, &p.OrganizationName, &metadata, &p.RetentionDays, &created, &updated)
	p.Metadata, p.CreatedAt, p.UpdatedAt = json.RawMessage(metadata), fromMillis(created), fromMillis(updated)
	return p, err
}

// Project returns the project of the scope.
func (c *Catalog) Project(ctx context.Context, scope domain.ProjectScope) (domain.Project, error) {
	p, err := queryOne(ctx, c.reader(), scanProject, selectProject+" WHERE p.id = ?", scope.ProjectID())
	return p, named(err, "project", scope.ProjectID())
}

// Projects returns the projects of an organization, oldest first.
func (c *Catalog) Projects(ctx context.Context, scope domain.OrganizationScope) ([]domain.Project, error) {
	return queryAll(ctx, c.reader(), scanProject,
		selectProject+" WHERE p.organization_id = ? ORDER BY p.created_at, p.id", scope.OrganizationID())
}

// AllProjects returns the projects of all organizations, oldest first. It is for the operator, who is bound to none of them.
func (c *Catalog) AllProjects(ctx context.Context) ([]domain.Project, error) {
	return queryAll(ctx, c.reader(), scanProject, selectProject+" ORDER BY p.created_at, p.id")
}

// NewProject is what CreateProject needs to know. An empty id is replaced by a random one.
type NewProject struct {
	ID            string
	Name          string
	Metadata      json.RawMessage // nil: an empty object
	RetentionDays int
}

// CreateProject stores a new project of the organization. A name that another project of the organization has,
// or an id that is taken, is a conflict.
func (c *Catalog) CreateProject(ctx context.Context, scope domain.OrganizationScope, n NewProject, actor domain.Actor) (domain.Project, error) {
	if n.ID == "" {
		n.ID = domain.NewID()
	}
	if n.Metadata == nil {
		n.Metadata = json.RawMessage("{}")
	}
	var created domain.Project
	err := c.update(ctx, func(s session) error {
		// Locked, so that the organization is not deleted meanwhile, and this project with it.
		if err := s.lockOrganization(ctx, scope); err != nil {
			return err
		}
		now := c.now()
		if _, err := s.exec(ctx, `INSERT INTO projects (id, organization_id, name, metadata, retention_days, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			n.ID, scope.OrganizationID(), n.Name, string(n.Metadata), n.RetentionDays, millis(now), millis(now)); err != nil {
			return err
		}
		var err error
		if created, err = s.projectOf(ctx, scope, n.ID); err != nil {
			return err
		}
		return s.auditProject(ctx, "create", actor, nil, &created)
	})
	if errors.Is(err, domain.ErrConflict) {
		err = fmt.Errorf("project %q: %w", n.Name, err)
	}
	return created, err
}

// ProjectChange is what UpdateProject changes; nil members are kept.
type ProjectChange struct {
	Name          string
	Metadata      json.RawMessage
	RetentionDays *int
}

// UpdateProject changes a project of the organization.
func (c *Catalog) UpdateProject(ctx context.Context, scope domain.OrganizationScope, id string, change ProjectChange, actor domain.Actor) (domain.Project, error) {
	var after domain.Project
	err := c.update(ctx, func(s session) error {
		before, err := s.projectOf(ctx, scope, id)
		if err != nil {
			return err
		}
		metadata, retention := before.Metadata, before.RetentionDays
		if change.Metadata != nil {
			metadata = change.Metadata
		}
		if change.RetentionDays != nil {
			retention = *change.RetentionDays
		}
		if _, err := s.exec(ctx, "UPDATE projects SET name = ?, metadata = ?, retention_days = ?, updated_at = ? WHERE id = ? AND organization_id = ?",
			change.Name, string(metadata), retention, millis(c.now()), id, scope.OrganizationID()); err != nil {
			return err
		}
		if after, err = s.projectOf(ctx, scope, id); err != nil {
			return err
		}
		return s.auditProject(ctx, "update", actor, &before, &after)
	})
	if errors.Is(err, domain.ErrConflict) {
		err = fmt.Errorf("project %q: %w", change.Name, err)
	}
	return after, err
}

// DeleteProject removes a project of the organization with its keys and memberships. Its events are deleted later:
// DeletedProjects names it until EventsDeleted is called.
func (c *Catalog) DeleteProject(ctx context.Context, scope domain.OrganizationScope, id string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		before, err := s.projectOf(ctx, scope, id)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, "DELETE FROM projects WHERE id = ? AND organization_id = ?", id, scope.OrganizationID()); err != nil {
			return err
		}
		if err := s.oweDeletion(ctx, id); err != nil {
			return err
		}
		return s.auditProject(ctx, "delete", actor, &before, nil)
	})
}

func (s session) projectOf(ctx context.Context, scope domain.OrganizationScope, id string) (domain.Project, error) {
	p, err := queryOne(ctx, s, scanProject, selectProject+" WHERE p.id = ? AND p.organization_id = ?", id, scope.OrganizationID())
	return p, named(err, "project", id)
}

func (s session) auditProject(ctx context.Context, action string, actor domain.Actor, before, after *domain.Project) error {
	state := func(p *domain.Project) json.RawMessage {
		if p == nil {
			return nil
		}
		return stateOf(map[string]any{"name": p.Name, "metadata": p.Metadata, "retentionDays": p.RetentionDays})
	}
	which := after
	if which == nil {
		which = before
	}
	return s.audit(ctx, domain.AuditEntry{
		OrganizationID: which.OrganizationID, ProjectID: which.ID, Actor: actor,
		Action: action, ResourceKind: KindProject, ResourceID: which.ID, Before: state(before), After: state(after),
	})
}
