package api

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// comparison collects the deviations of our description from the contract that a client written for the contract could
// notice: it sends what the contract allows, and understands what the contract says it will receive. Anything that we
// accept or return beyond the contract is collected too; stronger promises (a field that is always present, no nulls)
// are not.
type comparison struct {
	contract, ours document
	found          map[string][]string // deviation to operations
}

// deepest limits how deep schemas are followed, because some are recursive.
const deepest = 12

func (c *comparison) deviation(operation, text string) {
	if !slices.Contains(c.found[text], operation) {
		c.found[text] = append(c.found[text], operation)
	}
}

// operation compares one operation of the contract with ours.
func (c *comparison) operation(name string, theirs, ours map[string]any) {
	want, got := parameters(c.contract, theirs), parameters(c.ours, ours)
	c.fields(name, "parameter", want, got, true, 1)

	wantBody, gotBody := c.contract.resolve(theirs["requestBody"]), c.ours.resolve(ours["requestBody"])
	switch {
	case wantBody == nil && gotBody != nil:
		c.deviation(name, "request: added")
	case wantBody != nil && jsonSchema(gotBody) == nil:
		c.deviation(name, "request: missing")
	case wantBody != nil:
		if gotBody["required"] == true && wantBody["required"] != true {
			c.deviation(name, "request: required")
		}
		c.schema(name, "request", jsonSchema(wantBody), jsonSchema(gotBody), true, 1)
	}

	responses, _ := ours["responses"].(map[string]any)
	for status, answer := range theirs["responses"].(map[string]any) {
		answered, ok := responses[status]
		if !ok {
			c.deviation(name, "response: no "+status)
			continue
		}
		want, got := jsonSchema(c.contract.resolve(answer)), jsonSchema(c.ours.resolve(answered))
		if want == nil {
			if got != nil {
				c.deviation(name, "response: a body")
			}
			continue
		}
		if got == nil {
			c.deviation(name, "response: no body")
			continue
		}
		c.schema(name, "response", want, got, false, 1)
	}
}

func parameters(d document, operation map[string]any) map[string]field {
	found := map[string]field{}
	for _, p := range list(operation["parameters"]) {
		parameter := d.resolve(p)
		if where := parameter["in"]; where == "path" || where == "query" {
			found[where.(string)+" "+parameter["name"].(string)] = field{parameter["schema"], parameter["required"] == true}
		}
	}
	return found
}

func jsonSchema(body map[string]any) any {
	content, _ := body["content"].(map[string]any)
	for name, media := range content {
		if name == "application/json" || strings.HasSuffix(name, "+json") {
			return media.(map[string]any)["schema"]
		}
	}
	return nil
}

// schema compares the values allowed at one place. In requests, we must accept everything that the contract allows; in
// responses, the contract must allow everything that we return.
func (c *comparison) schema(operation, place string, want, got any, sent bool, depth int) {
	if depth > deepest {
		return
	}
	theirs, ours := c.contract.shape(want), c.ours.shape(got)
	narrow, wide := ours, theirs
	if sent {
		narrow, wide = theirs, ours
	}
	beyond := slices.DeleteFunc(slices.Clone(narrow.kinds), func(kind string) bool { return covers(wide.kinds, kind) })
	if slices.Sort(beyond); len(beyond) > 0 && sent {
		c.deviation(operation, place+": refuses "+strings.Join(slices.Compact(beyond), ", "))
	} else if len(beyond) > 0 {
		c.deviation(operation, place+": may be "+strings.Join(slices.Compact(beyond), ", "))
	}
	if theirs.items != nil && ours.items != nil {
		c.schema(operation, place+"[]", theirs.items, ours.items, sent, depth+1)
	}
	if theirs.values != nil && ours.values != nil {
		c.schema(operation, place+"{}", theirs.values, ours.values, sent, depth+1)
	}
	if !covers(ours.kinds, "object") || !covers(theirs.kinds, "object") {
		return
	}
	// An object without listed fields may have any fields, which is fine for what we accept and for what the contract
	// expects.
	if sent && len(ours.fields) > 0 || !sent && len(theirs.fields) > 0 {
		c.fields(operation, place, theirs.fields, ours.fields, sent, depth)
	}
}

func (c *comparison) fields(operation, place string, theirs, ours map[string]field, sent bool, depth int) {
	for name, want := range theirs {
		got, ok := ours[name]
		if !ok {
			c.deviation(operation, place+" "+name+": missing")
			continue
		}
		if sent && got.required && !want.required {
			c.deviation(operation, place+" "+name+": required")
		}
		if !sent && want.required && !got.required {
			c.deviation(operation, place+" "+name+": optional")
		}
		c.schema(operation, place+" "+name, want.schema, got.schema, sent, depth+1)
	}
	for name := range ours {
		if _, ok := theirs[name]; !ok {
			c.deviation(operation, place+" "+name+": added")
		}
	}
}

func compare(t *testing.T) map[string][]string {
	t.Helper()
	raw, err := os.ReadFile("testdata/contract.json")
	if err != nil {
		t.Fatal(err)
	}
	c := comparison{found: map[string][]string{}}
	if err := json.Unmarshal(raw, &c.contract); err != nil {
		t.Fatal(err)
	}
	var described map[string]any
	if err := yaml.Unmarshal(Description(), &described); err != nil {
		t.Fatal(err)
	}
	c.ours = described
	ours := c.ours["paths"].(map[string]any)
	count := 0
	for path, item := range c.contract["paths"].(map[string]any) {
		for method, operation := range item.(map[string]any) {
			count++
			ourPath, renamed := pathNames[path]
			if !renamed {
				ourPath = path
			}
			described, _ := ours[ourPath].(map[string]any)
			mine, ok := described[method].(map[string]any)
			name := strings.ToUpper(method) + " " + path
			if !ok {
				c.deviation(name, "not described")
				continue
			}
			theirs := operation.(map[string]any)
			if (theirs["deprecated"] == true) != (mine["deprecated"] == true) {
				c.deviation(name, "the mark of deprecation")
			}
			mine["parameters"] = slices.Concat(list(described["parameters"]), list(mine["parameters"]))
			if renamed {
				theirs["parameters"] = renamedParameters(theirs, path, ourPath)
			}
			c.operation(name, theirs, mine)
		}
	}
	if count != 122 {
		t.Errorf("the contract has %d operations, not 122", count)
	}
	return c.found
}

// TestContract checks that our description matches the contract, except for knownDeviations.
func TestContract(t *testing.T) {
	found := compare(t)
	used := map[*knownDeviation]map[string]bool{}
	known := knownDeviations()
	for text, operations := range found {
		for _, operation := range operations {
			at := slices.IndexFunc(known, func(k *knownDeviation) bool { return k.explains(operation, text) })
			if at < 0 {
				t.Errorf("%s: %s", operation, text)
				continue
			}
			if used[known[at]] == nil {
				used[known[at]] = map[string]bool{}
			}
			used[known[at]][operation] = true
			for _, place := range known[at].places {
				if isAt(text, place) {
					used[known[at]][place] = true
				}
			}
		}
	}
	for _, k := range known {
		for _, entry := range slices.Concat(k.operations, k.places) {
			if !used[k][entry] {
				t.Errorf("%q in the entry %q explains nothing any more", entry, k.reason)
			}
		}
	}
}

// TestComparison checks that the comparison finds deviations, and only those.
func TestComparison(t *testing.T) {
	object := func(properties string) string { return `{"type":"object","properties":` + properties + `}` }
	for _, test := range []struct {
		theirs, ours string
		sent         bool
		want         []string
	}{
		{object(`{"a":{"type":"string"}}`), object(`{"a":{"type":"string"}}`), false, nil},
		{object(`{"a":{"type":"string"}}`), object(`{"b":{"type":"string"}}`), false, []string{"x a: missing", "x b: added"}},
		{object(`{"a":{"type":"string"}}`), object(`{"a":{"type":["string","null"]}}`), false, []string{"x a: may be null"}},
		{object(`{"a":{"type":"string"}}`), object(`{"a":{"type":["string","null"]}}`), true, nil},
		{object(`{"a":{"type":["string","null"]}}`), object(`{"a":{"enum":["b"]}}`), true, []string{"x a: refuses null, string"}},
		{object(`{"a":{"type":["string","null"]}}`), object(`{"a":{"enum":["b"]}}`), false, nil},
		{
			`{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}`, object(`{"a":{"type":"number"}}`), false,
			[]string{"x a: may be number", "x a: optional"},
		},
		{object(`{"a":{}}`), `{"type":"object","required":["a"],"properties":{"a":{}}}`, true, []string{"x a: required"}},
		{
			`{"type":"array","items":{"type":"string","format":"date-time"}}`, `{"type":"array","items":{"type":"string"}}`, false,
			[]string{"x[]: may be string"},
		},
		{
			`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","additionalProperties":{"type":"boolean"}}`,
			false,
			[]string{"x{}: may be boolean"},
		},
		{`{"type":"object","required":["a"],"properties":{"a":{}}}`, `{"type":"object"}`, false, []string{"x a: missing"}},
		{`{"type":"object","required":["a"],"properties":{"a":{}}}`, `{"type":"object"}`, true, nil},
		{`{"type":"object"}`, `{"type":"object","required":["a"],"properties":{"a":{}}}`, true, []string{"x a: added"}},
		// A field of all alternatives is required if all of them require it.
		{
			`{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
			`{"oneOf":[{"type":"object","required":["a"],"properties":{"a":{"const":"1"}}},{"$ref":"#/second"}]}`, false,
			[]string{"x b: may be null"},
		},
	} {
		c := comparison{
			ours: document{
				"second": decoded(t, `{"type":"object","required":["a"],"properties":{"a":{"const":"2"},"b":{"type":"null"}}}`),
			},
			found: map[string][]string{},
		}
		c.schema("", "x", decoded(t, test.theirs), decoded(t, test.ours), test.sent, 1)
		if got := slices.Sorted(maps.Keys(c.found)); !slices.Equal(got, test.want) {
			t.Errorf("%s and %s: %q, want %q", test.theirs, test.ours, got, test.want)
		}
	}
}

func decoded(t *testing.T, text string) (value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// pathNames maps contract paths to ours, where path parameters are named differently. Clients never send these names.
var pathNames = map[string]string{
	"/api/public/integrations/blob-storage/{id}":       "/api/public/integrations/blob-storage/{projectId}",
	"/api/public/llm-connections/{id}":                 "/api/public/llm-connections/{connectionId}",
	"/api/public/models/{id}":                          "/api/public/models/{modelId}",
	"/api/public/v2/prompts/{name}/versions/{version}": "/api/public/v2/prompts/{promptName}/versions/{version}",
}

// renamedParameters returns the parameters of an operation, with our names for its path parameters.
func renamedParameters(operation map[string]any, path, ourPath string) []any {
	names := map[any]string{}
	ours := strings.Split(ourPath, "/")
	for n, segment := range strings.Split(path, "/") {
		names[strings.Trim(segment, "{}")] = strings.Trim(ours[n], "{}")
	}
	var renamed []any
	for _, p := range list(operation["parameters"]) {
		parameter := maps.Clone(p.(map[string]any))
		if parameter["in"] == "path" {
			parameter["name"] = names[parameter["name"]]
		}
		renamed = append(renamed, parameter)
	}
	return renamed
}
