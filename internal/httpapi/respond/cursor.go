package respond

import (
	"encoding/base64"
	"errors"
	"strconv"
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

// ExperimentPosition is the row at which a page of experiments or of their items ended.
type ExperimentPosition struct {
	ExperimentID string
	StartTime    domain.Micros
	TraceID      string
	ID           string
	// Until is the time of the newest row when paging through experiments began, in milliseconds; 0 for items, whose order
	// does not change.
	Until int64
}

// EncodeCursor returns the cursor with which a client requests the observations after this one.
func EncodeCursor(lastStart domain.Micros, traceID, id string) string {
	text := appendDate(make([]byte, 0, 128), `{"lastStartTimeTo":`, lastStart)
	text = appendText(text, `,"lastTraceId":`, traceID)
	text = appendText(text, `,"lastId":`, id)
	return base64.StdEncoding.EncodeToString(append(text, '}'))
}

// DecodeCursor reads such a cursor.
func DecodeCursor(text string) (Position, *Error) {
	return decodeCursor(text, false, func(c *decode.Object) Position {
		last := c.Field("lastStartTimeTo")
		at := readDatetime(last, decode.WrongType(last.Path(), "date", "Date"))
		return Position{Millis: at, TraceID: c.Field("lastTraceId").Text(), ID: c.Field("lastId").Text()}
	})
}

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

// DecodeTimestampCursor reads such a cursor.
func DecodeTimestampCursor(text string) (Position, *Error) {
	return decodeCursor(text, true, func(c *decode.Object) Position {
		last := c.Field("lastTimestamp")
		return Position{Millis: readDatetime(last, decode.NotADate(last.Path())), ID: c.Field("lastId").Text()}
	})
}

// cursorTime is the layout of times in cursors of experiments, with microseconds.
const cursorTime = "2006-01-02 15:04:05.000000"

// Encode returns the cursor with which a client requests what comes after the position.
func (p ExperimentPosition) Encode() string {
	text := append(make([]byte, 0, 256), `{"v":1,"lastTime":"`...)
	text = time.UnixMicro(int64(p.StartTime)).UTC().AppendFormat(text, cursorTime)
	text = appendText(text, `","lastTraceId":`, p.TraceID)
	text = appendText(text, `,"lastId":`, p.ID)
	text = appendText(text, `,"lastExperimentId":`, p.ExperimentID)
	if p.Until != 0 {
		text = append(text, `,"until":"`...)
		text = time.UnixMilli(p.Until).UTC().AppendFormat(text, cursorTime)
		text = append(text, '"')
	}
	return base64.RawURLEncoding.EncodeToString(append(text, '}'))
}

// DecodeExperimentCursor reads such a cursor.
func DecodeExperimentCursor(text string) (ExperimentPosition, *Error) {
	return decodeCursor(text, true, func(c *decode.Object) ExperimentPosition {
		last := c.Field("lastTime").Text()
		p := ExperimentPosition{
			TraceID: c.Field("lastTraceId").Text(), ID: c.Field("lastId").Text(), ExperimentID: c.Field("lastExperimentId").Text(),
		}
		until := decode.Optional(c.Field("until"), decode.Value.Text)
		if c.Err() != nil {
			return p
		}
		p.StartTime = parseCursorTime(c.Field("lastTime"), last)
		if until != nil && *until != "" {
			p.Until = parseCursorTime(c.Field("until"), *until).Millis()
		}
		return p
	})
}

// standardAlphabet converts URL-safe base64 to the standard alphabet, and a space to the plus sign that a client failed
// to escape.
var standardAlphabet = strings.NewReplacer("-", "+", "_", "/", " ", "+")

// decodeCursor decodes a cursor, a JSON object in either base64 alphabet, with or without padding, and reads its
// members. The error lists those that are missing or invalid if the cursor can be decoded at all. A versioned cursor of
// another version is rejected, since its members may mean something else.
func decodeCursor[P any](text string, versioned bool, read func(*decode.Object) P) (none P, refused *Error) {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(standardAlphabet.Replace(text), "="))
	if err != nil || !jsontext.Valid(string(raw)) || !utf8.Valid(raw) {
		return none, InvalidRequest("Invalid cursor format")
	}
	cursor := decode.NewPart(raw, "cursor").Object()
	if cursor.Err() == nil {
		if version := cursor.Field("v"); versioned && (version.Kind() != "number" || version.Number() != 1) {
			return none, InvalidData([]decode.Issue{decode.NoDiscriminator(version.Path(), "v")})
		}
		if position := read(cursor); cursor.Err() == nil {
			return position, nil
		}
	}
	invalid, _ := errors.AsType[*decode.Invalid](cursor.Err())
	return none, InvalidData(invalid.Issues)
}

// readDatetime reads a time in milliseconds; anything else is the given issue.
func readDatetime(v decode.Value, otherwise decode.Issue) int64 {
	if v.Kind() == "string" {
		if at, ok := decode.ParseDatetime(v.Text()); ok {
			return at.UnixMilli()
		}
	}
	v.Reject(otherwise)
	return 0
}

// parseCursorTime parses a time in a member of a cursor of experiments.
func parseCursorTime(v decode.Value, text string) domain.Micros {
	const longest = 40
	t, err := time.Parse("2006-01-02 15:04:05", text[:min(len(text), longest)]) // with or without a fraction
	if err != nil || len(text) > longest {
		v.Reject(decode.Violation(v.Path(), "Invalid time"))
	}
	return domain.Micros(t.UnixMicro())
}
