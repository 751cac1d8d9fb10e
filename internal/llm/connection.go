package llm

import (
	"encoding/json"
	"time"

	"almanac/internal/domain"
)

// Connection is access to the API of a provider, with decrypted secrets. It must not be logged.
type Connection struct {
	// Project is the project that calls: calls in progress are shared fairly between projects.
	Project string
	// Key identifies the connection and its version: limits apply to it, and what its models refuse is remembered under it.
	// It is empty for a connection that is not stored; nothing is remembered about those.
	Key string

	Adapter string            // one of domain's
	BaseURL string            // "" for the usual one of the provider
	Secret  string            // an API key, or what an adapter has instead
	Headers map[string]string // sent with each call, by the adapters that allow it
	Config  json.RawMessage   // the settings of the adapter; nil for none
}

// ConnectionOf returns a stored connection with its secrets, which the caller has decrypted.
func ConnectionOf(scope domain.ProjectScope, stored domain.LLMConnection, secret string, headers map[string]string) Connection {
	c := Connection{
		Project: scope.ProjectID(), Adapter: stored.Adapter, Secret: secret, Headers: headers, Config: stored.Config,
	}
	if stored.ID != "" {
		c.Key = stored.ID + " " + stored.UpdatedAt.UTC().Format(time.RFC3339Nano)
	}
	if stored.BaseURL != nil {
		c.BaseURL = *stored.BaseURL
	}
	return c
}
