package datasets_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// runItem returns a response with a link of the run "run 1", with ids and times replaced.
func runItem(item, trace, observation string) string {
	return fmt.Sprintf(`{"id":"ID","traceId":%q,"observationId":%s,"datasetRunId":"ID","datasetRunName":"run 1","datasetItemId":%q,TIMES}`,
		trace, observation, item)
}

func TestDatasetRuns(t *testing.T) {
	const (
		run      = `{"id":"ID","name":"run 1","description":"first","metadata":{"m":1.0},"datasetId":"ID",TIMES,"datasetName":"ex/ds"`
		notFound = `{"message":"Dataset run not found","error":"LangfuseNotFoundError"}`
	)
	first, second := runItem("i1", "t1", `"o1"`), runItem("i2", "", `"o2"`)
	again := runItem("i1", strings.Repeat("0", 32), "null")
	f := apitest.Sequence(t, []apitest.Scenario{
		apitest.Post("dataset-run-items", `{"runName":"run 1","datasetItemId":"i1","traceId":"t1"}`).Gives(404,
			`{"message":"Dataset item not found","error":"LangfuseNotFoundError"}`),
		apitest.Get("datasets/ex%2Fds/runs").Gives(404, `{"message":"Dataset not found","error":"LangfuseNotFoundError"}`),
		apitest.Get("datasets/ex%2Fds/runs/run%201").Gives(404, notFound),
		apitest.Post("v2/datasets", `{"name":"ex/ds"}`),
		apitest.Post("dataset-items", `{"datasetName":"ex/ds","id":"i1","input":1}`),
		apitest.Post("dataset-items", `{"datasetName":"ex/ds","id":"i2","input":1}`),
		apitest.Post("dataset-items", `{"datasetName":"ex/ds","id":"i3","input":1,"status":"ARCHIVED"}`),
		apitest.Get("datasets/ex%2Fds/runs").Gives(200, `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`),
		apitest.Get("datasets/ex%2Fds/runs/run%201").Gives(404, notFound),
		apitest.Post("dataset-run-items",
			`{"runName":"run 1","runDescription":"first","metadata":{"m": 1.0},"datasetItemId":"i1","traceId":"t1","observationId":"o1","datasetVersion":null,"createdAt":null}`).
			Gives(200, first),
		apitest.Post("dataset-run-items",
			`{"runName":"run 1","runDescription":"second","metadata":{"m":2},"datasetItemId":"i2","observationId":"o2"}`).Gives(200,
			second),
		apitest.Get("datasets/ex%2Fds/runs").Gives(200, `{"data":[`+run+`}],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`),
		apitest.Get("datasets/ex%2Fds/runs/run%201").Gives(200, run+`,"datasetRunItems":[`+second+`,`+first+`]}`),
		apitest.Post("dataset-run-items", `{"runName":"run 1","runDescription":null,"metadata":null,"datasetItemId":"i1","traceId":"`+
			strings.Repeat("0", 32)+`"}`).Gives(200, again),
		apitest.Get("datasets/ex%2Fds/runs/run%201").Gives(200, run+`,"datasetRunItems":[`+again+`,`+second+`]}`),
		apitest.Post("dataset-run-items", `{"runName":"bare","datasetItemId":"i1","traceId":"t"}`),
		apitest.Get("datasets/ex%2Fds/runs/bare").Says(200, `"description":null,"metadata":{},`),
		apitest.Get("datasets/ex%2Fds/runs?limit=1&page=3").Gives(200, `{"data":[],"meta":{"page":3,"limit":1,"totalItems":2,"totalPages":2}}`),
		apitest.Get("datasets/ex%2Fds/runs?limit=x").Says(400),
		// Items that are not active, or did not exist yet.
		apitest.Post("dataset-run-items", `{"runName":"run 1","datasetItemId":"i3","traceId":"t"}`).Says(404, "Dataset item not found"),
		apitest.Post("dataset-run-items", `{"runName":"run 1","datasetItemId":"i1","traceId":"t","datasetVersion":"2020-01-01"}`).Says(404,
			"Dataset item not found"),
		apitest.Post("dataset-run-items", `{"runName":"versioned","datasetItemId":"i1","traceId":"t","datasetVersion":"2999-01-01"}`).Says(200,
			`"datasetRunName":"versioned"`),
		// Other projects.
		{Path: "/api/public/datasets/ex%2Fds/runs/run%201", Key: "neighbour", Status: 404, Want: notFound},
		{Method: "DELETE", Path: "/api/public/datasets/ex%2Fds/runs/run%201", Key: "neighbour", Status: 404, Want: notFound},
		{
			Method: "POST", Path: "/api/public/dataset-run-items", Key: "neighbour",
			Body: `{"runName":"run 1","datasetItemId":"i1","traceId":"t"}`, Status: 404,
		},

		{
			Method: "DELETE", Path: "/api/public/datasets/ex%2Fds/runs/run%201", Status: 200,
			Want: `{"message":"Dataset run successfully deleted"}`,
		},
		{Method: "DELETE", Path: "/api/public/datasets/ex%2Fds/runs/run%201", Status: 404, Want: notFound},
		{Method: "DELETE", Path: "/api/public/datasets/none/runs/run%201", Status: 404, Want: notFound},
		apitest.Get("datasets/ex%2Fds/runs/run%201").Gives(404, notFound),
	})

	// The id is that of the experiment, and a time given by the client is kept.
	d, err := f.Catalog.Dataset(t.Context(), domain.OfProject("project-a"), "ex/ds")
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, apitest.Scenario{
		Method: "POST", Path: "/api/public/dataset-run-items", Key: "project",
		Body: `{"runName":"given","datasetItemId":"i1","traceId":"t","createdAt":"2020-01-02T03:04:05.678Z"}`,
	}.Request())
	id := domain.ExperimentID("project-a", d.ID, "given")
	if want := `"datasetRunId":"` + id +
		`","datasetRunName":"given","datasetItemId":"i1","createdAt":"2020-01-02T03:04:05.678Z","updatedAt":"2020-01-02T03:04:05.678Z"}`; !strings.HasSuffix(w.Body.String(), want) {
		t.Errorf("%s lacks %s", w.Body, want)
	}

	list := "dataset-run-items?runName=bare&datasetId=" + d.ID
	one := strings.Replace(runItem("i1", "t", "null"), "run 1", "bare", 1)
	for query, want := range map[string]string{
		list:             `{"data":[` + one + `],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`,
		list + "&page=2": `{"data":[],"meta":{"page":2,"limit":50,"totalItems":1,"totalPages":1}}`,
	} {
		if got := f.Ask(t, apitest.Get(query)); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
	const none = `{"message":"Dataset run not found for the given project and dataset id","error":"LangfuseNotFoundError"}`
	for _, s := range []apitest.Scenario{
		apitest.Get(list + "x"), apitest.Get("dataset-run-items?runName=none&datasetId=" + d.ID), {Path: "/api/public/" + list, Key: "foreign"},
	} {
		if got := f.Ask(t, s.Says(404)); got != none {
			t.Errorf("%s: %s", s.Path, got)
		}
	}
}

func TestDatasetRunBodies(t *testing.T) {
	invalid := func(body, issues string) apitest.Scenario {
		return apitest.Scenario{
			Name: body[:min(len(body), 60)], Method: "POST", Path: "/api/public/dataset-run-items", Key: "project", Body: body, Status: 400,
			Want: `{"message":"Invalid request data","error":[` + issues + `]}`,
		}
	}
	missing := func(field string) string {
		return `{"expected":"string","code":"invalid_type","path":["` + field +
			`"],"message":"Invalid input: expected string, received undefined"}`
	}
	const neither = `{"code":"custom","path":["observationId","traceId"],"message":"observationId or traceId must be provided"}`
	successor := func(path string) map[string]string {
		return map[string]string{"Deprecation": "@1767225600", "Link": `<` + path + `>; rel="successor-version"`}
	}
	apitest.Run(t, []apitest.Scenario{
		invalid(`{}`, missing("runName")+","+missing("datasetItemId")),
		invalid(`{"runName":"r","datasetItemId":"i"}`, neither),
		invalid(`{"runName":"r","datasetItemId":"i","traceId":null,"observationId":null}`, neither),
		invalid(`{"runName":"r","datasetItemId":"i","traceId":"","observationId":""}`, neither),
		invalid(`{"runName":"r","datasetItemId":"i","traceId":"t","a":1,"b":2}`,
			`{"code":"unrecognized_keys","keys":["a","b"],"path":[],"message":"Unrecognized keys: \"a\", \"b\""}`),
		invalid(`{"runName":"","datasetItemId":"i","traceId":"t"}`,
			`{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["runName"],"message":"Too small: expected string to have >=1 characters"}`),
		invalid(`{"runName":"`+strings.Repeat("r", 1001)+`","datasetItemId":"i","traceId":"t"}`,
			`{"origin":"string","code":"too_big","maximum":1000,"inclusive":true,"path":["runName"],"message":"Too big: expected string to have <=1000 characters"}`),
		invalid(`{"runName":"r","datasetItemId":"i","traceId":"t","datasetVersion":"soon"}`,
			`{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["datasetVersion"],"message":"Invalid input: expected date, received Date"}`),
		{
			Name: "a lenient time of creation", Method: "POST", Path: "/api/public/dataset-run-items", Key: "project", Status: 400,
			Body:     `{"runName":"r","datasetItemId":"i","traceId":"t","createdAt":"2026-01-01"}`,
			Contains: []string{`"path":["createdAt"],"message":"Invalid ISO datetime"`},
		},
		{
			Name: "an impossible item", Method: "POST", Path: "/api/public/dataset-run-items", Key: "project",
			Body: `{"runName":"r","datasetItemId":"\u0000","traceId":"t"}`, Status: 404,
			WantHeader: successor("/api/public/otel/v1/traces"),
		},
		{
			Name: "no parameters", Path: "/api/public/dataset-run-items", Key: "project", Status: 400,
			Want:       `{"message":"Invalid request data","error":[` + missing("datasetId") + "," + missing("runName") + `]}`,
			WantHeader: successor("/api/public/experiment-items"),
		},
		{Name: "runs", Path: "/api/public/datasets/x/runs", Key: "project", Status: 404, WantHeader: successor("/api/public/experiments")},
		{
			Name: "a run", Path: "/api/public/datasets/x/runs/y", Key: "project", Status: 404,
			WantHeader: successor("/api/public/experiments"),
		},
	})
}
