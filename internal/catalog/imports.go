package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"almanac/internal/catalog/prompts"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// ImportState is the progress of importing a table.
type ImportState struct {
	Source   string // identifies the source of the records
	Table    string
	Cursor   string          // after the last imported page
	Finished bool            // nothing is left
	Report   json.RawMessage // what was done so far
}

// ImportStates returns the progress of importing from a source, by table, without the tables that were not started.
func (c *Catalog) ImportStates(ctx context.Context, source string) (map[string]ImportState, error) {
	states, err := tables.QueryMap(ctx, c.db.Reader(), func(r tables.Row) (string, ImportState, error) {
		s := ImportState{Source: source}
		err := r.Scan(&s.Table, &s.Cursor, &s.Finished, tables.AsRaw(&s.Report))
		return s.Table, s, err
	}, "SELECT table_name, position, finished, report FROM imports WHERE source = ?", source)
	if err != nil {
		return nil, fmt.Errorf("cannot read the progress of the import: %w", err)
	}
	return states, nil
}

// ForgetImport makes the next import from a source start over.
func (c *Catalog) ForgetImport(ctx context.Context, source string) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		_, err := s.Exec(ctx, "DELETE FROM imports WHERE source = ?", source)
		return err
	})
}

// SaveImport stores the progress of an import.
func (c *Catalog) SaveImport(ctx context.Context, state ImportState) error {
	return c.db.Update(ctx, func(s tables.Session) error { return saveImport(ctx, s, state) })
}

func saveImport(ctx context.Context, s tables.Session, state ImportState) error {
	_, err := s.Exec(ctx, `INSERT INTO imports (source, table_name, position, finished, report, updated_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (source, table_name) DO UPDATE SET position = excluded.position, finished = excluded.finished,
		report = excluded.report, updated_at = excluded.updated_at`,
		state.Source, state.Table, state.Cursor, state.Finished, tables.AsRaw(&state.Report), tables.Millis(s.Now()))
	if err != nil {
		return fmt.Errorf("cannot save the progress of importing %s: %w", state.Table, err)
	}
	return nil
}

// ImportedInto reports what was imported into a project.
type ImportedInto struct {
	Project domain.ProjectScope
	Report  json.RawMessage
}

// FinishImport stores that a table is finished, and records in the audit log what was imported into each project.
// Projects deleted in the meantime are skipped.
func (c *Catalog) FinishImport(ctx context.Context, state ImportState, into []ImportedInto, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		for _, i := range into {
			err := s.AuditInProject(ctx, i.Project, actor, "import", state.Source, nil,
				tables.StateOf(map[string]any{"table": state.Table, "report": i.Report}))
			if err != nil && !errors.Is(err, domain.ErrNotFound) {
				return fmt.Errorf("cannot record the import: %w", err)
			}
		}
		return saveImport(ctx, s, state)
	})
}

// The reasons for skipping a record.
const (
	skippedDataset   = "its dataset does not exist"
	skippedQueue     = "its annotation queue does not exist"
	skippedRun       = "its run does not exist"
	skippedWidget    = "it shows widgets that do not exist"
	skippedEvaluator = "it uses evaluators that do not exist"
	skippedTooMany   = "the project has reached the maximum number"
)

// Import stores records made by another installation, with the ids and timestamps that they have there, together with
// the progress of the import, in one transaction. Existing records are replaced if they changed in the source since;
// those changed here later are kept. The function state receives the outcomes, in the order of the records, and returns
// the progress to store.
//
// Records have one of these types of package domain: ScoreConfig, Model, LLMConnection, Prompt (versions in ascending
// order), Dataset, DatasetItem (a version; the status ItemDeleted marks a deletion), DatasetRun (its id is computed
// here), DatasetRunItem (with the run id that domain.ExperimentID returns), AnnotationQueue, AnnotationItem, Comment,
// Widget, Dashboard, EvaluationRule; or EvaluatorHistory.
func (c *Catalog) Import(
	ctx context.Context, scope domain.ProjectScope, records []any, state func([]tables.ImportOutcome) (ImportState, error),
) error {
	return c.importAll(ctx, records, state, func(s tables.Session, record any) (tables.ImportOutcome, error) {
		return importRecord(ctx, s, scope, record)
	})
}

// importAll stores the records one by one, and then the progress of the import.
func (c *Catalog) importAll(
	ctx context.Context, records []any, state func([]tables.ImportOutcome) (ImportState, error),
	keep func(tables.Session, any) (tables.ImportOutcome, error),
) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		outcomes := make([]tables.ImportOutcome, len(records))
		for n, record := range records {
			var err error
			if outcomes[n], err = keep(s, record); err != nil {
				return err
			}
		}
		after, err := state(outcomes)
		if err != nil {
			return err
		}
		return saveImport(ctx, s, after)
	})
}

func importRecord(ctx context.Context, s tables.Session, scope domain.ProjectScope, record any) (tables.ImportOutcome, error) {
	switch t := record.(type) {
	case domain.ScoreConfig:
		return scoreConfigs.Put(ctx, s, scope, t.ID, t)
	case domain.Comment:
		return comments.Put(ctx, s, scope, t.ID, t)
	case domain.AnnotationQueue:
		return annotationQueues.PutNamed(ctx, s, scope, t.ID, "name", t.Name, t)
	case domain.LLMConnection:
		return llmConnections.PutNamed(ctx, s, scope, t.ID, "provider", t.Provider, t)
	case domain.Widget:
		return widgets.Put(ctx, s, scope, t.ID, t)
	case domain.Model:
		return importModel(ctx, s, scope, t)
	case domain.Prompt:
		return prompts.ImportPrompt(ctx, s, scope, t)
	case domain.Dataset:
		return importDataset(ctx, s, scope, t)
	case domain.DatasetItem:
		return importItem(ctx, s, scope, t)
	case domain.DatasetRun:
		return importRun(ctx, s, scope, t)
	case domain.DatasetRunItem:
		return importRunItem(ctx, s, scope, t)
	case domain.AnnotationItem:
		return importAnnotationItem(ctx, s, scope, t)
	case domain.Dashboard:
		return importDashboard(ctx, s, scope, t)
	case EvaluatorHistory:
		return importEvaluator(ctx, s, scope, t)
	case domain.EvaluationRule:
		return importRule(ctx, s, scope, t)
	}
	panic(fmt.Sprintf("BUG: records of type %T cannot be imported", record))
}
