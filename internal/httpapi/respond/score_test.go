package respond

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

const allScoreFields = ScoreDetails | ScoreAnnotation | ScoreSubject

// fullScore has every field set that appears in rows; its subject is an observation.
func fullScore() *domain.Score {
	const at = domain.Micros(1783000000_100_456) // 2026-07-02T13:46:40.100Z
	return &domain.Score{
		ID: "s1", TraceID: "t1", ObservationID: "o1",
		Name: "ok", Source: "API", DataType: domain.ScoreBoolean, Value: domain.FloatOf(1), StringValue: "True",
		Environment: "production", Comment: "fine", ConfigID: "config-1", QueueID: "queue-1", AuthorUserID: "author-1",
		ExecutionTraceID: "execution-1", Metadata: `{"rater":{"n":1,"list":["0613"]}}`,
		Timestamp: at, CreatedAt: at + 5_000_000, UpdatedAt: at + 6_000_000,
	}
}

func TestAppendScoreGolden(t *testing.T) {
	const (
		core = `{"id":"s1","projectId":"p1","name":"ok","dataType":"BOOLEAN","value":true,"source":"API",` +
			`"timestamp":"2026-07-02T13:46:40.100Z","environment":"production","createdAt":"2026-07-02T13:46:45.100Z",` +
			`"updatedAt":"2026-07-02T13:46:46.100Z"`
		unsetCore = `{"id":"s2","projectId":"p1","name":"n","dataType":"NUMERIC","value":0,"source":"EVAL",` +
			`"timestamp":"1970-01-01T00:00:00.001Z","environment":"default","createdAt":"1970-01-01T00:00:00.000Z",` +
			`"updatedAt":"1970-01-01T00:00:00.000Z"`
	)
	unset := &domain.Score{
		ID: "s2", Name: "n", Source: "EVAL", DataType: domain.ScoreNumeric, Value: domain.FloatOf(0), Timestamp: 1000, TraceID: "t",
	}
	for _, c := range []struct {
		name   string
		score  *domain.Score
		fields ScoreFields
		want   string
	}{
		{"core", fullScore(), 0, core + `}`},
		{"core of nothing", unset, 0, unsetCore + `}`},
		{
			"details", fullScore(), ScoreDetails,
			core + `,"comment":"fine","configId":"config-1","metadata":{"rater":{"n":1,"list":["0613"]}}}`,
		},
		{"details of nothing", unset, ScoreDetails, unsetCore + `,"comment":null,"configId":null,"metadata":{}}`},
		{"annotation", fullScore(), ScoreAnnotation, core + `,"authorUserId":"author-1","queueId":"queue-1"}`},
		{"annotation of nothing", unset, ScoreAnnotation, unsetCore + `,"authorUserId":null,"queueId":null}`},
		{"subject", fullScore(), ScoreSubject, core + `,"subject":{"kind":"observation","id":"o1","traceId":"t1"}}`},
		{
			"everything of nothing", unset, allScoreFields,
			unsetCore +
				`,"comment":null,"configId":null,"metadata":{},"authorUserId":null,"queueId":null,"subject":{"kind":"trace","id":"t"}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, string(AppendScore(nil, c.score, "p1", c.fields, nil))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestScoreSubject(t *testing.T) {
	for _, c := range []struct {
		name  string
		score domain.Score
		want  string
	}{
		{"experiment", domain.Score{ExperimentID: "e"}, `{"kind":"experiment","id":"e"}`},
		{
			"an experiment comes first",
			domain.Score{ExperimentID: "e", ObservationID: "o", TraceID: "t", SessionID: "s"},
			`{"kind":"experiment","id":"e"}`,
		},
		{"observation", domain.Score{ObservationID: "o", TraceID: "t"}, `{"kind":"observation","id":"o","traceId":"t"}`},
		{
			"an observation comes before a session",
			domain.Score{ObservationID: "o", TraceID: "t", SessionID: "s"},
			`{"kind":"observation","id":"o","traceId":"t"}`,
		},
		{"observation of an unknown trace", domain.Score{ObservationID: "o"}, `{"kind":"observation","id":"o"}`},
		{"session", domain.Score{SessionID: "s"}, `{"kind":"session","id":"s"}`},
		{"a session comes before a trace", domain.Score{SessionID: "s", TraceID: "t"}, `{"kind":"session","id":"s"}`},
		{"trace", domain.Score{TraceID: "t"}, `{"kind":"trace","id":"t"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(appendSubject(nil, &c.score)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestScoreValue(t *testing.T) {
	number := domain.FloatOf
	for _, c := range []struct {
		name  string
		score domain.Score
		want  string // "" if the score is omitted
	}{
		{"number", domain.Score{DataType: "NUMERIC", Value: number(0.123456789)}, `0.123456789`},
		{"negative number", domain.Score{DataType: "NUMERIC", Value: number(-1.5)}, `-1.5`},
		{"zero", domain.Score{DataType: "NUMERIC", Value: number(0)}, `0`},
		{"large number", domain.Score{DataType: "NUMERIC", Value: number(9999.99)}, `9999.99`},
		{"no number", domain.Score{DataType: "NUMERIC"}, ``},
		{"not a number", domain.Score{DataType: "NUMERIC", Value: number(math.NaN())}, ``},
		{"infinite", domain.Score{DataType: "NUMERIC", Value: number(math.Inf(1))}, ``},
		{"true", domain.Score{DataType: "BOOLEAN", Value: number(1), StringValue: "True"}, `true`},
		{"false", domain.Score{DataType: "BOOLEAN", Value: number(0), StringValue: "False"}, `false`},
		{"neither true nor false", domain.Score{DataType: "BOOLEAN"}, ``},
		{"category", domain.Score{DataType: "CATEGORICAL", Value: number(3), StringValue: "red"}, `"red"`},
		{"category without text", domain.Score{DataType: "CATEGORICAL", Value: number(3)}, ``},
		{"text", domain.Score{DataType: "TEXT", StringValue: `say "hi"`}, `"say \"hi\""`},
		{"text without text", domain.Score{DataType: "TEXT"}, ``},
		{"correction", domain.Score{DataType: "CORRECTION", StringValue: "better"}, `"better"`},
		{"empty correction", domain.Score{DataType: "CORRECTION"}, `""`},
		{"unknown data type", domain.Score{DataType: "COLOUR", StringValue: "red", Value: number(1)}, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, want := CanAppendScore(&c.score), c.want != ""; got != want {
				t.Fatalf("can be appended: %v, want %v", got, want)
			}
			if c.want == "" {
				return
			}
			if got := string(appendScoreValue(nil, &c.score, nil)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestScoreMetadata(t *testing.T) {
	deep := strings.Repeat(`{"a":`, jsontext.MaxDepth+1) + `1` + strings.Repeat(`}`, jsontext.MaxDepth+1)
	for text, want := range map[string]string{
		``: `{}`, `{}`: `{}`, `{"a":{"b":["0613",1]}}`: `{"a":{"b":["0613",1]}}`,
		`{"a":`: `{}`, `[1]`: `{}`, `null`: `{}`, `"text"`: `{}`, `{"a":1}x`: `{}`, deep: `{}`, "{\"a\":\"\xff\"}": "{\"a\":\"\uFFFD\"}",
	} {
		if got := string(appendObject(nil, "", text, nil)); got != want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
	}
}

// TestAppendScoreIsJSON draws scores with arbitrary strings: a row is always valid JSON with the same content.
func TestAppendScoreIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.Rune(), 0, 20, -1)
		s := &domain.Score{
			ID: text.Draw(t, "id"), Name: text.Draw(t, "name"), Source: text.Draw(t, "source"), StringValue: text.Draw(t, "value"),
			TraceID: text.Draw(t, "trace"), ObservationID: text.Draw(t, "observation"), SessionID: text.Draw(t, "session"),
			ExperimentID: text.Draw(t, "experiment"), Comment: text.Draw(t, "comment"), Metadata: text.Draw(t, "metadata"),
			Value:     domain.FloatOf(rapid.Float64().Draw(t, "number")),
			DataType:  rapid.SampledFrom([]string{"NUMERIC", "BOOLEAN", "CATEGORICAL", "TEXT", "CORRECTION"}).Draw(t, "type"),
			Timestamp: domain.Micros(rapid.Int64().Draw(t, "timestamp")),
		}
		if !CanAppendScore(s) {
			return
		}
		row := AppendScore(nil, s, text.Draw(t, "project"), ScoreFields(rapid.IntRange(0, int(allScoreFields)).Draw(t, "fields")), nil)
		var got struct {
			ID, Name, Source, Comment string
		}
		if err := json.Unmarshal(row, &got); err != nil {
			t.Fatalf("%s is no JSON: %v", row, err)
		}
		if got.ID != s.ID || got.Name != s.Name || got.Source != s.Source {
			t.Fatalf("%s does not say what the score says", row)
		}
	})
}

func TestAppendScoreAllocatesNothing(t *testing.T) {
	s := fullScore()
	dst := make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() { dst = AppendScore(dst[:0], s, "p1", allScoreFields, nil) }); n != 0 {
		t.Errorf("a row takes %v allocations", n)
	}
}

func BenchmarkAppendScore(b *testing.B) {
	rows := make([]domain.Score, 100)
	for i := range rows {
		rows[i] = *fullScore()
	}
	for _, c := range []struct {
		name   string
		fields ScoreFields
	}{{"core", 0}, {"all", allScoreFields}} {
		b.Run(c.name, func(b *testing.B) {
			dst := make([]byte, 0, 1<<20)
			b.ReportAllocs()
			for b.Loop() {
				dst = dst[:0]
				for i := range rows {
					dst = AppendScore(dst, &rows[i], "project", c.fields, nil)
				}
			}
			b.SetBytes(int64(len(dst)))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
		})
	}
}

// BenchmarkBaselineScore writes the same rows with encoding/json.
func BenchmarkBaselineScore(b *testing.B) {
	type row struct {
		ID          string `json:"id"`
		ProjectID   string `json:"projectId"`
		Name        string `json:"name"`
		DataType    string `json:"dataType"`
		Value       any    `json:"value"`
		Source      string `json:"source"`
		Timestamp   Time   `json:"timestamp"`
		Environment string `json:"environment"`
		CreatedAt   Time   `json:"createdAt"`
		UpdatedAt   Time   `json:"updatedAt"`
	}
	s := fullScore()
	b.ReportAllocs()
	for b.Loop() {
		for range 100 {
			_, err := Marshal(&row{
				s.ID, "project", s.Name, s.DataType, s.Value.Value == 1, s.Source, Time(s.Timestamp.Time()), s.Environment,
				Time(s.CreatedAt.Time()), Time(s.UpdatedAt.Time()),
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*100), "ns/row")
}
