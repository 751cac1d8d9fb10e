package evaluators

import (
	"strings"
	"testing"
)

func TestJSONPaths(t *testing.T) {
	for path, want := range map[string]bool{
		"$": true, "$.a": true, "$.a.b": true, "$['a']": true, `$["a b"].c`: true, "$.a[0]": true, "$.a[*].b": true, "$..a": true,
		"$.*":  true,
		"$..*": true, "$..[0]": true, "$.a[?(@.b == ']')]": true, "$.a[0:2]": true, "$.a-b": true, "$.größe": true, `$['it\'s']`: true,
		"$[(@.length-1)]": true,
		"":                false, "a": false, ".a": false, "a.$": false, "$a": false, "$.": false, "$..": false, "$.a.": false, "$[": false,
		"$[]": false, "$[ ]": false,
		"$['a]": false, "$.a]": false, "$.a b": false, "$[0": false, "$[(0]": false, "$.a[0]b": false, "$.\xff": false, "$...a": false,
		"$.a[)]": false,
	} {
		if got := validJSONPath(path); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
}

func FuzzJSONPath(f *testing.F) {
	for _, seed := range []string{"$", "$.a[0]['b']", "$[?(@.x)]", "$[", "$['\\"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if !validJSONPath(path) {
			return
		}
		if !strings.HasPrefix(path, "$") {
			t.Errorf("%q has no root", path)
		}
		// A valid path stays valid with another step.
		if !validJSONPath(path+".a") || !validJSONPath(path+"['a']") {
			t.Errorf("%q cannot be followed by a step", path)
		}
	})
}
