package prompts

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const kindSkill = "skill"

// MissingContentError is returned for a file whose content the project does not have.
type MissingContentError struct{ Hash string }

func (e *MissingContentError) Error() string { return fmt.Sprintf("content %q: not found", e.Hash) }

// Unwrap makes the error match domain.ErrNotFound.
func (e *MissingContentError) Unwrap() error { return domain.ErrNotFound }

// CreateSkill stores a new version of a skill with these files, the first one of its name or the next. The function
// describe receives the content of the manifest, which may already be stored, and returns the version without its
// number, id and timestamps; its errors are returned unchanged. CreateSkill returns a *MissingContentError if a file
// has only a hash and its content is not stored.
func (c *Catalog) CreateSkill(
	ctx context.Context, scope domain.ProjectScope, files []domain.NewSkillFile, describe func(manifest string) (domain.Skill, error),
	actor domain.Actor,
) (domain.Skill, error) {
	var created domain.Skill
	err := skillTables.change(ctx, c.db, scope, func(s tables.Session) error {
		blobs, manifest, err := keepContents(ctx, s, scope, files)
		if err != nil {
			return err
		}
		n, err := describe(manifest)
		if err != nil {
			return err
		}
		newest, err := newestSkill(ctx, s, scope, n.Name)
		if err != nil {
			return err
		}
		if newest == maxPromptVersion {
			return fmt.Errorf("skill %q has as many versions as there can be: %w", n.Name, domain.ErrConflict)
		}
		n.ID = tables.OrderedID()
		now := tables.Millis(s.Now())
		if err := s.Insert(ctx, "skills (project_id, "+skillColumns+")",
			scope.ProjectID(), n.ID, n.Name, newest+1, n.Description, string(n.Frontmatter), n.CommitMessage, n.CreatedBy, now,
			now); err != nil {
			return err
		}
		entries := make([][]any, len(files))
		for position, file := range files {
			entries[position] = []any{tables.OrderedID(), n.ID, position, file.Path, blobs[position]}
		}
		if err := s.InsertRows(ctx, "skill_files (id, skill_id, position, path, blob_id)", entries); err != nil {
			return err
		}
		if created, err = readSkill(ctx, s, scope, n.Name, newest+1, ""); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, kindSkill, created.ID, nil, skillState(created))
	})
	return created, err
}

// keepContents stores the contents of files that the project does not have yet. It returns the blob ids of all files,
// and the content of the manifest.
func keepContents(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, files []domain.NewSkillFile,
) (blobs []string, manifest string, err error) {
	hashes := make([]string, len(files))
	for n, file := range files {
		if hashes[n] = file.Hash; file.Content != nil {
			sum := sha256.Sum256([]byte(*file.Content))
			hashes[n] = base64.StdEncoding.EncodeToString(sum[:])
		}
	}
	known, err := skillBlobs(ctx, s, scope, hashes)
	if err != nil {
		return nil, "", err
	}
	var missing [][]any
	for n, file := range files {
		hash, content := hashes[n], file.Content
		if known[hash] == "" && content == nil {
			return nil, "", &MissingContentError{hash}
		}
		if known[hash] == "" {
			known[hash] = tables.OrderedID()
			missing = append(missing, []any{known[hash], scope.ProjectID(), hash, len(*content), tables.TextOf(*content)})
		}
		blobs = append(blobs, known[hash])
		if file.Path == domain.SkillManifest && content != nil {
			manifest = *content
		} else if file.Path == domain.SkillManifest {
			if manifest, err = skillText(ctx, s, scope, hash); err != nil {
				return nil, "", err
			}
		}
	}
	return blobs, manifest, s.InsertRows(ctx, "skill_blobs (id, project_id, hash, length, content)", missing)
}

// TagSkill replaces the tags of a skill, which updates all its versions, and returns the latest version.
func (c *Catalog) TagSkill(
	ctx context.Context, scope domain.ProjectScope, name string, tags []string, actor domain.Actor,
) (domain.Skill, error) {
	return c.changeSkill(ctx, scope, name, 0, actor, func(s tables.Session) error { return skillTables.setTags(ctx, s, scope, name, tags) })
}

// LabelSkill replaces the labels of a version. Other versions lose these labels, and count as updated.
func (c *Catalog) LabelSkill(
	ctx context.Context, scope domain.ProjectScope, name string, version int, labels []string, actor domain.Actor,
) (domain.Skill, error) {
	return c.changeSkill(ctx, scope, name, version, actor, func(s tables.Session) error {
		return skillTables.setLabels(ctx, s, scope, name, version, labels)
	})
}

// changeSkill changes a version, or the latest one if version is 0, and returns the result.
func (c *Catalog) changeSkill(
	ctx context.Context, scope domain.ProjectScope, name string, version int, actor domain.Actor, change func(tables.Session) error,
) (domain.Skill, error) {
	var after domain.Skill
	err := skillTables.change(ctx, c.db, scope, func(s tables.Session) error {
		before, err := readSkill(ctx, s, scope, name, version, domain.LatestLabel)
		if err != nil {
			return err
		}
		if err := change(s); err != nil {
			return err
		}
		if after, err = readSkill(ctx, s, scope, name, before.Version, ""); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, kindSkill, after.ID, skillState(before), skillState(after))
	})
	return after, err
}

// DeleteSkill deletes a version of a skill, with the contents that no other file uses. Deleting the last version
// deletes the tags.
func (c *Catalog) DeleteSkill(ctx context.Context, scope domain.ProjectScope, name string, version int, actor domain.Actor) error {
	return skillTables.change(ctx, c.db, scope, func(s tables.Session) error {
		before, err := readSkill(ctx, s, scope, name, version, "")
		if err != nil {
			return err
		}
		if _, err := s.Exec(ctx, "DELETE FROM skills WHERE project_id = ? AND id = ?", scope.ProjectID(), before.ID); err != nil {
			return err
		}
		for some := range slices.Chunk(before.Files, tables.RowsPerStatement) {
			ids := make([]string, len(some))
			for n, file := range some {
				ids[n] = file.BlobID
			}
			q := tables.SQL(`DELETE FROM skill_blobs WHERE project_id = ?
				AND NOT EXISTS (SELECT 1 FROM skill_files f WHERE f.blob_id = skill_blobs.id)`, scope.ProjectID()).And(tables.In("id", ids))
			if _, err := s.Exec(ctx, q.Text, q.Args...); err != nil {
				return err
			}
		}
		if _, err := s.Exec(ctx, `DELETE FROM skill_tags WHERE project_id = ? AND name = ?
			AND NOT EXISTS (SELECT 1 FROM skills k WHERE k.project_id = skill_tags.project_id AND k.name = skill_tags.name)`,
			scope.ProjectID(), name); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, kindSkill, before.ID, skillState(before), nil)
	})
}
