package catalog

import (
	"context"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

var scoreConfigs = tables.Table[domain.ScoreConfig]{
	Name: "score_configs", Kind: "score config", Audited: "scoreConfig", Order: "created_at DESC, id",
	Columns: "id, name, data_type, archived, description, min_value, max_value, categories, created_at, updated_at",
	Fields: func(c *domain.ScoreConfig) []any {
		return []any{
			&c.ID, &c.Name, &c.DataType, &c.Archived, &c.Description, &c.MinValue, &c.MaxValue, tables.AsOptionalJSON(&c.Categories),
			tables.AsTime(&c.CreatedAt), tables.AsTime(&c.UpdatedAt),
		}
	},
	State: func(c *domain.ScoreConfig) map[string]any {
		return map[string]any{
			"name": c.Name, "dataType": c.DataType, "isArchived": c.Archived, "description": c.Description,
			"minValue": c.MinValue, "maxValue": c.MaxValue, "categories": c.Categories,
		}
	},
}

// ScoreConfig returns one of the project's score configs.
func (c *Catalog) ScoreConfig(ctx context.Context, scope domain.ProjectScope, id string) (domain.ScoreConfig, error) {
	return scoreConfigs.Get(ctx, c.db.Reader(), scope, id)
}

// ScoreConfigs returns a page of the project's score configs, newest first, and the total count.
func (c *Catalog) ScoreConfigs(ctx context.Context, scope domain.ProjectScope, page tables.Page) ([]domain.ScoreConfig, int, error) {
	return scoreConfigs.Page(ctx, c.db.Reader(), scope, page)
}

// CreateScoreConfig stores a new score config; its id and timestamps are assigned here. Names need not be unique.
func (c *Catalog) CreateScoreConfig(ctx context.Context, scope domain.ProjectScope, n domain.ScoreConfig, actor domain.Actor) (domain.ScoreConfig, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.ScoreConfig, error) {
		return scoreConfigs.Create(ctx, s, scope, domain.NewID(), n, actor)
	})
}

// UpdateScoreConfig passes the current score config to edit and stores the result; the id, the data type and the
// creation time do not change. Concurrent changes of the config wait. Errors from edit are returned unchanged.
func (c *Catalog) UpdateScoreConfig(
	ctx context.Context, scope domain.ProjectScope, id string, edit func(domain.ScoreConfig) (domain.ScoreConfig, error), actor domain.Actor,
) (domain.ScoreConfig, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.ScoreConfig, error) {
		return scoreConfigs.Change(ctx, s, scope, id, func(before domain.ScoreConfig) (domain.ScoreConfig, error) {
			after, err := edit(before)
			after.DataType = before.DataType
			return after, err
		}, actor)
	})
}
