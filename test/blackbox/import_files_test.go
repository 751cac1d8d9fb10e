package blackbox

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"almanac/test/harness"
)

// importProject are options that create a project with keys, as in oldServer.
var importProject = []string{
	"--init-org-id", "old-org", "--init-org-name", "Old", "--init-project-id", "shop", "--init-project-name", "Shop",
	"--init-project-public-key", importPublic, "--init-project-secret-key", importSecret,
}

// TestImportOTLPFiles imports messages from files and sends the same ones to another server. Both must return the same.
func TestImportOTLPFiles(t *testing.T) {
	t.Parallel()
	var messages []string
	for n := range 4 {
		messages = append(messages,
			strings.NewReplacer("4bf92f3577b34da6a3ce929d0e0e473", fmt.Sprintf("4bf92f3577b34da6a3ce929d0e0e47%d", n), "first try",
				fmt.Sprint("try ", n)).Replace(experimentSpans()))
	}
	sent := harness.Start(t, importProject...)
	for _, m := range messages {
		if status, answer := sent.Do(t, "POST", "/api/public/otel/v1/traces", importPublic, importSecret, m); status != 200 {
			t.Fatalf("%d %s", status, answer)
		}
	}
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer packer.Close()
	var packed []byte
	for _, m := range messages[2:] {
		one := packer.EncodeAll([]byte(m), nil)
		packed = append(binary.BigEndian.AppendUint32(packed, uint32(len(one))), one...)
	}
	directory := t.TempDir()
	lines, framed := filepath.Join(directory, "traces.json"), filepath.Join(directory, "traces.zst")
	for path, content := range map[string]string{lines: strings.Join(messages[:2], "\n") + "\n", framed: string(packed)} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(t.TempDir(), "new")
	harness.StartOn(t, data, importProject...).Stop(t)
	for range 2 {
		stdout, stderr, code := harness.Run(t, "import", "otlp", lines, framed, "--data", data)
		if code != 0 || !strings.Contains(stdout, "observations  8        8 ") {
			t.Fatalf("%d %s\n%s", code, stderr, stdout)
		}
	}
	answersAlike(t, sent, harness.StartOn(t, data), []string{
		"v2/observations?limit=1000&fields=core,basic,io,metadata,model,usage,prompt,metrics,trace_context",
		"experiment-items?fromStartTime=2020-01-01T00:00:00Z&fields=core,dataset,io,metadata,itemMetadata,experimentMetadata",
	})
	// Into a server while it runs, twice, with a kill in between.
	running := filepath.Join(t.TempDir(), "running")
	for range 2 {
		s := harness.StartOn(t, running, importProject...)
		stdout, stderr, code := harness.Run(t, "import", "otlp", lines, framed, "--url", s.URL, "--public-key", importPublic,
			"--secret-key", importSecret)
		if code != 0 || !strings.Contains(stdout, "Sent 4 messages of 2 files. Refused: 0 messages, and 0 spans of others.") {
			t.Fatalf("%d %s\n%s", code, stderr, stdout)
		}
		s.Signal(t, syscall.SIGKILL)
	}
	answersAlike(t, sent, harness.StartOn(t, running), []string{
		"v2/observations?limit=1000&fields=core,basic,io,metadata,model,usage,prompt,metrics,trace_context",
		"experiment-items?fromStartTime=2020-01-01T00:00:00Z&fields=core,dataset,io,metadata,itemMetadata,experimentMetadata",
	})
	// Again, into one that runs on the directory.
	if stdout, stderr, code := harness.Run(t, "import", "otlp", lines, framed, "--data", data); code != 0 ||
		!strings.Contains(stdout, "observations  8        8 ") {
		t.Fatalf("%d %s\n%s", code, stderr, stdout)
	}
}

// TestImportExport exports everything from a server, imports it into an empty data directory, with kills, and exports
// it again.
func TestImportExport(t *testing.T) {
	t.Parallel()
	old := oldServer(t)
	old.Stop(t)
	from, to := t.TempDir(), t.TempDir()
	tables := []string{"observations", "traces", "scores", "dataset_items", "dataset_run_items"}
	export := func(data, directory string) {
		t.Helper()
		for _, table := range tables {
			if _, stderr, code := harness.Run(t, "export", table, "--data", data, "--project", "shop", "-o",
				filepath.Join(directory, table+".jsonl")); code != 0 {
				t.Fatalf("%d %s", code, stderr)
			}
		}
	}
	export(old.Data, from)
	data := filepath.Join(t.TempDir(), "new")
	for life := 80 * time.Millisecond; life < 250*time.Millisecond; life += 40 * time.Millisecond {
		harness.RunFor(t, life, "import", "export", from, "--data", data, "--project", "shop")
	}
	stdout, stderr, code := harness.Run(t, "import", "export", from, "--data", data, "--project", "shop")
	if code != 0 {
		t.Fatalf("%d %s\n%s", code, stderr, stdout)
	}
	export(data, to)
	for _, table := range tables {
		want, err := os.ReadFile(filepath.Join(from, table+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(to, table+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if table == "traces" { // observations in files have no such times
			want, got = rowTimes.ReplaceAll(want, nil), rowTimes.ReplaceAll(got, nil)
		}
		if len(want) == 0 || string(got) != string(want) {
			gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
			for n := range min(len(gotLines), len(wantLines)) {
				if gotLines[n] != wantLines[n] {
					t.Errorf("%s, row %d of %d and %d:\n%.2000s\nwant\n%.2000s", table, n+1, len(gotLines), len(wantLines), gotLines[n],
						wantLines[n])
					break
				}
			}
		}
	}
}

var rowTimes = regexp.MustCompile(`"(created|updated)At":"[^"]*"`)
