package admin

import (
	"errors"
	"net/http"
	"strings"

	"almanac/internal/access/auth"
	"almanac/internal/catalog/tenants"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// keySummary is a key without its secret.
type keySummary struct {
	ID               string        `json:"id"`
	CreatedAt        respond.Time  `json:"createdAt"`
	ExpiresAt        *respond.Time `json:"expiresAt"`
	LastUsedAt       *respond.Time `json:"lastUsedAt"`
	Note             *string       `json:"note"`
	PublicKey        string        `json:"publicKey"`
	DisplaySecretKey string        `json:"displaySecretKey"`
}

func newKeySummary(k domain.APIKey) keySummary {
	return keySummary{
		ID: k.ID, CreatedAt: respond.Time(k.CreatedAt), ExpiresAt: wire.OptionalTime(k.ExpiresAt),
		LastUsedAt: wire.OptionalTime(k.LastUsedAt), Note: k.Note, PublicKey: k.PublicKey, DisplaySecretKey: k.DisplaySecret,
	}
}

// newKey is a key with its secret, which is shown only once.
type newKey struct {
	ID               string        `json:"id"`
	CreatedAt        respond.Time  `json:"createdAt"`
	ExpiresAt        *respond.Time `json:"expiresAt"`
	Note             *string       `json:"note"`
	PublicKey        string        `json:"publicKey"`
	SecretKey        string        `json:"secretKey"` // never shown again
	DisplaySecretKey string        `json:"displaySecretKey"`
}

func newNewKey(k domain.APIKey, secret string) newKey {
	return newKey{
		ID: k.ID, CreatedAt: respond.Time(k.CreatedAt), ExpiresAt: wire.OptionalTime(k.ExpiresAt), Note: k.Note,
		PublicKey: k.PublicKey, SecretKey: secret, DisplaySecretKey: k.DisplaySecret,
	}
}

// Project keys have permissions; organization keys have none.
type (
	keyBody struct {
		keySummary
		Permissions []string `json:"permissions"`
	}
	newKeyBody struct {
		newKey
		Permissions []string `json:"permissions"`
	}
)

// ListKeys serves GET /api/public/projects/{projectId}/apiKeys.
func (h *Handlers) ListKeys(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	keys, err := h.Catalog.ProjectKeys(c.Context(), scope, c.Path("projectId"))
	return endpoint.ListAs("apiKeys", keys, endpoint.ProjectError(err), func(k domain.APIKey) keyBody {
		return keyBody{newKeySummary(k), k.Permissions.Names()}
	})
}

// CreateKey serves POST /api/public/projects/{projectId}/apiKeys.
func (h *Handlers) CreateKey(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	secret, n, err := readKey(c.Body())
	if err != nil {
		return nil, err
	}
	n.ProjectID = c.Path("projectId")
	k, err := h.Catalog.CreateKey(c.Context(), scope, n, c.Actor())
	if errors.Is(err, domain.ErrConflict) {
		return nil, respond.Conflict("This public key is in use already")
	}
	if err != nil {
		return nil, endpoint.ProjectError(err)
	}
	return respond.Status{Code: http.StatusCreated, Body: newKeyBody{newNewKey(k, secret), k.Permissions.Names()}}, nil
}

// DeleteKey serves DELETE /api/public/projects/{projectId}/apiKeys/{apiKeyId}.
func (h *Handlers) DeleteKey(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	_, err := h.Catalog.DeleteProjectKey(c.Context(), scope, c.Path("projectId"), c.Path("apiKeyId"), c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, "API key not found"), successBody{true})
}

// The limits of a key.
const (
	maxNote   = 1000
	minSecret = 16 // characters, prefix included
)

// readKey reads the input for a new project key. It returns the key's secret separately.
func readKey(body decode.Value) (secret string, n tenants.NewKey, err error) {
	b := body.Object()
	secret, n = readAnyKey(body, b)
	decode.Set(&n.Permissions, decode.Nullish(b.Field("permissions"), readPermissions))
	return secret, n, b.Err()
}

// readAnyKey reads the input common to all kinds of keys. It generates a key pair unless the client provides one.
func readAnyKey(body decode.Value, b *decode.Object) (string, tenants.NewKey) {
	n := tenants.NewKey{Permissions: domain.AllPermissions()}
	n.Note = decode.Nullish(b.Field("note"), func(v decode.Value) string { return v.TextLen(0, maxNote) })
	public := decode.Nullish(b.Field("publicKey"), func(v decode.Value) string {
		return readPredefined(v, domain.PublicKeyPrefix, len(domain.PublicKeyPrefix)+1)
	})
	secret := decode.Nullish(b.Field("secretKey"), func(v decode.Value) string {
		return readPredefined(v, domain.SecretKeyPrefix, minSecret)
	})
	n.ExpiresAt = decode.Nullish(b.Field("expiresAt"), decode.Value.Time)

	pair := domain.NewKeyPair()
	switch {
	case public != nil && secret != nil:
		pair = domain.KeyPair{PublicKey: *public, SecretKey: *secret}
	case public != nil || secret != nil:
		body.Reject(decode.Violation(nil, "A predefined key needs both publicKey and secretKey"))
	}
	n.PublicKey, n.SecretHash, n.DisplaySecret = pair.PublicKey, auth.HashSecret(pair.SecretKey), pair.DisplaySecret()
	return pair.SecretKey, n
}

func readPredefined(v decode.Value, prefix string, minimum int) string {
	text := v.TextLen(minimum, domain.MaxKeyLength)
	if v.Kind() == "string" && !strings.HasPrefix(text, prefix) {
		v.Reject(decode.Violation(v.Path(), "A predefined key starts with "+prefix))
	}
	if strings.ContainsAny(text, ": \t\r\n") {
		v.Reject(decode.Violation(v.Path(), "A predefined key holds no colons and no blanks"))
	}
	return text
}

func readPermissions(v decode.Value) domain.PermissionSet {
	items := v.Array()
	var list []domain.Permission
	for _, item := range items {
		if p, err := domain.ParsePermission(item.Enum(domain.PermissionNames()...)); err == nil {
			list = append(list, p)
		}
	}
	if v.Kind() == "array" && len(items) == 0 {
		v.Reject(decode.TooShort(v.Path(), "array", 1))
	}
	return domain.PermissionsOf(list...)
}
