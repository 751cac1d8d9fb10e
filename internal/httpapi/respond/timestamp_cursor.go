package respond

import (
	"encoding/base64"
	"strconv"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// EncodeTimestampCursor returns the cursor with which a client requests what comes after a score or an audit log entry.
func EncodeTimestampCursor(at domain.Micros, id string) string {
	text := appendDate(make([]byte, 0, 128), `{"v":1,"lastTimestamp":`, at)
	text = appendText(text, `,"lastId":`, id)
	return base64.RawURLEncoding.EncodeToString(append(text, '}'))
}

// AppendCursorMeta appends the meta member of a page: its limit and, if there are more rows, the cursor of its last
// row.
func AppendCursorMeta(dst []byte, limit int, more bool, at domain.Micros, id string) []byte {
	dst = strconv.AppendInt(append(dst, `,"meta":{"limit":`...), int64(limit), 10)
	if more {
		dst = append(dst, `,"cursor":"`...)
		dst = append(dst, EncodeTimestampCursor(at, id)...)
		dst = append(dst, '"')
	}
	return append(dst, '}')
}

// DecodeTimestampCursor reads such a cursor. Like DecodeCursor it is lenient about base64 and strict about members. A
// cursor of another version is rejected, since its members may mean something else.
func DecodeTimestampCursor(text string) (Position, *Error) {
	cursor, refused := readVersionedCursor(text)
	if refused != nil {
		return Position{}, refused
	}
	last := cursor.Field("lastTimestamp")
	at, ok := datetimeOf(last)
	if !ok {
		last.Reject(decode.NotADate(last.Path()))
	}
	position := Position{Millis: at.UnixMilli(), ID: cursor.Field("lastId").Text()}
	if refused := invalidCursor(cursor); refused != nil {
		return Position{}, refused
	}
	return position, nil
}

// readVersionedCursor decodes a cursor and checks its version.
func readVersionedCursor(text string) (*decode.Object, *Error) {
	cursor, refused := readCursor(text)
	if refused != nil {
		return nil, refused
	}
	if version := cursor.Field("v"); version.Kind() != "number" || version.Number() != 1 {
		return nil, InvalidData([]decode.Issue{decode.NoDiscriminator(version.Path(), "v")})
	}
	return cursor, nil
}
