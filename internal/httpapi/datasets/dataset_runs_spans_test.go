package datasets_test

import (
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// TestRunsOfSpans reads runs that no client linked and that exist only as spans of an experiment.
func TestRunsOfSpans(t *testing.T) {
	f := apitest.New(t, nil)
	f.Ask(t, apitest.Post("v2/datasets", `{"name":"set"}`))
	for _, item := range []string{"i1", "i2", "i3"} {
		f.Ask(t, apitest.Post("dataset-items", `{"datasetName":"set","id":"`+item+`","input":1}`))
	}
	d, err := f.Catalog.Dataset(t.Context(), domain.OfProject("project-a"), "set")
	if err != nil {
		t.Fatal(err)
	}
	id := domain.ExperimentID("project-a", d.ID, "spans only")
	at := domain.MicrosOf(time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC))
	span := func(name, run, dataset, item, trace, id string, at domain.Micros) domain.Observation {
		return domain.Observation{
			TraceID: trace, ID: id, StartTime: at, EndTime: at + 2e6, ExperimentID: run, ExperimentName: name, ExperimentDatasetID: dataset,
			ExperimentItemID: item, ExperimentItemRootSpanID: id, ExperimentDescription: "what for", ExperimentMetadata: `{"model":"m"}`,
		}
	}
	child := span("spans only", id, d.ID, "i1", "t1", "child", at+1e6)
	child.ExperimentItemRootSpanID = "o1"
	f.Keep(t, "project-a", []domain.Observation{
		span("spans only", id, d.ID, "i1", "t1", "o1", at), child, span("spans only", id, d.ID, "i2", "t2", "o2", at+1e6),
		span("spans only", id, d.ID, "i2", "t3", "o3", at+2e6), // the same item again: the newest wins
		span("elsewhere", "another", "other-dataset", "i1", "t4", "o4", at),
		span("local", "local", "", "i1", "t5", "o5", at),
		{TraceID: "t6", ID: "o6", StartTime: at},
	}, nil)

	const (
		run = `{"id":"RUN","name":"spans only","description":"what for","metadata":{"model":"m"},"datasetId":"SET",` +
			`"createdAt":"2026-03-01T10:00:00.000Z","updatedAt":"2026-03-01T10:00:04.000Z","datasetName":"set"`
		second = `"traceId":"t3","observationId":"o3","datasetRunId":"RUN","datasetRunName":"spans only","datasetItemId":"i2",` +
			`"createdAt":"2026-03-01T10:00:02.000Z","updatedAt":"2026-03-01T10:00:02.000Z"}`
		first = `"traceId":"t1","observationId":"o1","datasetRunId":"RUN","datasetRunName":"spans only","datasetItemId":"i1",` +
			`"createdAt":"2026-03-01T10:00:00.000Z","updatedAt":"2026-03-01T10:00:00.000Z"}`
		notFound = `{"message":"Dataset run not found","error":"LangfuseNotFoundError"}`
	)
	filled := func(text string) string { return strings.NewReplacer("RUN", id, "SET", d.ID).Replace(text) }
	one := `{"id":"` + domain.RunItemID(id, "i1") + `",` + first
	two := `{"id":"` + domain.RunItemID(id, "i2") + `",` + second
	list := "dataset-run-items?runName=spans+only&datasetId=" + d.ID
	path := "datasets/set/runs/spans%20only"
	for _, s := range []apitest.Scenario{
		apitest.Get("datasets/set/runs").Gives(200, filled(`{"data":[`+run+`}],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`)),
		apitest.Get(path).Gives(200, filled(run+`,"datasetRunItems":[`+two+`,`+one+`]}`)),
		apitest.Get(list).Gives(200, filled(`{"data":[`+two+`,`+one+`],"meta":{"page":1,"limit":50,"totalItems":2,"totalPages":1}}`)),
		apitest.Get(list+"&limit=1&page=2").Gives(200, filled(`{"data":[`+one+`],"meta":{"page":2,"limit":1,"totalItems":2,"totalPages":2}}`)),
		apitest.Get("datasets/set").Says(200, `"runs":["spans only"]`),
		apitest.Get("datasets").Says(200, `"runs":["spans only"]`),
		apitest.Get("datasets/set/runs/local").Gives(404, notFound),
		apitest.Get("datasets/set/runs/elsewhere").Gives(404, notFound),

		// A client links one of the items: the run is now stored, and the link wins.
		apitest.Post("dataset-run-items", `{"runName":"spans only","datasetItemId":"i1","traceId":"linked"}`),
		apitest.Get(path).Says(200, `"traceId":"linked","observationId":null`, `"traceId":"t3","observationId":"o3"`),
		apitest.Get("datasets/set/runs").Says(200, `"totalItems":1`),

		// A deleted run stays deleted, although its spans remain, until a span starts after the deletion.
		{Method: "DELETE", Path: "/api/public/" + path, Status: 200, Want: `{"message":"Dataset run successfully deleted"}`},
		apitest.Get(path).Gives(404, notFound),
		apitest.Get("datasets/set/runs").Says(200, `"totalItems":0`),
		apitest.Get("datasets/set").Says(200, `"runs":[]`),
	} {
		runAsProject(t, f, s)
	}
	f.Keep(t, "project-a", []domain.Observation{
		span("spans only", id, d.ID, "i3", "t7", "o7", domain.MicrosOf(time.Now().Add(time.Minute))),
	}, nil)
	for _, s := range []apitest.Scenario{
		apitest.Get("datasets/set/runs").Says(200, `"totalItems":1`),
		{
			Name: "read", Path: "/api/public/" + path, Status: 200, Contains: []string{`"datasetItemId":"i3"`},
			Missing: []string{`"datasetItemId":"i1"`, `"datasetItemId":"i2"`},
		},
		{Method: "DELETE", Path: "/api/public/" + path, Status: 200}, // it can be deleted although nothing is linked
		apitest.Get("datasets/set/runs").Says(200, `"totalItems":1`), // its span is newer still
	} {
		runAsProject(t, f, s)
	}
}

func runAsProject(t *testing.T, f *apitest.Fixture, s apitest.Scenario) {
	t.Helper()
	s.Key = "project"
	if s.Status == 0 {
		s.Status = 200
	}
	f.Run(t, s)
}
