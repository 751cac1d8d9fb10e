package admin

import (
	"errors"
	"net/http"

	"almanac/internal/catalog/tables"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// AdminListKeys returns the keys of any organization, not those of its projects.
func (h *Handlers) AdminListKeys(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	if _, err := h.Catalog.Organization(c.Context(), scope); err != nil {
		return nil, organizationError(err)
	}
	return h.ListOrganizationKeys(c, scope)
}

// AdminCreateKey serves POST /api/admin/organizations/{organizationId}/apiKeys.
func (h *Handlers) AdminCreateKey(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	body := c.Body()
	b := body.Object()
	secret, n := readAnyKey(body, b)
	if err := b.Err(); err != nil {
		return nil, err
	}
	k, err := h.Catalog.CreateKey(c.Context(), scope, n, c.Actor())
	if errors.Is(err, domain.ErrConflict) {
		return nil, respond.Conflict("This public key is in use already")
	}
	if err != nil {
		return nil, organizationError(err)
	}
	return respond.Status{Code: http.StatusCreated, Body: newNewKey(k, secret)}, nil
}

// AdminDeleteKey serves DELETE /api/admin/organizations/{organizationId}/apiKeys/{apiKeyId}.
func (h *Handlers) AdminDeleteKey(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	_, err := h.Catalog.DeleteOrganizationKey(c.Context(), scope, c.Path("apiKeyId"), c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, "API key not found"), successBody{true})
}

// maxKeyProjects is the maximum number of projects in one request.
const maxKeyProjects = 1000

// The bulk actions on keys.
const (
	deleteKeys        = "delete"
	invalidateKeys    = "invalidate"     // drop the cached keys of some projects
	invalidateAllKeys = "invalidate-all" // drop all cached keys
)

type keysDeletedBody struct {
	Message           string   `json:"message"`
	Deleted           int      `json:"deleted"`
	UnknownProjectIDs []string `json:"unknownProjectIds"`
}

// ManageKeys deletes the keys of projects, or invalidates cached keys, for example after a direct change of the
// database.
func (h *Handlers) ManageKeys(c *endpoint.Call) (any, error) {
	action, projects, err := readKeysAction(c.Body())
	if err != nil {
		return nil, err
	}
	if action != deleteKeys {
		// Every server drops all cached keys: a lookup is cheap, and keys are cached only for seconds.
		if err := h.Catalog.Announce(c.Context(), tables.Change{Kind: tables.KindKey}); err != nil {
			return nil, err
		}
		return respond.Message{Message: "API keys invalidated"}, nil
	}
	deleted, unknown, err := h.Catalog.DeleteKeysOf(c.Context(), projects, c.Actor())
	if err != nil {
		return nil, err
	}
	return keysDeletedBody{"API keys deleted", deleted, domain.NotNil(unknown)}, nil
}

func readKeysAction(body decode.Value) (action string, projects []string, err error) {
	b := body.Object()
	field := b.Field("action")
	if field.Kind() == "string" {
		action = field.Text()
	}
	switch action {
	case deleteKeys, invalidateKeys:
		for _, item := range b.Field("projectIds").ArrayLen(0, maxKeyProjects) {
			projects = append(projects, item.Text())
		}
	case invalidateAllKeys:
	default:
		if body.Kind() == "object" {
			field.Reject(decode.NoDiscriminator(field.Path(), "action"))
		}
	}
	return action, projects, b.Err()
}
