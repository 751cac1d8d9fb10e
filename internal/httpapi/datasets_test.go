package httpapi

import (
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// ask makes a request and returns the response with generated ids and times replaced by words. The response must have
// the status of the scenario and match the API description.
func (f *fixture) ask(t *testing.T, s scenario) string {
	t.Helper()
	if s.key == "" {
		s.key = "project"
	}
	if s.status == 0 {
		s.status = 200
	}
	r, answer := f.serveAfterFailures(t, s)
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != s.status {
		t.Errorf("%s %s: status %d, want %d; body %.1000s", r.Method, s.path, answer.StatusCode, s.status, body)
	}
	checkDescribed(t, r, answer, body)
	return anonymous.Replace(ownTime.ReplaceAllString(ownID.ReplaceAllString(string(body), `"ID"`), `"TIME"`))
}

var (
	ownTime   = regexp.MustCompile(`"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"`)
	ownID     = regexp.MustCompile(`"([a-z2-7]{26}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16})"`)
	anonymous = strings.NewReplacer(`"createdAt":"TIME","updatedAt":"TIME"`, `TIMES`)
)

// sequence makes requests one after the other, on one server. The want of each is compared with the response after ids
// and times have been replaced.
func sequence(t *testing.T, steps []scenario) *fixture {
	t.Helper()
	f := newFixture(t, nil)
	for _, s := range steps {
		got := f.ask(t, s)
		if s.want != "" && got != s.want {
			t.Errorf("%s: %s %s\n got %s\nwant %s", s.name, s.method, s.path, got, s.want)
		}
		for _, part := range s.contains {
			if !strings.Contains(got, part) {
				t.Errorf("%s: the body lacks %s: %s", s.name, part, got)
			}
		}
	}
	return f
}

func post(path, body string) scenario {
	return scenario{name: body, method: "POST", path: "/api/public/" + path, body: body}
}

func get(path string) scenario { return scenario{name: "read", path: "/api/public/" + path} }

func (s scenario) gives(status int, want string) scenario {
	s.status, s.want = status, want
	return s
}

func (s scenario) says(status int, parts ...string) scenario {
	s.status, s.contains = status, parts
	return s
}

// dataset returns a response with a dataset, with ids and times replaced.
func dataset(name, description, metadata, input, output, more string) string {
	return fmt.Sprintf(`{"id":"ID","name":%q,"description":%s,"metadata":%s,"inputSchema":%s,"expectedOutputSchema":%s,"projectId":"project-a",TIMES%s}`,
		name, description, metadata, input, output, more)
}

func TestDatasets(t *testing.T) {
	plain := dataset("qa/en", "null", "null", "null", "null", "")
	full := dataset("qa/en", `"first"`, `{"a":[1.50,12345678901234567890]}`, `{"type":"string"}`, "null", "")
	sequence(t, []scenario{
		get("v2/datasets").gives(200, `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`),
		get("v2/datasets/qa%2Fen").gives(404, `{"message":"Dataset not found","error":"LangfuseNotFoundError"}`),
		post("v2/datasets", `{"name":"qa/en","ignored":1}`).gives(200, plain),
		get("v2/datasets/qa%2Fen").gives(200, plain),
		post("v2/datasets", `{"name":"qa/en","description":"first","metadata":{ "a": [1.50, 12345678901234567890] },"inputSchema":{"type": "string"}}`).gives(200, full),
		post("v2/datasets", `{"name":"qa/en"}`).gives(200, full),
		post("v2/datasets", `{"name":"qa/en","description":null,"metadata":null}`).gives(200, full),
		post("v2/datasets", `{"name":"qa/en","description":"","metadata":"x","inputSchema":null,"expectedOutputSchema":{}}`).
			gives(200, dataset("qa/en", `""`, `"x"`, "null", "{}", "")),
		post("v2/datasets", `{"name":" second "}`).gives(200, dataset(" second ", "null", "null", "null", "null", "")),
		get("v2/datasets?limit=1").says(200, `"meta":{"page":1,"limit":1,"totalItems":2,"totalPages":2}}`),
		get("v2/datasets?limit=1&page=2").says(200, `"meta":{"page":2,"limit":1,"totalItems":2,"totalPages":2}}`),
		get("v2/datasets?page=").says(200, `"totalItems":2`),
		get("v2/datasets?limit=101").says(400, `"code":"too_big","maximum":100,"inclusive":true,"path":["limit"]`),
		get("v2/datasets?page=0").says(400, `"path":["page"]`),
		{path: "/api/public/v2/datasets", key: "neighbour", status: 200, want: `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`},
		{path: "/api/public/v2/datasets/qa%2Fen", key: "foreign", status: 404},
	})
}

func TestDatasetPermissions(t *testing.T) {
	var scenarios []scenario
	for _, s := range []scenario{
		{path: "/v2/datasets"},
		{method: "POST", path: "/v2/datasets", body: `{"name":"x"}`},
		{path: "/v2/datasets/x"},
		{path: "/datasets"},
		{method: "POST", path: "/datasets", body: `{"name":"x"}`},
		{path: "/datasets/x"},
		{path: "/datasets/x/runs"},
		{path: "/datasets/x/runs/y"},
		{method: "DELETE", path: "/datasets/x/runs/y"},
		{path: "/dataset-items"},
		{method: "POST", path: "/dataset-items", body: `{}`},
		{path: "/dataset-items/x"},
		{method: "DELETE", path: "/dataset-items/x"},
		{path: "/dataset-run-items"},
		{method: "POST", path: "/dataset-run-items", body: `{}`},
	} {
		s.path, s.status, s.key, s.name = "/api/public"+s.path, 403, "limited", s.method+" "+s.path
		permission := map[string]string{"": "datasets:read", "POST": "datasets:write", "DELETE": "datasets:delete"}[s.method]
		s.want = `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission ` + permission + `"}`
		scenarios = append(scenarios, s)
	}
	runScenarios(t, scenarios)
}

func TestDatasetBodies(t *testing.T) {
	invalid := func(body, issues string) scenario {
		return scenario{
			name: body, method: "POST", path: "/api/public/v2/datasets", key: "project", body: body, status: 400,
			want: `{"message":"Invalid request data","error":[` + issues + `]}`,
		}
	}
	const schema = `{"code":"custom","path":["inputSchema"],"message":"Must be a valid JSON Schema"}`
	scenarios := []scenario{
		invalid(`{}`, `{"expected":"string","code":"invalid_type","path":["name"],"message":"Invalid input: expected string, received undefined"}`),
		invalid(`[]`, `{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received array"}`),
		invalid(`{"name":"x","description":1}`, `{"expected":"string","code":"invalid_type","path":["description"],"message":"Invalid input: expected string, received number"}`),
		invalid(`{"name":"`+strings.Repeat("n", 1001)+`"}`, `{"origin":"string","code":"too_big","maximum":1000,"inclusive":true,"path":["name"],"message":"Too big: expected string to have <=1000 characters"}`),
		invalid(`{"name":"`+strings.Repeat("名", 700)+`"}`, `{"code":"custom","path":["name"],"message":"The text has more than 2000 bytes in UTF-8"}`),
		invalid(`{"name":"a\u0000b"}`, `{"code":"custom","path":["name"],"message":"The text contains the character U+0000"}`),
		invalid(`{"name":"x","description":"\u0000"}`, `{"code":"custom","path":["description"],"message":"The text contains the character U+0000"}`),
		invalid(`{"name":"x","inputSchema":"string"}`, schema),
		invalid(`{"name":"x","inputSchema":true}`, schema),
		invalid(`{"name":"x","inputSchema":{"tpye":"string"}}`, schema),
		invalid(`{"name":"x","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema"}}`, schema),
		invalid(`{"name":"x","inputSchema":{"description":"`+strings.Repeat("d", 10_000)+`"}}`, schema),
		invalid(`{"name":"x","inputSchema":[],"expectedOutputSchema":{"type":"strin"}}`, schema+`,{"code":"custom","path":["expectedOutputSchema"],"message":"Must be a valid JSON Schema"}`),
		{
			name: "too large", method: "POST", path: "/api/public/v2/datasets", key: "project", body: `{"name":"` + strings.Repeat("n", 1<<20) + `"}`, status: 413,
		},
	}
	for name, problem := range map[string]string{
		"": "The name is blank", "  ": "The name is blank", "a <b>bold</b>": "The name contains an HTML tag", "/a": "The name begins or ends with a slash",
		"a/": "The name begins or ends with a slash", "a//b": "The name contains two slashes in a row",
	} {
		scenarios = append(scenarios, scenario{
			name: "name " + name, method: "POST", path: "/api/public/v2/datasets", key: "project", body: fmt.Sprintf(`{"name":%q}`, name), status: 400,
			want: `{"message":"Dataset name not valid. [\n  {\n    \"code\": \"custom\",\n    \"path\": [],\n    \"message\": \"` + problem + `\"\n  }\n]","error":"InvalidRequestError"}`,
		})
	}
	runScenarios(t, scenarios)
}

// TestDatasetNames shows that a name survives every encoding in a path that clients use.
func TestDatasetNames(t *testing.T) {
	f := newFixture(t, nil)
	for _, name := range []string{
		"qa/en", "a b", "a+b", "a?b", "100%", "%20", "%2F", "a:b", "日本語", "é", "a#b", `a"b\c`, "a&b=c", "...", "a/../b", "[{;}]", "👍", "runs", "a/runs",
	} {
		for _, escaped := range []string{url.PathEscape(name), fullyEscaped(name)} {
			f.ask(t, post("v2/datasets", fmt.Sprintf(`{"name":%s}`, quoted(name))))
			item := f.ask(t, post("dataset-items", fmt.Sprintf(`{"datasetName":%s,"id":%s,"input":1}`, quoted(name), quoted(name))))
			f.ask(t, post("dataset-run-items", fmt.Sprintf(`{"runName":%s,"datasetItemId":%s,"traceId":"t"}`, quoted(name), quoted(name))))
			for path, want := range map[string]string{
				"v2/datasets/" + escaped:                          `"name":` + quoted(name),
				"datasets/" + escaped:                             `"name":` + quoted(name),
				"datasets/" + escaped + "/runs":                   `"datasetName":` + quoted(name),
				"datasets/" + escaped + "/runs/" + escaped:        `"datasetRunItems":[{"id":`,
				"dataset-items/" + escaped:                        item,
				"dataset-items?datasetName=" + fullyEscaped(name): item,
			} {
				if got := f.ask(t, get(path)); !strings.Contains(got, want) {
					t.Errorf("GET %s: %s lacks %s", path, got, want)
				}
			}
		}
	}
	for _, path := range []string{"v2/datasets/a%00b", "v2/datasets/%FF", "dataset-items/%00", "datasets/%00/runs", "datasets/qa%2Fen/runs/%FF", "dataset-items?datasetName=%00"} {
		f.ask(t, get(path).says(404))
	}
	f.ask(t, get("v2/datasets/%2520")) // decoded once: it is the name %20
	f.ask(t, get("v2/datasets/%252520").says(404))
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
	steps := []scenario{
		post("v2/datasets", `{"name":"set"}`),
		post("dataset-items", `{"datasetName":"set","id":"good","input":{"text":"x"},"expectedOutput":1}`),
		post("dataset-items", `{"datasetName":"set","id":"bad","input":{"text":1},"expectedOutput":"x"}`),
		post("dataset-items", `{"datasetName":"set","id":"archived","input":3,"expectedOutput":2,"status":"ARCHIVED"}`),
		post("dataset-items", `{"datasetName":"set","id":"gone","input":4}`),
		{method: "DELETE", path: "/api/public/dataset-items/gone"},
		post("v2/datasets", `{"name":"set","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}`).gives(400,
			`{"message":"Schema validation failed for 2 item(s). Details: [`+
				`{\"datasetItemId\":\"archived\",\"field\":\"input\",\"errors\":[{\"path\":\"\",\"message\":\"must be object\",\"keyword\":\"type\"}]},`+
				`{\"datasetItemId\":\"bad\",\"field\":\"input\",\"errors\":[{\"path\":\"/text\",\"message\":\"must be string\",\"keyword\":\"type\"}]}]","error":"InvalidRequestError"}`),
		post("v2/datasets", `{"name":"set","expectedOutputSchema":{"type":"number"}}`).says(400,
			`Schema validation failed for 1 item(s). Details: [{\"datasetItemId\":\"bad\",\"field\":\"expectedOutput\",`),
		post("v2/datasets", `{"name":"set","inputSchema":{"type":"array"},"expectedOutputSchema":{"type":"boolean"}}`).says(400, "failed for 6 item(s)"),
		get("v2/datasets/set").gives(200, dataset("set", "null", "null", "null", "null", "")),
		post("dataset-items", `{"datasetName":"set","id":"bad","expectedOutput":0}`),
		post("v2/datasets", `{"name":"set","expectedOutputSchema":{"type":"number"}}`),
	}
	for n := range 10 {
		steps = append(steps, post("dataset-items", fmt.Sprintf(`{"datasetName":"set","id":"i%d","input":1,"expectedOutput":1}`, n)))
	}
	f := sequence(t, append(steps,
		post("v2/datasets", `{"name":"set","inputSchema":{"type":["object","null"]}}`).says(400, `"message":"Schema validation failed for more than 10 item(s).`),
	))
	if got := f.ask(t, post("v2/datasets", `{"name":"set","inputSchema":{"type":"string"}}`).says(400)); strings.Count(got, "datasetItemId") != 10 {
		t.Errorf("%d failures are reported: %s", strings.Count(got, "datasetItemId"), got)
	}
}

func TestDatasetsV1(t *testing.T) {
	const item = `{"id":"i%d","status":"ACTIVE","input":%d,"expectedOutput":null,"metadata":null,"sourceTraceId":null,"sourceObservationId":null,"datasetId":"ID","datasetName":"set",TIMES,"mediaReferences":[]}`
	sequence(t, []scenario{
		get("datasets").gives(200, `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`),
		post("datasets", `{"name":"set","description":"d"}`).gives(200, dataset("set", `"d"`, "null", "null", "null", `,"items":[],"runs":[]`)),
		post("datasets", `{"name":"//"}`).says(400, "Dataset name not valid."),
		get("datasets/set").gives(200, dataset("set", `"d"`, "null", "null", "null", `,"items":[],"runs":[]`)),
		post("dataset-items", `{"datasetName":"set","id":"i1","input":1}`),
		post("dataset-items", `{"datasetName":"set","id":"i2","input":2}`),
		post("dataset-items", `{"datasetName":"set","id":"i3","input":3,"status":"ARCHIVED"}`),
		post("dataset-run-items", `{"runName":"r1","datasetItemId":"i1","traceId":"t"}`),
		post("dataset-run-items", `{"runName":"r2","datasetItemId":"i1","traceId":"t"}`),
		get("datasets/set").says(200, `"items":[`+fmt.Sprintf(item, 2, 2)+`,`+fmt.Sprintf(item, 1, 1)+`],"runs":[`),
		get("datasets").says(200, `"items":["i2","i1"],"runs":[`, `"r1"`, `"r2"`, `],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`),
		get("datasets?limit=x").says(400),
		get("datasets/none").gives(404, `{"message":"Dataset not found","error":"LangfuseNotFoundError"}`),
	})
	successor := map[string]string{"Deprecation": "@1767225600", "Link": `</api/public/v2/datasets>; rel="successor-version"`}
	runScenarios(t, []scenario{
		{name: "list", path: "/api/public/datasets", key: "project", status: 200, wantHeader: successor},
		{name: "create", method: "POST", path: "/api/public/datasets", body: `{"name":"x"}`, key: "project", status: 200, wantHeader: successor},
		{name: "get", path: "/api/public/datasets/x", key: "project", status: 404, wantHeader: successor},
		{name: "current", path: "/api/public/v2/datasets", key: "project", status: 200, wantHeader: map[string]string{"Deprecation": "", "Link": ""}},
	})
}
