package respond

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// A Position converts directly to the store's type.
var _ = store.Position(Position{})

func TestCursorOfReference(t *testing.T) {
	const want = "eyJsYXN0U3RhcnRUaW1lVG8iOiIyMDI2LTA3LTAyVDEzOjQ2OjQwLjQwMFoiLCJsYXN0VHJhY2VJZCI6IjBhZjc2NTE5MTZjZDQzZGQ4NDQ4ZWIyMTFjODAz" +
		"MTljIiwibGFzdElkIjoiMDAwMDAwMDAwMDAwMDBhNSJ9"
	const millis = 1783000000400
	if got := EncodeCursor(millis*1000+999, "0af7651916cd43dd8448eb211c80319c", "00000000000000a5"); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	got, err := DecodeCursor(want)
	if err != nil || got != (Position{millis, "0af7651916cd43dd8448eb211c80319c", "00000000000000a5"}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestCursorRoundTrip(t *testing.T) {
	for _, c := range []struct {
		at          domain.Micros
		traceID, id string
	}{
		{1, "", ""},
		{-1_000, "trace", "id"},
		{1_783_000_000_400_000, `free "text" \ ids`, "ünï😀?>~\n\u2028"},
		{253_402_300_799_999_000, strings.Repeat("t", 5000), "i"},
		{-62_167_219_200_000_000, "t", "i"},
	} {
		standard := EncodeCursor(c.at, c.traceID, c.id)
		for _, text := range []string{
			standard,
			strings.TrimRight(standard, "="),
			strings.NewReplacer("+", "-", "/", "_").Replace(standard),
			strings.ReplaceAll(strings.TrimRight(standard, "="), "+", " "),
		} {
			got, err := DecodeCursor(text)
			if err != nil || got != (Position{c.at.Millis(), c.traceID, c.id}) {
				t.Errorf("DecodeCursor(%.60q) = %+v, %v", text, got, err)
			}
		}
	}
}

func TestDecodeCursorErrors(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString
	const (
		badFormat = `{"message":"Invalid cursor format","error":"InvalidRequestError"}`
		wrongDate = `{"expected":"date","code":"invalid_type","path":["cursor","lastStartTimeTo"],"message":"Invalid input: expected date, received Date"}`
	)
	invalid := func(issues ...string) string {
		return `{"message":"Invalid request data","error":[` + strings.Join(issues, ",") + `]}`
	}
	wrong := func(path, expected, received string) string {
		return `{"expected":"` + expected + `","code":"invalid_type","path":["` + strings.ReplaceAll(path, "/", `","`) +
			`"],"message":"Invalid input: expected ` + expected + `, received ` + received + `"}`
	}
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", badFormat},
		{"not base64", "!", badFormat},
		{"not JSON", "zzz", badFormat},
		{"not UTF-8", encoded([]byte("{\"lastId\":\"\xff\"}")), badFormat},
		{"half of JSON", encoded([]byte(`{"lastId":`)), badFormat},
		{"nothing in it", "e30=", invalid(
			wrongDate, wrong("cursor/lastTraceId", "string", "undefined"), wrong("cursor/lastId", "string", "undefined"),
		)},
		{"a list", encoded([]byte(`[]`)), invalid(wrong("cursor", "object", "array"))},
		{"a number", encoded([]byte(` 5`)), invalid(wrong("cursor", "object", "number"))},
		{"null", encoded([]byte(`null`)), invalid(wrong("cursor", "object", "null"))},
		{"other types", encoded([]byte(`{"lastStartTimeTo":5,"lastTraceId":5,"lastId":null}`)), invalid(
			wrongDate, wrong("cursor/lastTraceId", "string", "number"), wrong("cursor/lastId", "string", "null"),
		)},
		{"more types", encoded([]byte(`{"lastStartTimeTo":"yesterday","lastTraceId":true,"lastId":{}}`)), invalid(
			wrongDate, wrong("cursor/lastTraceId", "string", "boolean"), wrong("cursor/lastId", "string", "object"),
		)},
		{
			"another spelling of names", encoded([]byte(`{"laststarttimeto":"2026-07-02T13:46:40.400Z","lastTraceId":"","lastId":""}`)),
			invalid(wrongDate),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := DecodeCursor(c.text)
			if err == nil {
				t.Fatalf("accepted as %+v", got)
			}
			body, _ := json.Marshal(err.Body(Stable))
			if string(body) != c.want || err.Status != 400 || got != (Position{}) {
				t.Errorf("status %d, position %+v\n got %s\nwant %s", err.Status, got, body, c.want)
			}
		})
	}
}

func FuzzDecodeCursor(f *testing.F) {
	f.Add(EncodeCursor(1_783_000_000_400_000, "trace", "id"))
	f.Add("e30=")
	f.Add("bnVsbA")
	f.Fuzz(func(t *testing.T, text string) {
		position, err := DecodeCursor(text)
		if err != nil {
			if err.Status != 400 {
				t.Fatalf("DecodeCursor(%q) answers %d", text, err.Status)
			}
			return
		}
		again, err := DecodeCursor(EncodeCursor(domain.Micros(position.Millis*1000), position.TraceID, position.ID))
		if err != nil || again != position {
			t.Fatalf("%+v of %q became %+v, %v", position, text, again, err)
		}
	})
}
