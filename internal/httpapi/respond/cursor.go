package respond

import (
	"encoding/base64"
	"encoding/json"
	"strings"
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

// EncodeCursor returns the token with which a client asks for the rows behind this one.
func EncodeCursor(lastStart domain.Micros, traceID, id string) string {
	text := append(make([]byte, 0, 128), `{"lastStartTimeTo":`...)
	text = appendDate(text, lastStart)
	text = append(text, `,"lastTraceId":`...)
	text = jsontext.AppendString(text, traceID)
	text = append(text, `,"lastId":`...)
	text = jsontext.AppendString(text, id)
	return base64.StdEncoding.EncodeToString(append(text, '}'))
}

// standardAlphabet turns the other alphabet of base64 into the standard one, and a blank into the plus sign that it was
// before a client forgot to escape it.
var standardAlphabet = strings.NewReplacer("-", "+", "_", "/", " ", "+")

// DecodeCursor reads a token. Clients may have changed its spelling: other base64 alphabets and missing padding do not
// matter. What is no token is refused as such, and one that lacks something with a list of what that is.
func DecodeCursor(text string) (Position, *Error) {
	members, refused := readCursor(text)
	if refused != nil {
		return Position{}, refused
	}
	var position Position
	var issues []decode.Issue
	at, ok := decode.ParseDatetime(jsonString(members["lastStartTimeTo"]))
	if !ok {
		issues = append(issues, decode.WrongType([]any{"cursor", "lastStartTimeTo"}, "date", "Date"))
	}
	position.Millis = at.UnixMilli()
	for _, part := range []struct {
		name string
		text *string
	}{{"lastTraceId", &position.TraceID}, {"lastId", &position.ID}} {
		value := members[part.name]
		if received := jsonType(value); received != "string" {
			issues = append(issues, decode.WrongType([]any{"cursor", part.name}, "string", received))
		}
		*part.text = jsonString(value)
	}
	if len(issues) > 0 {
		return Position{}, InvalidData(issues)
	}
	return position, nil
}

// readCursor returns the members of a token, which is an object.
func readCursor(text string) (map[string]json.RawMessage, *Error) {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(standardAlphabet.Replace(text), "="))
	if err != nil || !json.Valid(raw) || !utf8.Valid(raw) {
		return nil, InvalidRequest("Invalid cursor format")
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return nil, InvalidData([]decode.Issue{decode.WrongType([]any{"cursor"}, "object", jsonType(raw))})
	}
	return members, nil
}

// jsonString returns what a JSON string stands for; nothing for anything else.
func jsonString(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// jsonType returns the type of a JSON value as issues call it.
func jsonType(value json.RawMessage) string {
	if i := jsontext.SkipSpace(string(value), 0); i < len(value) {
		switch value[i] {
		case '"':
			return "string"
		case '{':
			return "object"
		case '[':
			return "array"
		case 't', 'f':
			return "boolean"
		case 'n':
			return "null"
		}
		return "number"
	}
	return "undefined"
}
