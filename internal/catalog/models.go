package catalog

import (
	"context"
	"fmt"

	"almanac/internal/domain"
)

// MaxModels is how many model definitions a project may have. All of them are tried for each new name of a model.
const MaxModels = 500

// models have their project beside what is stored of them here.
var models = table[domain.Model]{
	name: "models", kind: "model", audited: KindModel, order: "name",
	columns: "id, name, match_pattern, start_date, unit, tokenizer_id, tokenizer_config, tiers, created_at, updated_at",
	fields: func(m *domain.Model) []any {
		return []any{
			&m.ID, &m.Name, &m.MatchPattern, asTime(&m.StartDate), &m.Unit, &m.TokenizerID, asRaw(&m.TokenizerConfig), asTiers(&m.Tiers),
			asTime(&m.CreatedAt), asTime(&m.UpdatedAt),
		}
	},
	state: func(m *domain.Model) map[string]any {
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
	all, _, err := models.page(ctx, c.db.Reader(), scope, Page{Limit: MaxModels})
	for n := range all {
		all[n].ProjectID = scope.ProjectID()
	}
	return all, err
}

// Model returns one of the project's own definitions.
func (c *Catalog) Model(ctx context.Context, scope domain.ProjectScope, id string) (domain.Model, error) {
	m, err := models.get(ctx, c.db.Reader(), scope, id)
	m.ProjectID = scope.ProjectID()
	return m, err
}

// CreateModel stores a new definition of the project; its id, those of its tiers and its times are made here. A name that
// another definition of the project has is a conflict.
func (c *Catalog) CreateModel(ctx context.Context, scope domain.ProjectScope, n domain.Model, actor domain.Actor) (domain.Model, error) {
	created, err := transact(ctx, c.db, func(s session) (domain.Model, error) {
		if err := reviseModels(ctx, s, scope); err != nil {
			return n, err
		}
		count, err := models.count(ctx, s, scope)
		if err != nil {
			return n, err
		}
		if count >= MaxModels {
			return n, fmt.Errorf("%w: project %s has %d model definitions", domain.ErrTooMany, scope.ProjectID(), count)
		}
		id := domain.NewID()
		n.Tiers = withTierIDs(id, n.Tiers, nil)
		return models.create(ctx, s, scope, id, n, actor)
	})
	created.ProjectID = scope.ProjectID()
	return created, namedConflict(err, "model", n.Name)
}

// ReplaceModel stores another version of one of the project's definitions. Tiers keep their ids by their names: rows
// refer to them.
func (c *Catalog) ReplaceModel(ctx context.Context, scope domain.ProjectScope, id string, n domain.Model, actor domain.Actor) (domain.Model, error) {
	after, err := transact(ctx, c.db, func(s session) (domain.Model, error) {
		if err := reviseModels(ctx, s, scope); err != nil {
			return n, err
		}
		return models.change(ctx, s, scope, id, func(before domain.Model) (domain.Model, error) {
			n.Tiers = withTierIDs(id, n.Tiers, before.Tiers)
			return n, nil
		}, actor)
	})
	after.ProjectID = scope.ProjectID()
	return after, namedConflict(err, "model", n.Name)
}

// DeleteModel removes one of the project's definitions. Rows keep the costs that they have.
func (c *Catalog) DeleteModel(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s session) error {
		if err := reviseModels(ctx, s, scope); err != nil {
			return err
		}
		return models.delete(ctx, s, scope, id, actor)
	})
}

// reviseModels is called before the project's definitions change: it locks the project's row, so that changes of one project
// wait for each other. The revision itself is for servers of earlier builds that share the catalog, which look at it.
func reviseModels(ctx context.Context, s session, scope domain.ProjectScope) error {
	found, err := s.exec(ctx, "UPDATE projects SET models_revision = ? WHERE id = ?", domain.NewID(), scope.ProjectID())
	return named(orNotFound(found, err), "project", scope.ProjectID())
}
