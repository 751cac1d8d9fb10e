package tables

import (
	"context"

	"almanac/internal/domain"
)

// ImportOutcome is the outcome of importing one record.
type ImportOutcome struct {
	// Unchanged means that the record was already stored and not older.
	Unchanged bool
	// Skipped is the reason why the record was skipped; empty if it was not.
	Skipped string
}

// The reasons for skipping records of various kinds.
const (
	SkippedElsewhere    = "its id already belongs to another project here"
	SkippedNameTaken    = "its name is already taken here"
	SkippedOrganization = "its organization does not exist"
	SkippedProject      = "its project does not exist"
)

// Outcomes without a reason.
var (
	ImportUnchanged = ImportOutcome{Unchanged: true}
	Imported        = ImportOutcome{}
)

// ImportSkipped returns the outcome of a record that was skipped for the given reason.
func ImportSkipped(reason string) ImportOutcome { return ImportOutcome{Skipped: reason} }

// storedRecord describes the stored version of an imported record.
type storedRecord struct {
	project string
	updated int64
}

// DecideImport reports whether a record is to be inserted or replaced. If neither, the outcome is not nil and says why.
func DecideImport(
	ctx context.Context, s Session, scope domain.ProjectScope, table, id string, updated int64,
) (insert bool, outcome *ImportOutcome, err error) {
	before, err := Optional(QueryOne(ctx, s, func(r Row) (t storedRecord, err error) {
		err = r.Scan(&t.project, &t.updated)
		return t, err
	}, "SELECT project_id, updated_at FROM "+table+" WHERE id = ?", id))
	switch {
	case err != nil:
		return false, nil, err
	case before == nil:
		return true, nil, nil
	case before.project != scope.ProjectID():
		return false, new(ImportSkipped(SkippedElsewhere)), nil
	case before.updated >= updated:
		return false, new(ImportUnchanged), nil
	}
	return false, nil, nil
}

// Put stores an imported object with its original id and timestamps.
func (t *Table[T]) Put(ctx context.Context, s Session, scope domain.ProjectScope, id string, n T) (ImportOutcome, error) {
	values := t.Fields(&n)
	updated, _ := StorableValue(values[len(values)-1]).(int64)
	insert, outcome, err := DecideImport(ctx, s, scope, t.Name, id, updated)
	if err != nil || outcome != nil {
		return OrImported(outcome), err
	}
	s.Note(Change{Kind: t.Audited, ProjectID: scope.ProjectID()})
	if insert {
		return Imported, s.Insert(ctx, t.Name+" (project_id, "+t.Columns+")", append([]any{scope.ProjectID()}, values...)...)
	}
	return Imported, t.overwrite(ctx, s, scope, id, values)
}

// PutNamed is like Put for an object whose name, in the given column, must be unique within the project.
func (t *Table[T]) PutNamed(
	ctx context.Context, s Session, scope domain.ProjectScope, id, column, name string, n T,
) (ImportOutcome, error) {
	taken, err := s.Exists(ctx, "SELECT id FROM "+t.Name+" WHERE project_id = ? AND "+column+" = ? AND id <> ?",
		scope.ProjectID(), name, id)
	if err != nil || taken {
		return ImportSkipped(SkippedNameTaken), err
	}
	return t.Put(ctx, s, scope, id, n)
}

// OrImported returns the outcome, or Imported if it is nil.
func OrImported(outcome *ImportOutcome) ImportOutcome {
	if outcome == nil {
		return Imported
	}
	return *outcome
}
