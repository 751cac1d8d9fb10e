package media

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
)

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// extractAll extracts all files and describes them: type, hash, length.
func extractAll(text string) (result string, taken []string) {
	result = Extract(text, func(contentType, source string, data []byte) string {
		hash := hashOf(data)
		taken = append(taken, fmt.Sprintf("%s %s %d", contentType, hash, len(data)))
		return domain.MediaReference(contentType, domain.MediaID(hash), source)
	})
	return result, taken
}

const (
	pngHash   = "TEtqO+ExSrhhOL70MU3eAi5gCWDYaJosj4YxgC0g2rY="
	pngData   = "data:image/png;base64,iVBORw0KGgo="
	pngInText = "@@@langfuseMedia:type=image/png|id=TEtqO-ExSrhhOL70MU3eAi|source=base64_data_uri@@@"
	pngBytes  = "@@@langfuseMedia:type=image/png|id=TEtqO-ExSrhhOL70MU3eAi|source=bytes@@@"
	onePNG    = "image/png " + pngHash + " 8"
)

// TestExtract tests the cases of the API contract and some more.
func TestExtract(t *testing.T) {
	deep := func(levels int, inner string) string {
		return strings.Repeat(`{"a":`, levels) + inner + strings.Repeat("}", levels)
	}
	block := `{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}`
	taken := `{"type":"base64","media_type":"image/png","data":"` + pngBytes + `"}`
	for _, c := range []struct {
		name, text, want string // an empty want means unchanged text
		taken            []string
	}{
		{"in a text", "Look: " + pngData + " ok?", "Look: " + pngInText + " ok?", []string{onePNG}},
		{
			"with a parameter", "data:text/plain;charset=utf-8;base64,aGVsbG8=",
			"@@@langfuseMedia:type=text/plain|id=LPJNul-wow4m6Dsqxbninh|source=base64_data_uri@@@",
			[]string{"text/plain LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ= 5"},
		},
		{name: "a type that media cannot have", text: "data:application/x-foo;base64,aGVsbG8="},
		{name: "wrong padding", text: "data:image/png;base64,aGVsbG8==="},
		{name: "within a word", text: "my" + pngData},
		{name: "behind an underscore", text: "_" + pngData},
		{name: "behind a hyphen", text: "-" + pngData},
		{name: "behind a digit", text: "1" + pngData},
		{"behind a letter that is not ASCII", "é" + pngData, "é" + pngInText, []string{onePNG}},
		{
			name: "in a list of a message", text: `[{"role":"user","content":[{"type":"image","source":` + block + `}]}]`,
			want: `[{"role":"user","content":[{"type":"image","source":` + taken + `}]}]`, taken: []string{onePNG},
		},
		{
			"inline data", `{"parts":[{"inline_data":{"mime_type":"audio/wav","data":"UklGRg=="}}]}`,
			`{"parts":[{"inline_data":{"mime_type":"audio/wav","data":"@@@langfuseMedia:type=audio/wav|id=pA_z1ZAPt2mLjIZQQTR8tJ|source=bytes@@@"}}]}`,
			[]string{"audio/wav pA/z1ZAPt2mLjIZQQTR8tJ7M7cj5OUX4limtEEquzOQ= 4"},
		},
		{
			"inline data of JavaScript", `{"inlineData":{"data":"iVBORw0KGgo=","mimeType":"image/png"}}`,
			`{"inlineData":{"data":"` + pngBytes + `","mimeType":"image/png"}}`,
			[]string{onePNG},
		},
		{
			"a file part", `[{"type":"file","mediaType":"application/pdf","data":"JVBERg=="}]`,
			`[{"type":"file","mediaType":"application/pdf","data":"@@@langfuseMedia:type=application/pdf|id=MV1Cm3cUzttq0ErDEkAUUl|source=bytes@@@"}]`,
			[]string{"application/pdf MV1Cm3cUzttq0ErDEkAUUldpJjBFfzyIJTxb7OrHYCc= 4"},
		},
		{
			"a file part with an image", `{"type":"file","mediaType":"image/png","image":"iVBORw0KGgo="}`,
			`{"type":"file","mediaType":"image/png","image":"` + pngBytes + `"}`,
			[]string{onePNG},
		},
		{
			"a blob part", `[{"parts":[{"type":"blob","mime_type":"image/jpeg","content":"/9j/"}]}]`,
			`[{"parts":[{"type":"blob","mime_type":"image/jpeg","content":"@@@langfuseMedia:type=image/jpeg|id=blaOH2f7olgYTHgYFTnl6P|source=bytes@@@"}]}]`,
			[]string{"image/jpeg blaOH2f7olgYTHgYFTnl6P3uRH5Ju3BvwOo0+/EjNqU= 3"},
		},
		{
			"a media part", `{"type":"media","mime_type":"image/png","data":"iVBORw0KGgo="}`,
			`{"type":"media","mime_type":"image/png","data":"` + pngBytes + `"}`,
			[]string{onePNG},
		},
		{name: "an address elsewhere", text: `[{"type":"file","mediaType":"image/png","data":"https://x.test/a.png"}]`},
		{name: "a reference", text: "@@@langfuseMedia:type=image/png|id=abc|source=bytes@@@"},
		{
			name: "a reference in a part",
			text: `{"type":"file","mediaType":"image/png","data":"@@@langfuseMedia:type=image/png|id=abc|source=bytes@@@"}`,
		},

		{
			"an address in a part", `{"type":"file","mediaType":"image/png","data":"` + pngData + `"}`,
			`{"type":"file","mediaType":"image/png","data":"` + pngBytes + `"}`,
			[]string{onePNG},
		},
		{
			"an address in another member", `{"type":"image_url","image_url":{"url":"` + pngData + `"}}`,
			`{"type":"image_url","image_url":{"url":"` + pngInText + `"}}`,
			[]string{onePNG},
		},
		{"an address in data of nothing", `{"data":"` + pngData + `"}`, `{"data":"` + pngInText + `"}`, []string{onePNG}},
		{
			"bytes of Python", `{"type":"media","mime_type":"image/png","data":"b'\\x89PNG\\r\\n\\x1a\\n'"}`,
			`{"type":"media","mime_type":"image/png","data":"` + pngBytes + `"}`,
			[]string{onePNG},
		},
		{
			"base64 in bytes of Python", `{"type":"media","mime_type":"image/png","data":"b'iVBORw0KGgo='"}`,
			`{"type":"media","mime_type":"image/png","data":"` + pngBytes + `"}`,
			[]string{onePNG},
		},
		{name: "a part of an unknown type", text: `{"type":"file","mediaType":"image/x-foo","data":"iVBORw0KGgo="}`},
		{name: "a part without data", text: `{"type":"base64","media_type":"image/png","data":""}`},
		{name: "a part that is no base64", text: `{"type":"base64","media_type":"image/png","data":"not base64!"}`},
		{name: "data of another kind of part", text: `{"type":"text","mime_type":"image/png","data":"iVBORw0KGgo="}`},
		{name: "names are left alone", text: `{"` + pngData + `":1}`},
		{name: "nothing", text: ""},
		{name: "no data", text: "data:image/png;base64,"},
		{name: "no type", text: "data:;base64,iVBORw0KGgo="},
		{name: "no scheme", text: ";base64,iVBORw0KGgo="},
		{name: "something else follows", text: pngData + "~"},
		{name: "a head that is too long", text: "data:image/png;" + strings.Repeat("a=b;", 100) + "base64,iVBORw0KGgo="},
		{name: "a parameter without a value", text: "data:image/png;charset;base64,iVBORw0KGgo="},
		{
			"all that may follow", strings.Join(slices.Repeat([]string{pngData}, 15), "\t\n"),
			strings.Join(slices.Repeat([]string{pngInText}, 15), "\t\n"), slices.Repeat([]string{onePNG}, 15),
		},
		{
			"several", "(" + pngData + "), my" + pngData + " and <" + pngData + ">", "(" + pngInText + "), my" + pngData + " and <" +
				pngInText + ">", []string{onePNG, onePNG},
		},
		{"capitals", "data:Image/PNG;base64,iVBORw0KGgo=", pngInText, []string{onePNG}},

		{
			"blanks and numbers of JSON stay", "{ \"n\" : 1.0e2 ,\n\"u\":\"" + pngData + "\" , \"b\":[ 12345678901234567890 ]}",
			"{ \"n\" : 1.0e2 ,\n\"u\":\"" + pngInText + "\" , \"b\":[ 12345678901234567890 ]}",
			[]string{onePNG},
		},
		{
			"escapes in a string", `{"u":"a\n` + strings.ReplaceAll(pngData, "/", `\/`) + `\"b\u00e9"}`, `{"u":"a\n` + pngInText + `\"bé"}`,
			[]string{onePNG},
		},
		{"JSON in JSON", `{"m":` + quote(block) + `}`, `{"m":` + quote(taken) + `}`, []string{onePNG}},
		{"a JSON string", quote("see " + pngData), quote("see " + pngInText), []string{onePNG}},
		{
			"paths of metadata", `{"a.b.type":"base64","x":1,"a.b.media_type":"image/png","a.b.data":"iVBORw0KGgo="}`,
			`{"a.b.type":"base64","x":1,"a.b.media_type":"image/png","a.b.data":"` + pngBytes + `"}`,
			[]string{onePNG},
		},
		{
			"paths of inline data", `{"a.inline_data.mime_type":"image/png","a.inline_data.data":"iVBORw0KGgo=","a.data":"iVBORw0KGgo="}`,
			`{"a.inline_data.mime_type":"image/png","a.inline_data.data":"` + pngBytes + `","a.data":"iVBORw0KGgo="}`,
			[]string{onePNG},
		},
		{"deep", deep(9, block), deep(9, taken), []string{onePNG}},
		{name: "too deep", text: deep(10, block)},
		{"too deep, but an address", deep(30, `["`+pngData+`"]`), deep(30, `["`+pngInText+`"]`), []string{onePNG}},
		{"not quite JSON", `{"u":"` + pngData + `"`, `{"u":"` + pngInText + `"`, []string{onePNG}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if want == "" {
				want = c.text
			}
			got, taken := extractAll(c.text)
			if got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
			if diff := cmp.Diff(c.taken, taken); diff != "" {
				t.Error(diff)
			}
			if left := Extract(c.text, func(string, string, []byte) string { return "" }); left != c.text {
				t.Errorf("what is not taken changes to %s", left)
			}
		})
	}
}

func quote(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}

func TestPythonBytes(t *testing.T) {
	for text, want := range map[string]string{
		`b''`: "", `b'a'`: "a", `b"it's"`: "it's", `b'\x00\xff\n\t\r\\\''`: "\x00\xff\n\t\r\\'", `b'\xFF'`: "\xff",
	} {
		if got, ok := pythonBytes(text); !ok || string(got) != want {
			t.Errorf("%s is %q, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "b", "b'", "'a'", "b'a", `b'a"`, `b'\'`, `b'\x1'`, `b'\xg0'`, `b'\q'`, "b'é'", "b'\n'", "b'a'b'"} {
		if got, ok := pythonBytes(text); ok {
			t.Errorf("%s is %q", text, got)
		}
	}
}

// TestExtractKeepsJSON checks that JSON stays the same except for the extracted files, wherever they are.
func TestExtractKeepsJSON(t *testing.T) {
	var value *rapid.Generator[any]
	value = rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			return rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[any] { return value }), 0, 3).Draw(t, "list")
		case 1:
			return rapid.MapOfN(rapid.SampledFrom([]string{"type", "data", "mime_type", "x.data", "inline_data", `"`}),
				rapid.Deferred(func() *rapid.Generator[any] { return value }), 0, 3).Draw(t, "object")
		case 2:
			return rapid.SampledFrom([]string{"media", "image/png", "iVBORw0KGgo=", pngData, "say \"" + pngData + "\"\n", "ä"}).Draw(t,
				"part")
		case 3:
			return rapid.Float64().Draw(t, "number")
		}
		return rapid.String().Draw(t, "text")
	})
	rapid.Check(t, func(t *rapid.T) {
		before, err := json.Marshal(value.Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		after, taken := extractAll(string(before))
		if !json.Valid([]byte(after)) {
			t.Fatalf("%s became %s", before, after)
		}
		if (after == string(before)) != (len(taken) == 0) {
			t.Fatalf("%s became %s with %v", before, after, taken)
		}
		if again, more := extractAll(after); again != after || len(more) > 0 {
			t.Fatalf("%s became %s and then %s", before, after, again)
		}
	})
}

func FuzzExtract(f *testing.F) {
	for _, text := range []string{
		pngData, `{"type":"media","mime_type":"image/png","data":"b'\\x89'"}`, `[[[[[[[[[[[[{"a":"` + pngData + `"}]]]]]]]]]]]]`,
		`{"a.inline_data.mimeType":"image/png","a.inline_data.data":"/9j/"}`, "\"data:image/png;base64,\\u0041AAA\"",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		after, taken := extractAll(text)
		if len(taken) == 0 && after != text {
			t.Errorf("%q became %q", text, after)
		}
		if json.Valid([]byte(text)) && !json.Valid([]byte(after)) {
			t.Errorf("%q is JSON, %q is not", text, after)
		}
	})
}

// BenchmarkExtract scans texts without files. The baseline is one search for the marker of a data URI.
func BenchmarkExtract(b *testing.B) {
	text := `[{"role":"user","content":"` + strings.Repeat("what shall we do with the drunken sailor ", 50) + `"}]`
	b.Run("extract", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			Extract(text, nil)
		}
	})
	b.Run("baseline", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if strings.Contains(text, dataMark) {
				b.Fatal()
			}
		}
	})
}
