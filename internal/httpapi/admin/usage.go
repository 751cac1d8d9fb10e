package admin

import (
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type projectUsageBody struct {
	Limits             limitsBody   `json:"limits"`
	OrganizationLimits limitsBody   `json:"organizationLimits"`
	Storage            storageBody  `json:"storage"`
	MeasuredAt         respond.Time `json:"measuredAt"`
}

// GetProjectUsage returns the limits of a project and its organization, with what is used of them, and what the project
// stores.
func (h *Handlers) GetProjectUsage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	project := c.Path("projectId")
	subject, err := h.Catalog.LimitSubject(c.Context(), scope, tenants.LimitOwner{ProjectID: project})
	if err != nil {
		return nil, limitsError(err)
	}
	organization := domain.LimitSubject{Level: domain.LevelOrganization, ID: scope.OrganizationID()}
	events, at, err := h.Storage.of(c.Context())
	if err != nil {
		return nil, err
	}
	media, err := h.Catalog.MediaTotals(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	return projectUsageBody{
		Limits: h.limitsOf(subject), OrganizationLimits: h.limitsOf(organization),
		Storage: newStorageBody(events[project], media[project]), MeasuredAt: respond.Time(at),
	}, nil
}

type organizationUsageBody struct {
	Limits     limitsBody         `json:"limits"`
	Projects   []projectStoreBody `json:"projects"`
	MeasuredAt respond.Time       `json:"measuredAt"`
}

type projectStoreBody struct {
	ID            string `json:"id"`
	Name          string `json:"name"`
	RetentionDays int    `json:"retentionDays"`
	MaxDataBytes  int64  `json:"maxDataBytes"`
	storageBody
}

// GetOrganizationUsage returns the limits of an organization, with what is used of them, and what those of its projects
// store whose traces the person can read.
func (h *Handlers) GetOrganizationUsage(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	events, at, err := h.Storage.of(c.Context())
	if err != nil {
		return nil, err
	}
	media, err := h.Catalog.MediaTotals(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	body := organizationUsageBody{
		Limits:   h.limitsOf(domain.LimitSubject{Level: domain.LevelOrganization, ID: scope.OrganizationID()}),
		Projects: []projectStoreBody{}, MeasuredAt: respond.Time(at),
	}
	for _, p := range projectsOf(c, scope) {
		if p.Role.InProject().Has(domain.TracesRead) {
			body.Projects = append(body.Projects, projectStoreBody{
				ID: p.ID, Name: p.Name, RetentionDays: p.RetentionDays, MaxDataBytes: p.MaxBytes,
				storageBody: newStorageBody(events[p.ID], media[p.ID]),
			})
		}
	}
	return body, nil
}

// projectsOf returns the projects of an organization that a person can see.
func projectsOf(c *endpoint.Call, scope domain.OrganizationScope) []domain.ProjectAccess {
	for _, o := range c.Person().Organizations {
		if o.ID == scope.OrganizationID() {
			return o.Projects
		}
	}
	return nil
}

// PutProjectLimits replaces the limits of a project that a person can see. Like the organization's key, it takes rights in
// the organization: limits protect the organization from its projects, so those who manage only a project cannot lift them.
func (h *Handlers) PutProjectLimits(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	for _, p := range projectsOf(c, scope) {
		if p.ID == c.Path("projectId") {
			return h.PutLimits(c, scope)
		}
	}
	return nil, limitsError(domain.ErrNotFound)
}
