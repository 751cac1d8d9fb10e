package httpapi

import (
	"encoding/json"
	"strconv"

	"almanac/internal/catalog"
	"almanac/internal/decode"
)

// defaultPage is how many items a numbered page has unless a client asks for another number.
const defaultPage = 50

// catalogPage returns a numbered page as the catalog counts it.
func catalogPage(p decode.Page) catalog.Page { return catalog.Page{Offset: p.Offset(), Limit: p.Limit} }

// pageOf returns the answer with a numbered page of items, each in the form that body gives it.
func pageOf[T, B any](c *Call, page decode.Page, total int, items []T, body func(T) B) (any, error) {
	return numberedList(page, total, bodies(each(items), func(item *T) B { return body(*item) })).answer(c)
}

// pageMeta is what is said about a numbered page.
type pageMeta struct {
	page  decode.Page
	total int
}

// appendTo appends the meta member behind the items of the page.
func (m pageMeta) appendTo(dst []byte, _ bool) []byte {
	dst = strconv.AppendInt(append(dst, `,"meta":{"page":`...), int64(m.page.Number), 10)
	dst = strconv.AppendInt(append(dst, `,"limit":`...), int64(m.page.Limit), 10)
	dst = strconv.AppendInt(append(dst, `,"totalItems":`...), int64(m.total), 10)
	dst = strconv.AppendInt(append(dst, `,"totalPages":`...), int64((m.total+m.page.Limit-1)/m.page.Limit), 10)
	return append(dst, '}')
}

// empty returns a page without items.
func (m pageMeta) empty() json.RawMessage {
	return append(m.appendTo([]byte(`{"data":[]`), false), '}')
}
