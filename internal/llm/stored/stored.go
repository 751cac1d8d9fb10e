// Package stored opens the connections to model providers that projects store.
package stored

import (
	"context"
	"encoding/json"
	"fmt"

	"almanac/internal/access/secretbox"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/llm"
)

// Connection returns the connection of a project to a provider, with its decrypted secrets, and how it is stored. It fails
// with domain.ErrNotFound if there is none.
func Connection(ctx context.Context, c *catalog.Catalog, secrets *secretbox.Box, scope domain.ProjectScope, provider string) (
	llm.Connection, domain.LLMConnection, error,
) {
	kept, err := c.LLMConnection(ctx, scope, provider)
	if err != nil {
		return llm.Connection{}, kept, err
	}
	secret, err := secrets.Open(kept.SealedSecret, domain.ConnectionSecretPlace(scope, provider, "secret"))
	if err != nil {
		return llm.Connection{}, kept, err
	}
	var headers map[string]string
	if kept.SealedHeaders != nil {
		text, err := secrets.Open(*kept.SealedHeaders, domain.ConnectionSecretPlace(scope, provider, "headers"))
		if err != nil {
			return llm.Connection{}, kept, err
		}
		if json.Unmarshal([]byte(text), &headers) != nil {
			return llm.Connection{}, kept, fmt.Errorf("the headers of the connection to %q cannot be read", provider)
		}
	}
	return llm.ConnectionOf(scope, kept, secret, headers), kept, nil
}
