package httpapi

import (
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
)

// TestRunsOfSpans reads runs that no client linked and that exist only as spans of an experiment.
func TestRunsOfSpans(t *testing.T) {
	f := newFixture(t, nil)
	f.ask(t, post("v2/datasets", `{"name":"set"}`))
	for _, item := range []string{"i1", "i2", "i3"} {
		f.ask(t, post("dataset-items", `{"datasetName":"set","id":"`+item+`","input":1}`))
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
	f.keep(t, "project-a", []domain.Observation{
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
	for _, s := range []scenario{
		get("datasets/set/runs").gives(200, filled(`{"data":[`+run+`}],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`)),
		get(path).gives(200, filled(run+`,"datasetRunItems":[`+two+`,`+one+`]}`)),
		get(list).gives(200, filled(`{"data":[`+two+`,`+one+`],"meta":{"page":1,"limit":50,"totalItems":2,"totalPages":1}}`)),
		get(list+"&limit=1&page=2").gives(200, filled(`{"data":[`+one+`],"meta":{"page":2,"limit":1,"totalItems":2,"totalPages":2}}`)),
		get("datasets/set").says(200, `"runs":["spans only"]`),
		get("datasets").says(200, `"runs":["spans only"]`),
		get("datasets/set/runs/local").gives(404, notFound),
		get("datasets/set/runs/elsewhere").gives(404, notFound),

		// A client links one of the items: the run is now stored, and the link wins.
		post("dataset-run-items", `{"runName":"spans only","datasetItemId":"i1","traceId":"linked"}`),
		get(path).says(200, `"traceId":"linked","observationId":null`, `"traceId":"t3","observationId":"o3"`),
		get("datasets/set/runs").says(200, `"totalItems":1`),

		// A deleted run stays deleted, although its spans remain, until a span starts after the deletion.
		{method: "DELETE", path: "/api/public/" + path, status: 200, want: `{"message":"Dataset run successfully deleted"}`},
		get(path).gives(404, notFound),
		get("datasets/set/runs").says(200, `"totalItems":0`),
		get("datasets/set").says(200, `"runs":[]`),
	} {
		f.runAsProject(t, s)
	}
	f.keep(t, "project-a", []domain.Observation{
		span("spans only", id, d.ID, "i3", "t7", "o7", domain.MicrosOf(time.Now().Add(time.Minute))),
	}, nil)
	for _, s := range []scenario{
		get("datasets/set/runs").says(200, `"totalItems":1`),
		{name: "read", path: "/api/public/" + path, status: 200, contains: []string{`"datasetItemId":"i3"`}, missing: []string{`"datasetItemId":"i1"`, `"datasetItemId":"i2"`}},
		{method: "DELETE", path: "/api/public/" + path, status: 200}, // it can be deleted although nothing is linked
		get("datasets/set/runs").says(200, `"totalItems":1`),         // its span is newer still
	} {
		f.runAsProject(t, s)
	}
}

func (f *fixture) runAsProject(t *testing.T, s scenario) {
	t.Helper()
	s.key = "project"
	if s.status == 0 {
		s.status = 200
	}
	f.run(t, s)
}
