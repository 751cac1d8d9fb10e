package scheduled

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/transfer/export"
)

// TestSplitFiles exports more rows than a file holds: all are in the files that the manifest lists, none of which is much
// larger than allowed, and files end with a day if they are large enough.
func TestSplitFiles(t *testing.T) {
	w := newWorld(t, func(b *domain.BlobStorageIntegration) { b.FileType, b.Compressed = "JSONL", false })
	const day = 24 * 60 * 60 * 1_000_000
	var rows []domain.Observation
	for n := range 600 {
		rows = append(rows, domain.Observation{
			TraceID: fmt.Sprint("t", n), ID: fmt.Sprint("o", n), Type: "SPAN", StartTime: start - domain.Micros(n%3*day+n),
			Input: strings.Repeat("x", 5000),
		})
	}
	w.append(rows...)
	r := w.runner()
	r.fileBytes = 1 << 20
	if ran, err := r.Step(t.Context()); !ran || err != nil {
		t.Fatal(ran, err)
	}
	_, text := w.only(manifestsFolder)
	var m export.Manifest
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	seen, parts := make(map[string]bool), 0
	for _, f := range m.Files {
		content := string(w.bucket.objects[f.Key])
		if int64(len(content)) != f.SizeBytes || f.SizeBytes > r.fileBytes+200<<10 || int64(strings.Count(content, "\n")) != f.RowCount {
			t.Errorf("%+v has %d bytes", f, len(content))
		}
		if f.Table != observationsFolder {
			continue
		}
		if parts++; parts > 1 != strings.HasSuffix(f.Key, fmt.Sprintf("_%04d.jsonl", parts)) {
			t.Errorf("file %d is named %s", parts, f.Key)
		}
		days := make(map[string]bool)
		for line := range strings.Lines(content) {
			var row struct {
				ID    string `json:"id"`
				Start string `json:"start_time"`
			}
			if err := json.Unmarshal([]byte(line), &row); err != nil || seen[row.ID] {
				t.Fatal(row, err)
			}
			seen[row.ID], days[row.Start[:10]] = true, true
		}
		if len(days) > 2 {
			t.Errorf("file %d has rows of %d days", parts, len(days))
		}
	}
	if len(seen) != len(rows) || parts < 4 || fmt.Sprint(m.Tables) != "[observations_v2 scores]" {
		t.Errorf("%d rows in %d files of %v", len(seen), parts, m.Tables)
	}
}
