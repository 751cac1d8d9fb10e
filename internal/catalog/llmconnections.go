package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"almanac/internal/domain"
)

// MaxLLMConnections is how many connections a project may have.
const MaxLLMConnections = 200

const llmConnectionColumns = `id, provider, adapter, sealed_secret, display_secret, base_url, custom_models, with_default_models,
	sealed_headers, header_names, config, created_at, updated_at`

func scanLLMConnection(r row) (domain.LLMConnection, error) {
	var (
		l                       domain.LLMConnection
		baseURL, headers, other sql.Null[string]
		models, names           string
		created, updated        int64
	)
	if err := r.Scan(&l.ID, &l.Provider, &l.Adapter, &l.SealedSecret, &l.DisplaySecret, &baseURL, &models, &l.WithDefaultModels,
		&headers, &names, &other, &created, &updated); err != nil {
		return l, err
	}
	l.BaseURL, l.SealedHeaders = optional(baseURL), optional(headers)
	if other.Valid {
		l.Config = json.RawMessage(other.V)
	}
	l.CreatedAt, l.UpdatedAt = fromMillis(created), fromMillis(updated)
	if err := json.Unmarshal([]byte(models), &l.CustomModels); err != nil {
		return l, fmt.Errorf("cannot read the models of connection %s: %w", l.ID, err)
	}
	if err := json.Unmarshal([]byte(names), &l.HeaderNames); err != nil {
		return l, fmt.Errorf("cannot read the names of headers of connection %s: %w", l.ID, err)
	}
	return l, nil
}

// LLMConnections returns a page of the project's connections, newest first, and how many there are in all.
func (c *Catalog) LLMConnections(ctx context.Context, scope domain.ProjectScope, page Page) ([]domain.LLMConnection, int, error) {
	return queryPage(ctx, c.reader(), scanLLMConnection, llmConnectionColumns,
		"FROM llm_connections WHERE project_id = ?", "created_at DESC, id", page, scope.ProjectID())
}

// LLMConnection returns the project's connection to a provider.
func (c *Catalog) LLMConnection(ctx context.Context, scope domain.ProjectScope, provider string) (domain.LLMConnection, error) {
	return c.reader().llmConnection(ctx, scope, "provider", provider)
}

// MissingLLMConnections returns those of the providers that the project has no connection to.
func (c *Catalog) MissingLLMConnections(ctx context.Context, scope domain.ProjectScope, providers []string) ([]string, error) {
	return c.reader().missing(ctx, "SELECT provider FROM llm_connections WHERE project_id = ? AND provider IN ", scope, providers)
}

// PutLLMConnection stores the project's connection to a provider; one that exists is replaced and keeps its id and the time of
// its creation.
func (c *Catalog) PutLLMConnection(ctx context.Context, scope domain.ProjectScope, n domain.LLMConnection, actor domain.Actor) (after domain.LLMConnection, created bool, err error) {
	models, names, now := textOf(list(n.CustomModels)), textOf(list(n.HeaderNames)), millis(c.now())
	err = c.update(ctx, func(s session) error {
		id, err := orderedID()
		if err != nil {
			return err
		}
		inserted, err := s.exec(ctx, "INSERT INTO llm_connections (project_id, "+llmConnectionColumns+`)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, provider) DO NOTHING`,
			scope.ProjectID(), id, n.Provider, n.Adapter, n.SealedSecret, n.DisplaySecret, n.BaseURL, models, n.WithDefaultModels,
			n.SealedHeaders, names, optionalText(n.Config), now, now)
		if err != nil {
			return err
		}
		if created = inserted == 1; created {
			return s.auditNewLLMConnection(ctx, scope, n.Provider, actor, &after)
		}
		// Writing first locks the row, so that what is read here is what is replaced.
		if _, err := s.exec(ctx, "UPDATE llm_connections SET updated_at = ? WHERE project_id = ? AND provider = ?", now, scope.ProjectID(), n.Provider); err != nil {
			return err
		}
		before, err := s.llmConnection(ctx, scope, "provider", n.Provider)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, `UPDATE llm_connections SET adapter = ?, sealed_secret = ?, display_secret = ?, base_url = ?, custom_models = ?,
			with_default_models = ?, sealed_headers = ?, header_names = ?, config = ? WHERE project_id = ? AND provider = ?`,
			n.Adapter, n.SealedSecret, n.DisplaySecret, n.BaseURL, models, n.WithDefaultModels, n.SealedHeaders, names, optionalText(n.Config),
			scope.ProjectID(), n.Provider); err != nil {
			return err
		}
		if after, err = s.llmConnection(ctx, scope, "provider", n.Provider); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "update", "llmConnection", after.ID, llmConnectionState(before, nil), llmConnectionState(after, &before))
	})
	return after, created, err
}

// auditNewLLMConnection reads what was stored and writes its audit entry, unless it is one too many.
func (s session) auditNewLLMConnection(ctx context.Context, scope domain.ProjectScope, provider string, actor domain.Actor, after *domain.LLMConnection) error {
	count, err := queryOne(ctx, s, scanCount, "SELECT COUNT(*) FROM llm_connections WHERE project_id = ?", scope.ProjectID())
	if err != nil {
		return err
	}
	if count > MaxLLMConnections {
		return fmt.Errorf("%w: project %s has %d LLM connections", domain.ErrTooMany, scope.ProjectID(), MaxLLMConnections)
	}
	if *after, err = s.llmConnection(ctx, scope, "provider", provider); err != nil {
		return err
	}
	return s.auditInProject(ctx, scope, actor, "create", "llmConnection", after.ID, nil, llmConnectionState(*after, nil))
}

// DeleteLLMConnection removes one of the project's connections.
func (c *Catalog) DeleteLLMConnection(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		before, err := s.llmConnection(ctx, scope, "id", id)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, "DELETE FROM llm_connections WHERE id = ? AND project_id = ?", id, scope.ProjectID()); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "delete", "llmConnection", id, llmConnectionState(before, nil), nil)
	})
}

// llmConnection finds a connection by a column, which is the caller's constant.
func (s session) llmConnection(ctx context.Context, scope domain.ProjectScope, column, value string) (domain.LLMConnection, error) {
	l, err := queryOne(ctx, s, scanLLMConnection,
		"SELECT "+llmConnectionColumns+" FROM llm_connections WHERE "+column+" = ? AND project_id = ?", value, scope.ProjectID())
	return l, named(err, "LLM connection", value)
}

// list returns an empty list for none, so that JSON has no null.
func list(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

// llmConnectionState has nothing of the secrets, not even their ends: it only says that they are others than before.
func llmConnectionState(l domain.LLMConnection, before *domain.LLMConnection) json.RawMessage {
	state := map[string]any{
		"provider": l.Provider, "adapter": l.Adapter, "baseURL": l.BaseURL, "customModels": l.CustomModels,
		"withDefaultModels": l.WithDefaultModels, "extraHeaderKeys": l.HeaderNames, "config": l.Config,
	}
	if before != nil && before.SealedSecret != l.SealedSecret {
		state[secretReplaced] = true
	}
	return stateOf(state)
}
