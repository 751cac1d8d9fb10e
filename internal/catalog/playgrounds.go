package catalog

import (
	"context"
	"errors"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// Limits of what a project keeps for its playgrounds.
const (
	MaxLLMTools    = 500
	MaxLLMSchemas  = 500
	MaxPlaygrounds = 500
)

// ErrChangedMeanwhile means that somebody else changed an object after the caller read it.
var ErrChangedMeanwhile = errors.New("changed by somebody else meanwhile")

var llmTools = tables.Table[domain.LLMTool]{
	Name: "llm_tools", Kind: "tool", Audited: "llmTool", Order: "name, id",
	Columns: "id, name, description, parameters, created_at, updated_at",
	Fields: func(t *domain.LLMTool) []any {
		return []any{
			&t.ID, &t.Name, &t.Description, tables.AsRaw(&t.Parameters), tables.AsTime(&t.CreatedAt), tables.AsTime(&t.UpdatedAt),
		}
	},
	State: func(t *domain.LLMTool) map[string]any {
		return map[string]any{"name": t.Name, "description": t.Description, "parameters": t.Parameters}
	},
	Title: func(t *domain.LLMTool) string { return t.Name },
	Max:   MaxLLMTools, Lock: lockProject,
}

var llmSchemas = tables.Table[domain.LLMSchema]{
	Name: "llm_schemas", Kind: "schema", Audited: "llmSchema", Order: "name, id",
	Columns: "id, name, description, schema, created_at, updated_at",
	Fields: func(s *domain.LLMSchema) []any {
		return []any{
			&s.ID, &s.Name, &s.Description, tables.AsRaw(&s.Schema), tables.AsTime(&s.CreatedAt), tables.AsTime(&s.UpdatedAt),
		}
	},
	State: func(s *domain.LLMSchema) map[string]any {
		return map[string]any{"name": s.Name, "description": s.Description, "schema": s.Schema}
	},
	Title: func(s *domain.LLMSchema) string { return s.Name },
	Max:   MaxLLMSchemas, Lock: lockProject,
}

var playgrounds = tables.Table[domain.Playground]{
	Name: "playgrounds", Kind: "playground", Audited: "playground", Order: "name, id",
	Columns: "id, name, state, changed_by, created_at, updated_at",
	Fields: func(p *domain.Playground) []any {
		return []any{&p.ID, &p.Name, tables.AsRaw(&p.State), &p.ChangedBy, tables.AsTime(&p.CreatedAt), tables.AsTime(&p.UpdatedAt)}
	},
	// The state has texts of conversations, which are not for the audit log.
	State: func(p *domain.Playground) map[string]any {
		return map[string]any{"name": p.Name, "bytes": len(p.State)}
	},
	Title: func(p *domain.Playground) string { return p.Name },
	Max:   MaxPlaygrounds, Lock: lockProject,
}

// PlaygroundList returns the playgrounds of a project by name, without their states.
func (c *Catalog) PlaygroundList(ctx context.Context, scope domain.ProjectScope) ([]domain.Playground, error) {
	scan := func(r tables.Row) (p domain.Playground, err error) {
		err = r.Scan(&p.ID, &p.Name, &p.ChangedBy, tables.AsTime(&p.CreatedAt), tables.AsTime(&p.UpdatedAt))
		return p, err
	}
	return tables.QueryAll(ctx, c.db.Reader(), scan,
		"SELECT id, name, changed_by, created_at, updated_at FROM playgrounds WHERE project_id = ? ORDER BY name, id", scope.ProjectID())
}

// ChangePlayground replaces the name and state of a playground. If basedOn is not nil, it must be the time of the last
// change, or else the error is ErrChangedMeanwhile.
func (c *Catalog) ChangePlayground(
	ctx context.Context, scope domain.ProjectScope, id string, n domain.Playground, basedOn *time.Time, actor domain.Actor,
) (domain.Playground, error) {
	return c.Playgrounds.Change(ctx, scope, id, func(before domain.Playground) (domain.Playground, error) {
		if basedOn != nil && !before.UpdatedAt.Equal(*basedOn) {
			return n, ErrChangedMeanwhile
		}
		return n, nil
	}, actor)
}

// DefaultModel returns the default model of a project, or nil if it has none.
func (c *Catalog) DefaultModel(ctx context.Context, scope domain.ProjectScope) (*domain.DefaultModel, error) {
	return defaultModel(ctx, c.db.Reader(), scope)
}

func defaultModel(ctx context.Context, s tables.Session, scope domain.ProjectScope) (*domain.DefaultModel, error) {
	scan := func(r tables.Row) (m domain.DefaultModel, err error) {
		err = r.Scan(&m.Provider, &m.Model)
		return m, err
	}
	return tables.Optional(tables.QueryOne(ctx, s, scan, `SELECT c.provider, m.model FROM default_models m
		JOIN llm_connections c ON c.id = m.connection_id WHERE m.project_id = ?`, scope.ProjectID()))
}

// SetDefaultModel sets the default model of a project; nil for none. The project must have the connection.
func (c *Catalog) SetDefaultModel(ctx context.Context, scope domain.ProjectScope, n *domain.DefaultModel, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if err := s.LockProject(ctx, scope); err != nil {
			return err
		}
		before, err := defaultModel(ctx, s, scope)
		if err != nil {
			return err
		}
		if before == nil && n == nil {
			return nil
		}
		if _, err := s.Exec(ctx, "DELETE FROM default_models WHERE project_id = ?", scope.ProjectID()); err != nil {
			return err
		}
		if n != nil {
			connection, err := llmConnections.GetBy(ctx, s, scope, "provider", n.Provider)
			if err != nil {
				return err
			}
			if err := s.Insert(ctx, "default_models (project_id, connection_id, model)", scope.ProjectID(), connection.ID, n.Model); err != nil {
				return err
			}
		}
		state := func(m *domain.DefaultModel) map[string]any {
			return map[string]any{"connection": m.Provider, "model": m.Model}
		}
		return s.AuditInProject(ctx, scope, actor, "defaultModel", scope.ProjectID(), tables.StateIf(before, state), tables.StateIf(n, state))
	})
}

// RecordModelRun records in the audit log that a person calls a model.
func (c *Catalog) RecordModelRun(ctx context.Context, scope domain.ProjectScope, run domain.ModelRun, actor domain.Actor) error {
	state := map[string]any{"connection": run.Provider, "model": run.Model}
	if run.PromptName != "" {
		state["prompt"], state["promptVersion"] = run.PromptName, run.PromptVersion
	}
	return c.db.Update(ctx, func(s tables.Session) error {
		return s.AuditInProject(ctx, scope, actor, "playgroundRun", run.TraceID, nil, tables.StateOf(state))
	})
}
