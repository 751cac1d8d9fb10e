package respond

import (
	"encoding/base64"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/jsontext"
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

// Encode returns the token with which a client asks for what is behind the position.
func (p ExperimentPosition) Encode() string {
	text := append(make([]byte, 0, 256), `{"v":1,"lastTime":"`...)
	text = time.UnixMicro(int64(p.StartTime)).UTC().AppendFormat(text, cursorTime)
	text = append(text, `","lastTraceId":`...)
	text = jsontext.AppendString(text, p.TraceID)
	text = append(text, `,"lastId":`...)
	text = jsontext.AppendString(text, p.ID)
	text = append(text, `,"lastExperimentId":`...)
	text = jsontext.AppendString(text, p.ExperimentID)
	if p.Until != 0 {
		text = append(text, `,"until":"`...)
		text = time.UnixMilli(p.Until).UTC().AppendFormat(text, cursorTime)
		text = append(text, '"')
	}
	return base64.RawURLEncoding.EncodeToString(append(text, '}'))
}

// DecodeExperimentCursor reads a token, however it is spelled; see DecodeCursor.
func DecodeExperimentCursor(text string) (ExperimentPosition, *Error) {
	var p ExperimentPosition
	members, refused := readVersionedCursor(text)
	if refused != nil {
		return p, refused
	}
	var last, until string
	var issues []decode.Issue
	for _, part := range []struct {
		name string
		text *string
	}{{"lastTime", &last}, {"lastTraceId", &p.TraceID}, {"lastId", &p.ID}, {"lastExperimentId", &p.ExperimentID}, {"until", &until}} {
		value, given := members[part.name]
		if received := jsonType(value); received != "string" && (given || part.text != &until) {
			issues = append(issues, decode.WrongType([]any{"cursor", part.name}, "string", received))
		}
		*part.text = jsonString(value)
	}
	if len(issues) > 0 {
		return p, InvalidData(issues)
	}
	at, ok := parseCursorTime(last)
	if !ok {
		issues = append(issues, decode.Violation([]any{"cursor", "lastTime"}, "Invalid time"))
	}
	p.StartTime = at
	if until != "" {
		if at, ok = parseCursorTime(until); !ok {
			issues = append(issues, decode.Violation([]any{"cursor", "until"}, "Invalid time"))
		}
		p.Until = at.Millis()
	}
	if len(issues) > 0 {
		return p, InvalidData(issues)
	}
	return p, nil
}

func parseCursorTime(text string) (domain.Micros, bool) {
	const longest = 40
	if len(text) > longest {
		return 0, false
	}
	t, err := time.Parse("2006-01-02 15:04:05", text) // with or without a fraction
	return domain.Micros(t.UnixMicro()), err == nil
}
