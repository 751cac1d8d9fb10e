package endpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// ReadPage reads the paging parameters of a numbered list on a route with coded errors.
func ReadPage(c *Call) (decode.Page, error) {
	q := c.Query()
	page := q.Page(DefaultPage)
	return page, invalidQuery(q.Err())
}

// invalidQuery reports issues as errors of the query.
func invalidQuery(err error) error {
	if invalid, ok := errors.AsType[*decode.Invalid](err); ok {
		return respond.InvalidQuery(invalid.Issues)
	}
	return err
}

// ValueOr returns *p, or other if p is nil.
func ValueOr[T any](p *T, other T) T {
	if p == nil {
		return other
	}
	return *p
}

// RejectNUL rejects a string with U+0000, the one character that not all databases can store.
func RejectNUL(v decode.Value, text string) string {
	if strings.ContainsRune(text, 0) {
		v.Reject(decode.Violation(v.Path(), "The text contains the character U+0000"))
	}
	return text
}

// ReadJSON reads any JSON value in the form in which it is stored; nil if it is absent or null.
func ReadJSON(v decode.Value) json.RawMessage {
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

// ReadName reads a name or an id of at least minimum characters.
func ReadName(v decode.Value, minimum int) string {
	name := v.TextLen(minimum, MaxName)
	if len(name) > MaxNameBytes {
		v.Reject(decode.Violation(v.Path(), "The text has more than 2000 bytes in UTF-8"))
	}
	return RejectNUL(v, name)
}

// ReadPlainText reads a string that all databases can store.
func ReadPlainText(v decode.Value) string { return RejectNUL(v, v.Text()) }

// AddIssues adds the issues of an error to those of a query.
func AddIssues(q *decode.Query, refused *respond.Error) {
	if refused != nil {
		for _, issue := range refused.Issues {
			q.Add(issue)
		}
	}
}

// The limits of names and of ids that clients choose. Databases index them by their bytes.
const (
	MaxName      = 1000 // characters
	MaxNameBytes = 2000
)

// HTMLTag matches HTML tags, which names must not contain.
var HTMLTag = regexp.MustCompile(`<[^>]*>`)

// The maximum lengths of ids that clients refer to, in characters.
const (
	MaxObjectID = 1000
	MaxUserID   = 1000
)

// ReadEmail reads an email address and returns it in lower case. Malformed addresses are rejected with message; whether
// mail reaches anybody is not checked.
func ReadEmail(v decode.Value, longest int, message string) string {
	text := domain.NormalEmail(v.TrimmedLen(1, longest))
	if v.Kind() == "string" && !domain.IsEmail(text) {
		v.Reject(decode.Violation(v.Path(), message))
	}
	return text
}

// The limits of a project.
const (
	maxProjectName   = 60
	maxRetentionDays = 36_500
	maxMaxBytes      = 1 << 50
)

// ReadProjectName reads the name of a project of at least shortest characters.
func ReadProjectName(v decode.Value, shortest int) string {
	name := v.TextLen(shortest, maxProjectName)
	if strings.ContainsAny(name, "<>") {
		v.Reject(decode.Violation(v.Path(), "The name must not contain markup (< or >)"))
	}
	return name
}

// ReadRetention reads the number of days for which a project keeps its data.
func ReadRetention(v decode.Value) int {
	days := v.Int()
	if days != 0 && (days < domain.MinRetentionDays || days > maxRetentionDays) {
		v.Reject(decode.Violation(v.Path(), "The retention is a number of days, at least 3 and at most 36500, or 0 to keep data for ever"))
	}
	return days
}

// ReadMaxBytes reads the maximum size of the data that a project keeps.
func ReadMaxBytes(v decode.Value) int64 {
	bytes := int64(v.Int())
	if bytes != 0 && (bytes < domain.MinMaxBytes || bytes > maxMaxBytes) {
		v.Reject(decode.Violation(v.Path(),
			"The maximum is a number of bytes, at least 10000000 and at most 1125899906842624, or 0 for no maximum"))
	}
	return bytes
}
