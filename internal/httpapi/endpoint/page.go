package endpoint

import (
	"encoding/json"
	"strconv"

	"almanac/internal/catalog/tables"
	"almanac/internal/decode"
)

// DefaultPage is the default number of items on a page.
const DefaultPage = 50

// CatalogPage converts a numbered page to the offset and limit of the catalog.
func CatalogPage(p decode.Page) tables.Page { return tables.Page{Offset: p.Offset(), Limit: p.Limit} }

// PageOf returns the response with a numbered page of items, each converted by body.
func PageOf[T, B any](c *Call, page decode.Page, total int, items []T, body func(T) B) (any, error) {
	return Numbered(page, total, Bodies(Each(items), func(item *T) B { return body(*item) })).Answer(c)
}

// PageMeta is the meta member of a numbered page.
type PageMeta struct {
	Page  decode.Page
	Total int
}

// AppendTo appends the meta member after the items of the page.
func (m PageMeta) AppendTo(dst []byte, _ bool) []byte {
	dst = strconv.AppendInt(append(dst, `,"meta":{"page":`...), int64(m.Page.Number), 10)
	dst = strconv.AppendInt(append(dst, `,"limit":`...), int64(m.Page.Limit), 10)
	dst = strconv.AppendInt(append(dst, `,"totalItems":`...), int64(m.Total), 10)
	dst = strconv.AppendInt(append(dst, `,"totalPages":`...), int64((m.Total+m.Page.Limit-1)/m.Page.Limit), 10)
	return append(dst, '}')
}

// Empty returns a page without items.
func (m PageMeta) Empty() json.RawMessage {
	return append(m.AppendTo([]byte(`{"data":[]`), false), '}')
}
