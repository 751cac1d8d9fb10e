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

// where returns the condition with its arguments, on a row p of prompts.
func (f PromptFilter) where(scope domain.ProjectScope) (condition string, args []any) {
	condition, args = "p.project_id = ?", []any{scope.ProjectID()}
	add := func(wanted bool, more string, arg ...any) {
		if wanted {
			condition, args = condition+" AND "+more, append(args, arg...)
		}
	}
	add(f.Name != "", "p.name = ?", f.Name)
	add(f.Version != 0, "p.version = ?", f.Version)
	add(f.Label != "", "EXISTS (SELECT 1 FROM prompt_labels l WHERE l.project_id = p.project_id AND l.name = p.name AND l.version = p.version AND l.label = ?)", f.Label)
	add(f.Tag != "", "EXISTS (SELECT 1 FROM prompt_tags t WHERE t.project_id = p.project_id AND t.name = p.name AND t.tag = ?)", f.Tag)
	add(!f.UpdatedFrom.IsZero(), "p.updated_at >= ?", millis(f.UpdatedFrom))
	add(!f.UpdatedBefore.IsZero(), "p.updated_at < ?", millis(f.UpdatedBefore))
	return condition, args
}

// Prompts returns a page of the names that have versions which the filter selects, with what there is to say of those
// versions, and how many names there are in all.
func (c *Catalog) Prompts(ctx context.Context, scope domain.ProjectScope, f PromptFilter, page Page) (iter.Seq2[*domain.PromptSummary, error], int, error) {
	if cannotExist(f.Name, f.Label, f.Tag) {
		return func(func(*domain.PromptSummary, error) bool) {}, 0, nil
	}
	condition, args := f.where(scope)
	names, total, err := queryPage(ctx, c.reader(), scanText, "name",
		"FROM (SELECT DISTINCT p.name AS name FROM prompts p WHERE "+condition+") names", "name", page, args...)
	if err != nil {
		return nil, 0, err
	}
	return func(yield func(*domain.PromptSummary, error) bool) {
		s, giveBack := c.reader().oneByOne(ctx)
		defer giveBack()
		for _, name := range names {
			giveBack()
			summary, err := s.promptSummary(ctx, scope, name, condition, args)
			if errors.Is(err, domain.ErrNotFound) {
				continue // deleted meanwhile
			}
			if !yield(&summary, err) || err != nil {
				return
			}
		}
	}, total, nil
}

// promptSummary sums up the versions of a name that meet the condition.
func (s session) promptSummary(ctx context.Context, scope domain.ProjectScope, name, condition string, args []any) (domain.PromptSummary, error) {
	summary := domain.PromptSummary{Name: name}
	condition, args = condition+" AND p.name = ?", append(slices.Clip(args), name)
	type version struct {
		number    int
		kind      string
		updatedAt int64
	}
	versions, err := queryAll(ctx, s, func(r row) (v version, err error) {
		err = r.Scan(&v.number, &v.kind, &v.updatedAt)
		return v, err
	}, "SELECT p.version, p.type, p.updated_at FROM prompts p WHERE "+condition+" ORDER BY p.version", args...)
	if err != nil {
		return summary, err
	}
	updated := int64(0)
	for _, v := range versions {
		summary.Versions, summary.Type, updated = append(summary.Versions, v.number), v.kind, max(updated, v.updatedAt)
	}
	summary.LastUpdatedAt = fromMillis(updated)
	config, err := queryOne(ctx, s, scanText, "SELECT p.config FROM prompts p WHERE "+condition+" ORDER BY p.version DESC LIMIT 1", args...)
	if err != nil {
		return summary, err
	}
	summary.LastConfig = json.RawMessage(config)
	if summary.Labels, err = queryAll(ctx, s, scanText, `SELECT DISTINCT a.label FROM prompt_labels a JOIN prompts p
		ON p.project_id = a.project_id AND p.name = a.name AND p.version = a.version WHERE `+condition, args...); err != nil {
		return summary, err
	}
	slices.Sort(summary.Labels)
	summary.Tags, err = s.promptTags(ctx, scope, name)
	return summary, err
}
