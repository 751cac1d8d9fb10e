package catalog

import (
	"context"
	"encoding/json"
	"iter"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const datasetColumns = "id, name, description, metadata, input_schema, expected_output_schema, last_write, active_items, created_at, " +
	"updated_at"

func scanDataset(r tables.Row) (d domain.Dataset, err error) {
	err = r.Scan(&d.ID, &d.Name, &d.Description, tables.AsRaw(&d.Metadata), tables.AsRaw(&d.InputSchema),
		tables.AsRaw(&d.ExpectedOutputSchema),
		tables.AsTime(&d.LastWrite), &d.ActiveItems, tables.AsTime(&d.CreatedAt), tables.AsTime(&d.UpdatedAt))
	return d, err
}

// Dataset returns one of the project's datasets by name.
func (c *Catalog) Dataset(ctx context.Context, scope domain.ProjectScope, name string) (domain.Dataset, error) {
	return readDataset(ctx, c.db.Reader(), scope, "name", name)
}

// DatasetByID returns one of the project's datasets.
func (c *Catalog) DatasetByID(ctx context.Context, scope domain.ProjectScope, id string) (domain.Dataset, error) {
	return readDataset(ctx, c.db.Reader(), scope, "id", id)
}

// readDataset finds a dataset by its id or its name.
func readDataset(ctx context.Context, s tables.Session, scope domain.ProjectScope, column, value string) (domain.Dataset, error) {
	if tables.Unstorable(value) {
		return domain.Dataset{}, tables.WithSubject(domain.ErrNotFound, "dataset", value)
	}
	d, err := tables.QueryOne(ctx, s, scanDataset, "SELECT "+datasetColumns+" FROM datasets WHERE project_id = ? AND "+column+" = ?",
		scope.ProjectID(), value)
	return d, tables.WithSubject(err, "dataset", value)
}

// Datasets returns at most limit datasets of the project after skipping offset, newest first, and the total count.
func (c *Catalog) Datasets(
	ctx context.Context, scope domain.ProjectScope, offset, limit int,
) (iter.Seq2[*domain.Dataset, error], int, error) {
	total, err := tables.QueryOne(ctx, c.db.Reader(), tables.ScanValue[int], "SELECT COUNT(*) FROM datasets WHERE project_id = ?",
		scope.ProjectID())
	if err != nil {
		return nil, 0, err
	}
	return tables.NewestFirst[domain.Dataset]{
		Session: c.db.Reader(), Scan: scanDataset, At: "created_at", ID: "id",
		Query:    tables.SQL("SELECT "+datasetColumns+" FROM datasets WHERE project_id = ?", scope.ProjectID()),
		Position: func(d *domain.Dataset) tables.Position { return tables.Position{At: d.CreatedAt, ID: d.ID} },
	}.Read(ctx, offset, limit), total, nil
}

// SchemaChange changes a schema of a dataset if Given is set. A nil Schema removes it.
type SchemaChange struct {
	Given  bool
	Schema json.RawMessage
}

func (c SchemaChange) apply(before json.RawMessage) json.RawMessage {
	if c.Given {
		return c.Schema
	}
	return before
}

// DatasetChange is the input of PutDataset and ChangeDataset. Nil fields leave values unchanged, and JSON null removes the
// metadata.
type DatasetChange struct {
	// Name identifies the dataset of PutDataset, and is the new name in ChangeDataset; empty keeps the name there.
	Name string
	// IsNew refuses a name that is taken with domain.ErrConflict.
	IsNew                bool
	Description          *string
	Metadata             json.RawMessage
	InputSchema          SchemaChange
	ExpectedOutputSchema SchemaChange
}

// setsSchema reports whether existing items must be checked. Removing a schema needs no check.
func (c DatasetChange) setsSchema() bool {
	return c.InputSchema.Schema != nil || c.ExpectedOutputSchema.Schema != nil
}

// ItemCheck inspects items of a dataset. An error prevents the change and is returned unchanged.
type ItemCheck func(items iter.Seq2[*domain.DatasetItem, error]) error

// PutDataset creates a dataset, or changes the one with the same name. If the change sets a schema, all items of the
// dataset are checked, including archived ones.
func (c *Catalog) PutDataset(
	ctx context.Context, scope domain.ProjectScope, change DatasetChange, check ItemCheck, actor domain.Actor,
) (domain.Dataset, error) {
	// Checking all items takes a while, so it is done before anything is locked. Below, only items written since then
	// are checked.
	checked := tables.FromMillis(0)
	if change.setsSchema() && !change.IsNew {
		d, err := tables.Optional(c.Dataset(ctx, scope, change.Name))
		if err == nil && d != nil {
			err = check(currentItems(ctx, c.db.Reader(), scope, d.ID, checked))
			checked = d.LastWrite
		}
		if err != nil {
			return domain.Dataset{}, err
		}
	}
	return tables.Transact(ctx, c.db, func(s tables.Session) (after domain.Dataset, err error) {
		now := tables.Millis(c.db.Now())
		created, err := s.Exec(ctx, `INSERT INTO datasets (id, project_id, name, last_write, active_items, created_at, updated_at)
			VALUES (?, ?, ?, 0, 0, ?, ?) ON CONFLICT (project_id, name) DO NOTHING`,
			domain.NewID(), scope.ProjectID(), change.Name, now, now)
		if err != nil {
			return after, err
		}
		if change.IsNew && created == 0 {
			return after, tables.WithSubject(domain.ErrConflict, "dataset", change.Name)
		}
		before, err := lockDataset(ctx, s, "UPDATE datasets SET updated_at = ? WHERE project_id = ? AND name = ?",
			now, scope.ProjectID(), change.Name)
		if err != nil {
			return after, tables.WithSubject(err, "dataset", change.Name)
		}
		if change.setsSchema() && before.LastWrite.After(checked) {
			if err := check(currentItems(ctx, s, scope, before.ID, checked)); err != nil {
				return after, err
			}
		}
		var earlier json.RawMessage
		if created == 0 {
			earlier = datasetState(before)
		}
		return storeChange(ctx, s, scope, before, change, earlier, actor)
	})
}

// ChangeDataset changes the dataset with an id. It returns domain.ErrConflict if another one has the new name. The items
// are checked like those of PutDataset.
func (c *Catalog) ChangeDataset(
	ctx context.Context, scope domain.ProjectScope, id string, change DatasetChange, check ItemCheck, actor domain.Actor,
) (domain.Dataset, error) {
	d, err := c.DatasetByID(ctx, scope, id)
	if err != nil {
		return d, err
	}
	if change.setsSchema() {
		if err := check(currentItems(ctx, c.db.Reader(), scope, id, tables.FromMillis(0))); err != nil {
			return d, err
		}
	}
	return tables.Transact(ctx, c.db, func(s tables.Session) (after domain.Dataset, err error) {
		before, err := lockDataset(ctx, s, "UPDATE datasets SET updated_at = ? WHERE project_id = ? AND id = ?",
			tables.Millis(c.db.Now()), scope.ProjectID(), id)
		if err != nil {
			return after, tables.WithSubject(err, "dataset", id)
		}
		if change.setsSchema() && before.LastWrite.After(d.LastWrite) {
			if err := check(currentItems(ctx, s, scope, id, d.LastWrite)); err != nil {
				return after, err
			}
		}
		return storeChange(ctx, s, scope, before, change, datasetState(before), actor)
	})
}

// storeChange stores what a change makes of a locked dataset.
func storeChange(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, before domain.Dataset, change DatasetChange,
	earlier json.RawMessage, actor domain.Actor,
) (domain.Dataset, error) {
	after := before
	if change.Name != "" {
		after.Name = change.Name
	}
	if change.Description != nil {
		after.Description = change.Description
	}
	if change.Metadata != nil {
		after.Metadata = change.Metadata
	}
	if string(after.Metadata) == "null" {
		after.Metadata = nil
	}
	after.InputSchema = change.InputSchema.apply(before.InputSchema)
	after.ExpectedOutputSchema = change.ExpectedOutputSchema.apply(before.ExpectedOutputSchema)
	if _, err := s.Exec(ctx,
		"UPDATE datasets SET name = ?, description = ?, metadata = ?, input_schema = ?, expected_output_schema = ? WHERE id = ?",
		after.Name, after.Description, tables.AsRaw(&after.Metadata), tables.AsRaw(&after.InputSchema),
		tables.AsRaw(&after.ExpectedOutputSchema), after.ID); err != nil {
		return after, tables.NamedConflict(err, "dataset", after.Name)
	}
	return after, s.AuditInProject(ctx, scope, actor, "dataset", after.ID, earlier, datasetState(after))
}

// DeleteDataset deletes a dataset with all versions of its items and the links of its runs. Traces and experiments that
// were recorded with traces stay.
func (c *Catalog) DeleteDataset(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := lockDataset(ctx, s, "UPDATE datasets SET updated_at = updated_at WHERE project_id = ? AND id = ?",
			scope.ProjectID(), id)
		if err != nil {
			return tables.WithSubject(err, "dataset", id)
		}
		for _, table := range []string{"media_of_dataset_items", "dataset_item_versions"} {
			if _, err := s.Exec(ctx, "DELETE FROM "+table+" WHERE project_id = ? AND dataset_id = ?", scope.ProjectID(), id); err != nil {
				return err
			}
		}
		if _, err := s.Exec(ctx, "DELETE FROM datasets WHERE project_id = ? AND id = ?", scope.ProjectID(), id); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, "dataset", id, datasetState(before), nil)
	})
}

func datasetState(d domain.Dataset) json.RawMessage {
	return tables.StateOf(map[string]any{
		"name": d.Name, "description": d.Description, "metadata": d.Metadata,
		"inputSchema": d.InputSchema, "expectedOutputSchema": d.ExpectedOutputSchema,
	})
}

// lockDataset runs an update of one dataset, which locks its row, and returns the updated dataset. Nobody else can
// change it or its items until the transaction ends.
func lockDataset(ctx context.Context, s tables.Session, update string, args ...any) (domain.Dataset, error) {
	return tables.QueryOne(ctx, s, scanDataset, update+" RETURNING "+datasetColumns, args...)
}
