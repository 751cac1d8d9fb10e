package analytics

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/internal/store/storetest"
)

// TestNumbersAtTheEdges aggregates NaN, infinities and both zeros, in the store and row by row. JSON has no infinity,
// so it is null.
func TestNumbersAtTheEdges(t *testing.T) {
	zero := math.Copysign(0, -1)
	groups := map[string][]float64{
		"above": {1, 2, math.Inf(1)}, "below": {math.Inf(-1), 1, 2}, "ends": {math.Inf(-1), math.Inf(1)}, "none": {math.NaN(), math.NaN()},
		"some": {math.NaN(), 3, 1}, "zeros": {zero, 0},
	}
	var scores []domain.Score
	for name, values := range groups {
		for n, value := range values {
			scores = append(scores, domain.Score{
				ID: name + strconv.Itoa(n), Name: name, DataType: domain.ScoreNumeric, Value: domain.FloatOf(value),
				Timestamp: after(int64(len(scores))),
			})
		}
	}
	segments, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer segments.Close()
	question := q("scores-numeric", "count_value sum_value min_value max_value p50_value p75_value uniq_value histogram_value", "name",
		`"orderBy":[{"field":"name","direction":"asc"}],"config":{"bins":2}`)
	want := strings.Join([]string{
		`[{"name":"above","count_value":3,"sum_value":null,"min_value":1,"max_value":null,"p50_value":2,"p75_value":null,"uniq_value":3,"histogram_value":[[1,1.5,1],[1.5,2,1]]}`,
		`{"name":"below","count_value":3,"sum_value":null,"min_value":null,"max_value":2,"p50_value":1,"p75_value":1.5,"uniq_value":3,"histogram_value":[[1,1.5,1],[1.5,2,1]]}`,
		`{"name":"ends","count_value":2,"sum_value":null,"min_value":null,"max_value":null,"p50_value":null,"p75_value":null,"uniq_value":2,"histogram_value":[]}`,
		`{"name":"none","count_value":0,"sum_value":null,"min_value":null,"max_value":null,"p50_value":null,"p75_value":null,"uniq_value":0,"histogram_value":[]}`,
		`{"name":"some","count_value":2,"sum_value":4,"min_value":1,"max_value":3,"p50_value":2,"p75_value":2.5,"uniq_value":2,"histogram_value":[[1,2,1],[2,3,1]]}`,
		`{"name":"zeros","count_value":2,"sum_value":0,"min_value":0,"max_value":0,"p50_value":0,"p75_value":0,"uniq_value":1,"histogram_value":[[0,0,2]]}]`,
	}, ",")
	for name, s := range map[string]store.Store{"model": storetest.NewModel(), "segments": segments} {
		keep(t, s, nil, scores)
		for _, rowByRow := range []bool{false, true} {
			if got := answerOf(t, &Engine{Store: s, rowByRow: rowByRow}, V2, question); got != want {
				t.Errorf("%s, row by row %v:\n%s\nwant\n%s", name, rowByRow, got, want)
			}
		}
	}
}
