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
	"almanac/internal/memory"
	"almanac/internal/store"
)

// Runs have two sources. Older clients link each item of a dataset with a trace, which makes the run; newer ones send
// nothing but spans, which name the experiment, the dataset and the item. Both are runs here, and the item of a run that
// both sources know is the linked one.

// maxRuns is how many runs of a dataset, or items of a run, are put together from both sources.
const maxRuns = 100_000

// foundRun is a run without its description and its metadata, which may be long.
type foundRun struct {
	domain.DatasetRun
	linked bool
	from   domain.Micros // of a run that spans make: when it was deleted before
}

// runBytes is what a found run takes in a list and in a map, beside its name.
const runBytes = 800

// runsOf returns all runs of a dataset, newest first.
func (a *API) runsOf(ctx context.Context, scope domain.ProjectScope, d domain.Dataset) ([]foundRun, error) {
	linked, _, err := a.Catalog.DatasetRuns(ctx, scope, d, 0, maxRuns)
	if err != nil {
		return nil, err
	}
	var runs []foundRun
	known, held := make(map[string]bool), memory.NewTally(ctx)
	for run, err := range linked {
		if err == nil {
			err = held.Add(int64(runBytes + len(run.Name)))
		}
		if err != nil {
			return nil, err
		}
		found := foundRun{DatasetRun: *run, linked: true}
		found.Description, found.Metadata = nil, nil
		runs = append(runs, found)
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
	found, err := a.runsOfSpans(ctx, scope, d, ids, held)
	if err != nil {
		return nil, err
	}
	runs = append(runs, found...)
	slices.SortFunc(runs, func(x, y foundRun) int {
		return cmp.Or(y.CreatedAt.Compare(x.CreatedAt), cmp.Compare(x.ID, y.ID))
	})
	return runs, nil
}

// describedRuns returns runs with their long texts, which are read one by one.
func (a *API) describedRuns(ctx context.Context, scope domain.ProjectScope, d domain.Dataset, runs []foundRun) iter.Seq2[*domain.DatasetRun, error] {
	return func(yield func(*domain.DatasetRun, error) bool) {
		for n := range runs {
			goOn, described := true, false
			use := func(run *domain.DatasetRun) { goOn, described = yield(run, nil), true }
			err := a.describeRun(ctx, scope, d, &runs[n], use)
			if err == nil && !described {
				use(&runs[n].DatasetRun) // it was deleted meanwhile
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

// describeRun calls a function with a run that has its long texts, if it is still there.
func (a *API) describeRun(ctx context.Context, scope domain.ProjectScope, d domain.Dataset, run *foundRun, use func(*domain.DatasetRun)) error {
	if run.linked {
		err := a.Catalog.WithDatasetRun(ctx, scope, run.ID, use)
		if errors.Is(err, domain.ErrNotFound) {
			err = nil
		}
		return err
	}
	page, err := a.experimentsOf(ctx, scope, []string{run.ID}, run.from)
	if err != nil {
		return err
	}
	for e, err := range page.Experiments(ctx) {
		if err != nil {
			return err
		}
		described := runOf(e, d)
		if e.Description != "" {
			described.Description = &e.Description
		}
		if e.Metadata != "" {
			// It is there twice.
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

// runOf returns an experiment as a run, without its long texts.
func runOf(e *domain.ExperimentSummary, d domain.Dataset) domain.DatasetRun {
	return domain.DatasetRun{
		ID: e.ID, Name: e.Name, DatasetID: d.ID, DatasetName: d.Name, CreatedAt: e.StartTime.Time(), UpdatedAt: e.EndTime.Time(),
	}
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
func (a *API) runsOfSpans(
	ctx context.Context, scope domain.ProjectScope, d domain.Dataset, ids []string, held *memory.Tally,
) ([]foundRun, error) {
	deletions, err := a.Catalog.DatasetRunDeletions(ctx, scope, d)
	if err != nil {
		return nil, err
	}
	var runs []foundRun
	add := func(ids []string, from domain.Micros) error {
		page, err := a.experimentsOf(ctx, scope, ids, from)
		if err != nil {
			return err
		}
		for _, e := range page.Summaries() {
			if err := held.Add(int64(runBytes + len(e.Name))); err != nil {
				return err
			}
			runs = append(runs, foundRun{DatasetRun: runOf(&e, d), from: from})
		}
		return nil
	}
	// Those that were never deleted are read together, the others each from its deletion on.
	never := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, deleted := deletions[id]; return deleted })
	for part := range slices.Chunk(never, maxExperiments) {
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

// experimentsOf returns the experiments of these ids, of which there are not more than on a page, that began after a time.
func (a *API) experimentsOf(ctx context.Context, scope domain.ProjectScope, ids []string, from domain.Micros) (*experiments.Page, error) {
	ofRuns, err := filter.NewTexts(observationColumn("experimentId"), filter.AnyOf, ids)
	if err != nil {
		return nil, err
	}
	return experiments.List(ctx, a.Store.Observations(), scope, experiments.Query{
		From: from, Where: []filter.Condition[domain.Observation]{ofRuns}, Limit: len(ids), Metadata: true,
	})
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
	n := slices.IndexFunc(runs, func(r foundRun) bool { return r.Name == name })
	if n < 0 {
		return domain.DatasetRun{}, domain.ErrNotFound
	}
	for described, err := range a.describedRuns(ctx, scope, d, runs[n:n+1]) {
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

// heldBytes returns how much memory the long texts of a run take.
func heldBytes(run *domain.DatasetRun) int64 {
	bytes := len(run.Metadata)
	if run.Description != nil {
		bytes += len(*run.Description)
	}
	return int64(bytes)
}

// runItemsOf returns the items of a run, newest first.
func (a *API) runItemsOf(ctx context.Context, scope domain.ProjectScope, d domain.Dataset, run domain.DatasetRun) ([]domain.DatasetRunItem, error) {
	const itemBytes = 800 // what one takes in the list and in the map
	var items []domain.DatasetRunItem
	known, held := make(map[string]bool), memory.NewTally(ctx)
	for item, err := range a.Catalog.DatasetRunItems(ctx, run) {
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
