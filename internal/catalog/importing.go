package catalog

import (
	"context"

	"almanac/internal/domain"
)

// ImportOutcome is what became of one thing.
type ImportOutcome struct {
	// Unchanged: it was there already, and not older.
	Unchanged bool
	// Skipped is why it was left out; empty if it was not.
	Skipped string
}

// Reasons why things of many kinds are left out.
const (
	skippedElsewhere = "its id belongs to another project here"
	skippedNameTaken = "another one has its name here"
)

var (
	importUnchanged = ImportOutcome{Unchanged: true}
	imported        = ImportOutcome{}
)

func importSkipped(reason string) ImportOutcome { return ImportOutcome{Skipped: reason} }

// storedThing is what is there of a thing that is imported.
type storedThing struct {
	project string
	updated int64
}

// decideImport reports whether a thing is to be inserted or to be replaced; if neither, the outcome says why.
func decideImport(ctx context.Context, s session, scope domain.ProjectScope, table, id string, updated int64) (insert bool, outcome *ImportOutcome, err error) {
	before, err := optional(queryOne(ctx, s, func(r row) (t storedThing, err error) {
		err = r.Scan(&t.project, &t.updated)
		return t, err
	}, "SELECT project_id, updated_at FROM "+table+" WHERE id = ?", id))
	switch {
	case err != nil:
		return false, nil, err
	case before == nil:
		return true, nil, nil
	case before.project != scope.ProjectID():
		return false, new(importSkipped(skippedElsewhere)), nil
	case before.updated >= updated:
		return false, new(importUnchanged), nil
	}
	return false, nil, nil
}

// put stores a thing as it is, with its id and its times.
func (t *table[T]) put(ctx context.Context, s session, scope domain.ProjectScope, id string, n T) (ImportOutcome, error) {
	values := t.fields(&n)
	updated, _ := storableValue(values[len(values)-1]).(int64)
	insert, outcome, err := decideImport(ctx, s, scope, t.name, id, updated)
	if err != nil || outcome != nil {
		return orImported(outcome), err
	}
	s.note(Change{Kind: t.audited, ProjectID: scope.ProjectID()})
	if insert {
		return imported, s.insert(ctx, t.name+" (project_id, "+t.columns+")", append([]any{scope.ProjectID()}, values...)...)
	}
	return imported, t.overwrite(ctx, s, scope, id, values)
}

// putNamed is put of a thing whose name, in a column, must be its own within the project.
func (t *table[T]) putNamed(ctx context.Context, s session, scope domain.ProjectScope, id, column, name string, n T) (ImportOutcome, error) {
	taken, err := s.exists(ctx, "SELECT id FROM "+t.name+" WHERE project_id = ? AND "+column+" = ? AND id <> ?", scope.ProjectID(), name, id)
	if err != nil || taken {
		return importSkipped(skippedNameTaken), err
	}
	return t.put(ctx, s, scope, id, n)
}

func orImported(outcome *ImportOutcome) ImportOutcome {
	if outcome == nil {
		return imported
	}
	return *outcome
}
