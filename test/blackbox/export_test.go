package blackbox

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store/segment"
	"almanac/test/harness"
)

const exportRows = 30_000

type exportAnswer struct {
	ID, State   string
	Error       string
	Bytes, Rows int64
	DownloadURL *string
}

// TestExportSurvivesAKill kills the server while it writes a file. The file must then equal the store, row for row, and
// the file that the command line exports from the data directory. An export during which the server was killed twice
// waits for a person, who can request it again.
func TestExportSurvivesAKill(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	const public, secret = "pk-lf-export", "sk-lf-of-the-export-test"
	args := []string{
		"--init-org-id", "org", "--init-project-id", "p", "--init-project-public-key", public, "--init-project-secret-key", secret,
	}
	harness.StartOn(t, data, args...).Stop(t)
	fillForExport(t, filepath.Join(data, "events"))

	s := harness.StartOn(t, data, args...)
	ask := func(method, path, body string, into any) {
		t.Helper()
		status, answer := s.Do(t, method, path, public, secret, body)
		if status/100 != 2 {
			t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
		if err := json.Unmarshal([]byte(answer), into); err != nil {
			t.Fatal(err)
		}
	}
	// interrupted requests an export and kills the server as often while it writes the file. It returns the export when it
	// is done or failed. The server may be faster than the test, so this can take several attempts.
	interrupted := func(kills int) exportAnswer {
		t.Helper()
		end := time.Now().Add(time.Minute)
		for time.Now().Before(end) {
			var e exportAnswer
			ask("POST", "/api/public/exports", `{"table":"observations","format":"jsonl"}`, &e)
			killed := 0
			for written := int64(0); e.State != "done" && e.State != "failed" && time.Now().Before(end); {
				// A killed server leaves the state as it was: more bytes than then show that its successor writes.
				if killed < kills && e.State == "running" && e.Bytes > written {
					killed, written = killed+1, e.Bytes
					s.Signal(t, syscall.SIGKILL)
					s = harness.StartOn(t, data, args...)
				}
				ask("GET", "/api/public/exports/"+e.ID, "", &e)
			}
			if killed == kills {
				return e
			}
		}
		t.Fatalf("no export was interrupted %d times", kills)
		return exportAnswer{}
	}
	if e := interrupted(2); e.State != "failed" || !strings.Contains(e.Error, "stopped twice") {
		t.Errorf("after two kills it is %+v", e)
	}
	e := interrupted(1)
	if e.State != "done" {
		t.Fatalf("after one kill it is %+v", e)
	}
	u, err := url.Parse(*e.DownloadURL)
	if err != nil {
		t.Fatal(err)
	}
	status, file := s.Get(t, u.RequestURI())
	if status != http.StatusOK || int64(len(file)) != e.Bytes || e.Rows != exportRows {
		t.Fatalf("status %d, %d bytes, %+v", status, len(file), e)
	}
	lines := strings.Split(strings.TrimSuffix(file, "\n"), "\n")
	if len(lines) != exportRows {
		t.Fatalf("there are %d rows", len(lines))
	}
	for n, line := range lines {
		if want := fmt.Sprintf(`{"id":"o%06d",`, exportRows-1-n); !strings.HasPrefix(line, want) {
			t.Fatalf("row %d is %.80s, want %s", n, line, want)
		}
	}
	fromServer := filepath.Join(t.TempDir(), "server.jsonl.gz") // compressed, because of its name
	if _, stderr, code := harness.Run(t, "export", "observations", "--url", s.URL, "--public-key", public, "--secret-key", secret, "-o",
		fromServer); code != 0 {
		t.Fatalf("%d %s", code, stderr)
	}
	s.Stop(t)
	out, stderr, code := harness.Run(t, "export", "observations", "--data", data, "--gzip")
	if code != 0 || unpack(t, out) != file || !strings.Contains(stderr, "Exported 30000 rows.") {
		t.Errorf("the command line gives %d, %d bytes, %.300s", code, len(out), stderr)
	}
	if _, stderr, code := harness.Run(t, "export", "scores", "--data", data, "--filter", "{"); code == 0 ||
		!strings.Contains(stderr, "--filter is not valid JSON") {
		t.Errorf("%d %s", code, stderr)
	}
	again, err := os.ReadFile(fromServer)
	if err != nil {
		t.Fatal(err)
	}
	if unpack(t, string(again)) != file {
		t.Errorf("the command line has %d bytes of the server, want %d", len(again), len(file))
	}
}

// unpack returns the content of a file compressed with gzip.
func unpack(t *testing.T, file string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func fillForExport(t *testing.T, directory string) {
	t.Helper()
	s, err := segment.Open(directory, segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("some words that an application said to a model, ", 40)
	for from := 0; from < exportRows; from += 5000 {
		var rows []domain.Observation
		for n := from; n < from+5000; n++ {
			rows = append(rows, domain.Observation{
				TraceID: fmt.Sprintf("t%06d", n/4), ID: fmt.Sprintf("o%06d", n), StartTime: domain.Micros(1_790_000_000_000_000 + n*1000),
				Type: "SPAN",
				Name: "step", Input: fmt.Sprint(n, text), Metadata: `{"n":1}`,
			})
		}
		if err := s.Observations().Append(t.Context(), domain.OfProject("p"), rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
