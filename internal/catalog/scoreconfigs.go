package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"almanac/internal/domain"
)

const scoreConfigColumns = "id, name, data_type, archived, description, min_value, max_value, categories, created_at, updated_at"

func scanScoreConfig(r row) (domain.ScoreConfig, error) {
	var (
		config                  domain.ScoreConfig
		description, categories sql.Null[string]
		minimum, maximum        sql.Null[float64]
		created, updated        int64
	)
	if err := r.Scan(&config.ID, &config.Name, &config.DataType, &config.Archived, &description, &minimum, &maximum, &categories,
		&created, &updated); err != nil {
		return config, err
	}
	config.Description, config.MinValue, config.MaxValue = optional(description), optional(minimum), optional(maximum)
	config.CreatedAt, config.UpdatedAt = fromMillis(created), fromMillis(updated)
	if categories.Valid {
		if err := json.Unmarshal([]byte(categories.V), &config.Categories); err != nil {
			return config, fmt.Errorf("cannot read the categories of score config %s: %w", config.ID, err)
		}
	}
	return config, nil
}

// ScoreConfig returns a score config of the project.
func (c *Catalog) ScoreConfig(ctx context.Context, scope domain.ProjectScope, id string) (domain.ScoreConfig, error) {
	return c.reader().scoreConfig(ctx, scope, id)
}

// ScoreConfigs returns a page of the project's score configs, newest first, and how many there are in all.
func (c *Catalog) ScoreConfigs(ctx context.Context, scope domain.ProjectScope, page Page) ([]domain.ScoreConfig, int, error) {
	return queryPage(ctx, c.reader(), scanScoreConfig, scoreConfigColumns,
		"FROM score_configs WHERE project_id = ?", "created_at DESC, id", page, scope.ProjectID())
}

// CreateScoreConfig stores a new score config of the project; its id and its times are made here. Names need not be unique.
func (c *Catalog) CreateScoreConfig(ctx context.Context, scope domain.ProjectScope, n domain.ScoreConfig, actor domain.Actor) (domain.ScoreConfig, error) {
	var created domain.ScoreConfig
	err := c.update(ctx, func(s session) error {
		id, now := domain.NewID(), millis(c.now())
		if _, err := s.exec(ctx, "INSERT INTO score_configs (project_id, "+scoreConfigColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			scope.ProjectID(), id, n.Name, n.DataType, n.Archived, n.Description, n.MinValue, n.MaxValue, categoriesText(n.Categories), now, now); err != nil {
			return err
		}
		var err error
		if created, err = s.scoreConfig(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "create", "scoreConfig", id, nil, scoreConfigState(created))
	})
	return created, err
}

// UpdateScoreConfig gives change the score config as it is and stores what it returns; the id, the data type and the time of
// creation stay. Other changes of the config wait meanwhile. An error of change is returned as it is.
func (c *Catalog) UpdateScoreConfig(ctx context.Context, scope domain.ProjectScope, id string, change func(domain.ScoreConfig) (domain.ScoreConfig, error), actor domain.Actor) (domain.ScoreConfig, error) {
	var after domain.ScoreConfig
	err := c.update(ctx, func(s session) error {
		// Writing first locks the row, so that of two changes at once neither overwrites the other.
		if _, err := s.exec(ctx, "UPDATE score_configs SET updated_at = ? WHERE id = ? AND project_id = ?", millis(c.now()), id, scope.ProjectID()); err != nil {
			return err
		}
		before, err := s.scoreConfig(ctx, scope, id)
		if err != nil {
			return err
		}
		n, err := change(before)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, `UPDATE score_configs SET name = ?, archived = ?, description = ?, min_value = ?, max_value = ?, categories = ?
			WHERE id = ? AND project_id = ?`,
			n.Name, n.Archived, n.Description, n.MinValue, n.MaxValue, categoriesText(n.Categories), id, scope.ProjectID()); err != nil {
			return err
		}
		if after, err = s.scoreConfig(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "update", "scoreConfig", id, scoreConfigState(before), scoreConfigState(after))
	})
	return after, err
}

func (s session) scoreConfig(ctx context.Context, scope domain.ProjectScope, id string) (domain.ScoreConfig, error) {
	config, err := queryOne(ctx, s, scanScoreConfig,
		"SELECT "+scoreConfigColumns+" FROM score_configs WHERE id = ? AND project_id = ?", id, scope.ProjectID())
	return config, named(err, "score config", id)
}

// categoriesText is NULL for no list at all, which differs from an empty one.
func categoriesText(categories []domain.ScoreCategory) *string {
	if categories == nil {
		return nil
	}
	return new(textOf(categories))
}

func scoreConfigState(config domain.ScoreConfig) json.RawMessage {
	return stateOf(map[string]any{
		"name": config.Name, "dataType": config.DataType, "isArchived": config.Archived, "description": config.Description,
		"minValue": config.MinValue, "maxValue": config.MaxValue, "categories": config.Categories,
	})
}
