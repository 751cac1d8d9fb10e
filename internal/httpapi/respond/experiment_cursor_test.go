package respond

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestExperimentCursorOfReference(t *testing.T) {
	const want = "eyJ2IjoxLCJsYXN0VGltZSI6IjIwMjYtMTEtMTUgMDA6MjM6MjAuMDExMDAwIiwibGFzdFRyYWNlSWQiOiIxYmY3NjUxOTE2Y2Q0M2RkODQ0OGViMjExYzgwMzEwMCIsImxhc3RJZCI6" +
		"IjAwMDAwMDAwMDAwMDAwZjIiLCJsYXN0RXhwZXJpbWVudElkIjoiZXhwLTIifQ"
	p := ExperimentPosition{
		ExperimentID: "exp-2", StartTime: 1794702200011000, TraceID: "1bf7651916cd43dd8448eb211c803100", ID: "00000000000000f2",
	}
	if got := p.Encode(); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got, err := DecodeExperimentCursor(want); err != nil || got != p {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestExperimentCursorRoundTrip(t *testing.T) {
	for _, p := range []ExperimentPosition{
		{StartTime: 1},
		{StartTime: -1, TraceID: "t", ID: "i", ExperimentID: "e", Until: -1},
		{
			StartTime: 1794702200011999, TraceID: `free "text" \ ids`, ID: "ünï😀?>~\n\u2028", ExperimentID: strings.Repeat("e", 5000),
			Until: 1794702200012,
		},
		{StartTime: 253_402_300_799_999_999, Until: 253_402_300_799_999},
		{StartTime: -62_167_219_200_000_000, Until: -62_167_219_200_000},
	} {
		text := p.Encode()
		for _, spelling := range []string{text, text + "==", strings.NewReplacer("-", "+", "_", "/").Replace(text)} {
			if got, err := DecodeExperimentCursor(spelling); err != nil || got != p {
				t.Errorf("DecodeExperimentCursor(%.60q) = %+v, %v; want %+v", spelling, got, err, p)
			}
		}
	}
}

func TestExperimentCursorErrors(t *testing.T) {
	const whole = `"lastTraceId":"t","lastId":"i","lastExperimentId":"e"`
	for text, want := range map[string]string{
		`{"v":2}`: `"discriminator":"v","path":["cursor","v"]`,
		`{}`:      `"path":["cursor","v"]`,
		`[]`:      `expected object, received array`,
		`{"v":1,"lastTime":1,"lastTraceId":"t","lastId":"i","lastExperimentId":"e"}`: `"path":["cursor","lastTime"],"message":"Invalid input: expected string, received number"`,
		`{"v":1,"lastTime":"2026-01-01 00:00:00",` + whole +
			`,"until":5}`: `"path":["cursor","until"],"message":"Invalid input: expected string, received number"`,
		`{"v":1,"lastTime":"yesterday",` + whole +
			`}`: `"path":["cursor","lastTime"],"message":"Invalid time"`,
		`{"v":1,"lastTime":"",` + whole +
			`}`: `"path":["cursor","lastTime"],"message":"Invalid time"`,
		`{"v":1,"lastTime":"2026-01-01 00:00:00",` + whole +
			`,"until":"never"}`: `"path":["cursor","until"],"message":"Invalid time"`,
		`{"v":1,"lastTime":"2026-01-01 00:00:00.` + strings.Repeat("1", 100) + `",` + whole +
			`}`: `"path":["cursor","lastTime"],"message":"Invalid time"`,
	} {
		_, refused := DecodeExperimentCursor(base64.RawURLEncoding.EncodeToString([]byte(text)))
		if refused == nil {
			t.Errorf("%s is accepted", text)
			continue
		}
		body, err := Marshal(refused.Body(Stable))
		if err != nil || refused.Status != 400 || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d %s, want %s", text, refused.Status, body, want)
		}
	}
}

func FuzzDecodeExperimentCursor(f *testing.F) {
	f.Add(ExperimentPosition{StartTime: 1794702200011000, TraceID: "t", ID: "i", ExperimentID: "e", Until: 5}.Encode())
	f.Add(ExperimentPosition{}.Encode()) // 1970
	f.Add("eyJ2IjoxfQ")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		p, refused := DecodeExperimentCursor(text)
		if refused != nil {
			return
		}
		if again, refused := DecodeExperimentCursor(p.Encode()); refused != nil || again != p {
			t.Errorf("%q is %+v, and written again %+v, %v", text, p, again, refused)
		}
	})
}
