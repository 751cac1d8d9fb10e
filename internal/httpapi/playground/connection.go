package playground

import (
	"context"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/llm"
	"almanac/internal/llm/stored"
)

// connection returns a connection of the project with its decrypted secrets.
func (h *Handlers) connection(ctx context.Context, scope domain.ProjectScope, provider string) (llm.Connection, error) {
	c, _, err := stored.Connection(ctx, h.Catalog, h.Secrets, scope, provider)
	return c, endpoint.NotFoundAs(err, noConnection)
}

const noConnection = "The project has no LLM connection with this name"
