package sdk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/access/secretbox"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/internal/transfer/scheduled"
	"almanac/test/catalogtest"
	"almanac/test/chtest"
	"almanac/test/storagetest"
)

// scheduledFiles exports the same rows and deletions of two projects, one as Parquet and one as JSONL, twice, and
// returns the files by table and format: p for Parquet, j for JSONL.
func scheduledFiles(t *testing.T) map[string]map[string][]string {
	t.Helper()
	directory := t.TempDir()
	log := slog.New(slog.DiscardHandler)
	embedded, err := segment.Open(filepath.Join(directory, "events"), segment.Options{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	defer embedded.Close()
	c, err := catalog.Open(t.Context(), filepath.Join(directory, "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	by, owner := domain.Actor{Kind: "cli"}, domain.OfOrganization("org")
	if _, err := c.CreateOrganization(t.Context(), "org", "Org", by); err != nil {
		t.Fatal(err)
	}
	key, err := secretbox.ParseKey(strings.Repeat("1", 64))
	if err != nil {
		t.Fatal(err)
	}
	recorded := &scheduled.Recorder{Store: embedded, Catalog: c, Log: log}
	exports := scheduled.New(c, recorded, secretbox.New(key), catalogtest.Prices(t, c), scheduled.Allowed{}, log)
	bucket := storagetest.Directory(filepath.Join(directory, "bucket"))
	exports.Open = func(*domain.BlobStorageIntegration, string) (scheduled.Bucket, error) { return bucket, nil }
	files := map[string]map[string][]string{}
	for project, format := range map[string]string{"p": "PARQUET", "j": "JSONL"} {
		if _, err := c.CreateProject(t.Context(), owner, tenants.NewProject{ID: project, Name: project}, by); err != nil {
			t.Fatal(err)
		}
		if _, err := c.PutBlobStorageIntegration(t.Context(), owner, domain.BlobStorageIntegration{
			ProjectID: project, Type: domain.BlobS3, BucketName: "bucket", ExportFrequency: "hourly", Enabled: true, FileType: format,
			ExportMode: domain.ExportFullHistory,
		}, func(domain.BlobStorageIntegration) error { return nil }, by); err != nil {
			t.Fatal(err)
		}
		scope, random := domain.OfProject(project), rand.New(rand.NewPCG(9, 10)) // the same rows
		export := func() {
			t.Helper()
			if _, err := c.BlobRunNow(t.Context(), owner, project, by); err != nil {
				t.Fatal(err)
			}
			if ran, err := jobs.New(jobs.Options{Log: log}, exports.Kind()).Step(t.Context()); err != nil || !ran {
				t.Fatalf("it ran: %t, %v", ran, err)
			}
			if b, err := c.BlobStorageIntegration(t.Context(), owner, project); err != nil || b.LastError != nil {
				t.Fatalf("it failed: %+v, %v", b, err)
			}
		}
		for round := range 2 {
			var rows []domain.Observation
			for n := range 600 {
				o, _ := parquetRow(random, "support-bot", 600*round+n)
				o.Level, o.Environment, o.UserID, o.ModelParameters, o.Usage, o.Cost = "WARNING", "test", "user", `{"temperature":0.5}`,
					`{"input":1}`, `{"input":0.5}`
				if n%3 == 0 {
					o.CompletionStartTime, o.PromptName, o.PromptVersion = o.StartTime+250_000, "greeting", domain.IntOf(int64(n))
					o.ToolDefinitions, o.ToolCalls, o.ToolCallNames, o.PricingTierName = `{"search":"{}"}`, `["{}"]`,
						[]string{"search"}, "Standard"
				}
				rows = append(rows, o)
			}
			if err := recorded.Observations().Append(t.Context(), scope, rows); err != nil {
				t.Fatal(err)
			}
			var scores []domain.Score
			for n := range 100 {
				s := domain.Score{
					ID: fmt.Sprintf("score-%d-%d", round, n), TraceID: rows[n].TraceID, Timestamp: rows[n].StartTime, Name: "quality",
					Source: "API", Comment: "ä", Metadata: `{"a":[1]}`,
				}
				if s.DataType, s.StringValue = "CATEGORICAL", "good"; n%2 == 0 {
					s.DataType, s.StringValue, s.Value = "NUMERIC", "", domain.FloatOf(float64(n)/7)
				}
				scores = append(scores, s)
			}
			if err := recorded.Scores().Append(t.Context(), scope, scores); err != nil {
				t.Fatal(err)
			}
			export()
			if _, err := recorded.Observations().Delete(t.Context(), scope,
				store.Selection{TraceIDs: []string{rows[0].TraceID}}); err != nil {
				t.Fatal(err)
			}
			if _, err := recorded.Scores().Delete(t.Context(), scope,
				store.Selection{IDs: []string{scores[0].ID, scores[1].ID}}); err != nil {
				t.Fatal(err)
			}
			export()
		}
		if _, err := recorded.Observations().Delete(t.Context(), scope, store.Selection{Before: 1_800_000_000_000_001}); err != nil {
			t.Fatal(err)
		}
		export()
		for _, table := range []string{"observations_v2", "scores", "deletions"} {
			found, err := filepath.Glob(filepath.Join(string(bucket), project, table, "*."+strings.ToLower(format)))
			if err != nil {
				t.Fatal(err)
			}
			if files[table] == nil {
				files[table] = map[string][]string{}
			}
			files[table][project] = found
		}
	}
	return files
}

// checkScheduledParquet reads every file of scheduled exports, of every table, with DuckDB and ClickHouse's engine, and
// compares all values with the same rows as JSONL.
func checkScheduledParquet(t *testing.T, engine *chtest.Server) {
	t.Helper()
	args := []string{"scheduled_check.py"}
	for table, files := range scheduledFiles(t) {
		want := map[string]int{"observations_v2": 5, "scores": 5, "deletions": 3}[table]
		if len(files["p"]) != want || len(files["j"]) != want {
			t.Fatalf("%s has %d and %d files, want %d", table, len(files["p"]), len(files["j"]), want)
		}
		for n, parquet := range files["p"] {
			args = append(args, parquet, files["j"][n])
			read, err := engine.Query(t.Context(),
				fmt.Sprintf("SELECT * FROM file('%s', 'Parquet') FORMAT JSONEachRow SETTINGS output_format_json_quote_64bit_integers = 0",
					parquet))
			if err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(files["j"][n])
			if err != nil {
				t.Fatal(err)
			}
			sameRows(t, parquet, []byte(read), content)
		}
	}
	if out := run(t, nil, python, args...); !strings.HasSuffix(out, "ok\n") {
		t.Error(out)
	}
}

// sameRows compares rows read from a Parquet file with those of the JSONL file. Objects and lists are strings in
// Parquet, which has no prices. Project names and the times of deletions differ.
func sameRows(t *testing.T, name string, got, want []byte) {
	t.Helper()
	read, written := bytes.Split(bytes.TrimSpace(got), []byte("\n")), bytes.Split(bytes.TrimSpace(want), []byte("\n"))
	if len(read) != len(written) {
		t.Fatalf("%s has %d rows, want %d", name, len(read), len(written))
	}
	for n := range read {
		var r, w map[string]any
		if len(read[n]) == 0 && len(written[n]) == 0 {
			return // there are none
		}
		if err := json.Unmarshal(read[n], &r); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written[n], &w); err != nil {
			t.Fatal(err)
		}
		for column, value := range w {
			if column == "project_id" || column == "deleted_at" || strings.HasSuffix(column, "_price") {
				continue
			}
			other, ok := r[column]
			switch value.(type) {
			case []any, map[string]any:
				text, _ := other.(string)
				_ = json.Unmarshal([]byte(text), &other)
			}
			if !ok || fmt.Sprint(other) != fmt.Sprint(value) {
				t.Fatalf("%s, row %d: %s is %v, want %v", name, n, column, other, value)
			}
		}
	}
}
