package prompts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const skillColumns = "id, name, version, description, frontmatter, commit_message, created_by, created_at, updated_at"

func scanSkill(r tables.Row) (k domain.Skill, err error) {
	err = r.Scan(&k.ID, &k.Name, &k.Version, &k.Description, tables.AsRaw(&k.Frontmatter), &k.CommitMessage, &k.CreatedBy,
		tables.AsTime(&k.CreatedAt), tables.AsTime(&k.UpdatedAt))
	return k, err
}

// Skill returns the version of a skill with the given number or, if that is 0, with the given label.
func (c *Catalog) Skill(ctx context.Context, scope domain.ProjectScope, name string, version int, label string) (domain.Skill, error) {
	return readSkill(ctx, c.db.Reader(), scope, name, version, label)
}

func readSkill(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, version int, label string,
) (domain.Skill, error) {
	if tables.Unstorable(name, label) {
		return domain.Skill{}, fmt.Errorf("skill %q: %w", name, domain.ErrNotFound)
	}
	newest, err := newestSkill(ctx, s, scope, name)
	if err != nil {
		return domain.Skill{}, err
	}
	condition, which := "version = ?", any(version)
	switch {
	case version == 0 && label == domain.LatestLabel:
		which = newest
	case version == 0:
		condition, which = `version = (SELECT l.version FROM skill_labels l WHERE l.project_id = skills.project_id AND l.name = `+
			`skills.name AND l.label = ?)`, label
	}
	k, err := tables.QueryOne(ctx, s, scanSkill, "SELECT "+skillColumns+" FROM skills WHERE project_id = ? AND name = ? AND "+condition,
		scope.ProjectID(), name, which)
	if err != nil {
		return k, fmt.Errorf("skill %q: %w", name, err)
	}
	if k.Labels, err = skillTables.labels(ctx, s, scope, name, k.Version); err != nil {
		return k, err
	}
	if k.Version == newest {
		k.Labels = append(k.Labels, domain.LatestLabel)
	}
	if k.Tags, err = skillTables.tags(ctx, s, scope, name); err != nil {
		return k, err
	}
	k.Files, err = tables.QueryAll(ctx, s, func(r tables.Row) (f domain.SkillFile, err error) {
		err = r.Scan(&f.ID, &f.Path, &f.BlobID, &f.Hash, &f.Length)
		return f, err
	},
		"SELECT f.id, f.path, b.id, b.hash, b.length FROM skill_files f JOIN skill_blobs b ON b.id = f.blob_id WHERE f.skill_id = ? "+
			"ORDER BY f.position", k.ID)
	return k, err
}

// newestSkill returns the highest version of a name, or 0 if there is none.
func newestSkill(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string) (int, error) {
	return tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT COALESCE(MAX(version), 0) FROM skills WHERE project_id = ? AND name = ?",
		scope.ProjectID(), name)
}

// SkillFilter selects skills by their latest version; zero fields match everything. Search matches a part of the name
// or of the description, ignoring case.
type SkillFilter struct {
	Name, Search, Tag          string
	UpdatedFrom, UpdatedBefore time.Time
}

// Skills returns a page of the project's skills by name, and the total count.
func (c *Catalog) Skills(
	ctx context.Context, scope domain.ProjectScope, f SkillFilter, page tables.Page,
) ([]domain.SkillSummary, int, error) {
	if tables.Unstorable(f.Name, f.Search, f.Tag) {
		return nil, 0, nil
	}
	pattern := like(strings.ToLower(f.Search))
	from := tables.SQL(`FROM skills k WHERE k.project_id = ?
		AND k.version = (SELECT MAX(o.version) FROM skills o WHERE o.project_id = k.project_id AND o.name = k.name)`, scope.ProjectID()).
		And(tables.If(f.Name != "", "k.name = ?", f.Name)).
		And(tables.If(f.Tag != "",
			"EXISTS (SELECT 1 FROM skill_tags t WHERE t.project_id = k.project_id AND t.name = k.name AND t.tag = ?)", f.Tag)).
		And(tables.If(f.Search != "", `(k.name LIKE ? ESCAPE '\' OR LOWER(k.description) LIKE ? ESCAPE '\')`, pattern, pattern)).
		And(tables.If(!f.UpdatedFrom.IsZero(), "k.updated_at >= ?", tables.Millis(f.UpdatedFrom))).
		And(tables.If(!f.UpdatedBefore.IsZero(), "k.updated_at < ?", tables.Millis(f.UpdatedBefore)))
	s := c.db.Reader()
	found, total, err := tables.QueryPage(ctx, s, func(r tables.Row) (k domain.SkillSummary, err error) {
		err = r.Scan(&k.Name, &k.Description, &k.Latest, tables.AsTime(&k.CreatedAt), tables.AsTime(&k.UpdatedAt), &k.Production)
		return k, err
	}, `k.name, k.description, k.version, k.created_at, k.updated_at,
		(SELECT l.version FROM skill_labels l WHERE l.project_id = k.project_id AND l.name = k.name AND l.label = '`+
		domain.ProductionLabel+`')`,
		from, "k.name", page)
	for n := range found {
		if err == nil {
			found[n].Tags, err = skillTables.tags(ctx, s, scope, found[n].Name)
		}
	}
	return found, total, err
}

// SkillContent is the content of one or more skill files.
type SkillContent struct{ Hash, Content string }

// SkillContents returns the contents with these hashes, one at a time. It returns domain.ErrNotFound, before any
// content, if the project lacks one of them.
func (c *Catalog) SkillContents(ctx context.Context, scope domain.ProjectScope, hashes []string) (iter.Seq2[*SkillContent, error], error) {
	s := c.db.Reader()
	known, err := skillBlobs(ctx, s, scope, hashes)
	if err != nil {
		return nil, err
	}
	for _, hash := range hashes {
		if known[hash] == "" {
			return nil, fmt.Errorf("content %q: %w", hash, domain.ErrNotFound)
		}
	}
	return func(yield func(*SkillContent, error) bool) {
		s, release := s.ScopedMemory(ctx)
		defer release()
		for _, hash := range hashes {
			release()
			text, err := skillText(ctx, s, scope, hash)
			if errors.Is(err, domain.ErrNotFound) {
				continue // deleted concurrently
			}
			if !yield(&SkillContent{hash, text}, err) || err != nil {
				return
			}
		}
	}, nil
}

// skillBlobs returns the blob ids of the contents that the project has, by hash.
func skillBlobs(ctx context.Context, s tables.Session, scope domain.ProjectScope, hashes []string) (map[string]string, error) {
	ids := make(map[string]string, len(hashes))
	for some := range slices.Chunk(hashes, tables.RowsPerStatement) {
		q := tables.SQL("SELECT hash, id FROM skill_blobs WHERE project_id = ?", scope.ProjectID()).And(tables.In("hash", some))
		found, err := tables.QueryMap(ctx, s, func(r tables.Row) (hash, id string, err error) {
			err = r.Scan(&hash, &id)
			return hash, id, err
		}, q.Text, q.Args...)
		if err != nil {
			return nil, err
		}
		maps.Copy(ids, found)
	}
	return ids, nil
}

// skillText returns the content with a hash.
func skillText(ctx context.Context, s tables.Session, scope domain.ProjectScope, hash string) (text string, err error) {
	stored, err := tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT content FROM skill_blobs WHERE project_id = ? AND hash = ?",
		scope.ProjectID(), hash)
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal([]byte(stored), &text); err != nil {
		return "", fmt.Errorf("cannot read the content %s: %w", hash, err)
	}
	return text, nil
}

// skillState returns what the audit log records about a version: its identity, and everything that can change. The
// files cannot.
func skillState(k domain.Skill) json.RawMessage {
	labels := slices.DeleteFunc(slices.Clone(k.Labels), func(label string) bool { return label == domain.LatestLabel })
	return tables.StateOf(map[string]any{
		"name": k.Name, "version": k.Version, "labels": labels, "tags": k.Tags, "commitMessage": k.CommitMessage,
	})
}
