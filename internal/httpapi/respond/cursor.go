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

// Position is a place in the order of observations: that of the row which a cursor was taken from.
type Position struct {
	Millis  int64 // since 1970
	TraceID string
	ID      string
}

// EncodeCursor returns the token with which a client asks for the rows after this one.
func EncodeCursor(lastStart domain.Micros, traceID, id string) string {
	text := appendDate(make([]byte, 0, 128), `{"lastStartTimeTo":`, lastStart)
	text = appendText(text, `,"lastTraceId":`, traceID)
	text = appendText(text, `,"lastId":`, id)
	return base64.StdEncoding.EncodeToString(append(text, '}'))
}

// standardAlphabet turns the other alphabet of base64 into the standard one, and a blank into the plus sign that it was
// before a client forgot to escape it.
var standardAlphabet = strings.NewReplacer("-", "+", "_", "/", " ", "+")

// DecodeCursor reads a token. Clients may have changed its spelling: other base64 alphabets and missing padding do not
// matter. What is no token is refused as such, and one that lacks something with a list of what that is.
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

// readCursor returns the members of a token, which is an object.
func readCursor(text string) (*decode.Object, *Error) {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(standardAlphabet.Replace(text), "="))
	if err != nil || !jsontext.Valid(string(raw)) || !utf8.Valid(raw) {
		return nil, InvalidRequest("Invalid cursor format")
	}
	cursor := decode.NewPart(raw, "cursor").Object()
	return cursor, invalidCursor(cursor)
}

// invalidCursor returns what is wrong with the members that were read of a token, nil if that is nothing.
func invalidCursor(cursor *decode.Object) *Error {
	if invalid, ok := errors.AsType[*decode.Invalid](cursor.Err()); ok {
		return InvalidData(invalid.Issues)
	}
	return nil
}

// datetimeOf returns the time that a member of a token says.
func datetimeOf(v decode.Value) (time.Time, bool) {
	if v.Kind() != "string" {
		return time.Time{}, false
	}
	return decode.ParseDatetime(v.Text())
}
