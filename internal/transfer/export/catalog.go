package export

import (
	"context"
	"errors"
	"iter"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/query/experiments"
)

// everything is a limit above the size of any list.
const everything = 1 << 40

// plain returns the string, or "" for nil.
func plain(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Catalog records are few and small enough to be read page by page, newest first.

func itemFields() []field[domain.DatasetItem] {
	type row = domain.DatasetItem
	return []field[row]{
		text("id", func(i *row) string { return i.ID }),
		text("status", func(i *row) string { return i.Status }),
		rawJSON("input", func(i *row) string { return string(i.Input) }),
		rawJSON("expectedOutput", func(i *row) string { return string(i.ExpectedOutput) }),
		rawJSON("metadata", func(i *row) string { return string(i.Metadata) }),
		text("sourceTraceId", func(i *row) string { return plain(i.SourceTraceID) }),
		text("sourceObservationId", func(i *row) string { return plain(i.SourceObservationID) }),
		text("datasetId", func(i *row) string { return i.DatasetID }),
		moment("createdAt", func(i *row) domain.Micros { return domain.MicrosOf(i.WrittenAt) }),
		moment("updatedAt", func(i *row) domain.Micros { return domain.MicrosOf(i.WrittenAt) }),
		text("datasetName", func(i *row) string { return i.DatasetName }),
	}
}

// datasets calls each with the named dataset, or with all datasets if name is empty.
func (r *Reader) datasets(ctx context.Context, name string, each func(domain.Dataset) error) error {
	if name != "" {
		d, err := r.Catalog.Dataset(ctx, r.Scope, name)
		if errors.Is(err, domain.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return each(d)
	}
	all, _, err := r.Catalog.Datasets(ctx, r.Scope, 0, everything)
	if err != nil {
		return err
	}
	for d, err := range all {
		if err != nil {
			return err
		}
		if err := each(*d); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) datasetItems(ctx context.Context, q *Request) (*Table, error) {
	total := new(int64)
	if err := r.datasets(ctx, q.DatasetName, func(d domain.Dataset) error {
		count, err := r.Catalog.CountCurrentDatasetItems(ctx, r.Scope, d.ID)
		*total += count
		return err
	}); err != nil {
		return nil, err
	}
	return tableOf(itemFields(), total, func(ctx context.Context, emit func(*domain.DatasetItem) error) error {
		return r.datasets(ctx, q.DatasetName, func(d domain.Dataset) error {
			return each(r.Catalog.CurrentDatasetItems(ctx, r.Scope, d.ID), emit)
		})
	}), nil
}

// runItem is a run item with the name of its dataset.
type runItem struct {
	*domain.DatasetRunItem
	projectID, datasetName string
}

func runItemFields() []field[runItem] {
	return []field[runItem]{
		text("id", func(i *runItem) string { return i.ID }),
		text("projectId", func(i *runItem) string { return i.projectID }),
		text("datasetItemId", func(i *runItem) string { return i.DatasetItemID }),
		text("traceId", func(i *runItem) string { return i.TraceID }),
		text("observationId", func(i *runItem) string { return plain(i.ObservationID) }),
		moment("createdAt", func(i *runItem) domain.Micros { return domain.MicrosOf(i.CreatedAt) }),
		moment("updatedAt", func(i *runItem) domain.Micros { return domain.MicrosOf(i.CreatedAt) }),
		text("datasetName", func(i *runItem) string { return i.datasetName }),
		text("datasetRunId", func(i *runItem) string { return i.RunID }),
		text("datasetRunName", func(i *runItem) string { return i.RunName }),
	}
}

// datasetRunItems returns the items of all runs, whether clients linked them with traces or sent spans that name them.
func (r *Reader) datasetRunItems(_ context.Context, q *Request) (*Table, error) {
	return tableOf(runItemFields(), nil, func(ctx context.Context, emit func(*runItem) error) error {
		return r.datasets(ctx, q.DatasetName, func(d domain.Dataset) error {
			of := &experiments.Runs{Catalog: r.Catalog, Rows: r.Store.Observations(), Scope: r.Scope, Dataset: d}
			runs, err := of.List(ctx)
			if err != nil {
				return err
			}
			lease := memory.Of(ctx)
			for n := range runs {
				held := lease.Held()
				items, err := of.Items(ctx, runs[n].DatasetRun)
				if err != nil {
					return err
				}
				for i := range items {
					if err := emit(&runItem{&items[i], r.Scope.ProjectID(), d.Name}); err != nil {
						return err
					}
				}
				lease.Shrink(lease.Held() - held)
			}
			return nil
		})
	}), nil
}

func auditFields() []field[domain.AuditEntry] {
	type row = domain.AuditEntry
	ofKind := func(kind string) func(*row) string {
		return func(e *row) string {
			if e.Actor.Kind != kind {
				return ""
			}
			return e.Actor.ID
		}
	}
	at := func(e *row) domain.Micros { return domain.MicrosOf(e.At) }
	return []field[row]{
		text("id", func(e *row) string { return e.ID }),
		moment("createdAt", at),
		moment("updatedAt", at),
		text("type", func(e *row) string { return e.Actor.Kind }),
		text("apiKeyId", ofKind("api-key")),
		text("userId", ofKind("user")),
		text("orgId", func(e *row) string { return e.OrganizationID }),
		text("projectId", func(e *row) string { return e.ProjectID }),
		text("resourceType", func(e *row) string { return e.ResourceKind }),
		text("resourceId", func(e *row) string { return e.ResourceID }),
		text("action", func(e *row) string { return e.Action }),
		rawJSON("before", func(e *row) string { return string(e.Before) }),
		rawJSON("after", func(e *row) string { return string(e.After) }),
		text("userName", func(e *row) string { return e.ActorName }),
		text("address", func(e *row) string { return e.Origin.Address }),
		text("client", func(e *row) string { return e.Origin.Client }),
	}
}

// auditLogs returns the audit log entries of the project.
func (r *Reader) auditLogs(ctx context.Context, q *Request) (*Table, error) {
	project, err := r.Catalog.Project(ctx, r.Scope)
	if err != nil {
		return nil, err
	}
	f := catalog.AuditFilter{ProjectID: project.ID, From: q.From.Time(), To: q.To.Time()}
	return tableOf(auditFields(), nil, func(ctx context.Context, emit func(*domain.AuditEntry) error) error {
		return each(r.Catalog.AuditLogOfInstance(ctx, project.OrganizationID, f), emit)
	}), nil
}

// tableOf returns a table of records that are emitted one by one.
func tableOf[R any](fields []field[R], total *int64, things func(ctx context.Context, emit func(*R) error) error) *Table {
	return &Table{Columns: columnsOf(fields), Total: total, rows: func(ctx context.Context, emit func([]Value) error) error {
		row := make([]Value, len(fields))
		return things(ctx, func(thing *R) error {
			fill(fields, thing, row)
			return emit(row)
		})
	}}
}

// each calls f with each record.
func each[R any](things iter.Seq2[*R, error], f func(*R) error) error {
	for thing, err := range things {
		if err != nil {
			return err
		}
		if err := f(thing); err != nil {
			return err
		}
	}
	return nil
}
