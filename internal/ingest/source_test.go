package ingest

import (
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/ingest/semconv"
)

func headers(m map[string]string) Headers { return func(name string) string { return m[name] } }

func TestSource(t *testing.T) {
	cases := []struct {
		name    string
		headers map[string]string
		want    semconv.Source
	}{
		{"nothing", nil, semconv.Source{IngestionKey: "pk-lf-1", SDKName: "unknown", SDKVersion: "unknown"}},
		{
			"a client library",
			map[string]string{"x-langfuse-sdk-name": "python", "x-langfuse-sdk-version": "4.14.0"},
			semconv.Source{IngestionKey: "pk-lf-1", SDKName: "python", SDKVersion: "4.14.0"},
		},
		{
			"underscores", map[string]string{"x_langfuse_sdk_name": "javascript"}, semconv.Source{
				IngestionKey: "pk-lf-1", SDKName: "javascript", SDKVersion: "unknown",
			},
		},
		{
			"our own prefix",
			map[string]string{"x-almanac-sdk-name": "a", "x_almanac_sdk_version": "1"},
			semconv.Source{IngestionKey: "pk-lf-1", SDKName: "a", SDKVersion: "1"},
		},
		{
			"hyphens before underscores",
			map[string]string{"x-langfuse-sdk-name": "a", "x_langfuse_sdk_name": "b"},
			semconv.Source{IngestionKey: "pk-lf-1", SDKName: "a", SDKVersion: "unknown"},
		},
		{
			"langfuse before almanac",
			map[string]string{"x-almanac-sdk-name": "a", "x_langfuse_sdk_name": "b"},
			semconv.Source{IngestionKey: "pk-lf-1", SDKName: "b", SDKVersion: "unknown"},
		},
		{
			"not UTF-8", map[string]string{"x-langfuse-sdk-name": "a\xffb"}, semconv.Source{
				IngestionKey: "pk-lf-1", SDKName: "a\uFFFDb", SDKVersion: "unknown",
			},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := SourceOf("pk-lf-1", headers(c.headers)); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
	long := SourceOf("pk-lf-1", headers(map[string]string{"x-langfuse-sdk-name": strings.Repeat("é", 500)})).SDKName
	if len(long) > 200 || !utf8.ValidString(long) {
		t.Errorf("a long name is kept as %q", long)
	}
}

func TestVersion(t *testing.T) {
	unsupported := func(value string) string {
		return `Unsupported x-langfuse-ingestion-version: "` + value + `". Maximum supported: "4".`
	}
	cases := []struct{ value, want string }{
		{"", ""},
		{"4", ""},
		{"1", ""},
		{"0", ""},
		{"-7", ""},
		{" 4", ""},
		{"+3", ""},
		{"4.9", ""},
		{"4abc", ""},
		{"5", unsupported("5")},
		{"10", unsupported("10")},
		{"four", unsupported("four")},
		{"-", unsupported("-")},
		{"v4", unsupported("v4")},
		{strings.Repeat("9", 300), unsupported(strings.Repeat("9", 100))},
	}
	for _, c := range cases {
		err := VersionOf(headers(map[string]string{"x-langfuse-ingestion-version": c.value})).check()
		if c.want == "" {
			if err != nil {
				t.Errorf("%q: %v", c.value, err)
			}
		} else if refused := refusedAs(t, err, Invalid); refused.Message != c.want {
			t.Errorf("%q: %q, want %q", c.value, refused.Message, c.want)
		}
	}
	err := VersionOf(headers(map[string]string{"x_almanac_ingestion_version": "5"})).check()
	if refused := refusedAs(t, err, Invalid); !strings.HasPrefix(refused.Message, "Unsupported x-almanac-ingestion-version") {
		t.Errorf("message %q", refused.Message)
	}
}
