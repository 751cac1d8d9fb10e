package prompts

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// RestoredVersion is a restored version with the number that it had and the one that it has now.
type RestoredVersion struct{ Was, Version int }

// Restored is what became of a deletion that was restored.
type Restored struct {
	Name     string
	Versions []RestoredVersion
	// Labels were given back; KeptBack belong to other versions by now.
	Labels, KeptBack []string
}

// deletedVersion is a deleted version without its content.
type deletedVersion struct {
	id      string
	version int
	labels  []string
	refs    []domain.PromptReference
}

// RestorePrompt brings back the versions of a deletion, with their ids if these are free. Those whose number is taken by now get the next
// ones. They get the labels that they had, unless these belong to other versions by now. It returns ErrPromptType if
// the name has versions of another type by now.
func (c *Catalog) RestorePrompt(ctx context.Context, scope domain.ProjectScope, id string, by Editor) (done Restored, err error) {
	err = promptTables.change(ctx, c.db, scope, func(s tables.Session) error {
		done, err = restore(ctx, s, scope, id, by)
		return err
	})
	return done, err
}

func restore(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string, by Editor) (done Restored, err error) {
	if tables.Unstorable(id) {
		return done, domain.ErrNotFound
	}
	oldest := tables.Millis(s.Now().Add(-DeletedKept))
	d, err := tables.QueryOne(ctx, s, scanDeletion, "SELECT "+deletionColumns+
		" FROM prompt_deletions WHERE project_id = ? AND id = ? AND at > ?", scope.ProjectID(), id, oldest)
	if err != nil {
		return done, tables.WithSubject(err, "deletion", id)
	}
	newest, kind, err := newestPrompt(ctx, s, scope, d.Name)
	if err != nil {
		return done, err
	}
	if newest > 0 && kind != d.Type {
		return done, fmt.Errorf("prompt %q: %w", d.Name, ErrPromptType)
	}
	versions, err := tables.QueryAll(ctx, s, func(r tables.Row) (v deletedVersion, err error) {
		err = r.Scan(&v.id, &v.version, tables.AsJSON(&v.labels), tables.AsJSON(&v.refs))
		return v, err
	}, "SELECT id, version, labels, refs FROM deleted_prompts WHERE deletion_id = ? ORDER BY version", id)
	if err != nil {
		return done, err
	}
	if err := renewTakenIDs(ctx, s, id, versions); err != nil {
		return done, err
	}
	labelled, err := promptLabelsOf(ctx, s, scope, d.Name)
	if err != nil {
		return done, err
	}
	done.Name = d.Name
	for _, v := range versions {
		for _, label := range v.labels {
			if _, taken := labelled[label]; taken {
				done.KeptBack = append(done.KeptBack, label)
			} else {
				done.Labels = append(done.Labels, label)
			}
		}
	}
	slices.Sort(done.Labels)
	slices.Sort(done.KeptBack)
	if err := refuseProtected(ctx, s, scope, by, done.Labels); err != nil {
		return done, err
	}
	if done.Versions, err = newNumbers(ctx, s, scope, d.Name, newest, versions); err != nil {
		return done, err
	}
	if _, err := recordMoves(ctx, s, scope, d.Name, by.Actor, func() error {
		for n, v := range versions {
			if err := bringBack(ctx, s, scope, &d, v, done.Versions[n].Version, labelled); err != nil {
				return err
			}
		}
		if newest == 0 {
			if err := promptTables.replaceTags(ctx, s, scope, d.Name, d.tags); err != nil {
				return err
			}
		}
		return settleNewest(ctx, s, scope, d.Name)
	}); err != nil {
		return done, err
	}
	if _, err := s.Exec(ctx, "DELETE FROM prompt_deletions WHERE id = ?", id); err != nil {
		return done, err
	}
	return done, s.AuditInProject(ctx, scope, by.Actor, tables.KindPrompt, d.Name, nil, tables.StateOf(map[string]any{
		"name": d.Name, "restored": done.Versions, "labels": domain.NotNil(done.Labels),
	}))
}

// renewTakenIDs gives new ids to versions that were imported again, with their ids, after they were deleted.
func renewTakenIDs(ctx context.Context, s tables.Session, deletion string, versions []deletedVersion) error {
	taken, err := tables.QueryAll(ctx, s, tables.ScanValue[int],
		"SELECT d.version FROM deleted_prompts d JOIN prompts p ON p.id = d.id WHERE d.deletion_id = ? ORDER BY d.version", deletion)
	for n := range versions {
		if _, found := slices.BinarySearch(taken, versions[n].version); found {
			versions[n].id = tables.OrderedID()
		}
	}
	return err
}

// newNumbers returns the numbers for restored versions: their own, or the next ones if these are taken.
func newNumbers(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, newest int, versions []deletedVersion,
) ([]RestoredVersion, error) {
	taken := make(map[int]bool)
	if newest > 0 {
		numbers, err := tables.QueryAll(ctx, s, tables.ScanValue[int], "SELECT version FROM prompts WHERE project_id = ? AND name = ?",
			scope.ProjectID(), name)
		if err != nil {
			return nil, err
		}
		for _, number := range numbers {
			taken[number] = true
		}
	}
	highest := newest
	for _, v := range versions {
		highest = max(highest, v.version)
	}
	numbers := make([]RestoredVersion, len(versions))
	for n, v := range versions {
		numbers[n] = RestoredVersion{v.version, v.version}
		if taken[v.version] {
			if highest == maxPromptVersion {
				return nil, fmt.Errorf("prompt %q has as many versions as there can be: %w", name, domain.ErrConflict)
			}
			highest++
			numbers[n].Version = highest
		}
	}
	return numbers, nil
}

// bringBack restores one version under a number.
func bringBack(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, d *PromptDeletion, v deletedVersion, number int,
	labelled map[string]int,
) error {
	if _, err := s.Exec(ctx, `INSERT INTO prompts
		(project_id, name, type, id, version, content, config, commit_message, created_by, created_at, updated_at, hash)
		SELECT o.project_id, o.name, o.type, ?, `+strconv.Itoa(number)+`, d.content, d.config, d.commit_message, d.created_by,
		d.created_at, `+strconv.FormatInt(tables.Millis(s.Now()), 10)+`, d.hash FROM deleted_prompts d JOIN prompt_deletions o ON o.id = d.deletion_id
		WHERE d.deletion_id = ? AND d.version = ?`, v.id, d.ID, v.version); err != nil {
		return err
	}
	if err := storeReferences(ctx, s, scope, v.id, v.refs); err != nil {
		return err
	}
	for position, label := range v.labels {
		if _, taken := labelled[label]; taken {
			continue
		}
		if err := promptTables.moveLabel(ctx, s, scope, d.Name, number, label, position); err != nil {
			return err
		}
	}
	return nil
}
