package datasets

import (
	"iter"

	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// DatasetsSuccessor is the path that replaces the routes in this file.
const DatasetsSuccessor = "/api/public/v2/datasets"

// datasetBodyV1 is a dataset with the ids of its items and the names of its runs.
type datasetBodyV1 struct {
	wire.Dataset
	Items []string `json:"items"`
	Runs  []string `json:"runs"`
}

// PutDatasetV1 creates or updates a dataset. Its response never lists items or runs.
func (h *Handlers) PutDatasetV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, err := h.storeDataset(c, scope)
	if err != nil {
		return nil, err
	}
	return datasetBodyV1{wire.FromDataset(&d, scope.ProjectID()), []string{}, []string{}}, nil
}

// maxListedItems is the maximum total number of items in the datasets of one page.
const maxListedItems = 500_000

// ListDatasetsV1 returns a numbered page of datasets, newest first, with the ids of their items and the names of their
// runs.
func (h *Handlers) ListDatasetsV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	datasets, total, err := h.Catalog.Datasets(c.Context(), scope, page.Offset(), page.Limit)
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
		return nil, endpoint.TooMany("dataset items", maxListedItems, "Use GET "+DatasetsSuccessor+" instead.")
	}
	return endpoint.Numbered(page, total,
		endpoint.Bodies(h.withNames(c, scope, datasets), func(d *datasetBodyV1) *datasetBodyV1 { return d })).Answer(c)
}

// withNames adds item ids and run names to datasets.
func (h *Handlers) withNames(
	c *endpoint.Call, scope domain.ProjectScope, datasets iter.Seq2[*domain.Dataset, error],
) iter.Seq2[*datasetBodyV1, error] {
	return func(yield func(*datasetBodyV1, error) bool) {
		for d, err := range datasets {
			var body *datasetBodyV1
			if err == nil {
				body, err = h.withNamesOf(c, scope, d)
			}
			if !yield(body, err) || err != nil {
				return
			}
		}
	}
}

func (h *Handlers) withNamesOf(c *endpoint.Call, scope domain.ProjectScope, d *domain.Dataset) (*datasetBodyV1, error) {
	body := &datasetBodyV1{Dataset: wire.FromDataset(d, scope.ProjectID()), Items: []string{}}
	for item, err := range h.Catalog.DatasetItemIDs(c.Context(), scope, *d) {
		if err != nil {
			return nil, err
		}
		body.Items = append(body.Items, item.ID)
	}
	var err error
	body.Runs, err = h.runNames(c, scope, *d)
	return body, err
}

// runNames returns the names of the runs of a dataset, newest first; never nil.
func (h *Handlers) runNames(c *endpoint.Call, scope domain.ProjectScope, d domain.Dataset) ([]string, error) {
	runs, err := h.runs(scope, d).List(c.Context())
	names := make([]string, len(runs))
	for n := range runs {
		names[n] = runs[n].Name
	}
	return names, err
}

// GetDatasetV1 returns a dataset with its items and the names of its runs.
func (h *Handlers) GetDatasetV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, err := h.findDataset(c, scope, c.Path("datasetName"))
	if err != nil {
		return nil, err
	}
	names, err := h.runNames(c, scope, d)
	if err != nil {
		return nil, err
	}
	runs, err := respond.Marshal(names)
	if err != nil {
		return nil, err
	}
	head, err := endpoint.OpenBody(wire.FromDataset(&d, scope.ProjectID()), "items")
	if err != nil {
		return nil, err
	}
	items := h.itemBodies(c, scope, h.Catalog.AllDatasetItems(c.Context(), scope, d))
	return endpoint.Whole(items, func(dst []byte) []byte {
		return append(append(dst, `,"runs":`...), runs...)
	}).AnswerWith(c, head)
}
