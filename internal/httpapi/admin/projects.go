package admin

import (
	"encoding/json"
	"net/http"

	"almanac/internal/catalog/tenants"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type organizationRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type projectBody struct {
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Organization organizationRef `json:"organization"`
	Metadata     json.RawMessage `json:"metadata"`
	// Absent when data is kept for ever.
	RetentionDays int `json:"retentionDays,omitempty"`
}

func newProjectBody(p domain.Project) projectBody {
	return projectBody{
		ID: p.ID, Name: p.Name, Organization: organizationRef{p.OrganizationID, p.OrganizationName},
		Metadata: p.Metadata, RetentionDays: p.RetentionDays,
	}
}

// GetProject returns the project of the key, as a list of one. SDKs check their credentials with it.
func (h *Handlers) GetProject(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	p, err := h.Catalog.Project(c.Context(), scope)
	return endpoint.ListAs("data", []domain.Project{p}, endpoint.ProjectError(err), newProjectBody)
}

// CreateProject serves POST /api/public/projects.
func (h *Handlers) CreateProject(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	in, err := readProject(c.Body())
	if err != nil {
		return nil, err
	}
	n := tenants.NewProject{Name: in.name, Metadata: in.metadata}
	decode.Set(&n.RetentionDays, in.retention)
	p, err := h.Catalog.CreateProject(c.Context(), scope, n, c.Actor())
	if err != nil {
		return nil, endpoint.ProjectError(err)
	}
	return respond.Status{Code: http.StatusCreated, Body: newProjectBody(p)}, nil
}

// UpdateProject serves PUT /api/public/projects/{projectId}.
func (h *Handlers) UpdateProject(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	in, err := readProject(c.Body())
	if err != nil {
		return nil, err
	}
	p, err := h.Catalog.UpdateProject(c.Context(), scope, c.Path("projectId"),
		tenants.ProjectChange{Name: in.name, Metadata: in.metadata, RetentionDays: in.retention}, c.Actor())
	return endpoint.Show(p, endpoint.ProjectError(err), newProjectBody)
}

// DeleteProject serves DELETE /api/public/projects/{projectId}.
func (h *Handlers) DeleteProject(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	if err := h.Catalog.DeleteProject(c.Context(), scope, c.Path("projectId"), c.Actor()); err != nil {
		return nil, endpoint.ProjectError(err)
	}
	return respond.Status{Code: http.StatusAccepted, Body: struct {
		Success bool   `json:"success"`
		Message string `json:"message"`
	}{true, "The project and its keys are deleted"}}, nil
}

// minProjectName is the shortest name of a project.
const minProjectName = 3

type projectInput struct {
	name      string
	metadata  json.RawMessage // nil if not given
	retention *int            // nil if not given
}

func readProject(body decode.Value) (projectInput, error) {
	b := body.Object()
	in := projectInput{name: endpoint.ReadProjectName(b.Field("name"), minProjectName)}
	decode.Set(&in.metadata, decode.Optional(b.Field("metadata"), readMetadata))
	in.retention = decode.Nullish(b.Field("retention"), endpoint.ReadRetention)
	return in, b.Err()
}

// readMetadata reads an object, or a string that holds one.
func readMetadata(v decode.Value) json.RawMessage {
	raw := v.Raw()
	if v.Kind() == "string" {
		raw = json.RawMessage(v.Text())
		if decode.CheckJSON(raw) != nil || decode.NewBody(raw).Kind() != "object" {
			v.Reject(decode.Violation(v.Path(), "The metadata is a text that does not hold a JSON object"))
		}
		return raw
	}
	v.Object()
	return raw
}
