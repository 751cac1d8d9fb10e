package respond

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
)

func TestAppendFlatScore(t *testing.T) {
	const (
		full = `{"id":"s1","projectId":"p1","environment":"production","name":"ok","value":1,"source":"API","authorUserId":"author-1",` +
			`"comment":"fine","metadata":{"rater":{"n":1,"list":["0613"]}},"configId":"config-1","queueId":"queue-1",` +
			`"executionTraceId":"execution-1","createdAt":"2026-07-02T13:46:45.100Z","updatedAt":"2026-07-02T13:46:46.100Z",` +
			`"timestamp":"2026-07-02T13:46:40.100Z","traceId":"t1","observationId":"o1",`
		unset = `{"id":"s2","projectId":"p1","environment":"default","name":"n","value":0.5,"source":"EVAL","authorUserId":null,` +
			`"comment":null,"metadata":{},"configId":null,"queueId":null,"executionTraceId":null,` +
			`"createdAt":"1970-01-01T00:00:00.000Z","updatedAt":"1970-01-01T00:00:00.000Z","timestamp":"1970-01-01T00:00:00.001Z",` +
			`"traceId":null,"observationId":null,`
	)
	bare := &domain.Score{
		ID: "s2", Name: "n", Source: "EVAL", DataType: domain.ScoreNumeric, Value: domain.FloatOf(0.5), Timestamp: 1000,
		SessionID: "session",
	}
	run := &domain.Score{
		ID: "s2", Name: "n", Source: "EVAL", DataType: domain.ScoreNumeric, Value: domain.FloatOf(0.5), Timestamp: 1000,
		ExperimentID: "run",
	}
	trace := &domain.TraceSummary{UserID: "u1", Tags: []string{"a", "b"}, Environment: "production", SessionID: "s"}
	for _, c := range []struct{ name, got, want string }{
		{"first version", string(AppendScoreV1(nil, fullScore(), "p1", nil)), full + `"stringValue":"True","dataType":"BOOLEAN"}`},
		{
			"second version", string(AppendScoreV2(nil, fullScore(), "p1", nil)),
			full + `"sessionId":null,"datasetRunId":null,"stringValue":"True","dataType":"BOOLEAN"}`,
		},
		{
			"of a session", string(AppendScoreV2(nil, bare, "p1", nil)),
			unset + `"sessionId":"session","datasetRunId":null,"stringValue":null,"dataType":"NUMERIC"}`,
		},
		{
			"of a run", string(AppendScoreV2(nil, run, "p1", nil)),
			unset + `"sessionId":null,"datasetRunId":"run","stringValue":null,"dataType":"NUMERIC"}`,
		},
		{
			"listed, first version", string(AppendListedScoreV1(nil, fullScore(), "p1", trace, nil)),
			full + `"stringValue":"True","dataType":"BOOLEAN","trace":{"userId":"u1","tags":["a","b"],"environment":"production"}}`,
		},
		{
			"listed, second version", string(AppendListedScoreV2(nil, fullScore(), "p1", trace, nil)),
			full + `"sessionId":null,"datasetRunId":null,"stringValue":"True","dataType":"BOOLEAN",` +
				`"trace":{"userId":"u1","tags":["a","b"],"environment":"production","sessionId":"s"}}`,
		},
		{
			"listed with a bare trace", string(AppendListedScoreV2(nil, fullScore(), "p1", new(domain.TraceSummary), nil)),
			full + `"sessionId":null,"datasetRunId":null,"stringValue":"True","dataType":"BOOLEAN",` +
				`"trace":{"userId":null,"tags":[],"environment":"default","sessionId":null}}`,
		},
		{
			"listed without a trace", string(AppendListedScoreV1(nil, fullScore(), "p1", nil, nil)),
			full + `"stringValue":"True","dataType":"BOOLEAN","trace":null}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFlatScoreValue(t *testing.T) {
	number := domain.FloatOf
	for _, c := range []struct {
		score domain.Score
		want  string
	}{
		{domain.Score{DataType: "NUMERIC", Value: number(0.5)}, `null`},
		{domain.Score{DataType: "BOOLEAN", Value: number(1)}, `"True"`},
		{domain.Score{DataType: "BOOLEAN", Value: number(0)}, `"False"`},
		{domain.Score{DataType: "CATEGORICAL", StringValue: "kind"}, `"kind"`},
		{domain.Score{DataType: "TEXT", StringValue: "good work"}, `"good work"`},
		{domain.Score{DataType: "CORRECTION"}, `""`},
	} {
		if got := string(appendStringValue(nil, &c.score, nil)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.score.DataType, got, c.want)
		}
	}
	text := string(AppendScoreV2(nil, &domain.Score{ID: "s", Name: "n", DataType: "TEXT", StringValue: "t"}, "p", nil))
	if want := `"name":"n","source":`; !strings.Contains(text, want) {
		t.Errorf("a text has a value: %s", text)
	}
}
