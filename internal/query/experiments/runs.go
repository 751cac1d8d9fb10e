package experiments

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Runs have two sources. Older clients link each item of a dataset with a trace, and these links make up the run; newer
// ones send only spans, which name the experiment, the dataset and the item. Both count as runs here. If both sources
// have an item of a run, the linked one is used.

// MaxRuns is the maximum number of runs of a dataset, or items of a run, that are combined from both sources.
const MaxRuns = 100_000

// Errors for a dataset or a run that exceeds MaxRuns.
var (
	ErrTooManyRuns  = fmt.Errorf("there are more than %d runs of the dataset", MaxRuns)
	ErrTooManyItems = fmt.Errorf("there are more than %d items of the run", MaxRuns)
)

// Runs reads the runs of a dataset.
type Runs struct {
	Catalog *catalog.Catalog
	Rows    store.Table[domain.Observation]
	Scope   domain.ProjectScope
	Dataset domain.Dataset
}

// Run is a run without its description and metadata, which may be long.
type Run struct {
	domain.DatasetRun
	linked bool
	from   domain.Micros // for a run made of spans, the time of its last deletion
}

// runBytes is the memory that a run takes in a list and in a map, in addition to its name.
const runBytes = 800

// List returns all runs of a dataset, newest first.
func (r *Runs) List(ctx context.Context) ([]Run, error) {
	linked, _, err := r.Catalog.DatasetRuns(ctx, r.Scope, r.Dataset, 0, MaxRuns)
	if err != nil {
		return nil, err
	}
	var runs []Run
	known, held := make(map[string]bool), memory.NewTally(ctx)
	for run, err := range linked {
		if err == nil {
			err = held.Add(int64(runBytes + len(run.Name)))
		}
		if err != nil {
			return nil, err
		}
		found := Run{DatasetRun: *run, linked: true}
		found.Description, found.Metadata = nil, nil
		runs = append(runs, found)
		known[run.ID] = true
	}
	ids, err := r.experimentsOn(ctx)
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return known[id] })
	if len(ids) == 0 {
		return runs, nil
	}
	found, err := r.ofSpans(ctx, ids, held)
	if err != nil {
		return nil, err
	}
	runs = append(runs, found...)
	slices.SortFunc(runs, func(x, y Run) int {
		return cmp.Or(y.CreatedAt.Compare(x.CreatedAt), cmp.Compare(x.ID, y.ID))
	})
	return runs, nil
}

// Described returns runs with their long fields, which are read one run at a time.
func (r *Runs) Described(ctx context.Context, runs []Run) iter.Seq2[*domain.DatasetRun, error] {
	return func(yield func(*domain.DatasetRun, error) bool) {
		for n := range runs {
			goOn, described := true, false
			use := func(run *domain.DatasetRun) { goOn, described = yield(run, nil), true }
			err := r.describe(ctx, &runs[n], use)
			if err == nil && !described {
				use(&runs[n].DatasetRun) // it has been deleted since
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !goOn {
				return
			}
		}
	}
}

// describe calls use with a run that has its long fields, if the run still exists.
func (r *Runs) describe(ctx context.Context, run *Run, use func(*domain.DatasetRun)) error {
	if run.linked {
		err := r.Catalog.WithDatasetRun(ctx, r.Scope, run.ID, use)
		if errors.Is(err, domain.ErrNotFound) {
			err = nil
		}
		return err
	}
	page, err := r.experimentsOf(ctx, []string{run.ID}, run.from)
	if err != nil {
		return err
	}
	for e, err := range page.Experiments(ctx) {
		if err != nil {
			return err
		}
		described := runOf(e, r.Dataset)
		if e.Description != "" {
			described.Description = &e.Description
		}
		if e.Metadata != "" {
			// The metadata is in memory twice.
			if err := memory.Of(ctx).Grow(ctx, int64(len(e.Metadata))); err != nil {
				return err
			}
			described.Metadata = json.RawMessage(e.Metadata)
		}
		use(&described)
		memory.Of(ctx).Shrink(int64(len(e.Metadata)))
	}
	return nil
}

// runOf returns an experiment as a run, without its long fields.
func runOf(e *domain.ExperimentSummary, d domain.Dataset) domain.DatasetRun {
	return domain.DatasetRun{
		ID: e.ID, Name: e.Name, DatasetID: d.ID, DatasetName: d.Name, CreatedAt: e.StartTime.Time(), UpdatedAt: e.EndTime.Time(),
	}
}

// experimentsOn returns the ids of the experiments that were made on the dataset, according to their spans.
func (r *Runs) experimentsOn(ctx context.Context) ([]string, error) {
	onDataset, err := filter.NewText(filter.ObservationColumn("experimentDatasetId"), filter.Equal, r.Dataset.ID)
	if err != nil {
		return nil, err
	}
	groups, err := r.Rows.Aggregate(ctx, r.Scope, store.AggregateQuery[domain.Observation]{
		Where:     []filter.Condition[domain.Observation]{onDataset},
		GroupBy:   []*filter.Column[domain.Observation]{filter.ObservationColumn("experimentId")},
		MaxGroups: MaxRuns,
	})
	if errors.Is(err, store.ErrTooLarge) {
		return nil, ErrTooManyRuns
	}
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(groups.Rows))
	for _, g := range groups.Rows {
		if id := g.Keys[0]; id != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// ofSpans returns the experiments with these ids as runs, without those that were deleted and have no rows since.
func (r *Runs) ofSpans(ctx context.Context, ids []string, held *memory.Tally) ([]Run, error) {
	deletions, err := r.Catalog.DatasetRunDeletions(ctx, r.Scope, r.Dataset)
	if err != nil {
		return nil, err
	}
	var runs []Run
	add := func(ids []string, from domain.Micros) error {
		page, err := r.experimentsOf(ctx, ids, from)
		if err != nil {
			return err
		}
		for _, e := range page.Summaries() {
			if err := held.Add(int64(runBytes + len(e.Name))); err != nil {
				return err
			}
			runs = append(runs, Run{DatasetRun: runOf(&e, r.Dataset), from: from})
		}
		return nil
	}
	const atOnce = 100
	// Experiments that were never deleted are read together, the others each from their deletion on.
	never := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, deleted := deletions[id]; return deleted })
	for part := range slices.Chunk(never, atOnce) {
		if err := add(part, 0); err != nil {
			return nil, err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(deletions)) {
		if !slices.Contains(ids, id) {
			continue
		}
		if err := add([]string{id}, domain.MicrosOf(deletions[id])); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// experimentsOf returns the experiments with these ids that have rows from a time on. They must fit on one page.
func (r *Runs) experimentsOf(ctx context.Context, ids []string, from domain.Micros) (*Page, error) {
	ofRuns, err := filter.NewTexts(filter.ObservationColumn("experimentId"), filter.AnyOf, ids)
	if err != nil {
		return nil, err
	}
	return List(ctx, r.Rows, r.Scope, Query{
		From: from, Where: []filter.Condition[domain.Observation]{ofRuns}, Limit: len(ids), Metadata: true,
	})
}

// Find returns the run of the dataset with the given name.
func (r *Runs) Find(ctx context.Context, name string) (domain.DatasetRun, error) {
	run, err := r.Catalog.DatasetRun(ctx, r.Scope, domain.ExperimentID(r.Scope.ProjectID(), r.Dataset.ID, name))
	if !errors.Is(err, domain.ErrNotFound) {
		return run, err
	}
	runs, err := r.List(ctx)
	if err != nil {
		return domain.DatasetRun{}, err
	}
	n := slices.IndexFunc(runs, func(run Run) bool { return run.Name == name })
	if n < 0 {
		return domain.DatasetRun{}, domain.ErrNotFound
	}
	for described, err := range r.Described(ctx, runs[n:n+1]) {
		if err == nil {
			err = memory.Of(ctx).Grow(ctx, heldBytes(described))
		}
		if err != nil {
			return domain.DatasetRun{}, err
		}
		run = *described
	}
	return run, nil
}

// heldBytes returns the memory taken by the long fields of a run.
func heldBytes(run *domain.DatasetRun) int64 {
	bytes := len(run.Metadata)
	if run.Description != nil {
		bytes += len(*run.Description)
	}
	return int64(bytes)
}

// Items returns the items of a run, newest first.
func (r *Runs) Items(ctx context.Context, run domain.DatasetRun) ([]domain.DatasetRunItem, error) {
	const itemBytes = 800 // the memory that an item takes in the list and in the map
	var items []domain.DatasetRunItem
	known, held := make(map[string]bool), memory.NewTally(ctx)
	for item, err := range r.Catalog.DatasetRunItems(ctx, run) {
		if err == nil {
			err = held.Add(itemBytes)
		}
		if err != nil {
			return nil, err
		}
		items = append(items, *item)
		known[item.DatasetItemID] = true
	}
	linked := len(items)
	deletions, err := r.Catalog.DatasetRunDeletions(ctx, r.Scope, r.Dataset)
	if err != nil {
		return nil, err
	}
	ofRun, err := filter.NewText(filter.ObservationColumn("experimentId"), filter.Equal, run.ID)
	if err != nil {
		return nil, err
	}
	query := store.Query[domain.Observation]{Where: append(Items(), ofRun), From: domain.MicrosOf(deletions[run.ID])}
	for row, err := range r.Rows.Scan(ctx, r.Scope, query) {
		if err != nil {
			return nil, err
		}
		if known[row.ExperimentItemID] {
			continue
		}
		if len(items) == MaxRuns {
			return nil, ErrTooManyItems
		}
		if err := held.Add(int64(itemBytes + len(row.ExperimentItemID))); err != nil {
			return nil, err
		}
		id := strings.Clone(row.ExperimentItemID)
		known[id] = true
		items = append(items, domain.DatasetRunItem{
			ID: domain.RunItemID(run.ID, id), RunID: run.ID, RunName: run.Name, DatasetItemID: id,
			TraceID: strings.Clone(row.TraceID), ObservationID: new(strings.Clone(row.ID)), CreatedAt: row.StartTime.Time(),
		})
	}
	if linked > 0 && linked < len(items) {
		slices.SortStableFunc(items, func(x, y domain.DatasetRunItem) int { return y.CreatedAt.Compare(x.CreatedAt) })
	}
	return items, nil
}
