package clickhouse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]Address{
		"clickhouse://u:p@h:8123/db": {URL: "http://h:8123/", User: "u", password: "p", Database: "db"},
		"clickhouse://h":             {URL: "http://h:8123/", Database: "almanac"},
		"clickhouses://h":            {URL: "https://h:8443/", Database: "almanac"},
		"clickhouse://h?secure=1":    {URL: "https://h:8443/", Database: "almanac"},
		"clickhouse://[::1]:81/a_b?cluster=c&quorum=auto": {
			URL: "http://[::1]:81/", Database: "a_b", Cluster: "c", Quorum: "auto",
		},
		"clickhouse://u:p%40%2F@h/x?quorum=2": {URL: "http://h:8123/", User: "u", password: "p@/", Database: "x", Quorum: "2"},
	} {
		got, err := ParseAddress(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(Address{})); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
	for text, want := range map[string]string{
		"postgres://u:sesame@h":                     "starts with",
		"clickhouse://u:sesame@h:9000/db":           "native protocol",
		"clickhouses://u:sesame@h:9440/db":          "8443",
		"clickhouse://u:sesame@/db":                 "no host",
		"clickhouse://u:sesame@h/a`b":               "database",
		"clickhouse://u:sesame@h/a;drop":            "database",
		"clickhouse://u:sesame@h/db?cluster=a'b":    "cluster",
		"clickhouse://u:sesame@h/db?quorum=some":    "quorum",
		"clickhouse://u:sesame@h/db?quorum=0":       "quorum",
		"clickhouse://u:sesame@h/db?secure=perhaps": "secure",
		"clickhouse://u:sesame@h/db?debug=1":        "unknown parameter",
		"clickhouse://u:sesame@h:port/db":           "not a URL",
		"clickhouse://u:ses%zzame@h/db":             "not a URL",
	} {
		_, err := ParseAddress(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "ses") &&
			strings.Contains(err.Error(), "ame") {
			t.Errorf("%s: error %v, want one with %q and without the password", text, err, want)
		}
	}
	a, err := ParseAddress("clickhouse://u:sesame@h/db")
	if err != nil || strings.Contains(a.String(), "sesame") {
		t.Errorf("%q shows the password", a.String())
	}
}
