package prompts

import (
	"context"
	"fmt"
	"slices"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// DeletedKept is how long deleted versions of prompts can be restored.
const DeletedKept = 30 * 24 * time.Hour

// PromptDeletion is a deletion of one or all versions of a prompt.
type PromptDeletion struct {
	ID          string
	Name        string
	Type        string
	At          time.Time
	Actor       domain.Actor
	Versions    int // how many
	First, Last int
	Labels      []string // of the deleted versions
	tags        []string
}

// ExpiresAt returns when the versions can no longer be restored.
func (d *PromptDeletion) ExpiresAt() time.Time { return d.At.Add(DeletedKept) }

// DeletePrompt deletes the version of a prompt with the given number or label, or all versions if the reference has
// neither. It returns a *PromptInUse error if other prompts depend on what would be deleted. If the deleted version has
// the label latest, that moves to the highest remaining version. What was deleted can be restored for DeletedKept.
func (c *Catalog) DeletePrompt(
	ctx context.Context, scope domain.ProjectScope, ref domain.PromptReference, by Editor,
) (deletion PromptDeletion, err error) {
	err = promptTables.change(ctx, c.db, scope, func(s tables.Session) error {
		if ref.Version == 0 && ref.Label == "" {
			deletion, err = deleteAllVersions(ctx, s, scope, ref.Name, by)
		} else {
			deletion, err = deleteVersion(ctx, s, scope, ref, by)
		}
		return err
	})
	return deletion, err
}

func deleteVersion(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, ref domain.PromptReference, by Editor,
) (deletion PromptDeletion, err error) {
	p, err := readPrompt(ctx, s, scope, ref)
	if err != nil {
		return deletion, err
	}
	if err := refuseDependents(ctx, s, scope, p); err != nil {
		return deletion, err
	}
	if err := refuseProtected(ctx, s, scope, by, p.Labels); err != nil {
		return deletion, err
	}
	if _, err := recordMoves(ctx, s, scope, p.Name, by.Actor, func() error {
		if deletion, err = keepDeleted(ctx, s, scope, p.Name, p.Type, p.Version, by.Actor); err != nil {
			return err
		}
		if _, err := s.Exec(ctx, "DELETE FROM prompts WHERE project_id = ? AND id = ?", scope.ProjectID(), p.ID); err != nil {
			return err
		}
		return settleNewest(ctx, s, scope, p.Name)
	}); err != nil {
		return deletion, err
	}
	return deletion, s.AuditInProject(ctx, scope, by.Actor, tables.KindPrompt, p.ID, promptState(p), nil)
}

// settleNewest gives the label latest to the highest version of a name, or deletes the tags if there is none.
func settleNewest(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string) error {
	newest, _, err := newestPrompt(ctx, s, scope, name)
	if err != nil {
		return err
	}
	if newest == 0 {
		_, err := s.Exec(ctx, "DELETE FROM prompt_tags WHERE project_id = ? AND name = ?", scope.ProjectID(), name)
		return err
	}
	heir, err := readPrompt(ctx, s, scope, domain.PromptReference{Name: name, Version: newest})
	if err != nil || slices.Contains(heir.Labels, domain.LatestLabel) {
		return err
	}
	return setPromptLabels(ctx, s, scope, name, newest, append(heir.Labels, domain.LatestLabel))
}

func deleteAllVersions(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, by Editor,
) (deletion PromptDeletion, err error) {
	if tables.Unstorable(name) {
		return deletion, fmt.Errorf("prompt %q: %w", name, domain.ErrNotFound)
	}
	versions, err := tables.QueryAll(ctx, s, tables.ScanValue[int],
		"SELECT version FROM prompts WHERE project_id = ? AND name = ? ORDER BY version", scope.ProjectID(), name)
	if err != nil {
		return deletion, err
	}
	if len(versions) == 0 {
		return deletion, fmt.Errorf("prompt %q: %w", name, domain.ErrNotFound)
	}
	if err := refuseIf(ctx, s, scope, name, "r.child_name = ?", name); err != nil {
		return deletion, err
	}
	before, err := promptLabelsOf(ctx, s, scope, name)
	if err != nil {
		return deletion, err
	}
	labels := make([]string, 0, len(before))
	for label := range before {
		labels = append(labels, label)
	}
	slices.Sort(labels)
	if err := refuseProtected(ctx, s, scope, by, labels); err != nil {
		return deletion, err
	}
	tags, err := promptTables.tags(ctx, s, scope, name)
	if err != nil {
		return deletion, err
	}
	if _, err := recordMoves(ctx, s, scope, name, by.Actor, func() error {
		_, kind, err := newestPrompt(ctx, s, scope, name)
		if err != nil {
			return err
		}
		if deletion, err = keepDeleted(ctx, s, scope, name, kind, 0, by.Actor); err != nil {
			return err
		}
		for _, table := range []string{"prompts", "prompt_tags"} {
			if _, err := s.Exec(ctx, "DELETE FROM "+table+" WHERE project_id = ? AND name = ?", scope.ProjectID(), name); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return deletion, err
	}
	return deletion, s.AuditInProject(ctx, scope, by.Actor, tables.KindPrompt, name,
		tables.StateOf(map[string]any{"name": name, "versions": versions, "labelVersions": before, "tags": domain.NotNil(tags)}), nil)
}

// keepDeleted copies a version of a prompt, or all if version is 0, to where deleted ones are kept.
func keepDeleted(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, name, kind string, version int, actor domain.Actor,
) (d PromptDeletion, err error) {
	d = PromptDeletion{ID: tables.OrderedID(), Name: name, Type: kind, At: tables.FromMillis(tables.Millis(s.Now())), Actor: actor}
	if d.tags, err = promptTables.tags(ctx, s, scope, name); err != nil {
		return d, err
	}
	if err := s.Insert(ctx, "prompt_deletions (id, project_id, name, type, tags, at, actor_kind, actor_id)",
		d.ID, scope.ProjectID(), name, kind, tables.TextOf(domain.NotNil(d.tags)), tables.AsTime(&d.At), actor.Kind, actor.ID); err != nil {
		return d, err
	}
	selected := tables.SQL("FROM prompts p WHERE p.project_id = ? AND p.name = ?", scope.ProjectID(), name).
		And(tables.If(version != 0, "p.version = ?", version))
	if _, err := s.Exec(ctx, `INSERT INTO deleted_prompts
		(deletion_id, id, version, content, config, commit_message, created_by, created_at, updated_at, hash, labels, refs)
		SELECT ?, p.id, p.version, p.content, p.config, p.commit_message, p.created_by, p.created_at, p.updated_at, p.hash, '[]', '[]' `+
		selected.Text, append([]any{d.ID}, selected.Args...)...); err != nil {
		return d, err
	}
	if err := keepLabels(ctx, s, scope, &d, version); err != nil {
		return d, err
	}
	if err := keepReferences(ctx, s, &d, selected); err != nil {
		return d, err
	}
	return d, countDeleted(ctx, s, &d)
}

func keepLabels(ctx context.Context, s tables.Session, scope domain.ProjectScope, d *PromptDeletion, version int) error {
	labels, err := promptLabelsOf(ctx, s, scope, d.Name)
	if err != nil {
		return err
	}
	of := make(map[int][]string)
	for label, labelled := range labels {
		if label != domain.LatestLabel && (version == 0 || labelled == version) {
			of[labelled] = append(of[labelled], label)
			d.Labels = append(d.Labels, label)
		}
	}
	slices.Sort(d.Labels)
	for version, labels := range of {
		slices.Sort(labels)
		if _, err := s.Exec(ctx, "UPDATE deleted_prompts SET labels = ? WHERE deletion_id = ? AND version = ?", tables.TextOf(labels), d.ID,
			version); err != nil {
			return err
		}
	}
	return nil
}

func keepReferences(ctx context.Context, s tables.Session, d *PromptDeletion, selected tables.Query) error {
	type reference struct {
		version int
		domain.PromptReference
	}
	found, err := tables.QueryAll(ctx, s, func(r tables.Row) (ref reference, err error) {
		err = r.Scan(&ref.version, &ref.Name, tables.AsOptional(&ref.Version), tables.AsOptional(&ref.Label))
		return ref, err
	}, `SELECT d.version, r.child_name, r.child_version, r.child_label FROM prompt_references r
		JOIN (SELECT p.id AS id, p.version AS version `+selected.Text+`) d ON d.id = r.parent_id ORDER BY d.version, r.position`,
		selected.Args...)
	if err != nil {
		return err
	}
	for len(found) > 0 {
		version := found[0].version
		var refs []domain.PromptReference
		for len(found) > 0 && found[0].version == version {
			refs, found = append(refs, found[0].PromptReference), found[1:]
		}
		if _, err := s.Exec(ctx, "UPDATE deleted_prompts SET refs = ? WHERE deletion_id = ? AND version = ?", tables.AsJSON(&refs), d.ID,
			version); err != nil {
			return err
		}
	}
	return nil
}

func countDeleted(ctx context.Context, s tables.Session, d *PromptDeletion) error {
	_, err := tables.QueryOne(ctx, s, func(r tables.Row) (struct{}, error) {
		return struct{}{}, r.Scan(&d.Versions, &d.First, &d.Last)
	}, "SELECT COUNT(*), COALESCE(MIN(version), 0), COALESCE(MAX(version), 0) FROM deleted_prompts WHERE deletion_id = ?", d.ID)
	return err
}

func scanDeletion(r tables.Row) (d PromptDeletion, err error) {
	err = r.Scan(&d.ID, &d.Name, &d.Type, tables.AsJSON(&d.tags), tables.AsTime(&d.At), &d.Actor.Kind, &d.Actor.ID)
	return d, err
}

const deletionColumns = "id, name, type, tags, at, actor_kind, actor_id"

// PromptDeletions returns the deletions that can be restored, newest first.
func (c *Catalog) PromptDeletions(
	ctx context.Context, scope domain.ProjectScope, after *tables.Position, limit int,
) (deletions []PromptDeletion, err error) {
	s := c.db.Reader()
	list := tables.NewestFirst[PromptDeletion]{
		Session: s, At: "at", ID: "id", LastIDFirst: true, After: after, Scan: scanDeletion,
		Query: tables.SQL("SELECT "+deletionColumns+" FROM prompt_deletions WHERE project_id = ? AND at > ?",
			scope.ProjectID(), tables.Millis(s.Now().Add(-DeletedKept))),
		Position: func(d *PromptDeletion) tables.Position { return tables.Position{At: d.At, ID: d.ID} },
	}
	for d, err := range list.Read(ctx, 0, limit) {
		if err != nil {
			return nil, err
		}
		deletions = append(deletions, *d)
	}
	for n := range deletions {
		d := &deletions[n]
		if err := countDeleted(ctx, s, d); err != nil {
			return nil, err
		}
		labels, err := tables.QueryAll(ctx, s, func(r tables.Row) (labels []string, err error) {
			err = r.Scan(tables.AsJSON(&labels))
			return labels, err
		}, "SELECT labels FROM deleted_prompts WHERE deletion_id = ? AND labels <> '[]'", d.ID)
		if err != nil {
			return nil, err
		}
		d.Labels = slices.Sorted(slices.Values(slices.Concat(labels...)))
	}
	return deletions, nil
}

// ExpirePrompts removes deleted prompts that can no longer be restored.
func (c *Catalog) ExpirePrompts(ctx context.Context) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		_, err := s.Exec(ctx, "DELETE FROM prompt_deletions WHERE at <= ?", tables.Millis(s.Now().Add(-DeletedKept)))
		return err
	})
}
