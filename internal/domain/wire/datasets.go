package wire

import (
	"cmp"
	"encoding/json"
	"time"

	"almanac/internal/domain"
)

// Dataset is a dataset.
type Dataset struct {
	domain.Dataset
	ProjectID string `json:"projectId"`
	Stamps
}

// FromDataset converts a dataset of a project.
func FromDataset(d *domain.Dataset, project string) Dataset {
	return Dataset{*d, project, stamps(d.CreatedAt, d.UpdatedAt)}
}

// Domain returns the dataset.
func (d *Dataset) Domain() domain.Dataset {
	dataset := d.Dataset
	compact(&dataset.Metadata, &dataset.InputSchema, &dataset.ExpectedOutputSchema)
	dataset.CreatedAt, dataset.UpdatedAt = d.times()
	return dataset
}

// Item is an item of a dataset.
type Item struct {
	domain.DatasetItem
	// Both are the time when this version was written: every write creates a new version.
	Stamps
}

// FromItem converts an item.
func FromItem(i *domain.DatasetItem) Item { return Item{*i, stamps(i.WrittenAt, i.WrittenAt)} }

// Domain returns the version of the item that was written at a time.
func (i *Item) Domain(written Time) domain.DatasetItem {
	item := i.DatasetItem
	compact(&item.Input, &item.ExpectedOutput, &item.Metadata)
	item.Status, item.WrittenAt, item.DatasetName = cmp.Or(i.Status, domain.ItemActive), time.Time(written), ""
	return item
}

// Run is a run of a dataset.
type Run struct {
	domain.DatasetRun
	Stamps
	DatasetName string `json:"datasetName"`
}

// FromRun converts a run.
func FromRun(r *domain.DatasetRun) Run {
	run := Run{*r, stamps(r.CreatedAt, r.UpdatedAt), r.DatasetName}
	if run.Metadata == nil {
		run.Metadata = json.RawMessage("{}")
	}
	return run
}

// IDIn returns the id that the run has in a project.
func (r *Run) IDIn(project string) string { return domain.ExperimentID(project, r.DatasetID, r.Name) }

// Domain returns the run as it is in a project.
func (r *Run) Domain(project string) domain.DatasetRun {
	run := r.DatasetRun
	compact(&run.Metadata)
	run.ID = r.IDIn(project)
	run.CreatedAt, run.UpdatedAt = r.times()
	return run
}

// RunItem is an item of a run.
type RunItem struct {
	domain.DatasetRunItem
	Stamps
}

// FromRunItem converts an item of a run.
func FromRunItem(i *domain.DatasetRunItem) RunItem {
	return RunItem{*i, stamps(i.CreatedAt, i.CreatedAt)}
}

// Domain returns the item of a run.
func (i *RunItem) Domain(run, name string) domain.DatasetRunItem {
	item := i.DatasetRunItem
	item.ID, item.RunID, item.RunName = domain.RunItemID(run, i.DatasetItemID), run, name
	item.CreatedAt, _ = i.times()
	return item
}

// compact makes JSON compact, and nil if it is null.
func compact(values ...*json.RawMessage) {
	for _, raw := range values {
		*raw = OptionalRaw(*raw)
	}
}
