package prompts

import (
	"context"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// versioned is the common storage of prompts and skills, both of which have names with versions, labels and tags. Its
// value is the prefix of their table names.
type versioned string

const (
	promptTables versioned = "prompt"
	skillTables  versioned = "skill"
)

func (v versioned) table(part string) string { return string(v) + part }

// change runs a change of the project's prompts or skills. Other changes in the project, on this server or another,
// wait for it.
func (v versioned) change(ctx context.Context, db *tables.DB, scope domain.ProjectScope, change func(tables.Session) error) error {
	return db.Update(ctx, func(s tables.Session) error {
		if err := v.lock(ctx, s, scope); err != nil {
			return err
		}
		return change(s)
	})
}

// lock makes other changes of the project's prompts or skills wait for this transaction.
func (v versioned) lock(ctx context.Context, s tables.Session, scope domain.ProjectScope) error {
	revisions := v.table("_revisions")
	affected, err := s.Exec(ctx, "INSERT INTO "+revisions+` (project_id, revision) SELECT id, 1 FROM projects WHERE id = ?
		ON CONFLICT (project_id) DO UPDATE SET revision = `+revisions+".revision + 1", scope.ProjectID())
	return tables.WithSubject(tables.OrNotFound(affected, err), "project", scope.ProjectID())
}

func (v versioned) tags(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string) ([]string, error) {
	return tables.QueryAll(ctx, s, tables.ScanValue[string], "SELECT tag FROM "+v.table("_tags")+
		" WHERE project_id = ? AND name = ? ORDER BY position", scope.ProjectID(), name)
}

// setTags replaces the tags of a name. All its versions count as updated.
func (v versioned) setTags(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, tags []string) error {
	if err := v.replaceTags(ctx, s, scope, name, tags); err != nil {
		return err
	}
	_, err := s.Exec(ctx, "UPDATE "+v.table("s")+" SET updated_at = ? WHERE project_id = ? AND name = ?", tables.Millis(s.Now()),
		scope.ProjectID(), name)
	return err
}

func (v versioned) replaceTags(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, tags []string) error {
	if _, err := s.Exec(ctx, "DELETE FROM "+v.table("_tags")+" WHERE project_id = ? AND name = ?", scope.ProjectID(), name); err != nil {
		return err
	}
	for position, tag := range tags {
		if err := s.Insert(ctx, v.table("_tags")+" (project_id, name, position, tag)", scope.ProjectID(), name, position, tag); err != nil {
			return err
		}
	}
	return nil
}

func (v versioned) labels(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, version int) ([]string, error) {
	return tables.QueryAll(ctx, s, tables.ScanValue[string], "SELECT label FROM "+v.table("_labels")+
		" WHERE project_id = ? AND name = ? AND version = ? ORDER BY position, label",
		scope.ProjectID(), name, version)
}

// setLabels replaces the labels of a version. Other versions lose these labels, and count as updated.
func (v versioned) setLabels(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, version int, labels []string,
) error {
	if _, err := s.Exec(ctx, "DELETE FROM "+v.table("_labels")+" WHERE project_id = ? AND name = ? AND version = ?", scope.ProjectID(),
		name, version); err != nil {
		return err
	}
	now := tables.Millis(s.Now())
	for position, label := range labels {
		if _, err := s.Exec(ctx, "UPDATE "+v.table("s")+` SET updated_at = ? WHERE project_id = ? AND name = ? AND version =
			(SELECT l.version FROM `+v.table("_labels")+" l WHERE l.project_id = ? AND l.name = ? AND l.label = ?)",
			now, scope.ProjectID(), name, scope.ProjectID(), name, label); err != nil {
			return err
		}
		if err := v.moveLabel(ctx, s, scope, name, version, label, position); err != nil {
			return err
		}
	}
	_, err := s.Exec(ctx, "UPDATE "+v.table("s")+" SET updated_at = ? WHERE project_id = ? AND name = ? AND version = ?", now,
		scope.ProjectID(), name, version)
	return err
}

// moveLabels replaces the labels of a version without updating the timestamps of any version.
func (v versioned) moveLabels(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, version int, labels []string,
) error {
	if _, err := s.Exec(ctx, "DELETE FROM "+v.table("_labels")+" WHERE project_id = ? AND name = ? AND version = ?", scope.ProjectID(),
		name, version); err != nil {
		return err
	}
	for position, label := range labels {
		if err := v.moveLabel(ctx, s, scope, name, version, label, position); err != nil {
			return err
		}
	}
	return nil
}

func (v versioned) moveLabel(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, version int, label string, position int,
) error {
	_, err := s.Exec(ctx, "INSERT INTO "+v.table("_labels")+` (project_id, name, label, version, position) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (project_id, name, label) DO UPDATE SET version = excluded.version, position = excluded.position`,
		scope.ProjectID(), name, label, version, position)
	return err
}
