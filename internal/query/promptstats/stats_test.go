package promptstats_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/domain"
	"almanac/internal/query/promptstats"
	"almanac/internal/store/segment"
)

const minute = domain.Micros(60_000_000)

// So many observations have a value at their median and at their 95th percentile.
const perVersion = 21

// TestStats compares uses, figures and series with what plain loops compute from the same rows.
func TestStats(t *testing.T) {
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	start := domain.MicrosOf(time.Date(2026, 3, 4, 5, 0, 0, 0, time.UTC))
	rng := rand.New(rand.NewPCG(1, 2))
	var rows []domain.Observation
	var scores []domain.Score
	for version := 1; version <= 3; version++ {
		for n := range perVersion {
			at := start + domain.Micros(rng.IntN(50))*minute
			row := domain.Observation{
				TraceID: fmt.Sprint("t", version), ID: fmt.Sprint(version, "-", n), Level: "DEFAULT", StartTime: at,
				EndTime:     at + domain.Micros(1000*(1+rng.IntN(9000))),
				InputTokens: int64(rng.IntN(1000)), OutputTokens: int64(rng.IntN(1000)), PromptName: "greeting", PromptVersion: domain.IntOf(int64(version)),
			}
			if version != 2 { // version 2 ran on a model without a price
				row.TotalCost = domain.FloatOf(float64(rng.IntN(1000)) / 1000)
			}
			if n%4 == 0 {
				row.Level = "ERROR"
			}
			rows = append(rows, row)
			score := domain.Score{
				ID: row.ID, TraceID: row.TraceID, ObservationID: row.ID, Name: "quality", Source: "API", DataType: "NUMERIC",
				Value: domain.FloatOf(float64(n)), Timestamp: at,
			}
			switch version {
			case 2:
				score.Name, score.DataType, score.Value, score.StringValue = "kind", "CATEGORICAL", domain.OptFloat{}, []string{"a", "b", "c"}[n%3]
			case 3:
				score.Name, score.DataType, score.Value = "good", "BOOLEAN", domain.FloatOf(float64(n%2))
				score.StringValue = []string{"False", "True"}[n%2]
			}
			scores = append(scores, score)
		}
	}
	ours := slices.Clone(rows)
	// What does not count: other prompts, other times, and rows without a version.
	for n, change := range []func(*domain.Observation){
		func(r *domain.Observation) { r.PromptName = "greeting/other" },
		func(r *domain.Observation) { r.PromptName, r.PromptVersion = "", domain.OptInt{} },
		func(r *domain.Observation) { r.StartTime -= 60 * minute },
		func(r *domain.Observation) { r.StartTime = start + 60*minute },
	} {
		row := rows[n]
		row.ID = fmt.Sprint("other-", n)
		change(&row)
		rows = append(rows, row)
	}
	if err := errors.Join(s.Observations().Append(t.Context(), scope, rows), s.Scores().Append(t.Context(), scope, scores)); err != nil {
		t.Fatal(err)
	}

	stats := &promptstats.Stats{Store: s, Scope: scope}
	uses, err := stats.Uses(t.Context(), []string{"greeting", "greeting/other", "none"}, start)
	if want := map[string]int{"greeting": 3*perVersion + 1, "greeting/other": 1}; err != nil || !cmp.Equal(uses, want) {
		t.Errorf("uses: %v, %v, want %v", uses, err, want)
	}

	for _, versions := range [][]int{nil, {1, 3}, {2, 9}} {
		q := promptstats.Query{Name: "greeting", From: start, To: start + 60*minute, Versions: versions, Buckets: 12}
		got, err := stats.Of(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		want := plain(ours, q, (5 * minute).Millis())
		if difference := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); difference != "" {
			t.Errorf("versions %v:\n%s", versions, difference)
		}
	}
	none, err := stats.Of(t.Context(), promptstats.Query{Name: "none", From: start, To: start + minute, Buckets: 12})
	if err != nil || len(none.Versions)+len(none.Points) != 0 || none.Partial || none.Step != 60_000 || none.Buckets != 1 {
		t.Errorf("a prompt that was not used: %+v, %v", none, err)
	}
	// Without time, what is known so far is returned.
	stats.TimeLimit = time.Nanosecond
	if got, err := stats.Of(t.Context(), promptstats.Query{Name: "greeting", From: start, To: start + minute, Buckets: 12}); err != nil || !got.Partial {
		t.Errorf("without time: %+v, %v", got, err)
	}
}

// TestManyVersions: the highest versions are kept, and the rest is said to be missing.
func TestManyVersions(t *testing.T) {
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var rows []domain.Observation
	for version := range promptstats.MaxVersions + 5 {
		rows = append(rows, domain.Observation{
			TraceID: "t", ID: strconv.Itoa(version), StartTime: minute, PromptName: "p", PromptVersion: domain.IntOf(int64(version + 1)),
		})
	}
	scope := domain.OfProject("p")
	if err := s.Observations().Append(t.Context(), scope, rows); err != nil {
		t.Fatal(err)
	}
	got, err := (&promptstats.Stats{Store: s, Scope: scope}).Of(t.Context(), promptstats.Query{Name: "p", From: minute, To: 2 * minute, Buckets: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Versions) != promptstats.MaxVersions || got.Versions[0].Version != promptstats.MaxVersions+5 || !got.Partial ||
		len(got.Points) != promptstats.MaxVersions {
		t.Errorf("%d versions from %d on, %d points, partial: %t", len(got.Versions), got.Versions[0].Version, len(got.Points), got.Partial)
	}
}

// TestManyScores: where a prompt has more kinds of scores than are read, the result says that some are missing.
func TestManyScores(t *testing.T) {
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	row := domain.Observation{TraceID: "t", ID: "o", StartTime: minute, PromptName: "p", PromptVersion: domain.IntOf(1)}
	if err := s.Observations().Append(t.Context(), scope, []domain.Observation{row}); err != nil {
		t.Fatal(err)
	}
	const most = 1000
	for n, isPartial := range []bool{false, true} {
		var scores []domain.Score
		for i := range most - 1 {
			name := fmt.Sprint(n, " ", i)
			scores = append(scores, domain.Score{
				ID: name, TraceID: "t", ObservationID: "o", Name: name, Source: "API", DataType: "NUMERIC", Value: domain.FloatOf(1), Timestamp: minute,
			})
		}
		if err := s.Scores().Append(t.Context(), scope, scores); err != nil {
			t.Fatal(err)
		}
		got, err := (&promptstats.Stats{Store: s, Scope: scope}).Of(t.Context(), promptstats.Query{Name: "p", From: minute, To: 2 * minute, Buckets: 2})
		if err != nil {
			t.Fatal(err)
		}
		if got.Partial != isPartial || len(got.Versions[0].Scores) < most-1 {
			t.Errorf("%d of %d scores, partial: %t", len(got.Versions[0].Scores), (n+1)*(most-1), got.Partial)
		}
	}
}

// plain computes the metrics of a prompt from its rows.
func plain(rows []domain.Observation, q promptstats.Query, step int64) *promptstats.Result {
	result := &promptstats.Result{
		Versions: []promptstats.Version{}, Points: []promptstats.Point{}, Start: q.From.Millis(), Step: step,
		Buckets: int((q.To - q.From).Millis() / step),
	}
	for version := 3; version >= 1; version-- {
		var own []domain.Observation
		for _, r := range rows {
			if int(r.PromptVersion.Value) == version && (len(q.Versions) == 0 || slices.Contains(q.Versions, version)) {
				own = append(own, r)
			}
		}
		if len(own) == 0 {
			continue
		}
		v := promptstats.Version{Version: version, Count: len(own), Errors: failedOf(own), First: own[0].StartTime, Last: own[0].StartTime}
		for _, r := range own {
			v.First, v.Last = min(v.First, r.StartTime), max(v.Last, r.StartTime)
		}
		v.P50, v.P95 = at(own, latency, 10), at(own, latency, 19)
		v.Input = at(own, func(r domain.Observation) float64 { return float64(r.InputTokens) }, 10)
		v.Output = at(own, func(r domain.Observation) float64 { return float64(r.OutputTokens) }, 10)
		if version != 2 {
			v.Median, v.Sum = at(own, costOf, 10), costsOf(own)
			v.Mean = new(*v.Sum / perVersion)
		}
		switch version { // of values from 0 to 20
		case 1:
			v.Scores = []promptstats.Score{{Name: "quality", Source: "API", DataType: "NUMERIC", Count: 21, Mean: new(10.0), Values: map[string]int{}}}
		case 2:
			v.Scores = []promptstats.Score{{Name: "kind", Source: "API", DataType: "CATEGORICAL", Count: 21, Values: map[string]int{"a": 7, "b": 7, "c": 7}}}
		case 3:
			v.Scores = []promptstats.Score{{Name: "good", Source: "API", DataType: "BOOLEAN", Count: 21, Values: map[string]int{"false": 11, "true": 10}}}
		}
		result.Versions = append(result.Versions, v)
	}
	for bucket := range result.Buckets {
		for _, v := range result.Versions {
			var own []domain.Observation
			for _, r := range rows {
				if int(r.PromptVersion.Value) == v.Version && int((r.StartTime.Millis()-result.Start)/step) == bucket {
					own = append(own, r)
				}
			}
			if len(own) == 0 {
				continue
			}
			p := promptstats.Point{Bucket: bucket, Version: v.Version, Count: len(own), Errors: failedOf(own)}
			below, above := at(own, latency, (len(own)-1)/2), at(own, latency, len(own)/2)
			p.P50 = new((*below + *above) / 2)
			if v.Version != 2 {
				p.Cost = costsOf(own)
			}
			result.Points = append(result.Points, p)
		}
	}
	return result
}

func latency(r domain.Observation) float64 { return float64(r.EndTime-r.StartTime) / 1e6 }
func costOf(r domain.Observation) float64  { return r.TotalCost.Value }

// at returns the value at a place of the sorted values.
func at(rows []domain.Observation, value func(domain.Observation) float64, place int) *float64 {
	var values []float64
	for _, r := range rows {
		values = append(values, value(r))
	}
	slices.Sort(values)
	return &values[place]
}

func costsOf(rows []domain.Observation) *float64 {
	var sum float64
	for _, r := range rows {
		sum += r.TotalCost.Value
	}
	return &sum
}

func failedOf(rows []domain.Observation) (count int) {
	for _, r := range rows {
		if r.Level == "ERROR" {
			count++
		}
	}
	return count
}
