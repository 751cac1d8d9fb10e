package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// llmConnectionBody is a connection as clients see it, without its secrets.
type llmConnectionBody struct {
	ID                string          `json:"id"`
	Provider          string          `json:"provider"`
	Adapter           string          `json:"adapter"`
	DisplaySecretKey  string          `json:"displaySecretKey"`
	BaseURL           *string         `json:"baseURL"`
	CustomModels      []string        `json:"customModels"`
	WithDefaultModels bool            `json:"withDefaultModels"`
	ExtraHeaderKeys   []string        `json:"extraHeaderKeys"`
	Config            json.RawMessage `json:"config"`
	CreatedAt         respond.Time    `json:"createdAt"`
	UpdatedAt         respond.Time    `json:"updatedAt"`
}

func newLLMConnectionBody(l domain.LLMConnection) llmConnectionBody {
	return llmConnectionBody{
		ID: l.ID, Provider: l.Provider, Adapter: l.Adapter, DisplaySecretKey: l.DisplaySecret, BaseURL: l.BaseURL, CustomModels: l.CustomModels,
		WithDefaultModels: l.WithDefaultModels, ExtraHeaderKeys: l.HeaderNames, Config: l.Config,
		CreatedAt: respond.Time(l.CreatedAt), UpdatedAt: respond.Time(l.UpdatedAt),
	}
}

// ListLLMConnections returns a numbered page of connections, newest first.
func (h *Handlers) ListLLMConnections(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	q.Strict()
	if err := q.Err(); err != nil {
		return nil, err
	}
	return endpoint.CatalogList(c, scope, page, h.Catalog.LLMConnections, newLLMConnectionBody)
}

// PutLLMConnection creates or replaces the connection to a provider.
func (h *Handlers) PutLLMConnection(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	in, err := readLLMConnection(c.Body(), h.Guard)
	if err != nil {
		return nil, err
	}
	n := in.connection
	n.SealedSecret = h.Secrets.Seal(in.secret, domain.ConnectionSecretPlace(scope, n.Provider, "secret"))
	if len(in.headers) > 0 {
		headers, err := json.Marshal(in.headers)
		if err != nil {
			return nil, fmt.Errorf("cannot write %d headers as JSON: %w", len(in.headers), err)
		}
		n.HeaderNames = slices.Sorted(maps.Keys(in.headers))
		n.SealedHeaders = new(h.Secrets.Seal(string(headers), domain.ConnectionSecretPlace(scope, n.Provider, "headers")))
	}
	stored, created, err := h.Catalog.PutLLMConnection(c.Context(), scope, n, c.Actor())
	if errors.Is(err, domain.ErrTooMany) {
		return nil, respond.InvalidRequest(fmt.Sprintf("A project has at most %d LLM connections", catalog.MaxLLMConnections))
	}
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return respond.Status{Code: status, Body: newLLMConnectionBody(stored)}, nil
}

// DeleteLLMConnection serves DELETE /api/public/llm-connections/{connectionId}.
func (h *Handlers) DeleteLLMConnection(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.DeleteLLMConnection(c.Context(), scope, c.Path("connectionId"), c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, "LLM connection not found within authorized project"), respond.Message{Message: "LLM connection successfully deleted"})
}
