package httpapi

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
)

// runItem returns a response with a link of the run "run 1", with ids and times replaced.
func runItem(item, trace, observation string) string {
	return fmt.Sprintf(`{"id":"ID","traceId":%q,"observationId":%s,"datasetRunId":"ID","datasetRunName":"run 1","datasetItemId":%q,TIMES}`, trace, observation, item)
}

func TestDatasetRuns(t *testing.T) {
	const (
		run      = `{"id":"ID","name":"run 1","description":"first","metadata":{"m":1.0},"datasetId":"ID",TIMES,"datasetName":"ex/ds"`
		notFound = `{"message":"Dataset run not found","error":"LangfuseNotFoundError"}`
	)
	first, second := runItem("i1", "t1", `"o1"`), runItem("i2", "", `"o2"`)
	again := runItem("i1", strings.Repeat("0", 32), "null")
	f := sequence(t, []scenario{
		post("dataset-run-items", `{"runName":"run 1","datasetItemId":"i1","traceId":"t1"}`).gives(404, `{"message":"Dataset item not found","error":"LangfuseNotFoundError"}`),
		get("datasets/ex%2Fds/runs").gives(404, `{"message":"Dataset not found","error":"LangfuseNotFoundError"}`),
		get("datasets/ex%2Fds/runs/run%201").gives(404, notFound),
		post("v2/datasets", `{"name":"ex/ds"}`),
		post("dataset-items", `{"datasetName":"ex/ds","id":"i1","input":1}`),
		post("dataset-items", `{"datasetName":"ex/ds","id":"i2","input":1}`),
		post("dataset-items", `{"datasetName":"ex/ds","id":"i3","input":1,"status":"ARCHIVED"}`),
		get("datasets/ex%2Fds/runs").gives(200, `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`),
		get("datasets/ex%2Fds/runs/run%201").gives(404, notFound),
		post("dataset-run-items", `{"runName":"run 1","runDescription":"first","metadata":{"m": 1.0},"datasetItemId":"i1","traceId":"t1","observationId":"o1","datasetVersion":null,"createdAt":null}`).
			gives(200, first),
		post("dataset-run-items", `{"runName":"run 1","runDescription":"second","metadata":{"m":2},"datasetItemId":"i2","observationId":"o2"}`).gives(200, second),
		get("datasets/ex%2Fds/runs").gives(200, `{"data":[`+run+`}],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`),
		get("datasets/ex%2Fds/runs/run%201").gives(200, run+`,"datasetRunItems":[`+second+`,`+first+`]}`),
		post("dataset-run-items", `{"runName":"run 1","runDescription":null,"metadata":null,"datasetItemId":"i1","traceId":"`+strings.Repeat("0", 32)+`"}`).gives(200, again),
		get("datasets/ex%2Fds/runs/run%201").gives(200, run+`,"datasetRunItems":[`+again+`,`+second+`]}`),
		post("dataset-run-items", `{"runName":"bare","datasetItemId":"i1","traceId":"t"}`),
		get("datasets/ex%2Fds/runs/bare").says(200, `"description":null,"metadata":{},`),
		get("datasets/ex%2Fds/runs?limit=1&page=3").gives(200, `{"data":[],"meta":{"page":3,"limit":1,"totalItems":2,"totalPages":2}}`),
		get("datasets/ex%2Fds/runs?limit=x").says(400),
		// Items that are not active, or did not exist yet.
		post("dataset-run-items", `{"runName":"run 1","datasetItemId":"i3","traceId":"t"}`).says(404, "Dataset item not found"),
		post("dataset-run-items", `{"runName":"run 1","datasetItemId":"i1","traceId":"t","datasetVersion":"2020-01-01"}`).says(404, "Dataset item not found"),
		post("dataset-run-items", `{"runName":"versioned","datasetItemId":"i1","traceId":"t","datasetVersion":"2999-01-01"}`).says(200, `"datasetRunName":"versioned"`),
		// Other projects.
		{path: "/api/public/datasets/ex%2Fds/runs/run%201", key: "neighbour", status: 404, want: notFound},
		{method: "DELETE", path: "/api/public/datasets/ex%2Fds/runs/run%201", key: "neighbour", status: 404, want: notFound},
		{method: "POST", path: "/api/public/dataset-run-items", key: "neighbour", body: `{"runName":"run 1","datasetItemId":"i1","traceId":"t"}`, status: 404},

		{method: "DELETE", path: "/api/public/datasets/ex%2Fds/runs/run%201", status: 200, want: `{"message":"Dataset run successfully deleted"}`},
		{method: "DELETE", path: "/api/public/datasets/ex%2Fds/runs/run%201", status: 404, want: notFound},
		{method: "DELETE", path: "/api/public/datasets/none/runs/run%201", status: 404, want: notFound},
		get("datasets/ex%2Fds/runs/run%201").gives(404, notFound),
	})

	// The id is that of the experiment, and a time given by the client is kept.
	d, err := f.Catalog.Dataset(t.Context(), domain.OfProject("project-a"), "ex/ds")
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, scenario{
		method: "POST", path: "/api/public/dataset-run-items", key: "project",
		body: `{"runName":"given","datasetItemId":"i1","traceId":"t","createdAt":"2020-01-02T03:04:05.678Z"}`,
	}.request())
	id := domain.ExperimentID("project-a", d.ID, "given")
	if want := `"datasetRunId":"` + id + `","datasetRunName":"given","datasetItemId":"i1","createdAt":"2020-01-02T03:04:05.678Z","updatedAt":"2020-01-02T03:04:05.678Z"}`; !strings.HasSuffix(w.Body.String(), want) {
		t.Errorf("%s lacks %s", w.Body, want)
	}

	list := "dataset-run-items?runName=bare&datasetId=" + d.ID
	one := strings.Replace(runItem("i1", "t", "null"), "run 1", "bare", 1)
	for query, want := range map[string]string{
		list:             `{"data":[` + one + `],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`,
		list + "&page=2": `{"data":[],"meta":{"page":2,"limit":50,"totalItems":1,"totalPages":1}}`,
	} {
		if got := f.ask(t, get(query)); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
	const none = `{"message":"Dataset run not found for the given project and dataset id","error":"LangfuseNotFoundError"}`
	for _, s := range []scenario{get(list + "x"), get("dataset-run-items?runName=none&datasetId=" + d.ID), {path: "/api/public/" + list, key: "foreign"}} {
		if got := f.ask(t, s.says(404)); got != none {
			t.Errorf("%s: %s", s.path, got)
		}
	}
}

func TestDatasetRunBodies(t *testing.T) {
	invalid := func(body, issues string) scenario {
		return scenario{
			name: body[:min(len(body), 60)], method: "POST", path: "/api/public/dataset-run-items", key: "project", body: body, status: 400,
			want: `{"message":"Invalid request data","error":[` + issues + `]}`,
		}
	}
	missing := func(field string) string {
		return `{"expected":"string","code":"invalid_type","path":["` + field + `"],"message":"Invalid input: expected string, received undefined"}`
	}
	const neither = `{"code":"custom","path":["observationId","traceId"],"message":"observationId or traceId must be provided"}`
	successor := func(path string) map[string]string {
		return map[string]string{"Deprecation": "@1767225600", "Link": `<` + path + `>; rel="successor-version"`}
	}
	runScenarios(t, []scenario{
		invalid(`{}`, missing("runName")+","+missing("datasetItemId")),
		invalid(`{"runName":"r","datasetItemId":"i"}`, neither),
		invalid(`{"runName":"r","datasetItemId":"i","traceId":null,"observationId":null}`, neither),
		invalid(`{"runName":"r","datasetItemId":"i","traceId":"","observationId":""}`, neither),
		invalid(`{"runName":"r","datasetItemId":"i","traceId":"t","a":1,"b":2}`, `{"code":"unrecognized_keys","keys":["a","b"],"path":[],"message":"Unrecognized keys: \"a\", \"b\""}`),
		invalid(`{"runName":"","datasetItemId":"i","traceId":"t"}`, `{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["runName"],"message":"Too small: expected string to have >=1 characters"}`),
		invalid(`{"runName":"`+strings.Repeat("r", 1001)+`","datasetItemId":"i","traceId":"t"}`, `{"origin":"string","code":"too_big","maximum":1000,"inclusive":true,"path":["runName"],"message":"Too big: expected string to have <=1000 characters"}`),
		invalid(`{"runName":"r","datasetItemId":"i","traceId":"t","datasetVersion":"soon"}`, `{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["datasetVersion"],"message":"Invalid input: expected date, received Date"}`),
		{
			name: "a lenient time of creation", method: "POST", path: "/api/public/dataset-run-items", key: "project", status: 400,
			body: `{"runName":"r","datasetItemId":"i","traceId":"t","createdAt":"2026-01-01"}`, contains: []string{`"path":["createdAt"],"message":"Invalid ISO datetime"`},
		},
		{name: "an impossible item", method: "POST", path: "/api/public/dataset-run-items", key: "project", body: `{"runName":"r","datasetItemId":"\u0000","traceId":"t"}`, status: 404, wantHeader: successor("/api/public/otel/v1/traces")},
		{
			name: "no parameters", path: "/api/public/dataset-run-items", key: "project", status: 400, want: `{"message":"Invalid request data","error":[` + missing("datasetId") + "," + missing("runName") + `]}`,
			wantHeader: successor("/api/public/experiment-items"),
		},
		{name: "runs", path: "/api/public/datasets/x/runs", key: "project", status: 404, wantHeader: successor("/api/public/experiments")},
		{name: "a run", path: "/api/public/datasets/x/runs/y", key: "project", status: 404, wantHeader: successor("/api/public/experiments")},
	})
}
