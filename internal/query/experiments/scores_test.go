package experiments_test

import (
	"cmp"
	"slices"
	"strconv"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/query/experiments"
	"almanac/internal/store"
)

// drawScores draws scores of traces, rows, sessions and experiments, and of several of these.
func drawScores(t *rapid.T) []domain.Score {
	text := func(name string, texts ...string) string { return rapid.SampledFrom(append(texts, "")).Draw(t, name) }
	scores := make([]domain.Score, rapid.IntRange(0, 60).Draw(t, "scores"))
	for n := range scores {
		at := func(name string) domain.Micros { return october + domain.Micros(rapid.IntRange(0, 2).Draw(t, name)) }
		scores[n] = domain.Score{
			ID: strconv.Itoa(n), TraceID: text("trace", "t1", "t2"), ObservationID: text("row", "o1", "o2"),
			SessionID:    rapid.SampledFrom([]string{"", "", "", "s"}).Draw(t, "session"),
			ExperimentID: text("experiment", "e1", "e2", "e3"), Name: text("name", "n"),
			DataType: rapid.SampledFrom([]string{domain.ScoreNumeric, domain.ScoreText, domain.ScoreCorrection}).Draw(t, "type"),
			Value:    domain.FloatOf(1), Timestamp: at("timestamp"), UpdatedAt: at("updated"), EventAt: at("event"),
		}
	}
	return scores
}

// newestOf returns the selected scores, the most recently written first.
func newestOf(scores []domain.Score, limit int, selects func(*domain.Score) bool) []domain.Score {
	var found []domain.Score
	for n := range scores {
		if s := &scores[n]; s.Name != "" && s.DataType != domain.ScoreCorrection && selects(s) {
			found = append(found, *s)
		}
	}
	slices.SortFunc(found, func(a, b domain.Score) int {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(b.EventAt, a.EventAt), cmp.Compare(b.Timestamp, a.Timestamp),
			cmp.Compare(b.ID, a.ID))
	})
	return found[:min(limit, len(found))]
}

func TestScores(t *testing.T) {
	s := newSegments(t)
	scope := domain.OfProject(project)
	rapid.Check(t, func(t *rapid.T) {
		if _, err := s.Scores().Delete(t.Context(), scope, store.Selection{All: true}); err != nil {
			t.Fatal(err)
		}
		scores := drawScores(t)
		if err := s.Scores().Append(t.Context(), scope, scores); err != nil {
			t.Fatal(err)
		}
		q := experiments.ScoreQuery{Limit: rapid.IntRange(1, 5).Draw(t, "limit"), Show: func(s *domain.Score) bool { return s.Name != "" }}
		ids := []string{"e1", "e3", "e4"}
		ofExperiments, err := q.OfExperiments(t.Context(), s.Scores(), scope, ids)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range append(ids, "e2") {
			want := newestOf(scores, q.Limit, func(s *domain.Score) bool {
				return id != "e2" && s.ExperimentID == id && s.TraceID+s.ObservationID+s.SessionID == ""
			})
			if diff := gocmp.Diff(want, ofExperiments[id]); diff != "" {
				t.Errorf("scores of the experiment %s (-want +got):\n%s", id, diff)
			}
		}
		items := []experiments.Item{
			{TraceID: "t1", ID: "o1"}, {TraceID: "t1", ID: "o2"}, {TraceID: "t2", ID: "o1"}, {TraceID: "t3", ID: "o1"},
		}
		ofItems, err := q.OfItems(t.Context(), s.Scores(), scope, items)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			want := newestOf(scores, q.Limit, func(s *domain.Score) bool {
				return s.TraceID == item.TraceID && (s.ObservationID == "" || s.ObservationID == item.ID) &&
					s.SessionID+s.ExperimentID == ""
			})
			if diff := gocmp.Diff(want, ofItems[item]); diff != "" {
				t.Errorf("scores of the item %v (-want +got):\n%s", item, diff)
			}
		}
	})
}

func TestScoresOfNothing(t *testing.T) {
	s := newSegments(t)
	q := experiments.ScoreQuery{Limit: 1}
	if found, err := q.OfExperiments(t.Context(), s.Scores(), domain.OfProject(project), nil); len(found) != 0 || err != nil {
		t.Errorf("%v, %v", found, err)
	}
	if found, err := q.OfItems(t.Context(), s.Scores(), domain.OfProject(project), nil); len(found) != 0 || err != nil {
		t.Errorf("%v, %v", found, err)
	}
}
