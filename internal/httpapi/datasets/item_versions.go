package datasets

import (
	"time"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// versionsPage is the number of versions in a page of the history of an item.
const versionsPage = 100

type versionBody struct {
	At     respond.Time `json:"at"`
	Status string       `json:"status"`
}

// ListItemVersions returns a page of the versions of an item, the newest first. A deletion is a version, too.
func (h *Handlers) ListItemVersions(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	cursor := q.NonEmptyDate("before")
	if err := q.Err(); err != nil {
		return nil, err
	}
	before := time.Time{}
	decode.Set(&before, cursor)
	versions, err := h.Catalog.DatasetItemVersions(c.Context(), scope, c.Path("datasetId"), c.Path("itemId"), before, versionsPage+1)
	if err != nil {
		return nil, err
	}
	if len(versions) == 0 && cursor == nil {
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
