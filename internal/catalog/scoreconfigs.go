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
	Check: func(_ context.Context, _ tables.Session, _ domain.ProjectScope, before, n *domain.ScoreConfig) error {
		if before != nil {
			n.DataType = before.DataType // existing scores have it
		}
		return nil
	},
}
