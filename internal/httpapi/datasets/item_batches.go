package datasets

import (
	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
)

// maxChosenItems is the maximum number of items that are changed at once.
const maxChosenItems = 1000

func readItemIDs(v decode.Value) (writes []catalog.ItemWrite) {
	for _, each := range v.ArrayLen(1, maxChosenItems) {
		writes = append(writes, catalog.ItemWrite{Change: catalog.DatasetItemChange{ID: each.TextLen(1, maxItemID)}})
	}
	return writes
}

// SetItemsStatus archives items of a dataset, or restores archived ones.
func (h *Handlers) SetItemsStatus(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	writes := readItemIDs(b.Field("ids"))
	status := b.Field("status").Enum(domain.ItemActive, domain.ItemArchived)
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	return h.changeItems(c, scope, writes, status)
}

// DeleteItems deletes items of a dataset. Their versions stay readable.
func (h *Handlers) DeleteItems(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	writes := readItemIDs(b.Field("ids"))
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	return h.changeItems(c, scope, writes, catalog.ItemDeleted)
}

// changeItems gives items a status. Items that are not in the dataset, or were deleted, are counted as missing.
func (h *Handlers) changeItems(
	c *endpoint.Call, scope domain.ProjectScope, writes []catalog.ItemWrite, status string,
) (any, error) {
	for n := range writes {
		writes[n].Change.Status = status
	}
	valid := func(domain.Dataset) (func(*domain.DatasetItem) string, error) {
		return func(*domain.DatasetItem) string { return "" }, nil // the values stay as they are
	}
	outcomes, err := h.Catalog.PutDatasetItems(c.Context(), scope, c.Path("datasetId"), writes, valid, false, c.Actor())
	if err != nil {
		return nil, batchError(err)
	}
	counts := make(map[catalog.ItemOutcome]int)
	for _, outcome := range outcomes {
		counts[outcome.Outcome]++
	}
	return map[string]int{
		"changed": counts[catalog.ItemChanged], "unchanged": counts[catalog.ItemUnchanged], "missing": counts[catalog.ItemRefused],
	}, nil
}
