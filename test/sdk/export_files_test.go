package sdk

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/store/segment"
	"almanac/internal/transfer/export"
	"almanac/test/chtest"
)

// TestExportedParquet exports a project as Parquet and as JSONL, and reads the files with DuckDB and ClickHouse's
// engine.
func TestExportedParquet(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	s, err := segment.Open(filepath.Join(directory, "events"), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := catalog.Open(t.Context(), filepath.Join(directory, "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	scope, r := domain.OfProject("support-bot"), rand.New(rand.NewPCG(9, 10))
	var rows []domain.Observation
	for n := range 3000 {
		o, _ := parquetRow(r, "support-bot", n)
		o.Input = strings.Repeat(o.Input, 1+n%33) // more than fits into one row group
		if n%3 == 0 {
			o.PromptName, o.PromptVersion = "greeting", domain.IntOf(int64(n))
		}
		rows = append(rows, o)
	}
	if err := s.Observations().Append(t.Context(), scope, rows); err != nil {
		t.Fatal(err)
	}
	var scores []domain.Score
	for n := range 200 {
		scores = append(scores, domain.Score{
			ID: fmt.Sprintf("score-%d", n), TraceID: rows[n*3].TraceID, ObservationID: rows[n*3].ID, Timestamp: rows[n].StartTime,
			Name:     "quality",
			DataType: "NUMERIC", Value: domain.FloatOf(float64(n) / 7),
		})
	}
	if err := s.Scores().Append(t.Context(), scope, scores); err != nil {
		t.Fatal(err)
	}
	reader := &export.Reader{Catalog: c, Store: s, Scope: scope}
	files := map[string]string{}
	for _, format := range []string{export.Parquet, export.JSONL} {
		request := &export.Request{Table: export.Observations, Format: format, WithScores: true}
		table, err := reader.Open(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		files[format] = filepath.Join(directory, "export."+format)
		file, err := os.Create(files[format])
		if err != nil {
			t.Fatal(err)
		}
		w, err := export.NewWriter(format, file, table.Columns, export.Batch)
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Write(t.Context(), w, func(int64) {}); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		if table.Total == nil || *table.Total != 3000 {
			t.Errorf("the total is %v", table.Total)
		}
	}
	if out := run(t, nil, python, "export_check.py", files[export.Parquet], files[export.JSONL]); !strings.HasSuffix(out, "ok\n") {
		t.Error(out)
	}
	engine := chtest.Start(t)
	sums := map[string]string{}
	for format, name := range map[string]string{export.Parquet: "Parquet", export.JSONL: "JSONEachRow"} {
		const what = `id String, traceId String, promptVersion Nullable(Int64), totalCost Nullable(Float64), input Nullable(String), latencyMs Nullable(Int64)`
		sum, err := engine.Query(t.Context(), fmt.Sprintf(`SELECT count(), countIf(promptVersion IS NULL), countIf(totalCost IS NULL),
			sum(cityHash64(id, traceId, coalesce(promptVersion, -1), coalesce(totalCost, -1), coalesce(input, ''), coalesce(latencyMs, -1)))
			FROM file('%s', '%s', '%s')`, files[format], name, what))
		if err != nil {
			t.Fatal(err)
		}
		sums[format] = sum
	}
	if sums[export.Parquet] != sums[export.JSONL] || !strings.HasPrefix(sums[export.Parquet], "3000\t2000\t750\t") {
		t.Errorf("ClickHouse's engine read %q", sums)
	}
	checkScheduledParquet(t, engine)
}
