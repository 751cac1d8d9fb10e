package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"almanac/internal/domain"
)

// MaxModels is how many model definitions a project may have. All of them are tried for each new name of a model.
const MaxModels = 500

const modelColumns = "id, project_id, name, match_pattern, start_date, unit, tokenizer_id, tokenizer_config, tiers, created_at, updated_at"

func scanModel(r row) (domain.Model, error) {
	var (
		m                domain.Model
		start            sql.Null[int64]
		tokenizer        sql.Null[string]
		tiers            string
		created, updated int64
	)
	if err := r.Scan(&m.ID, &m.ProjectID, &m.Name, &m.MatchPattern, &start, &m.Unit, &m.TokenizerID, &tokenizer, &tiers, &created, &updated); err != nil {
		return m, err
	}
	if at := fromOptionalMillis(start); at != nil {
		m.StartDate = *at
	}
	if tokenizer.Valid {
		m.TokenizerConfig = json.RawMessage(tokenizer.V)
	}
	m.CreatedAt, m.UpdatedAt = fromMillis(created), fromMillis(updated)
	var stored []storedTier
	if err := json.Unmarshal([]byte(tiers), &stored); err != nil {
		return m, fmt.Errorf("cannot read the pricing tiers of model %s: %w", m.ID, err)
	}
	for _, t := range stored {
		m.Tiers = append(m.Tiers, t.tier())
	}
	return m, nil
}

// Models returns the project's own model definitions, by name.
func (c *Catalog) Models(ctx context.Context, scope domain.ProjectScope) ([]domain.Model, error) {
	return queryAll(ctx, c.reader(), scanModel, "SELECT "+modelColumns+" FROM models WHERE project_id = ? ORDER BY name", scope.ProjectID())
}

// Model returns one of the project's own definitions.
func (c *Catalog) Model(ctx context.Context, scope domain.ProjectScope, id string) (domain.Model, error) {
	return c.reader().model(ctx, scope, id)
}

// CreateModel stores a new definition of the project; its id, those of its tiers and its times are made here. A name that
// another definition of the project has is a conflict.
func (c *Catalog) CreateModel(ctx context.Context, scope domain.ProjectScope, n domain.Model, actor domain.Actor) (domain.Model, error) {
	var created domain.Model
	err := c.update(ctx, func(s session) error {
		if err := s.reviseModels(ctx, scope); err != nil {
			return err
		}
		count, err := queryOne(ctx, s, scanCount, "SELECT COUNT(*) FROM models WHERE project_id = ?", scope.ProjectID())
		if err != nil {
			return err
		}
		if count >= MaxModels {
			return fmt.Errorf("%w: project %s has %d model definitions", domain.ErrTooMany, scope.ProjectID(), count)
		}
		id, now := domain.NewID(), millis(c.now())
		if _, err := s.exec(ctx, "INSERT INTO models ("+modelColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			id, scope.ProjectID(), n.Name, n.MatchPattern, startMillis(n.StartDate), string(n.Unit), n.TokenizerID, optionalText(n.TokenizerConfig),
			tiersText(id, n.Tiers, nil), now, now); err != nil {
			return err
		}
		if created, err = s.model(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "create", KindModel, id, nil, modelState(created))
	})
	return created, namedConflict(err, "model", n.Name)
}

// ReplaceModel stores another version of one of the project's definitions. Tiers keep their ids by their names: rows
// refer to them.
func (c *Catalog) ReplaceModel(ctx context.Context, scope domain.ProjectScope, id string, n domain.Model, actor domain.Actor) (domain.Model, error) {
	var after domain.Model
	err := c.update(ctx, func(s session) error {
		if err := s.reviseModels(ctx, scope); err != nil {
			return err
		}
		before, err := s.model(ctx, scope, id)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, `UPDATE models SET name = ?, match_pattern = ?, start_date = ?, unit = ?, tokenizer_id = ?, tokenizer_config = ?, tiers = ?, updated_at = ?
			WHERE id = ? AND project_id = ?`,
			n.Name, n.MatchPattern, startMillis(n.StartDate), string(n.Unit), n.TokenizerID, optionalText(n.TokenizerConfig),
			tiersText(id, n.Tiers, before.Tiers), millis(c.now()), id, scope.ProjectID()); err != nil {
			return err
		}
		if after, err = s.model(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "update", KindModel, id, modelState(before), modelState(after))
	})
	return after, namedConflict(err, "model", n.Name)
}

// DeleteModel removes one of the project's definitions. Rows keep the costs that they have.
func (c *Catalog) DeleteModel(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		if err := s.reviseModels(ctx, scope); err != nil {
			return err
		}
		before, err := s.model(ctx, scope, id)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, "DELETE FROM models WHERE id = ? AND project_id = ?", id, scope.ProjectID()); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "delete", KindModel, id, modelState(before), nil)
	})
}

// reviseModels is called before the project's definitions change: it locks the project's row, so that changes of one project
// wait for each other. The revision itself is for servers of earlier builds that share the catalog, which look at it.
func (s session) reviseModels(ctx context.Context, scope domain.ProjectScope) error {
	found, err := s.exec(ctx, "UPDATE projects SET models_revision = ? WHERE id = ?", domain.NewID(), scope.ProjectID())
	if err == nil && found == 0 {
		err = domain.ErrNotFound
	}
	return named(err, "project", scope.ProjectID())
}

func (s session) model(ctx context.Context, scope domain.ProjectScope, id string) (domain.Model, error) {
	m, err := queryOne(ctx, s, scanModel, "SELECT "+modelColumns+" FROM models WHERE id = ? AND project_id = ?", id, scope.ProjectID())
	return m, named(err, "model", id)
}

// startMillis is NULL for a definition that always holds.
func startMillis(at time.Time) *int64 {
	if at.IsZero() {
		return nil
	}
	return new(millis(at))
}

// namedConflict says in a conflict what was to be stored; other errors pass through.
func namedConflict(err error, kind, name string) error {
	if errors.Is(err, domain.ErrConflict) {
		return fmt.Errorf("%s %q: %w", kind, name, err)
	}
	return err
}

func modelState(m domain.Model) json.RawMessage {
	state := map[string]any{
		"modelName": m.Name, "matchPattern": m.MatchPattern, "unit": m.Unit, "tokenizerId": m.TokenizerID, "tokenizerConfig": m.TokenizerConfig,
		"pricingTiers": storedTiers(m.Tiers),
	}
	if !m.StartDate.IsZero() {
		state["startDate"] = m.StartDate
	}
	return stateOf(state)
}
