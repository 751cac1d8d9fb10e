package sdk

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store/segment"
)

// writtenRow is what the check expects of an observation.
type writtenRow struct {
	Project     string   `json:"project_id"`
	TraceID     string   `json:"trace_id"`
	ID          string   `json:"id"`
	Model       string   `json:"model"`
	Start       int64    `json:"start_time"`
	End         *int64   `json:"end_time"`
	InputTokens int64    `json:"input_tokens"`
	TotalTokens *int64   `json:"total_tokens"`
	TotalCost   *float64 `json:"total_cost"`
	Public      bool     `json:"public"`
	Tags        []string `json:"tags"`
	Input       string   `json:"input"`
	Output      string   `json:"output"`
	Metadata    string   `json:"metadata"`
}

// TestParquetFilesAreOpen writes a store and reads its files with DuckDB.
func TestParquetFilesAreOpen(t *testing.T) {
	t.Parallel()
	directory := filepath.Join(t.TempDir(), "almanac-data", "events")
	s, err := segment.Open(directory, segment.Options{FlushBytes: 1 << 20, MergeGroups: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := rand.New(rand.NewPCG(7, 8))
	var written []writtenRow
	for batch := range 40 {
		project := []string{"support-bot", "søk", "東京"}[batch%3]
		var rows []domain.Observation
		for n := range 100 {
			o, w := parquetRow(r, project, batch*100+n)
			rows, written = append(rows, o), append(written, w)
		}
		if err := s.Observations().Append(t.Context(), domain.OfProject(project), rows); err != nil {
			t.Fatal(err)
		}
		score := domain.Score{
			ID: fmt.Sprintf("score-%d", batch), TraceID: rows[0].TraceID, Timestamp: rows[0].StartTime, Name: "quality",
			DataType: "NUMERIC", Value: domain.FloatOf(float64(batch) / 4),
		}
		if err := s.Scores().Append(t.Context(), domain.OfProject(project), []domain.Score{score}); err != nil {
			t.Fatal(err)
		}
		if batch == 25 { // some files are merged, others not
			if err := s.Merge(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stats := s.Stats().Observations; stats.Merges == 0 || stats.Segments < 3 {
		t.Fatalf("there is too little to look at: %+v", stats)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	expected := filepath.Join(t.TempDir(), "expected.json")
	if err := os.WriteFile(expected, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := run(t, nil, python, "parquet_check.py", directory, expected, "../../docs/storage.md"); !strings.HasSuffix(out, "ok\n") {
		t.Error(out)
	}
}

// parquetRow makes an observation with some nulls, and returns what must be found of it.
func parquetRow(r *rand.Rand, project string, n int) (domain.Observation, writtenRow) {
	start := domain.MicrosOf(time.Date(2026, 2, 27, 23, 0, 0, 0, time.UTC)) + domain.Micros(r.Int64N(2*24*3600*1e6))
	w := writtenRow{
		Project: project, TraceID: fmt.Sprintf("trace-%d", n/5), ID: fmt.Sprintf("span-%d", n),
		Model: []string{"gpt-4o", "claude", ""}[n%3], Start: int64(start),
		InputTokens: r.Int64N(5000), Public: n%2 == 0, Tags: []string{},
		Metadata: fmt.Sprintf(`{"tenant":"t%d","note":"größer \"than\" 東京"}`, n%17),
		Input:    strings.Repeat(fmt.Sprintf("line %d of 東京, naïve 😀 and a\ttab\n", n), 1+r.IntN(30)),
	}
	o := domain.Observation{
		TraceID: w.TraceID, ID: w.ID, StartTime: start, Type: "GENERATION", Model: w.Model, InputTokens: w.InputTokens, Public: w.Public,
		Input: w.Input, Metadata: w.Metadata,
	}
	if n%4 != 0 {
		w.End, w.TotalCost = new(int64(start)+r.Int64N(9e6)), new(float64(r.IntN([]int{10, 1e6}[n/700%2]))/128)
		o.EndTime, o.TotalCost = domain.Micros(*w.End), domain.FloatOf(*w.TotalCost)
	}
	if n%7 == 0 {
		w.TotalTokens, w.Output = new(r.Int64N(1e12)), "done"
		o.TotalTokens, o.Output = domain.IntOf(*w.TotalTokens), w.Output
		w.Tags = []string{"blue", `with "quotes"`, "東京"}
		o.Tags = w.Tags
	}
	return o, w
}
