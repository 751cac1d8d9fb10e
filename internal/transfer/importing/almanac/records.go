package almanac

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/importing/files"
	"almanac/internal/transfer/importing/langfuse"
)

// optional returns raw, or nil for null.
func optional(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

func (s *Source) addItem(ctx context.Context, f *file, raw []byte, page *importing.Page) error {
	var r wire.Item
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	project, _ := s.Here.Project(f.project)
	dataset, err := s.here.Dataset(ctx, project, r.DatasetName)
	if err != nil {
		return err
	}
	r.DatasetID = cmp.Or(dataset, r.DatasetID)
	page.Records = append(page.Records, r.Domain(r.CreatedAt))
	return nil
}

// datasets returns the datasets that items belong to. Existing datasets stay as they are: files contain only their
// names.
func (s *Source) datasets(ctx context.Context, list []*file) iter.Seq2[*importing.Page, error] {
	return whole(ctx, s, list, func(project string, r *wire.Item) (string, any, error) {
		id, err := s.here.Dataset(ctx, project, r.DatasetName)
		if err != nil || id != "" {
			return "", nil, err
		}
		created := time.Time(r.CreatedAt)
		return r.DatasetID, domain.Dataset{ID: r.DatasetID, Name: r.DatasetName, CreatedAt: created, UpdatedAt: created}, nil
	})
}

// runItemRow is an item of a dataset run.
type runItemRow struct {
	wire.RunItem
	DatasetName string `json:"datasetName"`
}

// told reports whether the item's own spans, which were imported before, say that it belongs to its run. Such an item
// needs no link.
func (s *Source) told(ctx context.Context, project string, r *runItemRow) (bool, error) {
	if r.ObservationID == nil || *r.ObservationID == "" {
		return false, nil
	}
	return s.here.HasItem(ctx, project, r.TraceID, *r.ObservationID, r.DatasetItemID)
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
	page.Records = append(page.Records, r.Domain(run, r.RunName))
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
		created := time.Time(r.Stamps.CreatedAt)
		return id, domain.DatasetRun{ID: id, Name: r.RunName, DatasetID: dataset, CreatedAt: created, UpdatedAt: created}, nil
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
func whole[R any](
	ctx context.Context, s *Source, list []*file, of func(project string, row *R) (id string, record any, err error),
) iter.Seq2[*importing.Page, error] {
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
				var record any
				if err == nil {
					id, record, err = of(project, &r)
				}
				if err != nil {
					yield(nil, fmt.Errorf("%s, %s: %w", f.path, row.Place, err))
					return
				}
				if id == "" {
					continue
				}
				if n, known := at[id]; known {
					page.Records[n] = record
					continue
				}
				at[id] = len(page.Records)
				page.Records = append(page.Records, record)
			}
			if len(page.Records) > 0 && !yield(page, nil) {
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
	page.Records = append(page.Records, domain.AuditEntry{
		ID: r.ID, At: r.CreatedAt.Time(), OrganizationID: organization, ProjectID: project,
		Actor:  domain.Actor{Kind: r.Type, ID: cmp.Or(r.KeyID, r.UserID)},
		Action: r.Action, ResourceKind: r.ResourceType, ResourceID: r.ResourceID, Before: optional(r.Before), After: optional(r.After),
		Origin: domain.Origin{Address: r.Address, Client: r.Client},
	})
	return nil
}
