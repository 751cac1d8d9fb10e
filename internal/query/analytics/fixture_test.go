package analytics

import (
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
)

var project = domain.OfProject("p")

// noon is the middle of the day of most rows, a Wednesday.
var noon = domain.MicrosOf(time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC))

// after returns a time some milliseconds after noon.
func after(millis int64) domain.Micros { return noon + domain.Micros(millis*1000) }

const (
	minute = 60 * 1000
	hour   = 60 * minute
	day    = 24 * hour
)

// someRows returns two traces: t1 with a root, a generation that has everything and one that has nothing and failed,
// and t2, an event on the next day. Another row is a month later.
func someRows() []domain.Observation {
	return []domain.Observation{
		{
			TraceID: "t1", ID: "o1", Type: "SPAN", Name: "root", Level: "DEFAULT", Environment: "production", TraceName: "chat",
			UserID: "u1", SessionID: "s1",
			Tags: []string{"a", "b"}, Release: "r1", Version: "v1", StartTime: after(0), EndTime: after(2000),
			Metadata: `{"tenant":"acme","n":7}`,
		},
		{
			TraceID: "t1", ID: "o2", ParentID: "o1", Type: "GENERATION", Name: "llm", Level: "DEFAULT", Environment: "production",
			UserID: "u1", SessionID: "s1",
			Model: "m1", PromptName: "greet", PromptVersion: domain.IntOf(2), StartTime: after(500), CompletionStartTime: after(900),
			EndTime:     after(1500),
			InputTokens: 10, OutputTokens: 20, TotalTokens: domain.IntOf(30), InputCost: 0.1, OutputCost: 0.2,
			TotalCost: domain.FloatOf(0.3),
			Usage:     `{"input":10,"output":20,"total":30}`, Cost: `{"input":0.1,"output":0.2,"total":0.3}`,
			ToolNames: []string{"fetch", "search"}, ToolCallNames: []string{"search", "search"},
			ExperimentID: "e1", ExperimentName: "first", ExperimentDatasetID: "d1", Metadata: `{"tenant":"other"}`,
		},
		{
			TraceID: "t1", ID: "o3", ParentID: "o1", Type: "GENERATION", Name: "llm", Level: "ERROR", Environment: "production",
			UserID: "u1",
			Model:  "m1", StartTime: after(hour),
		},
		{
			TraceID: "t2", ID: "o4", Type: "EVENT", Level: "DEFAULT", Environment: "staging", StartTime: after(day), Model: "m2",
			UserID: "u2",
		},
		{TraceID: "t3", ID: "o5", Type: "SPAN", Name: "late", Level: "DEFAULT", Environment: "production", StartTime: after(30 * day)},
	}
}

// someScores returns scores of all types: on the trace, on an observation, on a session, on an experiment, and on
// something that does not exist.
func someScores() []domain.Score {
	score := func(id, trace, observation, name, dataType string, value float64, text string) domain.Score {
		s := domain.Score{
			ID: id, TraceID: trace, ObservationID: observation, Name: name, DataType: dataType, StringValue: text, Source: "API",
			Environment: "production", Timestamp: after(1000),
		}
		if dataType == domain.ScoreNumeric || dataType == domain.ScoreBoolean {
			s.Value = domain.FloatOf(value)
		}
		return s
	}
	scores := []domain.Score{
		score("n1", "t1", "", "quality", domain.ScoreNumeric, 0.5, ""),
		score("n2", "t1", "o2", "quality", domain.ScoreNumeric, 0.25, ""),
		score("n3", "t9", "", "quality", domain.ScoreNumeric, 1, ""),
		score("n4", "", "", "session", domain.ScoreNumeric, 3, ""),
		score("b1", "t1", "o2", "ok", domain.ScoreBoolean, 1, "True"),
		score("b2", "t1", "", "ok", domain.ScoreBoolean, 0, "False"),
		score("c1", "t1", "o3", "mood", domain.ScoreCategorical, 0, "good"),
		score("x1", "t1", "", "text", domain.ScoreText, 0, "words"),
		score("x2", "t1", "o2", "output", domain.ScoreCorrection, 0, "better"),
	}
	scores[3].SessionID = "s1"
	scores[0].ConfigID = "config"
	scores[0].Metadata = `{"by":"judge"}`
	scores[4].ExperimentID = "e1"
	return scores
}

func keep(t testing.TB, s store.Store, rows []domain.Observation, scores []domain.Score) {
	t.Helper()
	if len(rows) > 0 {
		if err := s.Observations().Append(t.Context(), project, rows); err != nil {
			t.Fatal(err)
		}
	}
	if len(scores) > 0 {
		if err := s.Scores().Append(t.Context(), project, scores); err != nil {
			t.Fatal(err)
		}
	}
}

// engines returns engines for the example rows: one that uses the store's Aggregate, and one that works row by row.
func engines(t testing.TB) map[string]*Engine {
	t.Helper()
	s := storetest.NewModel()
	keep(t, s, someRows(), someScores())
	return map[string]*Engine{"by the store": {Store: s}, "row by row": {Store: s, rowByRow: true}}
}

// fromTo is the day of most rows and the next, as members of a query.
const fromTo = `"fromTimestamp":"2026-03-04T00:00:00Z","toTimestamp":"2026-03-06T00:00:00Z"`

// q returns a query for two days. Metrics and dimensions are given by name only.
func q(view, metrics, dimensions, more string) string {
	var list []string
	for name := range strings.FieldsSeq(metrics) {
		aggregation, measure, _ := strings.Cut(name, "_")
		list = append(list, `{"measure":"`+measure+`","aggregation":"`+aggregation+`"}`)
	}
	var fields []string
	for name := range strings.FieldsSeq(dimensions) {
		fields = append(fields, `{"field":"`+name+`"}`)
	}
	if more != "" {
		more = "," + more
	}
	if !strings.Contains(more, "fromTimestamp") {
		more += "," + fromTo
	}
	return `{"view":"` + view + `","metrics":[` + strings.Join(list, ",") + `],"dimensions":[` + strings.Join(fields, ",") +
		`]` + more + `}`
}

// answerOf returns the rows of a result as JSON, or the message of an error.
func answerOf(t testing.TB, e *Engine, version Version, question string) string {
	t.Helper()
	query, err := ReadQuery(question, version)
	if err != nil {
		return err.Error()
	}
	result, err := e.Answer(t.Context(), project, query)
	if err != nil {
		return err.Error()
	}
	return string(result.AppendJSON(nil, func(b []byte) []byte { return b }))
}
