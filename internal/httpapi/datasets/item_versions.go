package datasets

import (
	"time"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// versionsPage is the number of versions in a page of the history of an item or of a dataset.
const versionsPage = 100

type versionBody struct {
	At     respond.Time `json:"at"`
	Status string       `json:"status"`
}

// ListItemVersions returns a page of the versions of an item, the newest first. A deletion is a version, too.
func (h *Handlers) ListItemVersions(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	before, err := readBefore(c)
	if err != nil {
		return nil, err
	}
	versions, err := h.Catalog.DatasetItemVersions(c.Context(), scope, c.Path("datasetId"), c.Path("itemId"), before, versionsPage+1)
	if err != nil {
		return nil, err
	}
	if len(versions) == 0 && before.IsZero() {
		return nil, respond.NotFound("Dataset item not found")
	}
	hasMore := len(versions) > versionsPage
	if hasMore {
		versions = versions[:versionsPage]
	}
	return map[string]any{"hasMore": hasMore, "versions": endpoint.Map(versions, func(v catalog.ItemVersion) versionBody {
		return versionBody{respond.Time(v.At), v.Status}
	})}, nil
}

func readBefore(c *endpoint.Call) (before time.Time, err error) {
	q := c.Query()
	decode.Set(&before, q.NonEmptyDate("before"))
	return before, q.Err()
}

type datasetVersionBody struct {
	At       respond.Time `json:"at"`
	Items    int          `json:"items"`
	Archived int          `json:"archived"`
	Deleted  int          `json:"deleted"`
}

// ListDatasetVersions returns a page of the versions of a dataset, the newest first.
func (h *Handlers) ListDatasetVersions(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	before, err := readBefore(c)
	if err != nil {
		return nil, err
	}
	d, err := h.datasetByID(c, scope)
	if err != nil {
		return nil, err
	}
	versions, err := h.Catalog.DatasetVersions(c.Context(), scope, d.ID, before, versionsPage+1)
	if err != nil {
		return nil, err
	}
	hasMore := len(versions) > versionsPage
	if hasMore {
		versions = versions[:versionsPage]
	}
	return map[string]any{"hasMore": hasMore, "versions": endpoint.Map(versions, func(v catalog.DatasetVersion) datasetVersionBody {
		return datasetVersionBody{respond.Time(v.At), v.Items, v.Archived, v.Deleted}
	})}, nil
}
