package catalog

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const selectRun = `SELECT r.id, r.name, r.description, r.metadata, r.dataset_id, d.name, r.created_at, r.updated_at
	FROM dataset_runs r JOIN datasets d ON d.id = r.dataset_id WHERE `

func scanRun(r tables.Row) (run domain.DatasetRun, err error) {
	err = r.Scan(&run.ID, &run.Name, &run.Description, tables.AsRaw(&run.Metadata), &run.DatasetID, &run.DatasetName,
		tables.AsTime(&run.CreatedAt), tables.AsTime(&run.UpdatedAt))
	return run, err
}

// DatasetRuns returns at most limit runs of a dataset after skipping offset, newest first, and the total count.
func (c *Catalog) DatasetRuns(
	ctx context.Context, scope domain.ProjectScope, d domain.Dataset, offset, limit int,
) (iter.Seq2[*domain.DatasetRun, error], int, error) {
	const where = "d.project_id = ? AND r.dataset_id = ?"
	args := []any{scope.ProjectID(), d.ID}
	total, err := tables.QueryOne(ctx, c.db.Reader(), tables.ScanValue[int],
		"SELECT COUNT(*) FROM dataset_runs r JOIN datasets d ON d.id = r.dataset_id WHERE "+where, args...)
	if err != nil {
		return nil, 0, err
	}
	return tables.NewestFirst[domain.DatasetRun]{
		Session: c.db.Reader(), Scan: scanRun, Query: tables.SQL(selectRun+where, args...), At: "r.created_at", ID: "r.id",
		Position: func(run *domain.DatasetRun) tables.Position { return tables.Position{At: run.CreatedAt, ID: run.ID} },
	}.Read(ctx, offset, limit), total, nil
}

// DatasetRun returns a run by its id.
func (c *Catalog) DatasetRun(ctx context.Context, scope domain.ProjectScope, id string) (domain.DatasetRun, error) {
	return readRun(ctx, c.db.Reader(), scope, id)
}

// WithDatasetRun calls use with a run. Its memory is accounted for until use returns.
func (c *Catalog) WithDatasetRun(ctx context.Context, scope domain.ProjectScope, id string, use func(*domain.DatasetRun)) error {
	s, release := c.db.Reader().ScopedMemory(ctx)
	defer release()
	run, err := readRun(ctx, s, scope, id)
	if err == nil {
		use(&run)
	}
	return err
}

func readRun(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string) (domain.DatasetRun, error) {
	run, err := tables.QueryOne(ctx, s, scanRun, selectRun+"r.id = ? AND d.project_id = ?", id, scope.ProjectID())
	return run, tables.WithSubject(err, "dataset run", id)
}

// DatasetRunItems returns all links of a run, newest first.
func (c *Catalog) DatasetRunItems(ctx context.Context, run domain.DatasetRun) iter.Seq2[*domain.DatasetRunItem, error] {
	return tables.NewestFirst[domain.DatasetRunItem]{
		Session: c.db.Reader(), At: "created_at", ID: "item_id",
		Query: tables.SQL("SELECT item_id, trace_id, observation_id, created_at FROM dataset_run_items WHERE run_id = ?", run.ID),
		Scan: func(r tables.Row) (domain.DatasetRunItem, error) {
			item := domain.DatasetRunItem{RunID: run.ID, RunName: run.Name}
			err := r.Scan(&item.DatasetItemID, &item.TraceID, &item.ObservationID, tables.AsTime(&item.CreatedAt))
			item.ID = domain.RunItemID(run.ID, item.DatasetItemID)
			return item, err
		},
		Position: func(item *domain.DatasetRunItem) tables.Position {
			return tables.Position{At: item.CreatedAt, ID: item.DatasetItemID}
		},
	}.Read(ctx, 0, tables.Unlimited)
}

// DatasetRunLink is the input of LinkDatasetRunItem.
type DatasetRunLink struct {
	RunName string
	// RunDescription and RunMetadata describe the run. The first link that has them sets them.
	RunDescription *string
	RunMetadata    json.RawMessage
	ItemID         string
	At             *time.Time // the time at which the item is looked up; nil means now
	TraceID        string
	ObservationID  *string
	CreatedAt      *time.Time // nil means now
}

// LinkDatasetRunItem links an active item with a trace in a run of the item's dataset. The first link creates the run.
// An existing link of the same item in the same run is replaced.
func (c *Catalog) LinkDatasetRunItem(
	ctx context.Context, scope domain.ProjectScope, link DatasetRunLink, actor domain.Actor,
) (domain.DatasetRunItem, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (linked domain.DatasetRunItem, err error) {
		item, err := activeItem(ctx, s, scope, link.ItemID, link.At)
		if err != nil {
			return linked, tables.WithSubject(err, "dataset item", link.ItemID)
		}
		id := domain.ExperimentID(scope.ProjectID(), item.DatasetID, link.RunName)
		at, err := touchRun(ctx, s, id, item.DatasetID, link)
		if err != nil {
			return linked, err
		}
		if link.CreatedAt != nil {
			at = tables.Millis(*link.CreatedAt)
		}
		linked = domain.DatasetRunItem{
			ID: domain.RunItemID(id, link.ItemID), RunID: id, RunName: link.RunName, DatasetItemID: link.ItemID,
			TraceID: link.TraceID, ObservationID: link.ObservationID, CreatedAt: tables.FromMillis(at),
		}
		before, err := tables.Optional(readRunItem(ctx, s, linked))
		if err != nil {
			return linked, err
		}
		if _, err := s.Exec(ctx,
			`INSERT INTO dataset_run_items (run_id, item_id, trace_id, observation_id, created_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (run_id, item_id) DO UPDATE SET trace_id = excluded.trace_id, observation_id = excluded.observation_id,
			created_at = excluded.created_at`, id, link.ItemID, link.TraceID, link.ObservationID, at); err != nil {
			return linked, err
		}
		return linked, s.AuditInProject(ctx, scope, actor, "datasetRunItem", linked.ID, tables.StateIf(before, runItemState),
			tables.StateIf(&linked, runItemState))
	})
}

// readRunItem returns the stored link of the same item in the same run.
func readRunItem(ctx context.Context, s tables.Session, link domain.DatasetRunItem) (domain.DatasetRunItem, error) {
	return tables.QueryOne(ctx, s, func(r tables.Row) (domain.DatasetRunItem, error) {
		err := r.Scan(&link.TraceID, &link.ObservationID)
		return link, err
	}, "SELECT trace_id, observation_id FROM dataset_run_items WHERE run_id = ? AND item_id = ?", link.RunID, link.DatasetItemID)
}

func runItemState(i *domain.DatasetRunItem) map[string]any {
	return map[string]any{
		"runId": i.RunID, "runName": i.RunName, "datasetItemId": i.DatasetItemID, "traceId": i.TraceID, "observationId": i.ObservationID,
	}
}

// activeItem returns the version of an item at a time, or the current one if at is nil, provided that it is active.
func activeItem(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string, at *time.Time) (domain.DatasetItem, error) {
	if tables.Unstorable(id) {
		return domain.DatasetItem{}, domain.ErrNotFound
	}
	where := DatasetItemQuery{At: at}.where(scope)
	return tables.QueryOne(ctx, s, scanItem, selectItem+where.Text+" AND item_id = ?", append(where.Args, id)...)
}

// touchRun creates a run unless it exists, and locks it. It returns the time for a new link, which is later than all
// existing ones.
func touchRun(ctx context.Context, s tables.Session, id, datasetID string, link DatasetRunLink) (at int64, err error) {
	now := tables.Millis(s.Now())
	at, err = tables.QueryOne(ctx, s, tables.ScanValue[int64],
		`INSERT INTO dataset_runs (id, dataset_id, name, last_link, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET last_link = CASE WHEN dataset_runs.last_link < excluded.last_link THEN excluded.last_link
		ELSE dataset_runs.last_link + 1 END RETURNING last_link`, id, datasetID, link.RunName, now, now, now)
	if err != nil {
		return 0, err
	}
	if link.RunDescription != nil {
		if _, err := s.Exec(ctx, "UPDATE dataset_runs SET description = ?, updated_at = ? WHERE id = ? AND description IS NULL",
			link.RunDescription, at, id); err != nil {
			return 0, err
		}
	}
	if link.RunMetadata != nil {
		if _, err := s.Exec(ctx, "UPDATE dataset_runs SET metadata = ?, updated_at = ? WHERE id = ? AND metadata IS NULL",
			string(link.RunMetadata), at, id); err != nil {
			return 0, err
		}
	}
	return at, nil
}

// DeleteDatasetRun deletes a run with its links. The traces are kept; the time of the deletion is recorded so that
// traces that began earlier do not bring the run back.
func (c *Catalog) DeleteDatasetRun(ctx context.Context, scope domain.ProjectScope, run domain.DatasetRun, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if _, err := tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT id FROM datasets WHERE id = ? AND project_id = ?",
			run.DatasetID, scope.ProjectID()); err != nil {
			return tables.WithSubject(err, "dataset", run.DatasetID)
		}
		if _, err := s.Exec(ctx, "DELETE FROM dataset_runs WHERE id = ? AND dataset_id = ?", run.ID, run.DatasetID); err != nil {
			return err
		}
		if _, err := s.Exec(ctx, `INSERT INTO dataset_run_deletions (run_id, dataset_id, at) VALUES (?, ?, ?)
			ON CONFLICT (run_id) DO UPDATE SET at = excluded.at`, run.ID, run.DatasetID, tables.Millis(s.Now())); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, "datasetRun", run.ID, tables.StateOf(map[string]any{
			"name": run.Name, "description": run.Description, "metadata": run.Metadata, "datasetId": run.DatasetID,
		}), nil)
	})
}

// DatasetRunDeletions returns when runs of a dataset were last deleted, by run id.
func (c *Catalog) DatasetRunDeletions(ctx context.Context, scope domain.ProjectScope, d domain.Dataset) (map[string]time.Time, error) {
	return tables.QueryMap(ctx, c.db.Reader(), func(r tables.Row) (run string, at time.Time, err error) {
		err = r.Scan(&run, tables.AsTime(&at))
		return run, at, err
	}, `SELECT x.run_id, x.at FROM dataset_run_deletions x JOIN datasets d ON d.id = x.dataset_id
		WHERE d.project_id = ? AND x.dataset_id = ?`, scope.ProjectID(), d.ID)
}
