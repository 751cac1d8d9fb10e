package httpapi

import (
	"iter"

	"almanac/internal/domain"
	"almanac/internal/httpapi/datasets"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// datasetsSuccessor replaces the operations here.
const datasetsSuccessor = "/api/public/v2/datasets"

// datasetBodyV1 is a dataset with the ids of its items and the names of its runs.
type datasetBodyV1 struct {
	datasets.DatasetBody
	Items []string `json:"items"`
	Runs  []string `json:"runs"`
}

// putDatasetV1 creates or changes a dataset. Its answer names no items or runs, whether there are any or not.
func (a *API) putDatasetV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, err := a.datasets.StoreDataset(c, scope)
	if err != nil {
		return nil, err
	}
	return datasetBodyV1{datasets.NewDatasetBody(&d, scope.ProjectID()), []string{}, []string{}}, nil
}

// maxListedItems is how many items the datasets of one page may have together.
const maxListedItems = 500_000

// listDatasetsV1 returns a numbered page of datasets, newest first, with the ids of their items.
func (a *API) listDatasetsV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	datasets, total, err := a.Catalog.Datasets(c.Context(), scope, page.Offset(), page.Limit)
	if err != nil {
		return nil, err
	}
	items := 0
	for d, err := range datasets {
		if err != nil {
			return nil, err
		}
		items += d.ActiveItems
	}
	if items > maxListedItems {
		return nil, endpoint.TooMany("dataset items", maxListedItems, "Use GET "+datasetsSuccessor+" instead.")
	}
	return endpoint.Numbered(page, total, endpoint.Bodies(a.withNames(c, scope, datasets), func(d *datasetBodyV1) *datasetBodyV1 { return d })).Answer(c)
}

// withNames adds the ids of their items and the names of their runs to datasets.
func (a *API) withNames(c *endpoint.Call, scope domain.ProjectScope, datasets iter.Seq2[*domain.Dataset, error]) iter.Seq2[*datasetBodyV1, error] {
	return func(yield func(*datasetBodyV1, error) bool) {
		for d, err := range datasets {
			var body *datasetBodyV1
			if err == nil {
				body, err = a.withNamesOf(c, scope, d)
			}
			if !yield(body, err) || err != nil {
				return
			}
		}
	}
}

func (a *API) withNamesOf(c *endpoint.Call, scope domain.ProjectScope, d *domain.Dataset) (*datasetBodyV1, error) {
	body := &datasetBodyV1{DatasetBody: datasets.NewDatasetBody(d, scope.ProjectID()), Items: []string{}}
	for id, err := range a.Catalog.DatasetItemIDs(c.Context(), scope, *d) {
		if err != nil {
			return nil, err
		}
		body.Items = append(body.Items, *id)
	}
	var err error
	body.Runs, err = a.runNames(c, scope, *d)
	return body, err
}

// runNames returns the names of the runs of a dataset, newest first; never nil.
func (a *API) runNames(c *endpoint.Call, scope domain.ProjectScope, d domain.Dataset) ([]string, error) {
	runs, err := a.runs(scope, d).List(c.Context())
	names := make([]string, len(runs))
	for n := range runs {
		names[n] = runs[n].Name
	}
	return names, err
}

// getDatasetV1 returns a dataset with its items and the names of its runs.
func (a *API) getDatasetV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, err := a.datasets.FindDataset(c, scope, c.Path("datasetName"))
	if err != nil {
		return nil, err
	}
	names, err := a.runNames(c, scope, d)
	if err != nil {
		return nil, err
	}
	runs, err := respond.Marshal(names)
	if err != nil {
		return nil, err
	}
	head, err := endpoint.OpenBody(datasets.NewDatasetBody(&d, scope.ProjectID()), "items")
	if err != nil {
		return nil, err
	}
	items := a.datasets.ItemBodies(c, scope, a.Catalog.AllDatasetItems(c.Context(), scope, d))
	return endpoint.Whole(items, func(dst []byte) []byte {
		return append(append(dst, `,"runs":`...), runs...)
	}).AnswerWith(c, head)
}
