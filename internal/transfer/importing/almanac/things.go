package almanac

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"almanac/internal/domain"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/importing/files"
	"almanac/internal/transfer/importing/langfuse"
)

// itemRow is a dataset item.
type itemRow struct {
	ID             string             `json:"id"`
	Status         string             `json:"status"`
	Input          json.RawMessage    `json:"input"`
	ExpectedOutput json.RawMessage    `json:"expectedOutput"`
	Metadata       json.RawMessage    `json:"metadata"`
	TraceID        *string            `json:"sourceTraceId"`
	ObservationID  *string            `json:"sourceObservationId"`
	DatasetID      string             `json:"datasetId"`
	CreatedAt      langfuse.Timestamp `json:"createdAt"`
	DatasetName    string             `json:"datasetName"`
}

// optional returns raw, or nil for null.
func optional(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

func (s *Source) addItem(ctx context.Context, f *file, raw []byte, page *importing.Page) error {
	var r itemRow
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	project, _ := s.Here.Project(f.project)
	dataset, err := s.here.Dataset(ctx, project, r.DatasetName)
	if err != nil {
		return err
	}
	page.Things = append(page.Things, domain.DatasetItem{
		ID: r.ID, DatasetID: cmp.Or(dataset, r.DatasetID), Status: cmp.Or(r.Status, domain.ItemActive), Input: optional(r.Input), ExpectedOutput: optional(r.ExpectedOutput),
		Metadata: optional(r.Metadata), SourceTraceID: r.TraceID, SourceObservationID: r.ObservationID, WrittenAt: r.CreatedAt.Time(),
	})
	return nil
}

// datasets returns the datasets that items belong to. Existing datasets stay as they are: files contain only their
// names.
func (s *Source) datasets(ctx context.Context, list []*file) iter.Seq2[*importing.Page, error] {
	return whole(ctx, s, list, func(project string, r *itemRow) (string, any, error) {
		id, err := s.here.Dataset(ctx, project, r.DatasetName)
		if err != nil || id != "" {
			return "", nil, err
		}
		return r.DatasetID, domain.Dataset{ID: r.DatasetID, Name: r.DatasetName, CreatedAt: r.CreatedAt.Time(), UpdatedAt: r.CreatedAt.Time()}, nil
	})
}

// runItemRow is an item of a dataset run.
type runItemRow struct {
	ItemID        string             `json:"datasetItemId"`
	TraceID       string             `json:"traceId"`
	ObservationID *string            `json:"observationId"`
	CreatedAt     langfuse.Timestamp `json:"createdAt"`
	DatasetName   string             `json:"datasetName"`
	RunName       string             `json:"datasetRunName"`
}

// told reports whether the item's own spans, which were imported before, say that it belongs to its run. Such an item
// needs no link.
func (s *Source) told(ctx context.Context, project string, r *runItemRow) (bool, error) {
	if r.ObservationID == nil || *r.ObservationID == "" {
		return false, nil
	}
	return s.here.HasItem(ctx, project, r.TraceID, *r.ObservationID, r.ItemID)
}

func (s *Source) addRunItem(ctx context.Context, f *file, raw []byte, page *importing.Page) error {
	var r runItemRow
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	project, _ := s.Here.Project(f.project)
	dataset, err := s.here.Dataset(ctx, project, r.DatasetName)
	if err != nil {
		return err
	}
	if told, err := s.told(ctx, project, &r); err != nil || told {
		return err
	}
	run := domain.ExperimentID(project, dataset, r.RunName)
	page.Things = append(page.Things, domain.DatasetRunItem{
		ID: domain.RunItemID(run, r.ItemID), RunID: run, RunName: r.RunName, DatasetItemID: r.ItemID, TraceID: r.TraceID,
		ObservationID: r.ObservationID, CreatedAt: r.CreatedAt.Time(),
	})
	return nil
}

// datasetRuns returns the runs that run items belong to. Existing runs stay as they are.
func (s *Source) datasetRuns(ctx context.Context, list []*file) iter.Seq2[*importing.Page, error] {
	return whole(ctx, s, list, func(project string, r *runItemRow) (string, any, error) {
		if told, err := s.told(ctx, project, r); err != nil || told {
			return "", nil, err
		}
		dataset, err := s.here.Dataset(ctx, project, r.DatasetName)
		if err != nil {
			return "", nil, err
		}
		id := domain.ExperimentID(project, dataset, r.RunName)
		here, err := s.here.HasRun(ctx, project, id)
		if err != nil || here {
			return "", nil, err
		}
		return id, domain.DatasetRun{ID: id, Name: r.RunName, DatasetID: dataset, CreatedAt: r.CreatedAt.Time(), UpdatedAt: r.CreatedAt.Time()}, nil
	})
}

// remembered caches successful lookups, since many rows share few datasets and runs.
func remembered[V any](ask func(ctx context.Context, projectID, name string) (V, error)) func(context.Context, string, string) (V, error) {
	answers := make(map[[2]string]V)
	return func(ctx context.Context, projectID, name string) (answer V, err error) {
		answer, known := answers[[2]string{projectID, name}]
		if known {
			return answer, nil
		}
		if answer, err = ask(ctx, projectID, name); err == nil {
			answers[[2]string{projectID, name}] = answer
		}
		return answer, err
	}
}

// whole returns the records that rows of files belong to, one for many rows. A record with an empty id is left out.
// Rows come newest first, so each record is that of its last, oldest row.
func whole[R any](ctx context.Context, s *Source, list []*file, of func(project string, row *R) (id string, thing any, err error)) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		for _, f := range list {
			page := &importing.Page{ProjectID: f.project}
			project, _ := s.Here.Project(f.project)
			at := make(map[string]int)
			for row, err := range files.Read(f.path, f.layout.cell(f.path)) {
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					yield(nil, err)
					return
				}
				var r R
				err = json.Unmarshal(f.layout.pick(row.JSON), &r)
				var id string
				var thing any
				if err == nil {
					id, thing, err = of(project, &r)
				}
				if err != nil {
					yield(nil, fmt.Errorf("%s, %s: %w", f.path, row.Place, err))
					return
				}
				if id == "" {
					continue
				}
				if n, known := at[id]; known {
					page.Things[n] = thing
					continue
				}
				at[id] = len(page.Things)
				page.Things = append(page.Things, thing)
			}
			if len(page.Things) > 0 && !yield(page, nil) {
				return
			}
		}
	}
}

// entryRow is an audit log entry.
type entryRow struct {
	ID           string             `json:"id"`
	CreatedAt    langfuse.Timestamp `json:"createdAt"`
	Type         string             `json:"type"`
	KeyID        string             `json:"apiKeyId"`
	UserID       string             `json:"userId"`
	ResourceType string             `json:"resourceType"`
	ResourceID   string             `json:"resourceId"`
	Action       string             `json:"action"`
	Before       json.RawMessage    `json:"before"`
	After        json.RawMessage    `json:"after"`
	Address      string             `json:"address"`
	Client       string             `json:"client"`
}

// addEntry adds an audit log entry. It is assigned to the project that the files are imported into, whatever its
// original project id was.
func (s *Source) addEntry(_ context.Context, f *file, raw []byte, page *importing.Page) error {
	var r entryRow
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	if r.ID == "" || r.CreatedAt == 0 {
		skip(page, "it has no id or no time", r.ID)
		return nil
	}
	project, organization := s.Here.Project(f.project)
	page.Things = append(page.Things, domain.AuditEntry{
		ID: r.ID, At: r.CreatedAt.Time(), OrganizationID: organization, ProjectID: project, Actor: domain.Actor{Kind: r.Type, ID: cmp.Or(r.KeyID, r.UserID)},
		Action: r.Action, ResourceKind: r.ResourceType, ResourceID: r.ResourceID, Before: optional(r.Before), After: optional(r.After),
		Origin: domain.Origin{Address: r.Address, Client: r.Client},
	})
	return nil
}
