package respond

import (
	"encoding/base64"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// Position is a place in the order of rows: that of the row from which a cursor was made.
type Position struct {
	Millis  int64 // since 1970
	TraceID string
	ID      string
}

// EncodeCursor returns the cursor with which a client requests the observations after this one.
func EncodeCursor(lastStart domain.Micros, traceID, id string) string {
	text := appendDate(make([]byte, 0, 128), `{"lastStartTimeTo":`, lastStart)
	text = appendText(text, `,"lastTraceId":`, traceID)
	text = appendText(text, `,"lastId":`, id)
	return base64.StdEncoding.EncodeToString(append(text, '}'))
}

// standardAlphabet converts URL-safe base64 to the standard alphabet, and a space to the plus sign that a client failed
// to escape.
var standardAlphabet = strings.NewReplacer("-", "+", "_", "/", " ", "+")

// DecodeCursor reads a cursor. It accepts either base64 alphabet, with or without padding. The error lists the members
// that are missing or invalid if the cursor can be decoded at all.
func DecodeCursor(text string) (Position, *Error) {
	cursor, refused := readCursor(text)
	if refused != nil {
		return Position{}, refused
	}
	last := cursor.Field("lastStartTimeTo")
	at, ok := datetimeOf(last)
	if !ok {
		last.Reject(decode.WrongType(last.Path(), "date", "Date"))
	}
	position := Position{Millis: at.UnixMilli(), TraceID: cursor.Field("lastTraceId").Text(), ID: cursor.Field("lastId").Text()}
	if refused := invalidCursor(cursor); refused != nil {
		return Position{}, refused
	}
	return position, nil
}

// readCursor decodes a cursor, which must be a JSON object.
func readCursor(text string) (*decode.Object, *Error) {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(standardAlphabet.Replace(text), "="))
	if err != nil || !jsontext.Valid(string(raw)) || !utf8.Valid(raw) {
		return nil, InvalidRequest("Invalid cursor format")
	}
	cursor := decode.NewPart(raw, "cursor").Object()
	return cursor, invalidCursor(cursor)
}

// invalidCursor returns the issues found in the members read so far, or nil.
func invalidCursor(cursor *decode.Object) *Error {
	if invalid, ok := errors.AsType[*decode.Invalid](cursor.Err()); ok {
		return InvalidData(invalid.Issues)
	}
	return nil
}

// datetimeOf reads a member of a cursor as a time.
func datetimeOf(v decode.Value) (time.Time, bool) {
	if v.Kind() != "string" {
		return time.Time{}, false
	}
	return decode.ParseDatetime(v.Text())
}
