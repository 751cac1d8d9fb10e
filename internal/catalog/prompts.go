package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"almanac/internal/domain"
)

const promptColumns = "id, name, version, type, content, config, commit_message, created_by, created_at, updated_at"

func scanPrompt(r row) (domain.Prompt, error) {
	var (
		p                domain.Prompt
		content, config  string
		message          sql.Null[string]
		created, updated int64
	)
	if err := r.Scan(&p.ID, &p.Name, &p.Version, &p.Type, &content, &config, &message, &p.CreatedBy, &created, &updated); err != nil {
		return p, err
	}
	p.Config, p.CommitMessage = json.RawMessage(config), optional(message)
	p.CreatedAt, p.UpdatedAt = fromMillis(created), fromMillis(updated)
	var into any = &p.Text
	if p.Type == domain.PromptChat {
		into = &p.Messages
	}
	if err := json.Unmarshal([]byte(content), into); err != nil {
		return p, fmt.Errorf("cannot read the content of prompt %s: %w", p.ID, err)
	}
	return p, nil
}

func promptContent(p domain.Prompt) string {
	if p.Type == domain.PromptChat {
		return textOf(p.Messages)
	}
	return textOf(p.Text)
}

// Prompt returns the version of a prompt that the reference names.
func (c *Catalog) Prompt(ctx context.Context, scope domain.ProjectScope, ref domain.PromptReference) (domain.Prompt, error) {
	return c.reader().prompt(ctx, scope, ref)
}

func (s session) prompt(ctx context.Context, scope domain.ProjectScope, ref domain.PromptReference) (domain.Prompt, error) {
	if cannotExist(ref.Name) || cannotExist(ref.Label) {
		return domain.Prompt{}, fmt.Errorf("prompt %s: %w", ref, domain.ErrNotFound)
	}
	condition, which := "project_id = ? AND name = ? AND version = ?", any(ref.Version)
	if ref.Version == 0 {
		condition, which = `project_id = ? AND name = ? AND version =
			(SELECT l.version FROM prompt_labels l WHERE l.project_id = prompts.project_id AND l.name = prompts.name AND l.label = ?)`, ref.Label
	}
	p, err := queryOne(ctx, s, scanPrompt, "SELECT "+promptColumns+" FROM prompts WHERE "+condition, scope.ProjectID(), ref.Name, which)
	if errors.Is(err, domain.ErrNotFound) {
		return p, fmt.Errorf("prompt %s: %w", ref, err)
	}
	if err != nil {
		return p, err
	}
	return p, s.completePrompt(ctx, scope, &p)
}

// completePrompt reads what is kept beside a version.
func (s session) completePrompt(ctx context.Context, scope domain.ProjectScope, p *domain.Prompt) error {
	var err error
	if p.Labels, err = queryAll(ctx, s, scanText, "SELECT label FROM prompt_labels WHERE project_id = ? AND name = ? AND version = ? ORDER BY position, label",
		scope.ProjectID(), p.Name, p.Version); err != nil {
		return err
	}
	if p.Tags, err = s.promptTags(ctx, scope, p.Name); err != nil {
		return err
	}
	p.References, err = queryAll(ctx, s, scanPromptReference,
		"SELECT child_name, child_version, child_label FROM prompt_references WHERE parent_id = ? ORDER BY position", p.ID)
	return err
}

func (s session) promptTags(ctx context.Context, scope domain.ProjectScope, name string) ([]string, error) {
	return queryAll(ctx, s, scanText, "SELECT tag FROM prompt_tags WHERE project_id = ? AND name = ? ORDER BY position", scope.ProjectID(), name)
}

func scanPromptReference(r row) (domain.PromptReference, error) {
	var (
		ref     domain.PromptReference
		version sql.Null[int]
		label   sql.Null[string]
	)
	err := r.Scan(&ref.Name, &version, &label)
	ref.Version, ref.Label = version.V, label.V
	return ref, err
}

// PromptExists reports whether the project has a version of a prompt with this id.
func (c *Catalog) PromptExists(ctx context.Context, scope domain.ProjectScope, id string) (bool, error) {
	found, err := queryOne(ctx, c.reader(), scanCount, "SELECT COUNT(*) FROM prompts WHERE project_id = ? AND id = ?", scope.ProjectID(), id)
	return found > 0, err
}

// maxPromptNames is how many names one statement asks for.
const maxPromptNames = 100

// PromptIDs returns the ids of those of the versions that exist. The references name versions, not labels.
func (c *Catalog) PromptIDs(ctx context.Context, scope domain.ProjectScope, refs []domain.PromptReference) (map[domain.PromptReference]string, error) {
	ids := make(map[domain.PromptReference]string)
	for part := range slices.Chunk(refs, maxPromptNames) {
		query, args := "SELECT name, version, id FROM prompts WHERE project_id = ? AND (", []any{scope.ProjectID()}
		for n, ref := range part {
			if n > 0 {
				query += " OR "
			}
			query, args = query+"(name = ? AND version = ?)", append(args, ref.Name, ref.Version)
		}
		type found struct {
			ref domain.PromptReference
			id  string
		}
		all, err := queryAll(ctx, c.reader(), func(r row) (f found, err error) {
			err = r.Scan(&f.ref.Name, &f.ref.Version, &f.id)
			return f, err
		}, query+")", args...)
		if err != nil {
			return nil, fmt.Errorf("cannot look %d prompts up: %w", len(refs), err)
		}
		for _, f := range all {
			ids[f.ref] = f.id
		}
	}
	return ids, nil
}

// PromptRevision returns how often the prompts of the project were changed.
func (c *Catalog) PromptRevision(ctx context.Context, scope domain.ProjectScope) (int64, error) {
	revision, err := queryOne(ctx, c.reader(), scanValue[int64], "SELECT revision FROM prompt_revisions WHERE project_id = ?", scope.ProjectID())
	if errors.Is(err, domain.ErrNotFound) {
		return 0, nil
	}
	return revision, err
}
