package datasets

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The limits of lists for the web application.
const (
	defaultRows   = 50
	maxRows       = 100
	maxFolders    = 1000
	maxSearch     = 1000 // characters
	maxListCursor = 8 << 10
)

type headBody struct {
	ID                      string       `json:"id"`
	Name                    string       `json:"name"`
	Description             *string      `json:"description"`
	Items                   int          `json:"items"`
	HasInputSchema          bool         `json:"hasInputSchema"`
	HasExpectedOutputSchema bool         `json:"hasExpectedOutputSchema"`
	CreatedAt               respond.Time `json:"createdAt"`
	UpdatedAt               respond.Time `json:"updatedAt"`
}

type folderBody struct {
	Name      string       `json:"name"`
	Datasets  int          `json:"datasets"`
	UpdatedAt respond.Time `json:"updatedAt"`
}

type headsBody struct {
	Folders     []folderBody `json:"folders"`
	MoreFolders bool         `json:"moreFolders"`
	Datasets    []headBody   `json:"datasets"`
	Cursor      *string      `json:"cursor"`
	Total       int          `json:"total"`
}

// headOrder is the order of a list of datasets: by a column, then by name.
type headOrder struct {
	By         string `json:"by"`
	Descending bool   `json:"-"`
}

// headPlace is the dataset at which a page ended.
type headPlace struct {
	Name    string `json:"n"`
	Items   int    `json:"i"`
	Created int64  `json:"c"`
	Updated int64  `json:"u"`
}

func placeOf(h *catalog.DatasetHead) headPlace {
	return headPlace{h.Name, h.Items, h.CreatedAt.UnixMilli(), h.UpdatedAt.UnixMilli()}
}

func (o headOrder) compare(a, b headPlace) int {
	order := 0
	switch o.By {
	case "items":
		order = cmp.Compare(a.Items, b.Items)
	case "createdAt":
		order = cmp.Compare(a.Created, b.Created)
	case "updatedAt":
		order = cmp.Compare(a.Updated, b.Updated)
	}
	if order == 0 {
		order = endpoint.CompareNames(a.Name, b.Name)
	}
	if o.Descending {
		return -order
	}
	return order
}

// readCursor reads what encodeCursor has written.
func readCursor[T any](v decode.Value) *T {
	place := new(T)
	raw, err := base64.RawURLEncoding.DecodeString(v.TextLen(1, maxListCursor))
	if err != nil || json.Unmarshal(raw, place) != nil {
		v.Reject(decode.Violation(v.Path(), "Invalid cursor"))
		return nil
	}
	return place
}

func encodeCursor(place any) (*string, error) {
	raw, err := json.Marshal(place)
	return new(base64.RawURLEncoding.EncodeToString(raw)), err
}

// BrowseDatasets returns a page of datasets, beside the folders of their level.
func (h *Handlers) BrowseDatasets(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	text := func(name string) string {
		return decode.NullishOr(b.Field(name), func(v decode.Value) string { return v.TextLen(0, maxSearch) }, "")
	}
	folder, search := strings.Trim(text("folder"), "/"), strings.TrimSpace(text("search"))
	order := decode.NullishOr(b.Field("sort"), func(v decode.Value) headOrder {
		o := v.Object()
		by := o.Field("by").Enum("name", "items", "createdAt", "updatedAt")
		order := headOrder{by, o.Field("direction").Enum("asc", "desc") == "desc"}
		o.Strict()
		return order
	}, headOrder{})
	limit := decode.NullishOr(b.Field("limit"), func(v decode.Value) int { return v.IntWithin(1, maxRows) }, defaultRows)
	after := decode.NullishOr(b.Field("cursor"), readCursor[headPlace], nil)
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	heads, err := h.Catalog.DatasetHeads(c.Context(), scope, folder, search)
	if err != nil {
		return nil, err
	}
	body := headsBody{Folders: []folderBody{}}
	if search == "" {
		var folders []endpoint.Folder
		heads, folders = endpoint.IntoFolders(heads, folder, func(h *catalog.DatasetHead) (string, time.Time) {
			return h.Name, h.UpdatedAt
		})
		body.Folders = endpoint.Map(folders, func(f endpoint.Folder) folderBody {
			return folderBody{f.Name, f.Things, respond.Time(f.Latest)}
		})
	}
	body.Total = len(heads)
	if after != nil {
		body.Folders = []folderBody{}
	} else if len(body.Folders) > maxFolders {
		body.Folders, body.MoreFolders = body.Folders[:maxFolders], true
	}
	slices.SortFunc(heads, func(a, b catalog.DatasetHead) int { return order.compare(placeOf(&a), placeOf(&b)) })
	if after != nil {
		heads = slices.DeleteFunc(heads, func(h catalog.DatasetHead) bool { return order.compare(placeOf(&h), *after) <= 0 })
	}
	if len(heads) > limit {
		heads = heads[:limit]
		if body.Cursor, err = encodeCursor(placeOf(&heads[limit-1])); err != nil {
			return nil, err
		}
	}
	body.Datasets = endpoint.Map(heads, func(h catalog.DatasetHead) headBody {
		return headBody{
			h.ID, h.Name, h.Description, h.Items, h.HasInputSchema, h.HasExpectedOutSchema, respond.Time(h.CreatedAt),
			respond.Time(h.UpdatedAt),
		}
	})
	return body, nil
}

type itemPreviewBody struct {
	ID                  string       `json:"id"`
	Status              string       `json:"status"`
	Input               *string      `json:"input"`
	ExpectedOutput      *string      `json:"expectedOutput"`
	Metadata            *string      `json:"metadata"`
	SourceTraceID       *string      `json:"sourceTraceId"`
	SourceObservationID *string      `json:"sourceObservationId"`
	UpdatedAt           respond.Time `json:"updatedAt"`
}

// itemCursor is the item at which a page ended.
type itemCursor struct {
	At int64  `json:"at"`
	ID string `json:"id"`
}

// BrowseItems returns a page of the items of a dataset with the beginnings of their values, the most recently written
// first.
func (h *Handlers) BrowseItems(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	q := catalog.ItemsQuery{DatasetID: c.Path("datasetId")}
	q.Search = strings.TrimSpace(decode.NullishOr(b.Field("search"), func(v decode.Value) string { return v.TextLen(0, maxSearch) }, ""))
	q.Status = decode.NullishOr(b.Field("status"), func(v decode.Value) string { return v.Enum(domain.ItemActive, domain.ItemArchived) }, "")
	q.At = decode.Nullish(b.Field("version"), decode.Value.Time)
	limit := decode.NullishOr(b.Field("limit"), func(v decode.Value) int { return v.IntWithin(1, maxRows) }, defaultRows)
	if after := decode.NullishOr(b.Field("cursor"), readCursor[itemCursor], nil); after != nil {
		q.After = &catalog.ItemPlace{At: time.UnixMilli(after.At), ID: after.ID}
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	if _, err := h.datasetByID(c, scope); err != nil {
		return nil, err
	}
	q.Limit = limit + 1
	items, err := h.Catalog.BrowseItems(c.Context(), scope, q)
	if err != nil {
		return nil, err
	}
	var cursor *string
	if len(items) > limit {
		items = items[:limit]
		last := items[limit-1]
		if cursor, err = encodeCursor(itemCursor{last.WrittenAt.UnixMilli(), last.ID}); err != nil {
			return nil, err
		}
	}
	return map[string]any{"cursor": cursor, "items": endpoint.Map(items, func(i catalog.ItemPreview) itemPreviewBody {
		return itemPreviewBody{
			i.ID, i.Status, i.Input, i.ExpectedOutput, i.Metadata, i.SourceTraceID, i.SourceObservationID, respond.Time(i.WrittenAt),
		}
	})}, nil
}
