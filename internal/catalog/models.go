package catalog

import (
	"context"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// MaxModels is the maximum number of model definitions of a project. Each new model name is matched against all of
// them.
const MaxModels = 500

var models = tables.Table[domain.Model]{
	Name: "models", Kind: "model", Audited: tables.KindModel, Order: "name",
	Columns: "id, name, match_pattern, start_date, unit, tokenizer_id, tokenizer_config, tiers, created_at, updated_at",
	Fields: func(m *domain.Model) []any {
		return []any{
			&m.ID, &m.Name, &m.MatchPattern, tables.AsTime(&m.StartDate), &m.Unit, &m.TokenizerID, tables.AsRaw(&m.TokenizerConfig),
			asTiers(&m.Tiers),
			tables.AsTime(&m.CreatedAt), tables.AsTime(&m.UpdatedAt),
		}
	},
	State: func(m *domain.Model) map[string]any {
		state := map[string]any{
			"modelName": m.Name, "matchPattern": m.MatchPattern, "unit": m.Unit, "tokenizerId": m.TokenizerID,
			"tokenizerConfig": m.TokenizerConfig,
			"pricingTiers":    storedTiers(m.Tiers),
		}
		if !m.StartDate.IsZero() {
			state["startDate"] = m.StartDate
		}
		return state
	},
	Max:   MaxModels,
	Title: func(m *domain.Model) string { return m.Name },
	Lock:  reviseModels,
	// Tiers keep their ids by name, since rows refer to them.
	Check: func(_ context.Context, _ tables.Session, _ domain.ProjectScope, before, n *domain.Model) error {
		var known []domain.PricingTier
		if before != nil {
			known = before.Tiers
		}
		n.Tiers = withTierIDs(n.ID, n.Tiers, known)
		return nil
	},
	Complete: func(_ context.Context, _ tables.Session, scope domain.ProjectScope, _ bool, found []domain.Model) error {
		for n := range found {
			found[n].ProjectID = scope.ProjectID()
		}
		return nil
	},
}

// Models returns the project's own model definitions, by name.
func (c *Catalog) Models(ctx context.Context, scope domain.ProjectScope) ([]domain.Model, error) {
	return c.ModelDefinitions.List(ctx, scope, MaxModels)
}

// reviseModels must be called before the project's definitions change. It locks the project's row, so that changes in
// one project wait for each other. The revision itself is only read by servers of earlier builds that share the
// catalog.
func reviseModels(ctx context.Context, s tables.Session, scope domain.ProjectScope) error {
	found, err := s.Exec(ctx, "UPDATE projects SET models_revision = ? WHERE id = ?", domain.NewID(), scope.ProjectID())
	return tables.WithSubject(tables.OrNotFound(found, err), "project", scope.ProjectID())
}
