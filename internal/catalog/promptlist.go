package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"time"

	"almanac/internal/domain"
)

// PromptFilter selects versions of prompts; zero members select all.
type PromptFilter struct {
	Name, Label, Tag           string
	Version                    int
	UpdatedFrom, UpdatedBefore time.Time
}

// from returns what the filter selects, as rows p of prompts.
func (f PromptFilter) from(scope domain.ProjectScope) query {
	return query{"FROM prompts p WHERE p.project_id = ?", []any{scope.ProjectID()}}.
		and(when(f.Name != "", "p.name = ?", f.Name)).
		and(when(f.Version != 0, "p.version = ?", f.Version)).
		and(when(f.Label != "", `EXISTS (SELECT 1 FROM prompt_labels l
			WHERE l.project_id = p.project_id AND l.name = p.name AND l.version = p.version AND l.label = ?)`, f.Label)).
		and(when(f.Tag != "", "EXISTS (SELECT 1 FROM prompt_tags t WHERE t.project_id = p.project_id AND t.name = p.name AND t.tag = ?)", f.Tag)).
		and(when(!f.UpdatedFrom.IsZero(), "p.updated_at >= ?", millis(f.UpdatedFrom))).
		and(when(!f.UpdatedBefore.IsZero(), "p.updated_at < ?", millis(f.UpdatedBefore)))
}

// Prompts returns a page of the names that have versions which the filter selects, with what there is to say of those
// versions, and how many names there are in all.
func (c *Catalog) Prompts(ctx context.Context, scope domain.ProjectScope, f PromptFilter, page Page) (iter.Seq2[*domain.PromptSummary, error], int, error) {
	if cannotExist(f.Name, f.Label, f.Tag) {
		return func(func(*domain.PromptSummary, error) bool) {}, 0, nil
	}
	selected := f.from(scope)
	names, total, err := queryPage(ctx, c.db.Reader(), scanValue[string], "name",
		query{"FROM (SELECT DISTINCT p.name AS name " + selected.text + ") names", selected.args}, "name", page)
	if err != nil {
		return nil, 0, err
	}
	return func(yield func(*domain.PromptSummary, error) bool) {
		s, release := c.db.Reader().oneByOne(ctx)
		defer release()
		for _, name := range names {
			release()
			summary, err := promptSummary(ctx, s, scope, name, selected)
			if errors.Is(err, domain.ErrNotFound) {
				continue // deleted meanwhile
			}
			if !yield(&summary, err) || err != nil {
				return
			}
		}
	}, total, nil
}

// promptSummary sums up those of the selected versions that have a name.
func promptSummary(ctx context.Context, s session, scope domain.ProjectScope, name string, selected query) (domain.PromptSummary, error) {
	summary := domain.PromptSummary{Name: name}
	selected = selected.and(condition{"p.name = ?", []any{name}})
	versions, err := queryAll(ctx, s, func(r row) (p domain.Prompt, err error) {
		err = r.Scan(&p.Version, &p.Type, asTime(&p.UpdatedAt))
		return p, err
	}, "SELECT p.version, p.type, p.updated_at "+selected.text+" ORDER BY p.version", selected.args...)
	if err != nil {
		return summary, err
	}
	for _, p := range versions {
		summary.Versions, summary.Type = append(summary.Versions, p.Version), p.Type
		if p.UpdatedAt.After(summary.LastUpdatedAt) {
			summary.LastUpdatedAt = p.UpdatedAt
		}
	}
	config, err := queryOne(ctx, s, scanValue[string], "SELECT p.config "+selected.text+" ORDER BY p.version DESC LIMIT 1", selected.args...)
	if err != nil {
		return summary, err
	}
	summary.LastConfig = json.RawMessage(config)
	if summary.Labels, err = queryAll(ctx, s, scanValue[string], `SELECT DISTINCT a.label FROM prompt_labels a
		WHERE (a.project_id, a.name, a.version) IN (SELECT p.project_id, p.name, p.version `+selected.text+")", selected.args...); err != nil {
		return summary, err
	}
	slices.Sort(summary.Labels)
	summary.Tags, err = promptTables.tags(ctx, s, scope, name)
	return summary, err
}
