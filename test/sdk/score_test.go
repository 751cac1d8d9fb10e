package sdk

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/test/harness"
)

// TestPythonScores sends scores with the Python client and looks for every field of them.
func TestPythonScores(t *testing.T) {
	t.Parallel()
	for name, client := range pythonClients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, environment := startForTraces(t)
			out := run(t, environment, client.program, "score_send.py")
			if !strings.HasSuffix(out, "ok\n") || !strings.Contains(out, client.saysRefused) {
				t.Errorf("the client does not say %q: %s", client.saysRefused, out)
			}
			checkScores(t, s, time.Date(2026, 3, 1, 10, 0, 0, 123_000_000, time.UTC))
		})
	}
}

// TestJavaScriptScores does the same with the JavaScript client.
func TestJavaScriptScores(t *testing.T) {
	t.Parallel()
	s, environment := startForTraces(t)
	if out := run(t, environment, "node", "score_send.mjs"); !strings.HasSuffix(out, "ok\n") {
		t.Error(out)
	}
	checkScores(t, s, time.Time{})
}

// checkScores looks for the scores that both clients send, given at that time. Clients that do not set one take the present.
func checkScores(t *testing.T, s *harness.Server, at time.Time) {
	t.Helper()
	const trace = "0af7651916cd43dd8448eb211c80319c"
	score := func(id, name, dataType string, value domain.OptFloat, text string) domain.Score {
		return domain.Score{ID: id, TraceID: trace, Name: name, DataType: dataType, Value: value, StringValue: text, Source: "API", Environment: "staging"}
	}
	numeric := score("numeric", "quality", "NUMERIC", domain.FloatOf(0.123456789), "")
	numeric.ObservationID, numeric.Comment = "00f067aa0ba902b7", "fair"
	numeric.Metadata = `{"nested":{"list":[1,2.5,"0613"],"none":null},"text":"42"}`
	session := score("session", "visit", "NUMERIC", domain.FloatOf(-1.5), "")
	session.TraceID, session.SessionID = "", "s-1"
	run := score("run", "average", "NUMERIC", domain.FloatOf(0), "")
	run.TraceID, run.ExperimentID, run.Environment = "", "run-1", "other"
	twice := score("twice", "second", "NUMERIC", domain.FloatOf(2), "")
	twice.Comment = "kept"
	want := map[string]domain.Score{
		"numeric": numeric, "session": session, "run": run, "twice": twice,
		"boolean":     score("boolean", "ok", "BOOLEAN", domain.FloatOf(1), "True"),
		"categorical": score("categorical", "tone", "CATEGORICAL", domain.OptFloat{}, "warm"),
		"text":        score("text", "note", "TEXT", domain.OptFloat{}, "too long"),
		"correction":  score("correction", "output", "CORRECTION", domain.OptFloat{}, "better"),
	}
	s.Stop(t)
	events, err := segment.Open(datadir.EventsDir(s.Data), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer events.Close()
	rows := make(map[string]string) // of the scores whose ids the client made up: names and subjects
	ignored := cmpopts.IgnoreFields(domain.Score{}, "Timestamp", "CreatedAt", "UpdatedAt", "EventAt")
	for got, err := range events.Scores().Scan(t.Context(), domain.OfProject("bot"), store.Query[domain.Score]{Want: store.WantAll}) {
		if err != nil {
			t.Fatal(err)
		}
		expected, ok := want[got.ID]
		if !ok {
			if rows[got.Name] = "trace"; got.ObservationID != "" {
				rows[got.Name] = "observation"
			}
			continue
		}
		delete(want, got.ID)
		if diff := cmp.Diff(expected, *got, ignored); diff != "" {
			t.Errorf("%s (-want +got): %s", got.ID, diff)
		}
		if given := got.Timestamp.Time(); !given.Equal(at) && (!at.IsZero() || time.Since(given) > time.Minute) {
			t.Errorf("%s is of %v", got.ID, given)
		}
	}
	for id := range want {
		t.Errorf("%s is not stored", id)
	}
	if diff := cmp.Diff(map[string]string{"of the span": "observation", "of the trace": "trace"}, rows); diff != "" {
		t.Errorf("other scores (-want +got): %s", diff)
	}
}
