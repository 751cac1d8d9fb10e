package respond

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"almanac/internal/domain"
)

func TestScoreCursorOfReference(t *testing.T) {
	const want = "eyJ2IjoxLCJsYXN0VGltZXN0YW1wIjoiMjAyNi0xMS0xNVQwMDoyMTo1Mi40ODZaIiwibGFzdElkIjoic2NvcmUtcnVuIn0"
	const millis = 1_794_702_112_486
	if got := EncodeTimestampCursor(millis*1000+999, "score-run"); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got, err := DecodeTimestampCursor(want); err != nil || got != (Position{Millis: millis, ID: "score-run"}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestScoreCursorRoundTrip(t *testing.T) {
	for _, c := range []struct {
		at domain.Micros
		id string
	}{
		{1, ""},
		{-1_000, "id"},
		{1_783_000_000_400_000, "ünï😀?>~\n\u2028"},
		{253_402_300_799_999_000, strings.Repeat("t", 5000)},
		{-62_167_219_200_000_000, `free "text" \ ids`},
	} {
		token := EncodeTimestampCursor(c.at, c.id)
		if strings.ContainsAny(token, "+/= ") {
			t.Errorf("%.60q must be escaped in an address", token)
		}
		for _, text := range []string{token, token + "=", strings.NewReplacer("-", "+", "_", "/").Replace(token)} {
			got, err := DecodeTimestampCursor(text)
			if err != nil || got != (Position{Millis: c.at.Millis(), ID: c.id}) {
				t.Errorf("DecodeTimestampCursor(%.60q) = %+v, %v", text, got, err)
			}
		}
	}
}

func TestDecodeScoreCursorErrors(t *testing.T) {
	encoded := base64.RawURLEncoding.EncodeToString
	const (
		badFormat   = `{"message":"Invalid cursor format","error":"InvalidRequestError"}`
		otherShape  = `{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"v","path":["cursor","v"],"message":"Invalid input"}`
		wrongDate   = `{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["cursor","lastTimestamp"],"message":"Invalid input: expected date, received Date"}`
		noID        = `{"expected":"string","code":"invalid_type","path":["cursor","lastId"],"message":"Invalid input: expected string, received undefined"}`
		numberForID = `{"expected":"string","code":"invalid_type","path":["cursor","lastId"],"message":"Invalid input: expected string, received number"}`
	)
	invalid := func(issues string) string { return `{"message":"Invalid request data","error":[` + issues + `]}` }
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", badFormat},
		{"not base64", "%%%", badFormat},
		{"not JSON", encoded([]byte("hello")), badFormat},
		{"half of it", encoded([]byte(`{"v":1,"lastTi`)), badFormat},
		{"not UTF-8", encoded([]byte("{\"v\":1,\"lastTimestamp\":\"2026-01-01T00:00:00Z\",\"lastId\":\"\xff\"}")), badFormat},
		{
			"no object", encoded([]byte(`[1]`)),
			invalid(`{"expected":"object","code":"invalid_type","path":["cursor"],"message":"Invalid input: expected object, received array"}`),
		},
		{
			"null", encoded([]byte(`null`)),
			invalid(`{"expected":"object","code":"invalid_type","path":["cursor"],"message":"Invalid input: expected object, received null"}`),
		},
		{"no version", encoded([]byte(`{"lastTimestamp":"2026-01-01T00:00:00Z","lastId":"a"}`)), invalid(otherShape)},
		{"version 2", encoded([]byte(`{"v":2,"lastTimestamp":"2026-01-01T00:00:00Z","lastId":"a"}`)), invalid(otherShape)},
		{"version as text", encoded([]byte(`{"v":"1","lastTimestamp":"2026-01-01T00:00:00Z","lastId":"a"}`)), invalid(otherShape)},
		{"version null", encoded([]byte(`{"v":null}`)), invalid(otherShape)},
		{"a cursor of observations", EncodeCursor(1, "t", "i"), invalid(otherShape)},
		{"no members", encoded([]byte(`{"v":1}`)), invalid(wrongDate + `,` + noID)},
		{"no date", encoded([]byte(`{"v":1,"lastTimestamp":"yesterday","lastId":"a"}`)), invalid(wrongDate)},
		{"a number as date", encoded([]byte(`{"v":1,"lastTimestamp":5,"lastId":"a"}`)), invalid(wrongDate)},
		{"a number as id", encoded([]byte(`{"v":1,"lastTimestamp":"2026-01-01T00:00:00Z","lastId":5}`)), invalid(numberForID)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, refused := DecodeTimestampCursor(c.text)
			if refused == nil {
				t.Fatal("it is accepted")
			}
			body, err := Marshal(refused.Body(Stable))
			if err != nil {
				t.Fatal(err)
			}
			if string(body) != c.want {
				t.Errorf("\n got %s\nwant %s", body, c.want)
			}
		})
	}
	if got, refused := DecodeTimestampCursor(encoded([]byte(`{"more":[],"lastId":"a","v":1.0,"lastTimestamp":"1970-01-01T00:00:00.005Z"}`))); refused != nil ||
		got != (Position{Millis: 5, ID: "a"}) {
		t.Errorf("members that are not known are refused: %+v, %v", got, refused)
	}
}

// FuzzDecodeScoreCursor checks that no input makes the decoder panic, and that accepted cursors survive a round trip.
func FuzzDecodeScoreCursor(f *testing.F) {
	f.Add(EncodeTimestampCursor(1_783_000_000_400_000, "id"))
	f.Add("eyJ2IjoxfQ")
	f.Fuzz(func(t *testing.T, text string) {
		position, refused := DecodeTimestampCursor(text)
		if refused != nil {
			if body, err := json.Marshal(refused.Body(Stable)); err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			return
		}
		again, refused := DecodeTimestampCursor(EncodeTimestampCursor(domain.Micros(position.Millis*1000), position.ID))
		if refused != nil || again != position {
			t.Fatalf("%+v became %+v, %v", position, again, refused)
		}
	})
}
