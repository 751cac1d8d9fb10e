package admin

import (
	"encoding/json"
	"errors"
	"net/http"

	"almanac/internal/catalog/tenants"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type organizationBody struct {
	ID        string                    `json:"id"`
	Name      string                    `json:"name"`
	CreatedAt respond.Time              `json:"createdAt"`
	Metadata  json.RawMessage           `json:"metadata"`
	Projects  []organizationProjectBody `json:"projects"`
}

func newOrganizationBody(o domain.Organization, projects []domain.Project) organizationBody {
	b := organizationBody{
		ID: o.ID, Name: o.Name, CreatedAt: respond.Time(o.CreatedAt), Metadata: o.Metadata, Projects: []organizationProjectBody{},
	}
	for _, p := range projects {
		b.Projects = append(b.Projects, newOrganizationProjectBody(p))
	}
	return b
}

type successBody struct {
	Success bool `json:"success"`
}

// ListOrganizations returns all organizations of the instance.
func (h *Handlers) ListOrganizations(c *endpoint.Call) (any, error) {
	organizations, err := h.Catalog.Organizations(c.Context())
	if err != nil {
		return nil, err
	}
	all, err := h.Catalog.AllProjects(c.Context())
	if err != nil {
		return nil, err
	}
	projects := make(map[string][]domain.Project, len(organizations))
	for _, p := range all {
		projects[p.OrganizationID] = append(projects[p.OrganizationID], p)
	}
	return endpoint.ListAs("organizations", organizations, nil, func(o domain.Organization) organizationBody {
		return newOrganizationBody(o, projects[o.ID])
	})
}

// CreateOrganization serves POST /api/admin/organizations.
func (h *Handlers) CreateOrganization(c *endpoint.Call) (any, error) {
	in, err := readOrganization(c.Body())
	if err != nil {
		return nil, err
	}
	o, err := h.Catalog.AddOrganization(c.Context(), tenants.NewOrganization{Name: in.Name, Metadata: in.Metadata}, c.Actor())
	if err != nil {
		return nil, err
	}
	return respond.Status{Code: http.StatusCreated, Body: newOrganizationBody(o, nil)}, nil
}

// GetOrganization serves GET /api/admin/organizations/{organizationId}.
func (h *Handlers) GetOrganization(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	o, err := h.Catalog.Organization(c.Context(), scope)
	if err != nil {
		return nil, organizationError(err)
	}
	projects, err := h.Catalog.Projects(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	return newOrganizationBody(o, projects), nil
}

// UpdateOrganization serves PUT /api/admin/organizations/{organizationId}.
func (h *Handlers) UpdateOrganization(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	in, err := readOrganization(c.Body())
	if err != nil {
		return nil, err
	}
	// Read before the update, so that an update that was made is not reported as a failure.
	projects, err := h.Catalog.Projects(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	o, err := h.Catalog.UpdateOrganization(c.Context(), scope, in, c.Actor())
	if err != nil {
		return nil, organizationError(err)
	}
	return newOrganizationBody(o, projects), nil
}

// DeleteOrganization serves DELETE /api/admin/organizations/{organizationId}.
func (h *Handlers) DeleteOrganization(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	err := h.Catalog.DeleteOrganization(c.Context(), scope, c.Actor())
	if errors.Is(err, domain.ErrConflict) {
		return nil, respond.InvalidRequest("Cannot delete an organization that has projects. Delete its projects first.")
	}
	if err != nil {
		return nil, organizationError(err)
	}
	return successBody{true}, nil
}

// The limits of an organization's name.
const (
	minOrganizationName = 3
	maxOrganizationName = 60
)

func readOrganization(body decode.Value) (tenants.OrganizationChange, error) {
	b := body.Object()
	in := tenants.OrganizationChange{Name: b.Field("name").TextLen(minOrganizationName, maxOrganizationName)}
	decode.Set(&in.Metadata, decode.Nullish(b.Field("metadata"), readMetadata))
	return in, b.Err()
}

// organizationError maps the error of an organization that does not exist.
func organizationError(err error) error {
	return endpoint.NotFoundAs(err, "Organization not found")
}
