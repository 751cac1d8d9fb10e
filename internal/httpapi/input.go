package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/httpapi/respond"
)

// readPage reads the parameters of a numbered list of a route with coded errors.
func readPage(c *Call) (decode.Page, error) {
	q := c.Query()
	page := q.Page(defaultPage)
	return page, invalidQuery(q.Err())
}

// invalidQuery says of issues that they are about the query.
func invalidQuery(err error) error {
	if invalid, ok := errors.AsType[*decode.Invalid](err); ok {
		return respond.InvalidQuery(invalid.Issues)
	}
	return err
}

// itemsUpTo returns the items of an array that may have so many of them, and none of a longer one.
func itemsUpTo(v decode.Value, maximum int) []decode.Value {
	if v.Len() > maximum {
		v.Reject(decode.TooLong(v.Path(), "array", maximum))
		return nil
	}
	return v.Array()
}

// rejectNoChange rejects a change that changes nothing.
func rejectNoChange(body decode.Value, none bool) {
	if none && body.Kind() == "object" && body.Err() == nil {
		body.Reject(decode.Violation(nil, "At least one field must be provided"))
	}
}

// set changes a value unless there is no new one.
func set[T any](value, change *T) {
	if change != nil {
		*value = *change
	}
}

// valueOr returns what a pointer points to, or the other value if it is nil.
func valueOr[T any](p *T, other T) T {
	if p == nil {
		return other
	}
	return *p
}

// rejectPresent rejects a member that a data type does not have.
func rejectPresent(v decode.Value) {
	if kind := v.Kind(); kind != "undefined" {
		v.Reject(decode.WrongType(v.Path(), "undefined", kind))
	}
}

// rejectUnlessNull is rejectPresent for members that may be null.
func rejectUnlessNull(v decode.Value) {
	if v.Kind() != "null" {
		rejectPresent(v)
	}
}

// refuseZero refuses the one character that not all databases can keep.
func refuseZero(v decode.Value, text string) string {
	if strings.ContainsRune(text, 0) {
		v.Reject(decode.Violation(v.Path(), "The text contains the character U+0000"))
	}
	return text
}

// readJSON reads any JSON value as it is kept: nil if it is absent or null.
func readJSON(v decode.Value) json.RawMessage {
	if kind := v.Kind(); kind == "null" || kind == "undefined" {
		return nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, bytes.ToValidUTF8(v.Raw(), []byte("\uFFFD"))); err != nil {
		v.Reject(decode.Violation(v.Path(), "The value is not valid JSON"))
		return nil
	}
	return compact.Bytes()
}

// readName reads a name or an id of at least minimum characters.
func readName(v decode.Value, minimum int) string {
	name := v.TextLen(minimum, maxName)
	if len(name) > maxNameBytes {
		v.Reject(decode.Violation(v.Path(), "The text has more than 2000 bytes in UTF-8"))
	}
	return refuseZero(v, name)
}

func readPlainText(v decode.Value) string { return refuseZero(v, v.Text()) }

// addIssues adds the issues of an error to those of the other parameters.
func addIssues(q *decode.Query, refused *respond.Error) {
	if refused != nil {
		for _, issue := range refused.Issues {
			q.Add(issue)
		}
	}
}

func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// The limits of names and of ids that clients choose. Databases index them by their bytes.
const (
	maxName      = 1000 // characters
	maxNameBytes = 2000
)

var htmlTag = regexp.MustCompile(`<[^>]*>`)

// The longest ids of what clients refer to, in characters.
const (
	maxObjectID = 1000
	maxUserID   = 1000
)
