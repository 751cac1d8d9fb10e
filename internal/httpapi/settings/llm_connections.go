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
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// ListLLMConnections returns a numbered page of connections, newest first.
func (h *Handlers) ListLLMConnections(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	q.Strict()
	if err := q.Err(); err != nil {
		return nil, err
	}
	return endpoint.CatalogList(c, scope, page, h.Catalog.LLMConnections, wire.FromLLMConnection)
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
	return respond.Status{Code: status, Body: wire.FromLLMConnection(stored)}, nil
}

// DeleteLLMConnection serves DELETE /api/public/llm-connections/{connectionId}.
func (h *Handlers) DeleteLLMConnection(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.LLMConnections.Delete(c.Context(), scope, c.Path("connectionId"), c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, "LLM connection not found within authorized project"),
		respond.Message{Message: "LLM connection successfully deleted"})
}
