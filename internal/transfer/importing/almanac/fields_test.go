package almanac

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/transfer/export"
)

// Fields that are not restored, and why. A new field of a row must be exported, or be listed here and in
// docs/importing.md.
var (
	lostOfObservations = map[string]string{
		"ProvidedUsage": "usage counts as provided once it is imported, so that nothing is counted again",
		"ProvidedCost":  "cost counts as provided once it is imported, so that nothing is priced again",
		"IngestionKey":  "keys are not exported",
		"Inherited":     "observations are exported as they were sent; once imported, their trace hands down the rest again",
	}
	lostOfScores = map[string]string{
		"EventAt":    "writes are merged by the time of the last change",
		"BrowserKey": "keys are not exported",
	}
)

// texts that formats and spreadsheets tempt programs to change.
var trickyTexts = []string{
	`{"a":"\u00fc \u002d \/ \ud83d\ude00","b":[ 1,  2.50 ],"c":1e2}`, "\\u00fc", "=1+1", "+1 said", "-x", "@here", "\tindented",
	"\rreturned", "\nnew line",
	"＝1+1", "＋1", "－1", "＠here", "'=1", "''=1", "'", "a\r\nb", "\"quoted\", said", "  ", "null", "1.50", "東京 \u2028 é",
}

// filled returns a row with a different value in every field.
func filled[R any](n int, special map[string]any) R {
	var row R
	v := reflect.ValueOf(&row).Elem()
	for i := range v.NumField() {
		name, f := v.Type().Field(i).Name, v.Field(i)
		if value, given := special[name]; given {
			f.Set(reflect.ValueOf(value))
			continue
		}
		switch f.Interface().(type) {
		case string:
			f.SetString(fmt.Sprint(name, " ", n))
		case []string:
			f.Set(reflect.ValueOf([]string{fmt.Sprint(name, n), "b, \"c\""}))
		case domain.Micros:
			f.SetInt(int64(noon) + int64(n*100+i)*1_000_001)
		case bool:
			f.SetBool(true)
		case domain.OptInt:
			f.Set(reflect.ValueOf(domain.IntOf(int64(i))))
		case domain.OptFloat:
			f.Set(reflect.ValueOf(domain.FloatOf(float64(i) / 8)))
		default:
			panic("a test value is missing for " + name)
		}
	}
	return row
}

func filledObservation(n int) domain.Observation {
	text := trickyTexts[n%len(trickyTexts)]
	return filled[domain.Observation](n, map[string]any{
		"TraceID": fmt.Sprint("trace", n), "Type": "GENERATION", "Level": "WARNING", "Source": domain.SourceOTel,
		"Environment": "production",
		"Input":       text, "Output": trickyTexts[(n+1)%len(trickyTexts)], "Name": text, "StatusMessage": text, "TraceInput": text,
		"ExperimentItemExpectedOutput": text,
		"Metadata":                     `{"k":"\u00fc","n":[1,2]}`, "TraceMetadata": `{"t":"\u00fc"}`, "ModelParameters": `{"t":0.50}`,
		"ExperimentMetadata": `{"e":{"deep":1}}`, "ExperimentItemMetadata": `{"i":1}`,
		"ProvidedUsage": `{"input":3,"output":4,"total":7}`, "Usage": `{"input":3,"output":4,"total":7}`, "InputTokens": int64(3),
		"OutputTokens": int64(4), "TotalTokens": domain.IntOf(7),
		"ProvidedCost": `{"input":0.5,"output":0.25,"total":0.75}`, "Cost": `{"input":0.5,"output":0.25,"total":0.75}`, "InputCost": 0.5,
		"OutputCost": 0.25, "TotalCost": domain.FloatOf(0.75),
		"ToolDefinitions": `{"f":{"description":"d"}}`, "ToolNames": []string{"f"}, "ToolCalls": `[{"id":"1","name":"g"}]`,
		"ToolCallNames": []string{"g"},
	})
}

func filledScore(n int) domain.Score {
	s := filled[domain.Score](n, map[string]any{
		"DataType": domain.ScoreText, "Value": domain.OptFloat{}, "StringValue": trickyTexts[n], "Comment": trickyTexts[n],
		"Metadata": `{"k":"\u00fc"}`, "Source": "API",
	})
	switch n % 5 { // a score has one subject
	case 0:
		s.SessionID, s.ExperimentID, s.ObservationID = "", "", ""
	case 1:
		s.SessionID, s.ExperimentID = "", ""
	case 2:
		s.TraceID, s.ObservationID, s.ExperimentID = "", "", ""
	case 3:
		s.TraceID, s.ObservationID, s.SessionID = "", "", ""
	case 4:
		s.SessionID, s.ExperimentID, s.DataType = "", "", domain.ScoreCorrection
	}
	return s
}

// TestEveryFieldComesBack exports rows with a value in every field, in every way, and imports them elsewhere.
func TestEveryFieldComesBack(t *testing.T) {
	old := newWorld(t)
	var observations []domain.Observation
	var scores []domain.Score
	for n := range trickyTexts {
		observations = append(observations, filledObservation(n))
		scores = append(scores, filledScore(n))
	}
	old.append(observations...)
	old.must(old.store.Scores().Append(t.Context(), scope, scores))
	check := func(t *testing.T, from string) {
		t.Helper()
		w := newWorld(t)
		if _, err := w.read(toTheEnd, from); err != nil {
			t.Fatal(err)
		}
		compareRows(t, lostOfObservations, observations, readAll(w, w.store.Observations()),
			func(o *domain.Observation) string { return o.ID })
		compareRows(t, lostOfScores, scores, readAll(w, w.store.Scores()), func(s *domain.Score) string { return s.ID })
	}
	for _, format := range export.Formats() {
		t.Run("batch "+format, func(t *testing.T) {
			from := t.TempDir()
			for _, table := range []string{export.Observations, export.Scores} {
				old.must(os.WriteFile(filepath.Join(from, table+"."+format), []byte(old.export(table, format)), 0o600))
			}
			check(t, from)
		})
	}
	for _, fileType := range []string{"JSONL", "JSON", "CSV", "PARQUET"} {
		t.Run("scheduled "+fileType, func(t *testing.T) {
			world, bucket := newWorld(t), t.TempDir()
			world.append(observations...)
			world.must(world.store.Scores().Append(t.Context(), scope, scores))
			world.schedule(bucket, fileType, false)()
			check(t, bucket)
		})
	}
}

func readAll[R any, P interface {
	*R
	Clone() R
}](w *world, table store.Table[R]) (all []R) {
	w.Helper()
	for row, err := range table.Scan(w.Context(), scope, store.Query[R]{Want: store.WantAll}) {
		w.must(err)
		all = append(all, P(row).Clone())
	}
	return all
}

func compareRows[R any](t *testing.T, lost map[string]string, want, got []R, id func(*R) string) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	for n := range want {
		at := slices.IndexFunc(got, func(r R) bool { return id(&r) == id(&want[n]) })
		if at < 0 {
			t.Errorf("%s is missing", id(&want[n]))
			continue
		}
		w, g := reflect.ValueOf(want[n]), reflect.ValueOf(got[at])
		for i := range w.NumField() {
			name := w.Type().Field(i).Name
			if _, known := lost[name]; !known && !reflect.DeepEqual(w.Field(i).Interface(), g.Field(i).Interface()) {
				t.Errorf("%s of %s is %q, want %q", name, id(&want[n]), fmt.Sprint(g.Field(i).Interface()),
					fmt.Sprint(w.Field(i).Interface()))
			}
		}
	}
}
