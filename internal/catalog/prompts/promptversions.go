package prompts

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// PromptVersion is a version of a prompt without its content.
type PromptVersion struct {
	ID            string
	Version       int
	CreatedAt     time.Time
	CreatedBy     string
	CommitMessage *string
	Hash          *string // of its content and config; nil for versions from before hashes were kept
	Labels        []string
	Comments      int
}

// VersionFilter selects versions of a prompt.
type VersionFilter struct {
	Search string // a number, or a part of a label, of the commit message or of the author's name; empty for all
	Before int    // only lower numbers; 0 for all
	After  int    // only higher numbers
	Limit  int
}

func (f VersionFilter) where(scope domain.ProjectScope, name string) tables.Query {
	pattern := like(strings.ToLower(f.Search))
	number, err := strconv.Atoi(strings.TrimPrefix(f.Search, "v"))
	if err != nil || number > maxPromptVersion {
		number = 0
	}
	return tables.SQL("FROM prompts p WHERE p.project_id = ? AND p.name = ?", scope.ProjectID(), name).
		And(tables.If(f.Search != "", `(p.version = ? OR LOWER(COALESCE(p.commit_message, '')) LIKE ? ESCAPE '\'
			OR EXISTS (SELECT 1 FROM prompt_labels l
				WHERE l.project_id = p.project_id AND l.name = p.name AND l.version = p.version AND LOWER(l.label) LIKE ? ESCAPE '\')
			OR EXISTS (SELECT 1 FROM users u WHERE u.id = p.created_by AND LOWER(u.name) LIKE ? ESCAPE '\'))`,
			number, pattern, pattern, pattern))
}

// PromptVersions returns versions of a prompt, newest first, and how many there are without Before and After.
func (c *Catalog) PromptVersions(
	ctx context.Context, scope domain.ProjectScope, name string, f VersionFilter,
) (versions []PromptVersion, total int, err error) {
	if tables.Unstorable(name, f.Search) {
		return nil, 0, nil
	}
	s := c.db.Reader()
	from := f.where(scope, name)
	if total, err = tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT COUNT(*) "+from.Text, from.Args...); err != nil {
		return nil, 0, err
	}
	from = from.And(tables.If(f.Before > 0, "p.version < ?", f.Before)).And(tables.If(f.After > 0, "p.version > ?", f.After))
	versions, err = tables.QueryAll(ctx, s, func(r tables.Row) (v PromptVersion, err error) {
		err = r.Scan(&v.ID, &v.Version, tables.AsTime(&v.CreatedAt), &v.CreatedBy, &v.CommitMessage, &v.Hash)
		return v, err
	}, "SELECT p.id, p.version, p.created_at, p.created_by, p.commit_message, p.hash "+from.Text+" ORDER BY p.version DESC LIMIT ?",
		append(from.Args, f.Limit)...)
	if err != nil || len(versions) == 0 {
		return nil, total, err
	}
	return versions, total, describeVersions(ctx, s, scope, name, versions)
}

// describeVersions fills in labels and counts of comments.
func describeVersions(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, versions []PromptVersion) error {
	places, ids := make(map[int]int, len(versions)), make([]string, len(versions))
	byID := make(map[string]int, len(versions))
	for n, v := range versions {
		places[v.Version], ids[n], byID[v.ID] = n, v.ID, n
		versions[n].Labels = []string{}
	}
	if _, err := tables.QueryAll(ctx, s, func(r tables.Row) (none struct{}, err error) {
		var (
			label   string
			version int
		)
		if err = r.Scan(&label, &version); err != nil {
			return none, err
		}
		if n, ok := places[version]; ok {
			versions[n].Labels = append(versions[n].Labels, label)
		}
		return none, nil
	}, "SELECT label, version FROM prompt_labels WHERE project_id = ? AND name = ? ORDER BY position, label", scope.ProjectID(),
		name); err != nil {
		return err
	}
	q := tables.SQL("SELECT object_id, COUNT(*) FROM comments WHERE project_id = ? AND object_type = 'PROMPT'", scope.ProjectID()).
		And(tables.In("object_id", ids))
	counts, err := tables.QueryMap(ctx, s, func(r tables.Row) (id string, count int, err error) {
		err = r.Scan(&id, &count)
		return id, count, err
	}, q.Text+" GROUP BY object_id", q.Args...)
	for id, count := range counts {
		versions[byID[id]].Comments = count
	}
	return err
}

// VersionSelection selects versions of prompts by the name, folder, label and tag of a filter.
type VersionSelection struct {
	HeadFilter

	// Every selects all versions; otherwise only the newest, or the one with the label of the filter.
	Every bool
}

// selected returns the selected versions, by name and in ascending order of their numbers.
func (c *Catalog) selected(ctx context.Context, scope domain.ProjectScope, f VersionSelection) ([]domain.PromptReference, error) {
	if tables.Unstorable(f.Folder, f.Name, f.Label, f.Tag) {
		return nil, nil
	}
	q := tables.SQL(`SELECT p.name, p.version FROM prompts p WHERE p.project_id = ?`, scope.ProjectID()).
		And(tables.If(f.Name != "", "p.name = ?", f.Name)).
		And(tables.If(f.Folder != "", "SUBSTR(p.name, 1, ?) = ?", len([]rune(f.Folder))+1, f.Folder+"/")).
		And(tables.If(f.Tag != "",
			"EXISTS (SELECT 1 FROM prompt_tags t WHERE t.project_id = p.project_id AND t.name = p.name AND t.tag = ?)", f.Tag))
	label := f.Label
	if label == "" && !f.Every {
		label = domain.LatestLabel
	}
	q = q.And(tables.If(label != "", `EXISTS (SELECT 1 FROM prompt_labels l
		WHERE l.project_id = p.project_id AND l.name = p.name AND l.label = ? AND (l.version = p.version OR ?))`, label, f.Every))
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (ref domain.PromptReference, err error) {
		err = r.Scan(&ref.Name, &ref.Version)
		return ref, err
	}, q.Text+" ORDER BY p.name, p.version", q.Args...)
}

// SelectedPrompts returns the selected versions with their content, one at a time, by name and in ascending order. The
// error tells that there are more than limit.
func (c *Catalog) SelectedPrompts(
	ctx context.Context, scope domain.ProjectScope, f VersionSelection, limit int,
) (iter.Seq2[*domain.Prompt, error], error) {
	refs, err := c.selected(ctx, scope, f)
	if err != nil {
		return nil, err
	}
	if len(refs) > limit {
		return nil, &TooManyVersions{len(refs), limit}
	}
	return func(yield func(*domain.Prompt, error) bool) {
		s, release := c.db.Reader().ScopedMemory(ctx)
		defer release()
		for _, ref := range refs {
			release()
			p, err := tables.Optional(readPrompt(ctx, s, scope, ref))
			if err == nil && p == nil {
				continue // deleted concurrently
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}, nil
}

// TooManyVersions is returned if more versions are selected than one request may read.
type TooManyVersions struct{ Count, Limit int }

func (e *TooManyVersions) Error() string {
	return fmt.Sprintf("%d versions are more than %d", e.Count, e.Limit)
}
