package respond

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// EncodeTimestampCursor returns the token with which a client asks for what is behind this score, or this entry of the audit log.
func EncodeTimestampCursor(at domain.Micros, id string) string {
	text := append(make([]byte, 0, 128), `{"v":1,"lastTimestamp":`...)
	text = appendDate(text, at)
	text = append(text, `,"lastId":`...)
	text = jsontext.AppendString(text, id)
	return base64.RawURLEncoding.EncodeToString(append(text, '}'))
}

// AppendCursorMeta appends what comes behind the last row of a page: its limit, and the cursor of that row if there are more.
func AppendCursorMeta(dst []byte, limit int, more bool, at domain.Micros, id string) []byte {
	dst = strconv.AppendInt(append(dst, `,"meta":{"limit":`...), int64(limit), 10)
	if more {
		dst = append(dst, `,"cursor":"`...)
		dst = append(dst, EncodeTimestampCursor(at, id)...)
		dst = append(dst, '"')
	}
	return append(dst, '}')
}

// DecodeTimestampCursor reads such a token, as lenient about its spelling and as strict about its members as DecodeCursor. A
// token of another version is refused: its members may mean something else.
func DecodeTimestampCursor(text string) (Position, *Error) {
	members, refused := readVersionedCursor(text)
	if refused != nil {
		return Position{}, refused
	}
	var issues []decode.Issue
	at, ok := decode.ParseDatetime(jsonString(members["lastTimestamp"]))
	if !ok {
		issues = append(issues, decode.NotADate([]any{"cursor", "lastTimestamp"}))
	}
	if received := jsonType(members["lastId"]); received != "string" {
		issues = append(issues, decode.WrongType([]any{"cursor", "lastId"}, "string", received))
	}
	if len(issues) > 0 {
		return Position{}, InvalidData(issues)
	}
	return Position{Millis: at.UnixMilli(), ID: jsonString(members["lastId"])}, nil
}

// readVersionedCursor returns the members of a token that says which version it is of.
func readVersionedCursor(text string) (map[string]json.RawMessage, *Error) {
	members, refused := readCursor(text)
	if refused != nil {
		return nil, refused
	}
	var version float64
	if jsonType(members["v"]) != "number" || json.Unmarshal(members["v"], &version) != nil || version != 1 {
		return nil, InvalidData([]decode.Issue{decode.NoDiscriminator([]any{"cursor", "v"}, "v")})
	}
	return members, nil
}
