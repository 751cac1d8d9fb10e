package demo

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// scoresOf returns the scores of a workload as they are sent.
func scoresOf(t *testing.T, o Options) string {
	t.Helper()
	var all []Score
	for _, trace := range past(o) {
		all = append(all, trace.Scores()...)
	}
	body, err := ScoreBatch(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestScores(t *testing.T) {
	o := Options{Seed: 4, Traces: 200, Days: 3, Now: aMonday}
	sent := scoresOf(t, o)
	if sent != scoresOf(t, o) {
		t.Error("the scores of two workloads of the same options differ")
	}
	var batch struct {
		Batch []struct {
			ID, Type  string
			Timestamp time.Time
			Body      map[string]any
		}
	}
	if err := json.Unmarshal([]byte(sent), &batch); err != nil {
		t.Fatal(err)
	}
	ids := make(map[string]bool)
	kinds := make(map[string]bool)
	for _, e := range batch.Batch {
		id, _ := e.Body["id"].(string)
		trace, _ := e.Body["traceId"].(string)
		name, _ := e.Body["name"].(string)
		dataType, _ := e.Body["dataType"].(string)
		if ids[id] || e.ID != "event-"+id || id != trace+"-"+name || e.Type != "score-create" || e.Timestamp.After(aMonday) || e.Body["environment"] == nil {
			t.Errorf("%+v", e)
		}
		ids[id] = true
		kinds[name+" "+dataType] = true
		switch v := e.Body["value"].(type) {
		case float64:
			if v < 0 || v > 1 || dataType == "CATEGORICAL" {
				t.Errorf("value %v of %s", v, name)
			}
		case string:
			if dataType != "CATEGORICAL" || !slices.Contains([]string{"friendly", "neutral", "curt"}, v) {
				t.Errorf("value %s of %s", v, name)
			}
		default:
			t.Errorf("value %v", v)
		}
	}
	if diff := cmp.Diff(map[string]bool{"faithfulness NUMERIC": true, "tone CATEGORICAL": true, "helpful BOOLEAN": true}, kinds); diff != "" {
		t.Errorf("kinds of scores (-want +got): %s", diff)
	}
}
