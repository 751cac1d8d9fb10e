package endpoint

import (
	"encoding/base64"
	"strings"

	"almanac/internal/decode"
)

// CursorPage is a page of a cursor-paginated list.
type CursorPage[T any] struct {
	Data []T        `json:"data"`
	Meta CursorMeta `json:"meta"`
}

// CursorMeta holds the cursor of the next page; it is empty on the last page.
type CursorMeta struct {
	Cursor string `json:"cursor,omitempty"`
}

const maxCursorLimit = 100

// ReadCursorPage reads the parameters of a cursor-paginated list: the place after which the page starts, and its
// length.
func ReadCursorPage(c *Call, valid func(place string) bool) (place string, limit int, err error) {
	q := c.Query()
	limit = q.Int("limit", decode.IntRule{Default: DefaultPage, Min: 1, Max: maxCursorLimit})
	if cursor := q.String("cursor"); cursor != nil && *cursor != "" {
		raw, err := base64.RawURLEncoding.DecodeString(*cursor)
		if place = string(raw); err != nil || !valid(place) {
			q.Add(decode.Violation([]any{"cursor"}, "Invalid cursor"))
		}
	}
	return place, limit, invalidQuery(q.Err())
}

// ValidPlace reports whether a string can be the id of an evaluator or a rule.
func ValidPlace(place string) bool {
	const longest = 64
	return place != "" && len(place) <= longest && strings.Trim(place, "0123456789abcdef-") == ""
}

// NewCursorPage returns a page of the first limit items, each converted by body, with the cursor of the next page if
// there are more items.
func NewCursorPage[T, B any](items []T, limit int, place func(T) string, body func(T) B) CursorPage[B] {
	var next CursorMeta
	if len(items) > limit {
		items = items[:limit]
		next.Cursor = base64.RawURLEncoding.EncodeToString([]byte(place(items[limit-1])))
	}
	return CursorPage[B]{Map(items, body), next}
}
