package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/experiments"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// Runs have two sources. Older clients link each item of a dataset with a trace, which makes the run; newer ones send
// nothing but spans, which name the experiment, the dataset and the item. Both are runs here, and the item of a run that
// both sources know is the linked one.

// maxRuns is how many runs of a dataset, or items of a run, are put together from both sources.
const maxRuns = 100_000

// runsOf returns all runs of a dataset, newest first.
func (a *API) runsOf(ctx context.Context, scope domain.ProjectScope, d domain.Dataset) ([]domain.DatasetRun, error) {
	linked, _, err := a.Catalog.DatasetRuns(ctx, scope, d, 0, maxRuns)
	if err != nil {
		return nil, err
	}
	var runs []domain.DatasetRun
	known := make(map[string]bool)
	for run, err := range linked {
		if err != nil {
			return nil, err
		}
		runs = append(runs, *run)
		known[run.ID] = true
	}
	ids, err := a.experimentsOn(ctx, scope, d)
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return known[id] })
	if len(ids) == 0 {
		return runs, nil
	}
	found, err := a.runsOfSpans(ctx, scope, d, ids)
	if err != nil {
		return nil, err
	}
	runs = append(runs, found...)
	slices.SortFunc(runs, func(x, y domain.DatasetRun) int {
		return cmp.Or(y.CreatedAt.Compare(x.CreatedAt), cmp.Compare(x.ID, y.ID))
	})
	return runs, nil
}

// experimentsOn returns the ids of the experiments that spans say were made on a dataset.
func (a *API) experimentsOn(ctx context.Context, scope domain.ProjectScope, d domain.Dataset) ([]string, error) {
	onDataset, err := filter.NewText(observationColumn("experimentDatasetId"), filter.Equal, d.ID)
	if err != nil {
		return nil, err
	}
	groups, err := a.Store.Observations().Aggregate(ctx, scope, store.AggregateQuery[domain.Observation]{
		Where: []filter.Condition[domain.Observation]{onDataset}, GroupBy: []*filter.Column[domain.Observation]{observationColumn("experimentId")},
		MaxGroups: maxRuns,
	})
	if errors.Is(err, store.ErrTooLarge) {
		return nil, tooMany("dataset runs", maxRuns, "Use GET "+runsSuccessor+" instead.")
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

// runsOfSpans returns the experiments of these ids as runs, without those that were deleted and did not go on since.
func (a *API) runsOfSpans(ctx context.Context, scope domain.ProjectScope, d domain.Dataset, ids []string) ([]domain.DatasetRun, error) {
	deletions, err := a.Catalog.DatasetRunDeletions(ctx, scope, d)
	if err != nil {
		return nil, err
	}
	var runs []domain.DatasetRun
	// Those that were never deleted are read together, the others each from its deletion on.
	never := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, deleted := deletions[id]; return deleted })
	for part := range slices.Chunk(never, maxExperiments) {
		if runs, err = a.appendRuns(ctx, scope, d, runs, part, 0); err != nil {
			return nil, err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(deletions)) {
		if !slices.Contains(ids, id) {
			continue
		}
		if runs, err = a.appendRuns(ctx, scope, d, runs, []string{id}, domain.MicrosOf(deletions[id])); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// appendRuns appends the experiments of these ids, of which there are not more than on a page, that began after a time.
func (a *API) appendRuns(
	ctx context.Context, scope domain.ProjectScope, d domain.Dataset, runs []domain.DatasetRun, ids []string, from domain.Micros,
) ([]domain.DatasetRun, error) {
	ofRuns, err := filter.NewTexts(observationColumn("experimentId"), filter.AnyOf, ids)
	if err != nil {
		return nil, err
	}
	page, err := experiments.List(ctx, a.Store.Observations(), scope, experiments.Query{
		From: from, Where: []filter.Condition[domain.Observation]{ofRuns}, Limit: len(ids), Metadata: true,
	})
	if err != nil {
		return nil, err
	}
	for e, err := range page.Experiments(ctx) {
		if err != nil {
			return nil, err
		}
		run := domain.DatasetRun{
			ID: strings.Clone(e.ID), Name: strings.Clone(e.Name), DatasetID: d.ID, DatasetName: d.Name,
			CreatedAt: e.StartTime.Time(), UpdatedAt: e.EndTime.Time(),
		}
		if e.Description != "" {
			run.Description = new(strings.Clone(e.Description))
		}
		if e.Metadata != "" {
			run.Metadata = json.RawMessage(strings.Clone(e.Metadata))
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// findRunOf returns the run of a dataset that has a name.
func (a *API) findRunOf(ctx context.Context, scope domain.ProjectScope, d domain.Dataset, name string) (domain.DatasetRun, error) {
	run, err := a.Catalog.DatasetRun(ctx, scope, domain.ExperimentID(scope.ProjectID(), d.ID, name))
	if !errors.Is(err, domain.ErrNotFound) {
		return run, err
	}
	runs, err := a.runsOf(ctx, scope, d)
	if err != nil {
		return domain.DatasetRun{}, err
	}
	if n := slices.IndexFunc(runs, func(r domain.DatasetRun) bool { return r.Name == name }); n >= 0 {
		return runs[n], nil
	}
	return domain.DatasetRun{}, domain.ErrNotFound
}

// runItemsOf returns the items of a run, newest first.
func (a *API) runItemsOf(ctx context.Context, scope domain.ProjectScope, d domain.Dataset, run domain.DatasetRun) ([]domain.DatasetRunItem, error) {
	var items []domain.DatasetRunItem
	known := make(map[string]bool)
	for item, err := range a.Catalog.DatasetRunItems(ctx, run) {
		if err != nil {
			return nil, err
		}
		items = append(items, *item)
		known[item.DatasetItemID] = true
	}
	linked := len(items)
	deletions, err := a.Catalog.DatasetRunDeletions(ctx, scope, d)
	if err != nil {
		return nil, err
	}
	ofRun, err := filter.NewText(observationColumn("experimentId"), filter.Equal, run.ID)
	if err != nil {
		return nil, err
	}
	query := store.Query[domain.Observation]{Where: append(experiments.Items(), ofRun), From: domain.MicrosOf(deletions[run.ID])}
	for row, err := range a.Store.Observations().Scan(ctx, scope, query) {
		if err != nil {
			return nil, err
		}
		if known[row.ExperimentItemID] {
			continue
		}
		if len(items) == maxRuns {
			return nil, tooMany("items of a dataset run", maxRuns, "Use GET "+runItemsSuccessor+" instead.")
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

// each returns a list as a sequence.
func each[T any](list []T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for n := range list {
			if !yield(&list[n], nil) {
				return
			}
		}
	}
}

// cut returns the part of a list that is on a page.
func cut[T any](list []T, offset, limit int) []T {
	from := min(offset, len(list))
	return list[from:min(from+limit, len(list))]
}
