package langfuse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/transfer/importing"
)

// TestFilesOfScheduledExports reads valid and invalid rows.
func TestFilesOfScheduledExports(t *testing.T) {
	const good = `{"id":"o1","trace_id":"t1","start_time":"2026-11-01 10:00:00.123456","provided_model_name":"m","usage_pricing_tier_name":"Standard","is_root_observation":true,"prompt_version":3}`
	for _, c := range []struct {
		name, file, content string
		rows                int
		skipped, fails      string
	}{
		{name: "a row", file: "observations_v2/a.jsonl", content: good, rows: 1},
		{
			name: "a row of CSV", file: "observations_v2/a.csv",
			content: "id,trace_id,start_time,prompt_version\no1,t1,2026-11-01 10:00:00.1,3\n", rows: 1,
		},
		{
			name: "a score", file: "scores/a.json",
			content: `[{"id":"s","timestamp":"2026-11-01 10:00:00","data_type":"NUMERIC","value":1,"trace_id":"t1"}]`, rows: 1,
		},
		{name: "a trace", file: "traces/a.jsonl", content: `{"id":"t1","timestamp":"2026-11-01 10:00:00","user_id":"u"}`, rows: 1},
		{
			name: "a row that was cut", file: "observations_v2/a.jsonl", content: good + "\n" + good[:60],
			fails: "a.jsonl, line 2: the JSON object is damaged",
		},
		{
			name: "a member without a value", file: "observations_v2/a.jsonl", content: `{"id":"o1","trace_id":}`,
			fails: "a.jsonl, line 1: the JSON object is damaged",
		},
		{name: "no object", file: "observations_v2/a.jsonl", content: `[` + good + `]`, fails: "line 1: there is no JSON object"},
		{
			name: "a wrong type", file: "observations_v2/a.jsonl", content: strings.Replace(good, `"o1"`, `7`, 1) + "\n" + good, rows: 1,
			skipped: "a.jsonl, line 1: ",
		},
		{
			name: "a wrong time", file: "observations_v2/a.jsonl", content: strings.Replace(good, "2026-11-01", "soon", 1),
			skipped: "is not a time",
		},
		{name: "no id", file: "observations_v2/a.jsonl", content: `{"trace_id":"t1"}`, skipped: "it has no id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			directory := t.TempDir()
			path := filepath.Join(directory, "shop", c.file)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			source, err := OpenFiles(FileOptions{Directory: directory})
			if err != nil {
				t.Fatal(err)
			}
			tables, err := source.Tables(t.Context())
			if err != nil || len(tables) != 1 {
				t.Fatal(tables, err)
			}
			rows := 0
			var reasons []string
			var failed error
			for page, err := range source.Pages(t.Context(), tables[0], "") {
				if failed = err; err != nil {
					break
				}
				rows += len(page.Observations) + len(page.Scores)
				for _, o := range page.Observations {
					if tables[0] == importing.Observations && (o.TraceID != "t1" || o.StartTime == 0 || o.PromptVersion.Value != 3) {
						t.Errorf("the row is %+v", o)
					}
				}
				for _, s := range page.Skipped {
					reasons = append(reasons, s.Reason+" "+s.Example)
				}
			}
			if text := fmt.Sprint(failed); (failed == nil) != (c.fails == "") || !strings.Contains(text, c.fails) {
				t.Errorf("it ends with %s, want %q", text, c.fails)
			}
			if skipped := strings.Join(reasons, "\n"); rows != c.rows || !strings.Contains(skipped, c.skipped) ||
				(skipped == "") != (c.skipped == "") {
				t.Errorf("%d rows, skipped %q; want %d, %q", rows, skipped, c.rows, c.skipped)
			}
		})
	}
}
