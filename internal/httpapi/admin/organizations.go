package admin

import (
	"encoding/json"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type organizationProjectBody struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Metadata  json.RawMessage `json:"metadata"`
	CreatedAt respond.Time    `json:"createdAt"`
	UpdatedAt respond.Time    `json:"updatedAt"`
}

func newOrganizationProjectBody(p domain.Project) organizationProjectBody {
	return organizationProjectBody{
		ID: p.ID, Name: p.Name, Metadata: p.Metadata, CreatedAt: respond.Time(p.CreatedAt), UpdatedAt: respond.Time(p.UpdatedAt),
	}
}

// ListOrganizationProjects returns the projects of the key's organization.
func (h *Handlers) ListOrganizationProjects(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	projects, err := h.Catalog.Projects(c.Context(), scope)
	return endpoint.ListAs("projects", projects, err, newOrganizationProjectBody)
}

// ListOrganizationKeys returns the keys of the organization itself, not those of its projects.
func (h *Handlers) ListOrganizationKeys(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	keys, err := h.Catalog.OrganizationKeys(c.Context(), scope)
	return endpoint.ListAs("apiKeys", keys, err, newKeySummary)
}
