package prompts

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// PromptFilter selects versions of prompts; zero fields match everything.
type PromptFilter struct {
	Name, Label, Tag           string
	Version                    int
	UpdatedFrom, UpdatedBefore time.Time
}

// from returns the FROM and WHERE clauses of the filter, which select rows p of prompts.
func (f PromptFilter) from(scope domain.ProjectScope) tables.Query {
	return tables.SQL("FROM prompts p WHERE p.project_id = ?", scope.ProjectID()).
		And(tables.If(f.Name != "", "p.name = ?", f.Name)).
		And(tables.If(f.Version != 0, "p.version = ?", f.Version)).
		And(tables.If(f.Label != "", `EXISTS (SELECT 1 FROM prompt_labels l
			WHERE l.project_id = p.project_id AND l.name = p.name AND l.version = p.version AND l.label = ?)`, f.Label)).
		And(tables.If(f.Tag != "",
			"EXISTS (SELECT 1 FROM prompt_tags t WHERE t.project_id = p.project_id AND t.name = p.name AND t.tag = ?)", f.Tag)).
		And(tables.If(!f.UpdatedFrom.IsZero(), "p.updated_at >= ?", tables.Millis(f.UpdatedFrom))).
		And(tables.If(!f.UpdatedBefore.IsZero(), "p.updated_at < ?", tables.Millis(f.UpdatedBefore)))
}

// Prompts returns a page of the names with versions that match the filter, each with a summary of these versions, and
// the total number of names.
func (c *Catalog) Prompts(
	ctx context.Context, scope domain.ProjectScope, f PromptFilter, page tables.Page,
) (iter.Seq2[*domain.PromptSummary, error], int, error) {
	if tables.Unstorable(f.Name, f.Label, f.Tag) {
		return func(func(*domain.PromptSummary, error) bool) {}, 0, nil
	}
	selected := f.from(scope)
	names, total, err := tables.QueryPage(ctx, c.db.Reader(), tables.ScanValue[string], "name",
		tables.SQL("FROM (SELECT DISTINCT p.name AS name "+selected.Text+") names", selected.Args...), "name", page)
	if err != nil {
		return nil, 0, err
	}
	return func(yield func(*domain.PromptSummary, error) bool) {
		s, release := c.db.Reader().ScopedMemory(ctx)
		defer release()
		for _, name := range names {
			release()
			summary, err := promptSummary(ctx, s, scope, name, selected)
			if errors.Is(err, domain.ErrNotFound) {
				continue // deleted concurrently
			}
			if !yield(&summary, err) || err != nil {
				return
			}
		}
	}, total, nil
}

// promptSummary summarizes the selected versions of a name.
func promptSummary(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, selected tables.Query,
) (domain.PromptSummary, error) {
	summary := domain.PromptSummary{Name: name}
	selected = selected.And(tables.SQL("p.name = ?", name))
	versions, err := tables.QueryAll(ctx, s, func(r tables.Row) (p domain.Prompt, err error) {
		err = r.Scan(&p.Version, &p.Type, tables.AsTime(&p.UpdatedAt))
		return p, err
	}, "SELECT p.version, p.type, p.updated_at "+selected.Text+" ORDER BY p.version", selected.Args...)
	if err != nil {
		return summary, err
	}
	for _, p := range versions {
		summary.Versions, summary.Type = append(summary.Versions, p.Version), p.Type
		if p.UpdatedAt.After(summary.LastUpdatedAt) {
			summary.LastUpdatedAt = p.UpdatedAt
		}
	}
	config, err := tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT p.config "+selected.Text+" ORDER BY p.version DESC LIMIT 1",
		selected.Args...)
	if err != nil {
		return summary, err
	}
	summary.LastConfig = json.RawMessage(config)
	if summary.Labels, err = tables.QueryAll(ctx, s, tables.ScanValue[string], `SELECT DISTINCT a.label FROM prompt_labels a
		WHERE (a.project_id, a.name, a.version) IN (SELECT p.project_id, p.name, p.version `+selected.Text+")",
		selected.Args...); err != nil {
		return summary, err
	}
	slices.Sort(summary.Labels)
	summary.Tags, err = promptTables.tags(ctx, s, scope, name)
	return summary, err
}
