package respond

import (
	"encoding/base64"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// ExperimentPosition is where a page of experiments or of their items ended: at a row.
type ExperimentPosition struct {
	ExperimentID string
	StartTime    domain.Micros
	TraceID      string
	ID           string
	// Until is the millisecond of the newest row when a walk through experiments began; 0 for items, which stay where they are.
	Until int64
}

// cursorTime is how a cursor writes times: to the microsecond.
const cursorTime = "2006-01-02 15:04:05.000000"

// Encode returns the token with which a client asks for what comes after the position.
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

// DecodeExperimentCursor reads a token, however it is spelled; see DecodeCursor.
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

// parseCursorTime reads the time that a member of a token says.
func parseCursorTime(v decode.Value, text string) domain.Micros {
	const longest = 40
	t, err := time.Parse("2006-01-02 15:04:05", text[:min(len(text), longest)]) // with or without a fraction
	if err != nil || len(text) > longest {
		v.Reject(decode.Violation(v.Path(), "Invalid time"))
	}
	return domain.Micros(t.UnixMicro())
}
