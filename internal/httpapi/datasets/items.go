package datasets

import (
	"errors"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// MaxItemBody is the maximum body size of a dataset item.
const MaxItemBody = 9 << 19 // 4.5 MB

type itemBody struct {
	wire.Item
	MediaReferences []mediaReference `json:"mediaReferences"`
}

// ListItems returns a numbered page of items, most recently written first, as of now or of a given time.
func (h *Handlers) ListItems(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	name := q.String("datasetName")
	query := catalog.DatasetItemQuery{
		SourceTraceID: q.String("sourceTraceId"), SourceObservationID: q.String("sourceObservationId"), At: q.NonEmptyDate("version"),
	}
	page := q.Page(endpoint.DefaultPage)
	named := name != nil && *name != ""
	if query.At != nil && !named {
		q.Add(decode.Violation([]any{"datasetName"}, "datasetName is required when version parameter is provided"))
	}
	if err := q.Err(); err != nil {
		return nil, err
	}
	if named {
		d, err := h.findDataset(c, scope, *name)
		if err != nil {
			return nil, err
		}
		query.DatasetID = d.ID
	}
	items, total, err := h.Catalog.DatasetItems(c.Context(), scope, query, page.Offset(), page.Limit)
	if err != nil {
		return nil, err
	}
	return endpoint.Numbered(page, total, h.itemBodies(c, scope, items)).Answer(c)
}

// GetItem serves GET /api/public/dataset-items/{id}.
func (h *Handlers) GetItem(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	item, err := h.Catalog.DatasetItem(c.Context(), scope, c.Path("id"))
	if err != nil {
		return nil, endpoint.NotFoundAs(err, "Dataset item not found")
	}
	return h.itemBody(c, scope, &item)
}

// DeleteItem serves DELETE /api/public/dataset-items/{id}.
func (h *Handlers) DeleteItem(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	id := c.Path("id")
	err := h.Catalog.DeleteDatasetItem(c.Context(), scope, id, c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, "Dataset item with id "+id+" not found for project "+scope.ProjectID()),
		respond.Message{Message: "Dataset item successfully deleted"})
}

// PutItem creates an item, or merges the given members into the one with this id.
func (h *Handlers) PutItem(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	dataset, change, err := readItem(c.Body())
	if err != nil {
		return nil, err
	}
	if change.Media, err = h.mediaOf(c, scope, change); err != nil {
		return nil, err
	}
	var body itemBody
	check := catalog.WriteCheck{
		Valid: func(d domain.Dataset, item domain.DatasetItem) error {
			if change.ID == "" && item.Input == nil {
				return refusedItem("Dataset item input cannot be null")
			}
			schemas, err := compileSchemas(d.InputSchema, d.ExpectedOutputSchema)
			if err != nil {
				return err
			}
			return schemas.check(&item)
		},
		Answer: func(item domain.DatasetItem, stored catalog.MediaReader) (err error) {
			body, err = h.itemBodyWith(c, scope, &item, stored)
			return err
		},
	}
	_, err = h.Catalog.PutDatasetItem(c.Context(), scope, dataset, change, check, c.Actor())
	elsewhere := new(catalog.ItemElsewhereError)
	switch {
	case errors.As(err, &elsewhere):
		return nil,
			respond.Conflict("Dataset item id " + elsewhere.ItemID + " already exists in another dataset (id " + elsewhere.DatasetID +
				") in this project; item ids are unique per project across datasets. Use a different id or target dataset " +
				elsewhere.DatasetID + ".")
	case errors.Is(err, domain.ErrConflict):
		return nil, respond.Conflict("Dataset item " + change.ID + " was modified concurrently. Please retry the request.")
	case errors.Is(err, domain.ErrNotFound):
		return nil, respond.NotFound("Dataset " + dataset + " not found for project " + scope.ProjectID())
	case err != nil:
		return nil, asUnknownMedia(err)
	}
	return body, nil
}

// maxItemID is the maximum length of an item's id, in characters.
const maxItemID = 255

func readItem(body decode.Value) (dataset string, change catalog.DatasetItemChange, err error) {
	b := body.Object()
	dataset = b.Field("datasetName").Text()
	change.Input = readItemValue(b.Field("input"))
	change.ExpectedOutput = readItemValue(b.Field("expectedOutput"))
	change.Metadata = readItemValue(b.Field("metadata"))
	readID := func(v decode.Value) string { return endpoint.ReadName(v, 0) }
	change.SourceTraceID = decode.Nullish(b.Field("sourceTraceId"), readID)
	change.SourceObservationID = decode.Nullish(b.Field("sourceObservationId"), readID)
	decode.Set(&change.ID, decode.Nullish(b.Field("id"), func(v decode.Value) string {
		return endpoint.RejectNUL(v, v.TextLen(1, maxItemID))
	}))
	status := decode.Nullish(b.Field("status"), func(v decode.Value) string { return v.Enum(domain.ItemActive, domain.ItemArchived) })
	decode.Set(&change.Status, status)
	return dataset, change, b.Err()
}
