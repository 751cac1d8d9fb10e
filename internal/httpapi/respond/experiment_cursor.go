package respond

import (
	"encoding/base64"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

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

// cursorTime is the layout of times in a cursor, with microseconds.
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

// DecodeExperimentCursor reads a cursor, as leniently about its base64 as DecodeCursor.
func DecodeExperimentCursor(text string) (ExperimentPosition, *Error) {
	cursor, refused := readVersionedCursor(text)
	if refused != nil {
		return ExperimentPosition{}, refused
	}
	last := cursor.Field("lastTime").Text()
	p := ExperimentPosition{
		TraceID: cursor.Field("lastTraceId").Text(), ID: cursor.Field("lastId").Text(), ExperimentID: cursor.Field("lastExperimentId").Text(),
	}
	until := decode.Optional(cursor.Field("until"), decode.Value.Text)
	if refused := invalidCursor(cursor); refused != nil {
		return ExperimentPosition{}, refused
	}
	p.StartTime = parseCursorTime(cursor.Field("lastTime"), last)
	if until != nil && *until != "" {
		p.Until = parseCursorTime(cursor.Field("until"), *until).Millis()
	}
	return p, invalidCursor(cursor)
}

// parseCursorTime parses a time in a member of a cursor.
func parseCursorTime(v decode.Value, text string) domain.Micros {
	const longest = 40
	t, err := time.Parse("2006-01-02 15:04:05", text[:min(len(text), longest)]) // with or without a fraction
	if err != nil || len(text) > longest {
		v.Reject(decode.Violation(v.Path(), "Invalid time"))
	}
	return domain.Micros(t.UnixMicro())
}
