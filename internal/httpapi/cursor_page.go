package httpapi

import (
	"encoding/base64"
	"strings"

	"almanac/internal/decode"
)

// cursorPage is a page of a list with cursors.
type cursorPage[T any] struct {
	Data []T        `json:"data"`
	Meta cursorMeta `json:"meta"`
}

type cursorMeta struct {
	Cursor string `json:"cursor,omitempty"`
}

const maxCursorLimit = 100

// readCursorPage reads the parameters of a list with cursors: the place behind which the page starts, and how long it is.
func readCursorPage(c *Call, valid func(place string) bool) (place string, limit int, err error) {
	q := c.Query()
	limit = q.Int("limit", decode.IntRule{Default: defaultPage, Min: 1, Max: maxCursorLimit})
	if cursor := q.String("cursor"); cursor != nil && *cursor != "" {
		raw, err := base64.RawURLEncoding.DecodeString(*cursor)
		if place = string(raw); err != nil || !valid(place) {
			q.Add(decode.Violation([]any{"cursor"}, "Invalid cursor"))
		}
	}
	return place, limit, invalidQuery(q.Err())
}

// validPlace says whether a text can be the id of an evaluator or a rule.
func validPlace(place string) bool {
	const longest = 64
	return place != "" && len(place) <= longest && strings.Trim(place, "0123456789abcdef-") == ""
}

// cutPage cuts off what is behind a page and returns the cursor that leads there, if there is more.
func cutPage[T any](items []T, limit int, place func(T) string) (page []T, cursor string) {
	if len(items) <= limit {
		return items, ""
	}
	return items[:limit], base64.RawURLEncoding.EncodeToString([]byte(place(items[limit-1])))
}
