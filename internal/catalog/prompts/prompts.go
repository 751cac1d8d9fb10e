package prompts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const promptColumns = "id, name, version, type, content, config, commit_message, created_by, created_at, updated_at"

func promptFields(p *domain.Prompt) []any {
	return []any{
		&p.ID, &p.Name, &p.Version, &p.Type, asContent(p), tables.AsRaw(&p.Config), &p.CommitMessage, &p.CreatedBy,
		tables.AsTime(&p.CreatedAt), tables.AsTime(&p.UpdatedAt),
	}
}

// asContent stores the text or the messages of a prompt, depending on its type, which must be scanned first.
func asContent(p *domain.Prompt) *tables.Column {
	stored := func() *tables.Column {
		if p.Type == domain.PromptChat {
			return tables.AsJSON(&p.Messages)
		}
		return tables.AsJSON(&p.Text)
	}
	return &tables.Column{
		Read:  func(from any) error { return stored().Read(from) },
		Write: func() any { return stored().Write() },
	}
}

// Prompt returns the version of a prompt that the reference names.
func (c *Catalog) Prompt(ctx context.Context, scope domain.ProjectScope, ref domain.PromptReference) (domain.Prompt, error) {
	return readPrompt(ctx, c.db.Reader(), scope, ref)
}

func readPrompt(ctx context.Context, s tables.Session, scope domain.ProjectScope, ref domain.PromptReference) (domain.Prompt, error) {
	if tables.Unstorable(ref.Name, ref.Label) {
		return domain.Prompt{}, fmt.Errorf("prompt %s: %w", ref, domain.ErrNotFound)
	}
	condition, which := "project_id = ? AND name = ? AND version = ?", any(ref.Version)
	if ref.Version == 0 {
		condition, which = `project_id = ? AND name = ? AND version =
			(SELECT l.version FROM prompt_labels l WHERE l.project_id = prompts.project_id AND l.name = prompts.name AND l.label = ?)`,
			ref.Label
	}
	p, err := tables.QueryOne(ctx, s, tables.ScanInto(promptFields), "SELECT "+promptColumns+" FROM prompts WHERE "+condition,
		scope.ProjectID(), ref.Name, which)
	if errors.Is(err, domain.ErrNotFound) {
		return p, fmt.Errorf("prompt %s: %w", ref, err)
	}
	if err != nil {
		return p, err
	}
	return p, completePrompt(ctx, s, scope, &p)
}

// completePrompt reads the labels, tags and references of a version.
func completePrompt(ctx context.Context, s tables.Session, scope domain.ProjectScope, p *domain.Prompt) error {
	var err error
	if p.Labels, err = promptTables.labels(ctx, s, scope, p.Name, p.Version); err != nil {
		return err
	}
	if p.Tags, err = promptTables.tags(ctx, s, scope, p.Name); err != nil {
		return err
	}
	p.References, err = tables.QueryAll(ctx, s, scanPromptReference,
		"SELECT child_name, child_version, child_label FROM prompt_references WHERE parent_id = ? ORDER BY position", p.ID)
	return err
}

func scanPromptReference(r tables.Row) (ref domain.PromptReference, err error) {
	err = r.Scan(&ref.Name, tables.AsOptional(&ref.Version), tables.AsOptional(&ref.Label))
	return ref, err
}

// PromptExists reports whether the project has a prompt version with this id.
func (c *Catalog) PromptExists(ctx context.Context, scope domain.ProjectScope, id string) (bool, error) {
	return c.db.Reader().Exists(ctx, "SELECT id FROM prompts WHERE project_id = ? AND id = ?", scope.ProjectID(), id)
}

// maxPromptNames is the maximum number of versions looked up by one statement.
const maxPromptNames = 100

// PromptIDs returns the ids of the referenced versions that exist. The references must have version numbers, not
// labels.
func (c *Catalog) PromptIDs(
	ctx context.Context, scope domain.ProjectScope, refs []domain.PromptReference,
) (map[domain.PromptReference]string, error) {
	ids := make(map[domain.PromptReference]string)
	for part := range slices.Chunk(refs, maxPromptNames) {
		args := []any{scope.ProjectID()}
		for _, ref := range part {
			args = append(args, ref.Name, ref.Version)
		}
		found, err := tables.QueryMap(ctx, c.db.Reader(), func(r tables.Row) (ref domain.PromptReference, id string, err error) {
			err = r.Scan(&ref.Name, &ref.Version, &id)
			return ref, id, err
		}, "SELECT name, version, id FROM prompts WHERE project_id = ? AND ("+
			strings.Repeat(" OR (name = ? AND version = ?)", len(part))[4:]+")", args...)
		if err != nil {
			return nil, fmt.Errorf("cannot look %d prompts up: %w", len(refs), err)
		}
		maps.Copy(ids, found)
	}
	return ids, nil
}

// PromptRevision returns the number of changes made to the project's prompts.
func (c *Catalog) PromptRevision(ctx context.Context, scope domain.ProjectScope) (int64, error) {
	return tables.QueryOne(ctx, c.db.Reader(), tables.ScanValue[int64],
		"SELECT COALESCE(MAX(revision), 0) FROM prompt_revisions WHERE project_id = ?", scope.ProjectID())
}
