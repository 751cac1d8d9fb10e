package endpoint

import (
	"encoding/base64"
	"strings"

	"almanac/internal/decode"
)

// CursorPage is a page of a list with cursors.
type CursorPage[T any] struct {
	Data []T        `json:"data"`
	Meta CursorMeta `json:"meta"`
}

// CursorMeta leads to the next page.
type CursorMeta struct {
	Cursor string `json:"cursor,omitempty"`
}

const maxCursorLimit = 100

// ReadCursorPage reads the parameters of a list with cursors: the place behind which the page starts, and how long it is.
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

// ValidPlace reports whether a text can be the id of an evaluator or a rule.
func ValidPlace(place string) bool {
	const longest = 64
	return place != "" && len(place) <= longest && strings.Trim(place, "0123456789abcdef-") == ""
}

// CutPage cuts off what is behind a page and returns the cursor that leads there, if there is more.
func CutPage[T any](items []T, limit int, place func(T) string) (page []T, cursor string) {
	if len(items) <= limit {
		return items, ""
	}
	return items[:limit], base64.RawURLEncoding.EncodeToString([]byte(place(items[limit-1])))
}

// NewCursorPage returns a page and the cursor that leads to the next one; "" if there is none.
func NewCursorPage[T any](items []T, next string) CursorPage[T] {
	return CursorPage[T]{Data: items, Meta: CursorMeta{Cursor: next}}
}
