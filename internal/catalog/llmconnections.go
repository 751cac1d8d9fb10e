package catalog

import (
	"context"
	"errors"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// MaxLLMConnections is the maximum number of connections of a project.
const MaxLLMConnections = 200

var llmConnections = tables.Table[domain.LLMConnection]{
	Name: "llm_connections", Kind: "LLM connection", Audited: "llmConnection", Order: "created_at DESC, id",
	Columns: "id, provider, adapter, sealed_secret, display_secret, base_url, custom_models, with_default_models, sealed_headers, " +
		"header_names, config, created_at, updated_at",
	Fields: func(l *domain.LLMConnection) []any {
		return []any{
			&l.ID, &l.Provider, &l.Adapter, &l.SealedSecret, &l.DisplaySecret, &l.BaseURL, tables.AsJSON(&l.CustomModels),
			&l.WithDefaultModels,
			&l.SealedHeaders, tables.AsJSON(&l.HeaderNames), tables.AsRaw(&l.Config), tables.AsTime(&l.CreatedAt),
			tables.AsTime(&l.UpdatedAt),
		}
	},
	// Nothing of the secrets is recorded, not even their last characters.
	State: func(l *domain.LLMConnection) map[string]any {
		return map[string]any{
			"provider": l.Provider, "adapter": l.Adapter, "baseURL": l.BaseURL, "customModels": l.CustomModels,
			"withDefaultModels": l.WithDefaultModels, "extraHeaderKeys": l.HeaderNames, "config": l.Config,
		}
	},
	Max:  MaxLLMConnections,
	Lock: lockProject,
}

// LLMConnection returns the project's connection to a provider.
func (c *Catalog) LLMConnection(ctx context.Context, scope domain.ProjectScope, provider string) (domain.LLMConnection, error) {
	return llmConnections.GetBy(ctx, c.db.Reader(), scope, "provider", provider)
}

// MissingLLMConnections returns the given providers to which the project has no connection.
func (c *Catalog) MissingLLMConnections(ctx context.Context, scope domain.ProjectScope, providers []string) ([]string, error) {
	return c.db.Reader().Missing(ctx, scope, "SELECT provider FROM llm_connections WHERE project_id = ?", "provider", providers)
}

// PutLLMConnection stores the project's connection to a provider. An existing one is replaced, keeping its id and
// creation time.
func (c *Catalog) PutLLMConnection(
	ctx context.Context, scope domain.ProjectScope, n domain.LLMConnection, actor domain.Actor,
) (after domain.LLMConnection, created bool, err error) {
	n.CustomModels, n.HeaderNames = domain.NotNil(n.CustomModels), domain.NotNil(n.HeaderNames)
	err = c.db.Update(ctx, func(s tables.Session) error {
		if err := s.LockProject(ctx, scope); err != nil {
			return err
		}
		before, err := llmConnections.GetBy(ctx, s, scope, "provider", n.Provider)
		if created = errors.Is(err, domain.ErrNotFound); created {
			after, err = llmConnections.Create(ctx, s, scope, tables.OrderedID(), n, actor)
			return err
		}
		if err != nil {
			return err
		}
		if err := llmConnections.Replace(ctx, s, scope, before.ID, n); err != nil {
			return err
		}
		if after, err = llmConnections.Get(ctx, s, scope, before.ID); err != nil {
			return err
		}
		state := llmConnections.State(&after)
		if before.SealedSecret != after.SealedSecret {
			state[tables.SecretReplaced] = true
		}
		return s.AuditInProject(ctx, scope, actor, llmConnections.Audited, after.ID, llmConnections.StateOf(&before), tables.StateOf(state))
	})
	return after, created, err
}
