package datasets_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/httpapi/apitest"
)

// dataset returns a response with a dataset, with ids and times replaced.
func dataset(name, description, metadata, input, output, more string) string {
	return fmt.Sprintf(`{"id":"ID","name":%q,"description":%s,"metadata":%s,"inputSchema":%s,"expectedOutputSchema":%s,"projectId":"project-a",TIMES%s}`,
		name, description, metadata, input, output, more)
}

func TestDatasets(t *testing.T) {
	plain := dataset("qa/en", "null", "null", "null", "null", "")
	full := dataset("qa/en", `"first"`, `{"a":[1.50,12345678901234567890]}`, `{"type":"string"}`, "null", "")
	apitest.Sequence(t, []apitest.Scenario{
		apitest.Get("v2/datasets").Gives(200, `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`),
		apitest.Get("v2/datasets/qa%2Fen").Gives(404, `{"message":"Dataset not found","error":"LangfuseNotFoundError"}`),
		apitest.Post("v2/datasets", `{"name":"qa/en","ignored":1}`).Gives(200, plain),
		apitest.Get("v2/datasets/qa%2Fen").Gives(200, plain),
		apitest.Post("v2/datasets",
			`{"name":"qa/en","description":"first","metadata":{ "a": [1.50, 12345678901234567890] },"inputSchema":{"type": "string"}}`).Gives(200, full),
		apitest.Post("v2/datasets", `{"name":"qa/en"}`).Gives(200, full),
		apitest.Post("v2/datasets", `{"name":"qa/en","description":null,"metadata":null}`).Gives(200, full),
		apitest.Post("v2/datasets", `{"name":"qa/en","description":"","metadata":"x","inputSchema":null,"expectedOutputSchema":{}}`).
			Gives(200, dataset("qa/en", `""`, `"x"`, "null", "{}", "")),
		apitest.Post("v2/datasets", `{"name":" second "}`).Gives(200, dataset(" second ", "null", "null", "null", "null", "")),
		apitest.Get("v2/datasets?limit=1").Says(200, `"meta":{"page":1,"limit":1,"totalItems":2,"totalPages":2}}`),
		apitest.Get("v2/datasets?limit=1&page=2").Says(200, `"meta":{"page":2,"limit":1,"totalItems":2,"totalPages":2}}`),
		apitest.Get("v2/datasets?page=").Says(200, `"totalItems":2`),
		apitest.Get("v2/datasets?limit=101").Says(400, `"code":"too_big","maximum":100,"inclusive":true,"path":["limit"]`),
		apitest.Get("v2/datasets?page=0").Says(400, `"path":["page"]`),
		{
			Path: "/api/public/v2/datasets", Key: "neighbour", Status: 200,
			Want: `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`,
		},
		{Path: "/api/public/v2/datasets/qa%2Fen", Key: "foreign", Status: 404},
	})
}

func TestDatasetPermissions(t *testing.T) {
	var scenarios []apitest.Scenario
	for _, s := range []apitest.Scenario{
		{Path: "/v2/datasets"},
		{Method: "POST", Path: "/v2/datasets", Body: `{"name":"x"}`},
		{Path: "/v2/datasets/x"},
		{Path: "/datasets"},
		{Method: "POST", Path: "/datasets", Body: `{"name":"x"}`},
		{Path: "/datasets/x"},
		{Path: "/datasets/x/runs"},
		{Path: "/datasets/x/runs/y"},
		{Method: "DELETE", Path: "/datasets/x/runs/y"},
		{Path: "/dataset-items"},
		{Method: "POST", Path: "/dataset-items", Body: `{}`},
		{Path: "/dataset-items/x"},
		{Method: "DELETE", Path: "/dataset-items/x"},
		{Path: "/dataset-run-items"},
		{Method: "POST", Path: "/dataset-run-items", Body: `{}`},
	} {
		s.Path, s.Status, s.Key, s.Name = "/api/public"+s.Path, 403, "limited", s.Method+" "+s.Path
		permission := map[string]string{"": "datasets:read", "POST": "datasets:write", "DELETE": "datasets:delete"}[s.Method]
		s.Want = `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission ` + permission + `"}`
		scenarios = append(scenarios, s)
	}
	apitest.Run(t, scenarios)
}

func TestDatasetBodies(t *testing.T) {
	invalid := func(body, issues string) apitest.Scenario {
		return apitest.Scenario{
			Name: body, Method: "POST", Path: "/api/public/v2/datasets", Key: "project", Body: body, Status: 400,
			Want: `{"message":"Invalid request data","error":[` + issues + `]}`,
		}
	}
	const schema = `{"code":"custom","path":["inputSchema"],"message":"Must be a valid JSON Schema"}`
	scenarios := []apitest.Scenario{
		invalid(`{}`,
			`{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received undefined"}`),
		invalid(`[]`, `{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received array"}`),
		invalid(`{"name":"x","description":1}`,
			`{"expected":"string","code":"invalid_type","path":["description"],"message":"Invalid input: expected string, received number"}`),
		invalid(`{"name":"`+strings.Repeat("n", 1001)+`"}`,
			`{"origin":"string","code":"too_big","maximum":1000,"inclusive":true,"path":["name"],"message":"Too big: expected string to have <=1000 characters"}`),
		invalid(`{"name":"`+strings.Repeat("名", 700)+`"}`,
			`{"code":"custom","path":["name"],"message":"The text has more than 2000 bytes in UTF-8"}`),
		invalid(`{"name":"a\u0000b"}`, `{"code":"custom","path":["name"],"message":"The text contains the character U+0000"}`),
		invalid(`{"name":"x","description":"\u0000"}`,
			`{"code":"custom","path":["description"],"message":"The text contains the character U+0000"}`),
		invalid(`{"name":"x","inputSchema":"string"}`, schema),
		invalid(`{"name":"x","inputSchema":true}`, schema),
		invalid(`{"name":"x","inputSchema":{"tpye":"string"}}`, schema),
		invalid(`{"name":"x","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema"}}`, schema),
		invalid(`{"name":"x","inputSchema":{"description":"`+strings.Repeat("d", 10_000)+`"}}`, schema),
		invalid(`{"name":"x","inputSchema":[],"expectedOutputSchema":{"type":"strin"}}`,
			schema+`,{"code":"custom","path":["expectedOutputSchema"],"message":"Must be a valid JSON Schema"}`),
		{
			Name: "too large", Method: "POST", Path: "/api/public/v2/datasets", Key: "project",
			Body: `{"name":"` + strings.Repeat("n", 1<<20) + `"}`, Status: 413,
		},
	}
	for name, problem := range map[string]string{
		"": "The name is blank", "  ": "The name is blank", "a <b>bold</b>": "The name contains an HTML tag",
		"/a": "The name begins or ends with a slash",
		"a/": "The name begins or ends with a slash", "a//b": "The name contains two slashes in a row",
	} {
		scenarios = append(scenarios, apitest.Scenario{
			Name: "name " + name, Method: "POST", Path: "/api/public/v2/datasets", Key: "project", Body: fmt.Sprintf(`{"name":%q}`, name),
			Status: 400,
			Want: `{"message":"Dataset name not valid. [\n  {\n    \"code\": \"custom\",\n    \"path\": [],\n    \"message\": \"` +
				problem + `\"\n  }\n]","error":"InvalidRequestError"}`,
		})
	}
	apitest.Run(t, scenarios)
}

// TestDatasetNames shows that a name survives every encoding in a path that clients use.
func TestDatasetNames(t *testing.T) {
	f := apitest.New(t, nil)
	for _, name := range []string{
		"qa/en", "a b", "a+b", "a?b", "100%", "%20", "%2F", "a:b", "日本語", "é", "a#b", `a"b\c`, "a&b=c", "...", "a/../b", "[{;}]", "👍",
		"runs", "a/runs",
	} {
		for _, escaped := range []string{url.PathEscape(name), fullyEscaped(name)} {
			f.Ask(t, apitest.Post("v2/datasets", fmt.Sprintf(`{"name":%s}`, quoted(name))))
			item := f.Ask(t, apitest.Post("dataset-items", fmt.Sprintf(`{"datasetName":%s,"id":%s,"input":1}`, quoted(name), quoted(name))))
			f.Ask(t, apitest.Post("dataset-run-items", fmt.Sprintf(`{"runName":%s,"datasetItemId":%s,"traceId":"t"}`, quoted(name), quoted(name))))
			for path, want := range map[string]string{
				"v2/datasets/" + escaped:                          `"name":` + quoted(name),
				"datasets/" + escaped:                             `"name":` + quoted(name),
				"datasets/" + escaped + "/runs":                   `"datasetName":` + quoted(name),
				"datasets/" + escaped + "/runs/" + escaped:        `"datasetRunItems":[{"id":`,
				"dataset-items/" + escaped:                        item,
				"dataset-items?datasetName=" + fullyEscaped(name): item,
			} {
				if got := f.Ask(t, apitest.Get(path)); !strings.Contains(got, want) {
					t.Errorf("GET %s: %s lacks %s", path, got, want)
				}
			}
		}
	}
	for _, path := range []string{
		"v2/datasets/a%00b", "v2/datasets/%FF", "dataset-items/%00", "datasets/%00/runs", "datasets/qa%2Fen/runs/%FF",
		"dataset-items?datasetName=%00",
	} {
		f.Ask(t, apitest.Get(path).Says(404))
	}
	f.Ask(t, apitest.Get("v2/datasets/%2520")) // decoded once: it is the name %20
	f.Ask(t, apitest.Get("v2/datasets/%252520").Says(404))
}

// fullyEscaped escapes every byte.
func fullyEscaped(text string) string {
	var b strings.Builder
	for n := range len(text) {
		fmt.Fprintf(&b, "%%%02X", text[n])
	}
	return b.String()
}

// quoted returns a string as JSON.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// TestSetSchema sets schemas on datasets that have items.
func TestSetSchema(t *testing.T) {
	steps := []apitest.Scenario{
		apitest.Post("v2/datasets", `{"name":"set"}`),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"good","input":{"text":"x"},"expectedOutput":1}`),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"bad","input":{"text":1},"expectedOutput":"x"}`),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"archived","input":3,"expectedOutput":2,"status":"ARCHIVED"}`),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"gone","input":4}`),
		{Method: "DELETE", Path: "/api/public/dataset-items/gone"},
		apitest.Post("v2/datasets", `{"name":"set","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}`).Gives(400,
			`{"message":"Schema validation failed for 2 item(s). Details: [`+
				`{\"datasetItemId\":\"archived\",\"field\":\"input\",\"errors\":[{\"path\":\"\",\"message\":\"must be object\",\"keyword\":\"type\"}]},`+
				`{\"datasetItemId\":\"bad\",\"field\":\"input\",\"errors\":[{\"path\":\"/text\",\"message\":\"must be string\",\"keyword\":\"type\"}]}]","error":"InvalidRequestError"}`),
		apitest.Post("v2/datasets", `{"name":"set","expectedOutputSchema":{"type":"number"}}`).Says(400,
			`Schema validation failed for 1 item(s). Details: [{\"datasetItemId\":\"bad\",\"field\":\"expectedOutput\",`),
		apitest.Post("v2/datasets", `{"name":"set","inputSchema":{"type":"array"},"expectedOutputSchema":{"type":"boolean"}}`).Says(400,
			"failed for 6 item(s)"),
		apitest.Get("v2/datasets/set").Gives(200, dataset("set", "null", "null", "null", "null", "")),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"bad","expectedOutput":0}`),
		apitest.Post("v2/datasets", `{"name":"set","expectedOutputSchema":{"type":"number"}}`),
	}
	for n := range 10 {
		steps = append(steps, apitest.Post("dataset-items", fmt.Sprintf(`{"datasetName":"set","id":"i%d","input":1,"expectedOutput":1}`, n)))
	}
	f := apitest.Sequence(t, append(steps,
		apitest.Post("v2/datasets", `{"name":"set","inputSchema":{"type":["object","null"]}}`).Says(400,
			`"message":"Schema validation failed for more than 10 item(s).`),
	))
	if got := f.Ask(t, apitest.Post("v2/datasets", `{"name":"set","inputSchema":{"type":"string"}}`).Says(400)); strings.Count(got,
		"datasetItemId") != 10 {
		t.Errorf("%d failures are reported: %s", strings.Count(got, "datasetItemId"), got)
	}
}

func TestDatasetsV1(t *testing.T) {
	const item = `{"id":"i%d","status":"ACTIVE","input":%d,"expectedOutput":null,"metadata":null,"sourceTraceId":null,"sourceObservationId":null,"datasetId":"ID","datasetName":"set",TIMES,"mediaReferences":[]}`
	apitest.Sequence(t, []apitest.Scenario{
		apitest.Get("datasets").Gives(200, `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`),
		apitest.Post("datasets", `{"name":"set","description":"d"}`).Gives(200,
			dataset("set", `"d"`, "null", "null", "null", `,"items":[],"runs":[]`)),
		apitest.Post("datasets", `{"name":"//"}`).Says(400, "Dataset name not valid."),
		apitest.Get("datasets/set").Gives(200, dataset("set", `"d"`, "null", "null", "null", `,"items":[],"runs":[]`)),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"i1","input":1}`),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"i2","input":2}`),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"i3","input":3,"status":"ARCHIVED"}`),
		apitest.Post("dataset-run-items", `{"runName":"r1","datasetItemId":"i1","traceId":"t"}`),
		apitest.Post("dataset-run-items", `{"runName":"r2","datasetItemId":"i1","traceId":"t"}`),
		apitest.Get("datasets/set").Says(200, `"items":[`+fmt.Sprintf(item, 2, 2)+`,`+fmt.Sprintf(item, 1, 1)+`],"runs":[`),
		apitest.Get("datasets").Says(200, `"items":["i2","i1"],"runs":[`, `"r1"`, `"r2"`,
			`],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`),
		apitest.Get("datasets?limit=x").Says(400),
		apitest.Get("datasets/none").Gives(404, `{"message":"Dataset not found","error":"LangfuseNotFoundError"}`),
	})
	successor := map[string]string{"Deprecation": "@1767225600", "Link": `</api/public/v2/datasets>; rel="successor-version"`}
	apitest.Run(t, []apitest.Scenario{
		{Name: "list", Path: "/api/public/datasets", Key: "project", Status: 200, WantHeader: successor},
		{
			Name: "create", Method: "POST", Path: "/api/public/datasets", Body: `{"name":"x"}`, Key: "project", Status: 200,
			WantHeader: successor,
		},
		{Name: "get", Path: "/api/public/datasets/x", Key: "project", Status: 404, WantHeader: successor},
		{
			Name: "current", Path: "/api/public/v2/datasets", Key: "project", Status: 200,
			WantHeader: map[string]string{"Deprecation": "", "Link": ""},
		},
	})
}
