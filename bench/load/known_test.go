package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestKnownFromRows(t *testing.T) {
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var rows []row
	for n := range 200 {
		r := row{TraceID: fmt.Sprintf("trace-%d", n/8), StartTime: at.Add(-time.Duration(n) * time.Minute), Input: "the usual words"}
		r.Metadata = map[string]any{"tenant": fmt.Sprintf("t%d", min(n%4, 1)), "zone": fmt.Sprintf("z%d", n/2), "number": 7.0}
		if n == 150 {
			r.Model, r.Tags, r.Input = "gpt", []string{"beta"}, `{"q": 1234 needle`
			r.Metadata["request"] = "only"
		}
		rows = append(rows, r)
	}
	k := knownFrom(rows)
	if len(k.traces) != 25 || !k.to.Equal(at.Add(time.Second)) || k.to.Sub(k.from) != 7*24*time.Hour {
		t.Errorf("%d traces from %v to %v", len(k.traces), k.from, k.to)
	}
	if diff := cmp.Diff([]string{"gpt", "beta"}, append(k.models, k.tags...)); diff != "" {
		t.Error(diff)
	}
	if k.rare != (member{"request", "only"}) || k.few != (member{"zone", "z0"}) || k.many != (member{"tenant", "t0"}) ||
		k.word != "needle" {
		t.Errorf("rare %v, few %v, many %v, word %q", k.rare, k.few, k.many, k.word)
	}
	// There is something to query even if rows have no values.
	bare := knownFrom([]row{{TraceID: "x", StartTime: at}})
	for _, q := range append(rowQuestions(bare), metricsQuestions(bare)...) {
		if q.path != nil && q.path(rand.New(rand.NewPCG(1, 1))) == "" {
			t.Errorf("%s asks for nothing", q.name)
		}
	}
}

func TestSample(t *testing.T) {
	var s sample
	for n := range sampleSize + 10 {
		s.add(strconv.Itoa(n))
	}
	r := rand.New(rand.NewPCG(1, 1))
	if len(s.values) != sampleSize || s.values[9] != strconv.Itoa(sampleSize+9) || s.values[10] != "10" || s.pick(r) == "" {
		t.Errorf("%d values, %v first", len(s.values), s.values[:12])
	}
}

// TestFill writes the stores that servers are started on.
func TestFill(t *testing.T) {
	directory := t.TempDir()
	k, err := fillRows(t.Context(), options{rows: 2000, textBytes: 1 << 20}, filepath.Join(directory, "rows"), "project", time.Time{})
	if err != nil || len(k.traces) < 100 || k.from.IsZero() || k.to.Sub(k.from) < 6*24*time.Hour {
		t.Fatalf("%+v, %v", k, err)
	}
	if err := (scoreCorpus{scores: 2000}).fill(t.Context(), filepath.Join(directory, "scores"), "project"); err != nil {
		t.Fatal(err)
	}
}
