package sdk

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/query/experiments/compare"
)

// comparedRuns are values of two runs and what we say of them.
type comparedRuns struct {
	Name      string             `json:"name"`
	Ratio     bool               `json:"ratio"`
	Step      float64            `json:"step"`
	Baseline  []float64          `json:"baseline"`
	Candidate []float64          `json:"candidate"`
	Ours      compare.Difference `json:"ours"`
}

// TestStatistics compares the statistics of experiments with those of SciPy.
func TestStatistics(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 26))
	coin := func(p float64) float64 {
		if r.Float64() < p {
			return 1
		}
		return 0
	}
	kinds := []struct {
		name  string
		ratio bool
		step  float64 // between possible values, if they are few
		draw  func() (baseline, candidate float64)
	}{
		{"normal", false, 0, func() (float64, float64) { x := r.NormFloat64(); return x, x + 0.1 + r.NormFloat64()/2 }},
		{"skewed", false, 0, func() (float64, float64) { x := r.Float64(); return x, x + r.ExpFloat64() - 0.9 }},
		{"boolean", false, 1, func() (float64, float64) { return coin(0.7), coin(0.8) }},
		{"rarely different", false, 1, func() (float64, float64) { return 1, coin(0.9) }},
		{"three repetitions", false, 1.0 / 3, func() (float64, float64) {
			return (coin(0.6) + coin(0.6) + coin(0.6)) / 3, (coin(0.7) + coin(0.7) + coin(0.7)) / 3
		}},
		{"latency", true, 0, func() (float64, float64) {
			x := math.Exp(r.NormFloat64())
			return x, x * math.Exp(0.2+r.NormFloat64()/3)
		}},
	}
	var cases []comparedRuns
	for _, kind := range kinds {
		for _, n := range []int{12, 29, 30, 200, 1000, 6000} {
			c := comparedRuns{Name: kind.name, Ratio: kind.ratio, Step: kind.step}
			for range n {
				a, b := kind.draw()
				c.Baseline, c.Candidate = append(c.Baseline, a), append(c.Candidate, b)
			}
			c.Ours = compare.Values(c.Baseline, c.Candidate, compare.Options{Direction: compare.Higher, Ratio: kind.ratio, Seed: 9})
			cases = append(cases, c)
		}
	}
	text, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cases.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := run(t, nil, python, "statistics_check.py", file); !strings.HasSuffix(out, "ok\n") {
		t.Error(out)
	}
}
