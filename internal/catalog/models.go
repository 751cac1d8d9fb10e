package catalog

import (
	"context"
	"fmt"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// MaxModels is the maximum number of model definitions of a project. Each new model name is matched against all of
// them.
const MaxModels = 500

// models stores model definitions without their ProjectID, which callers set.
var models = tables.Table[domain.Model]{
	Name: "models", Kind: "model", Audited: tables.KindModel, Order: "name",
	Columns: "id, name, match_pattern, start_date, unit, tokenizer_id, tokenizer_config, tiers, created_at, updated_at",
	Fields: func(m *domain.Model) []any {
		return []any{
			&m.ID, &m.Name, &m.MatchPattern, tables.AsTime(&m.StartDate), &m.Unit, &m.TokenizerID, tables.AsRaw(&m.TokenizerConfig), asTiers(&m.Tiers),
			tables.AsTime(&m.CreatedAt), tables.AsTime(&m.UpdatedAt),
		}
	},
	State: func(m *domain.Model) map[string]any {
		state := map[string]any{
			"modelName": m.Name, "matchPattern": m.MatchPattern, "unit": m.Unit, "tokenizerId": m.TokenizerID, "tokenizerConfig": m.TokenizerConfig,
			"pricingTiers": storedTiers(m.Tiers),
		}
		if !m.StartDate.IsZero() {
			state["startDate"] = m.StartDate
		}
		return state
	},
}

// Models returns the project's own model definitions, by name.
func (c *Catalog) Models(ctx context.Context, scope domain.ProjectScope) ([]domain.Model, error) {
	all, _, err := models.Page(ctx, c.db.Reader(), scope, tables.Page{Limit: MaxModels})
	for n := range all {
		all[n].ProjectID = scope.ProjectID()
	}
	return all, err
}

// Model returns one of the project's own definitions.
func (c *Catalog) Model(ctx context.Context, scope domain.ProjectScope, id string) (domain.Model, error) {
	m, err := models.Get(ctx, c.db.Reader(), scope, id)
	m.ProjectID = scope.ProjectID()
	return m, err
}

// CreateModel stores a new definition; its id, the ids of its tiers and its timestamps are assigned here. It returns
// domain.ErrConflict if another definition of the project has the same name.
func (c *Catalog) CreateModel(ctx context.Context, scope domain.ProjectScope, n domain.Model, actor domain.Actor) (domain.Model, error) {
	created, err := tables.Transact(ctx, c.db, func(s tables.Session) (domain.Model, error) {
		if err := reviseModels(ctx, s, scope); err != nil {
			return n, err
		}
		count, err := models.Count(ctx, s, scope)
		if err != nil {
			return n, err
		}
		if count >= MaxModels {
			return n, fmt.Errorf("%w: project %s has %d model definitions", domain.ErrTooMany, scope.ProjectID(), count)
		}
		id := domain.NewID()
		n.Tiers = withTierIDs(id, n.Tiers, nil)
		return models.Create(ctx, s, scope, id, n, actor)
	})
	created.ProjectID = scope.ProjectID()
	return created, tables.NamedConflict(err, "model", n.Name)
}

// ReplaceModel replaces one of the project's definitions. Tiers keep their ids by name, since rows refer to them.
func (c *Catalog) ReplaceModel(ctx context.Context, scope domain.ProjectScope, id string, n domain.Model, actor domain.Actor) (domain.Model, error) {
	after, err := tables.Transact(ctx, c.db, func(s tables.Session) (domain.Model, error) {
		if err := reviseModels(ctx, s, scope); err != nil {
			return n, err
		}
		return models.Change(ctx, s, scope, id, func(before domain.Model) (domain.Model, error) {
			n.Tiers = withTierIDs(id, n.Tiers, before.Tiers)
			return n, nil
		}, actor)
	})
	after.ProjectID = scope.ProjectID()
	return after, tables.NamedConflict(err, "model", n.Name)
}

// DeleteModel deletes one of the project's definitions. Costs already stored in rows are kept.
func (c *Catalog) DeleteModel(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if err := reviseModels(ctx, s, scope); err != nil {
			return err
		}
		return models.Delete(ctx, s, scope, id, actor)
	})
}

// reviseModels must be called before the project's definitions change. It locks the project's row, so that changes in
// one project wait for each other. The revision itself is only read by servers of earlier builds that share the
// catalog.
func reviseModels(ctx context.Context, s tables.Session, scope domain.ProjectScope) error {
	found, err := s.Exec(ctx, "UPDATE projects SET models_revision = ? WHERE id = ?", domain.NewID(), scope.ProjectID())
	return tables.Named(tables.OrNotFound(found, err), "project", scope.ProjectID())
}
