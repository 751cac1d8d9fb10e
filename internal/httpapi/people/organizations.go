package people

import (
	"errors"
	"net/http"

	"almanac/internal/catalog/tenants"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// maxOrganizationName is the maximum length of an organization's name, in characters.
const maxOrganizationName = 100

func readOrganizationName(c *endpoint.Call) (string, error) {
	b := c.Body().Object()
	name := b.Field("name").TrimmedLen(1, maxOrganizationName)
	return name, b.Err()
}

// CreateOrganization serves POST /api/ui/organizations.
func (h *Handlers) CreateOrganization(c *endpoint.Call) (any, error) {
	name, err := readOrganizationName(c)
	if err != nil {
		return nil, err
	}
	if !h.mayCreate(c.Person()) {
		return nil, &respond.Error{Status: http.StatusForbidden, Message: "Only owners of an organization can create another one."}
	}
	o, err := h.Catalog.CreateOwned(c.Context(), name, c.Person().User.ID, c.Actor())
	if err != nil {
		return nil, err
	}
	return respond.Status{
		Code: http.StatusCreated, Body: newOrganizationBody(domain.OrganizationAccess{ID: o.ID, Name: o.Name, Role: domain.RoleOwner}),
	}, nil
}

// in returns the caller's access to an organization.
func (h *Handlers) in(c *endpoint.Call, scope domain.OrganizationScope) domain.OrganizationAccess {
	for _, o := range c.Person().Organizations {
		if o.ID == scope.OrganizationID() {
			return o
		}
	}
	return domain.OrganizationAccess{ID: scope.OrganizationID(), Role: domain.RoleNone}
}

// UpdateOrganization serves PATCH /api/ui/organizations/{organizationId}.
func (h *Handlers) UpdateOrganization(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	name, err := readOrganizationName(c)
	if err != nil {
		return nil, err
	}
	o, err := h.Catalog.UpdateOrganization(c.Context(), scope, tenants.OrganizationChange{Name: name}, c.Actor())
	if err != nil {
		return nil, endpoint.NotFoundAs(err, "There is no such organization.")
	}
	seen := h.in(c, scope)
	seen.Name = o.Name
	return newOrganizationBody(seen), nil
}

// readConfirmed checks that the caller has confirmed a deletion by repeating the name.
func readConfirmed(c *endpoint.Call, name string) error {
	b := c.Body().Object()
	confirm := b.Field("confirm")
	if text := confirm.Text(); confirm.Kind() == "string" && text != name {
		confirm.Reject(decode.Violation(confirm.Path(), "This is not the name of what is to be deleted"))
	}
	return b.Err()
}

// DeleteOrganization serves DELETE /api/ui/organizations/{organizationId}.
func (h *Handlers) DeleteOrganization(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	if err := readConfirmed(c, h.in(c, scope).Name); err != nil {
		return nil, err
	}
	err := h.Catalog.DeleteOrganization(c.Context(), scope, c.Actor())
	if errors.Is(err, domain.ErrConflict) {
		return nil, respond.Conflict("The organization has projects. Delete them first.")
	}
	return endpoint.Confirm(endpoint.NotFoundAs(err, "There is no such organization."), respond.NoContent{})
}

// ListProjects serves GET /api/ui/organizations/{organizationId}/projects. It lists the projects that the caller can
// see.
func (h *Handlers) ListProjects(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	o := h.in(c, scope)
	return endpoint.ListAs("projects", o.Projects, nil, func(p domain.ProjectAccess) projectBody { return newProjectBody(o.ID, p) })
}

// CreateProject serves POST /api/ui/organizations/{organizationId}/projects.
func (h *Handlers) CreateProject(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	b := c.Body().Object()
	n := tenants.NewProject{Name: endpoint.ReadProjectName(b.Field("name"), 1)}
	decode.Set(&n.RetentionDays, decode.Optional(b.Field("retentionDays"), endpoint.ReadRetention))
	decode.Set(&n.MaxBytes, decode.Optional(b.Field("maxDataBytes"), endpoint.ReadMaxBytes))
	if err := b.Err(); err != nil {
		return nil, err
	}
	p, err := h.Catalog.CreateProject(c.Context(), scope, n, c.Actor())
	if err != nil {
		return nil, endpoint.ProjectError(err)
	}
	role := h.in(c, scope).Role
	return respond.Status{Code: http.StatusCreated, Body: newProjectBody(p.OrganizationID, domain.ProjectAccess{
		ID: p.ID, Name: p.Name, RetentionDays: p.RetentionDays, MaxBytes: p.MaxBytes, Role: role,
	})}, nil
}

// project returns the caller's access to the project named by the path.
func (h *Handlers) project(c *endpoint.Call, scope domain.OrganizationScope) domain.ProjectAccess {
	for _, p := range h.in(c, scope).Projects {
		if p.ID == c.Path("projectId") {
			return p
		}
	}
	return domain.ProjectAccess{ID: c.Path("projectId"), Role: domain.RoleNone}
}

// GetProject serves GET /api/ui/projects/{projectId}.
func (h *Handlers) GetProject(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	return newProjectBody(scope.OrganizationID(), h.project(c, scope)), nil
}

// UpdateProject serves PATCH /api/ui/projects/{projectId}.
func (h *Handlers) UpdateProject(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	b := c.Body().Object()
	var change tenants.ProjectChange
	decode.Set(&change.Name, decode.Optional(b.Field("name"), func(v decode.Value) string { return endpoint.ReadProjectName(v, 1) }))
	change.RetentionDays = decode.Optional(b.Field("retentionDays"), endpoint.ReadRetention)
	change.MaxBytes = decode.Optional(b.Field("maxDataBytes"), endpoint.ReadMaxBytes)
	if err := b.Err(); err != nil {
		return nil, err
	}
	p, err := h.Catalog.UpdateProject(c.Context(), scope, c.Path("projectId"), change, c.Actor())
	if err != nil {
		return nil, endpoint.ProjectError(err)
	}
	seen := h.project(c, scope)
	seen.Name, seen.RetentionDays, seen.MaxBytes = p.Name, p.RetentionDays, p.MaxBytes
	return newProjectBody(p.OrganizationID, seen), nil
}

// DeleteProject serves DELETE /api/ui/projects/{projectId}.
func (h *Handlers) DeleteProject(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	if err := readConfirmed(c, h.project(c, scope).Name); err != nil {
		return nil, err
	}
	if err := h.Catalog.DeleteProject(c.Context(), scope, c.Path("projectId"), c.Actor()); err != nil {
		return nil, endpoint.ProjectError(err)
	}
	return respond.Status{Code: http.StatusAccepted, Body: struct {
		Success bool   `json:"success"`
		Message string `json:"message"`
	}{true, "The project is deleted. Its data will be gone soon."}}, nil
}
