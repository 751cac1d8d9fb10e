package respond

import (
	"strings"
	"testing"

	"almanac/internal/domain"
)

func experimentScore() domain.Score {
	return domain.Score{
		ID: "s2-run", Name: "run-q", DataType: domain.ScoreNumeric, Value: domain.FloatOf(0.5), Source: "API",
		Timestamp: 1794702205041000, CreatedAt: 1794702205046000, UpdatedAt: 1794702210112000, ExperimentID: "exp-2",
		Comment: "not shown", Metadata: `{"not":"shown"}`,
	}
}

func TestAppendExperiment(t *testing.T) {
	e := domain.ExperimentSummary{
		ID: "exp-2", Name: "exp two", Description: "desc", DatasetID: "ds-1", Metadata: `{"em":"1"}`,
		StartTime: 1794702200001000, EndTime: 1794702200101000, Items: 1,
	}
	const (
		core  = `{"id":"exp-2","name":"exp two","description":"desc","startTime":"2026-11-15T00:23:20.001Z","endTime":"2026-11-15T00:23:20.101Z","itemCount":1,"datasetId":"ds-1"`
		score = `{"id":"s2-run","projectId":"proj1","name":"run-q","dataType":"NUMERIC","value":0.5,"source":"API","timestamp":"2026-11-15T00:23:25.041Z",` +
			`"environment":"default","createdAt":"2026-11-15T00:23:25.046Z","updatedAt":"2026-11-15T00:23:30.112Z","subject":{"kind":"experiment","id":"exp-2"}}`
		unset = `{"id":"\"","name":"","description":"","startTime":"1970-01-01T00:00:00.000Z","endTime":"1970-01-01T00:00:00.000Z","itemCount":0,"datasetId":null`
	)
	scores := []domain.Score{experimentScore(), experimentScore()}
	for _, c := range []struct {
		name   string
		e      domain.ExperimentSummary
		fields ExperimentFields
		scores []domain.Score
		want   string
	}{
		{"core", e, ExperimentCore, scores, core + `}`},
		{
			"everything", e, ExperimentCore | ExperimentMetadata | ExperimentScores, scores[:1],
			core + `,"metadata":{"em":"1"},"scores":[` + score + `]}`,
		},
		{"two scores", e, ExperimentScores, scores, core + `,"scores":[` + score + `,` + score + `]}`},
		{
			"nothing set",
			domain.ExperimentSummary{ID: `"`},
			ExperimentMetadata | ExperimentScores, nil,
			unset + `,"metadata":{},"scores":[]}`,
		},
		{"damaged", domain.ExperimentSummary{ID: `"`, Metadata: `{"a":`}, ExperimentMetadata, nil, unset + `,"metadata":{}}`},
	} {
		if got := string(AppendExperiment([]byte("x"), &c.e, "proj1", c.fields, c.scores, nil)); got != "x"+c.want {
			t.Errorf("%s:\n got %s\nwant x%s", c.name, got, c.want)
		}
	}
}

func TestAppendExperimentItem(t *testing.T) {
	row := domain.Observation{
		ID: "00000000000000e1", TraceID: "0af7651916cd43dd8448eb211c80319e", StartTime: 1783000020000000, EndTime: 1783000020100000,
		Environment: "sdk-experiment", ExperimentID: "exp-1", ExperimentName: "exp one", ExperimentItemID: "item-1",
		ExperimentDatasetID: "ds-1",
		Input:               `{"q": 1}`, Output: `{"r": 2}`, ExperimentItemExpectedOutput: `"exp out"`,
		Metadata:               `{"a.b":1,"long":"` + strings.Repeat("x", 500) + `"}`,
		ExperimentItemMetadata: `{"im":"2"}`, ExperimentMetadata: `{"em":"1"}`, ExperimentDescription: "desc",
	}
	const (
		core = `{"id":"00000000000000e1","traceId":"0af7651916cd43dd8448eb211c80319e","startTime":"2026-07-02T13:47:00.000Z","endTime":"2026-07-02T13:47:00.100Z",` +
			`"level":"DEFAULT","environment":"sdk-experiment","experimentId":"exp-1","experimentName":"exp one","experimentItemId":"item-1"`
		unset = `{"id":"","traceId":"","startTime":"1970-01-01T00:00:00.000Z","endTime":null,"level":"DEFAULT","environment":"default",` +
			`"experimentId":"","experimentName":"","experimentItemId":""`
	)
	everything := ItemCore | ItemDataset | ItemIO | ItemMetadata | ItemOwnMetadata | ItemExperimentMetadata | ItemScores
	for _, c := range []struct {
		name   string
		row    domain.Observation
		fields ItemFields
		want   string
	}{
		{"core", row, ItemCore, core + `}`},
		{
			"everything", row, everything,
			core + `,"experimentDatasetId":"ds-1","experimentItemVersion":null,"input":"{\"q\": 1}","output":"{\"r\": 2}",` +
				`"expectedOutput":"\"exp out\"","metadata":{"a.b":1,"long":"` + strings.Repeat("x", 500) +
				`"},"experimentItemMetadata":{"im":"2"},` +
				`"experimentMetadata":{"em":"1"},"experimentDescription":"desc","scores":[]}`,
		},
		{
			"nothing set",
			domain.Observation{},
			everything,
			unset + `,"experimentDatasetId":null,"experimentItemVersion":null,"input":"","output":"",` +
				`"expectedOutput":"","metadata":{},"experimentItemMetadata":{},"experimentMetadata":{},"experimentDescription":"","scores":[]}`,
		},
		{
			"a version",
			domain.Observation{ExperimentItemVersion: "2026-01-05T00:00:00.000Z"},
			ItemDataset,
			unset + `,"experimentDatasetId":null,"experimentItemVersion":"2026-01-05T00:00:00.000Z"}`,
		},
	} {
		if got := string(AppendExperimentItem([]byte("x"), &c.row, "proj1", c.fields, nil, nil)); got != "x"+c.want {
			t.Errorf("%s:\n got %s\nwant x%s", c.name, got, c.want)
		}
	}
}

func TestParseExperimentGroups(t *testing.T) {
	if fields, err := ParseExperimentFields(nil); fields != ExperimentCore || err != nil {
		t.Errorf("nothing is %b, %v", fields, err)
	}
	if fields, err := ParseExperimentFields([]string{"scores", "scores"}); fields != ExperimentCore|ExperimentScores || err != nil {
		t.Errorf("scores are %b, %v", fields, err)
	}
	if fields, err := ParseItemFields(nil); fields != ItemCore|ItemDataset || err != nil {
		t.Errorf("nothing is %b, %v", fields, err)
	}
	if fields, err := ParseItemFields([]string{"itemMetadata", "core"}); fields != ItemCore|ItemOwnMetadata || err != nil {
		t.Errorf("metadata of the item are %b, %v", fields, err)
	}
	names := make([]string, 100)
	if _, err := ParseItemFields(names); err == nil || len(err.Issues) != maxFieldIssues {
		t.Errorf("a hundred wrong names are answered %v", err)
	}
}
