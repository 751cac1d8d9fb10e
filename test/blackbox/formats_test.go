package blackbox

import (
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/test/formats"
	"almanac/test/harness"
)

var writeArchive = flag.String("write-archive", "", "file to keep what TestFormatIsKept writes in")

// earlierEvents is the message of doctor and restore about events whose index has to be rebuilt.
const earlierEvents = "written by an earlier version of Almanac, their index is rebuilt on the first start"

// TestEveryFormat opens, checks, repairs, backs up and restores data of every format ever written, and reads all of it.
func TestEveryFormat(t *testing.T) {
	names := formats.Names()
	if len(names) < 2 {
		t.Fatalf("there are only the archives %q", names)
	}
	today := filepath.Join(t.TempDir(), "today") // restored by this program, so in its format except for the indexes
	newest := formats.Unpack(t, formats.Newest())
	succeed(t, "restore", newest.Backup, "--data", today)
	current, err := formats.FormatOf(t.Context(), today, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := formats.Unpack(t, name)
			earlier := a.Observations && a.Format.Index != newest.Format.Index
			outdated := earlier || !slices.Equal(a.Format.Catalog, current.Catalog)

			checkFormat(t, a.Data, earlier, outdated)
			again := filepath.Join(t.TempDir(), "backup")
			succeed(t, "backup", again, "--data", a.Data)
			checkFormat(t, a.Data, earlier, outdated) // nothing has been changed so far
			repaired := filepath.Join(t.TempDir(), "repaired")
			if out := succeed(t, "restore", again, "--data", repaired); strings.Contains(out, earlierEvents) != earlier {
				t.Errorf("restore says %s", out)
			}
			if out := succeed(t, "doctor", "--repair", "--data", repaired); strings.Contains(out, "rebuilt ") != earlier ||
				strings.Contains(out, "earlier") {
				t.Errorf("doctor --repair says %s", out)
			}
			checkFormat(t, repaired, false, false)

			readFormat(t, a.Data, &a.Written)
			checkFormat(t, a.Data, false, false)
			if !a.Written.Backup {
				return
			}
			restored := filepath.Join(t.TempDir(), "restored")
			succeed(t, "restore", a.Backup, "--data", restored)
			checkFormat(t, restored, earlier, earlier) // restoring migrated the catalog
			readFormat(t, restored, &a.Written)
		})
	}
}

// succeed runs a command that must succeed and returns its output.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, code := harness.Run(t, args...)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout
}

// checkFormat runs the doctor on a directory without faults.
func checkFormat(t *testing.T, data string, earlierIndex, outdated bool) {
	t.Helper()
	out := succeed(t, "doctor", "--data", data)
	if strings.Contains(out, earlierEvents) != earlierIndex ||
		strings.Contains(out, "written by an earlier version of Almanac") != outdated ||
		strings.Contains(out, "FAULT") || !strings.Contains(out, "Everything is in order.") {
		t.Errorf("doctor says of %s (earlier index: %t, outdated: %t)\n%s", data, earlierIndex, outdated, out)
	}
}

// readFormat starts a server on a directory and reads everything that an archive holds.
func readFormat(t *testing.T, data string, w *formats.Written, args ...string) {
	t.Helper()
	s := harness.StartOn(t, data, args...)
	defer s.Stop(t)
	s.PublicKey, s.SecretKey = formats.PublicKey, formats.SecretKey
	if status, body := s.Get(t, "/api/public/projects"); status != http.StatusOK || !strings.Contains(body, `"bot"`) {
		t.Errorf("projects: %d %s", status, body)
	}
	if w.Observations {
		want := formats.Rows(w.Deleted)
		compareRows(t, s, "all rows", "", want, func(formats.Row) bool { return true })
		compareRows(t, s, "rows of a trace", "traceId="+formats.TraceID(21), want, func(r formats.Row) bool {
			return r.TraceID == formats.TraceID(21)
		})
		for _, c := range []struct {
			condition string
			keep      func(r formats.Row) bool
		}{
			{`{"type":"string","column":"input","operator":"matches","value":"unique107"}`, func(r formats.Row) bool {
				return strings.HasSuffix(r.Input, "unique107")
			}},
			{
				`{"type":"string","column":"input","operator":"matches","value":"Größen"}`,
				func(r formats.Row) bool { return strings.Contains(r.Input, "größen") },
			},
			{`{"type":"string","column":"output","operator":"matches","value":"edition 3"}`, func(r formats.Row) bool {
				return strings.HasPrefix(r.Output, "Edition 3")
			}},
			{
				`{"type":"string","column":"sessionId","operator":"=","value":"session-5"}`,
				func(r formats.Row) bool { return r.Session == "session-5" },
			},
			{
				`{"type":"stringObject","column":"metadata","key":"tenant","operator":"=","value":"tenant-3"}`,
				func(r formats.Row) bool { return r.Tenant == "tenant-3" },
			},
			{
				`{"type":"stringObject","column":"metadata","key":"request","operator":"=","value":"request-77"}`,
				func(r formats.Row) bool { return r.Request == "request-77" },
			},
		} {
			compareRows(t, s, c.condition, "filter="+url.QueryEscape("["+c.condition+"]"), want, c.keep)
		}
	}
	if w.Scores {
		status, body := s.Get(t, "/api/public/v3/scores?limit=100")
		var page struct {
			Data []struct {
				ID, Name string
				Value    float64
			}
		}
		if err := json.Unmarshal([]byte(body), &page); err != nil || status != http.StatusOK || len(page.Data) != formats.Scores {
			t.Errorf("scores: %d %v, %d of them", status, err, len(page.Data))
		}
		for _, score := range page.Data {
			var n int
			if _, err := fmt.Sscanf(score.ID, "score-%d", &n); err != nil || score.Name != "quality" ||
				score.Value != formats.ScoreValue(n) {
				t.Errorf("score %+v, %v", score, err)
			}
		}
	}
	for path, has := range map[string]struct {
		it   bool
		want string
	}{
		"/api/public/v2/prompts/" + formats.PromptName:   {w.Prompt, formats.PromptText},
		"/api/public/dataset-items/" + formats.ItemID:    {w.Dataset, "What is a format?"},
		"/api/public/v2/datasets/" + formats.DatasetName: {w.Dataset, formats.DatasetName},
	} {
		if status, body := s.Get(t, path); has.it && (status != http.StatusOK || !strings.Contains(body, has.want)) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if w.Media != "" {
		answer := transfer(t, http.MethodGet, addressOf(t, s, w.Media), "", nil, 0)
		if text, err := io.ReadAll(answer.Body); err != nil || string(text) != formats.MediaText {
			t.Errorf("media: %q, %v", text, err)
		}
	}
}

// compareRows reads observations and compares them with everything that was sent.
func compareRows(t *testing.T, s *harness.Server, what, query string, all map[string]formats.Row, keep func(formats.Row) bool) {
	t.Helper()
	want := make(map[string]formats.Row)
	for id, r := range all {
		if keep(r) {
			want[id] = r
		}
	}
	if len(want) == 0 {
		t.Fatalf("%s: nothing to look for", what)
	}
	status, body := s.Get(t, "/api/public/v2/observations?limit=1000&fields=core,basic,io,metadata,model,usage&"+query)
	var page struct {
		Data []struct {
			ID, TraceID, Name, Type, SessionID, UserID, Input, Output, ProvidedModelName string
			ParentObservationID                                                          *string
			StartTime, EndTime                                                           time.Time
			Metadata                                                                     struct{ Tenant, Request string }
			UsageDetails                                                                 struct{ Input int }
		}
	}
	if err := json.Unmarshal([]byte(body), &page); err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %.300s, %v", what, status, body, err)
	}
	got := make(map[string]formats.Row)
	for _, o := range page.Data {
		r := formats.Row{
			ID: o.ID, TraceID: o.TraceID, Name: o.Name, Type: o.Type, Session: o.SessionID, User: o.UserID, Input: o.Input,
			Output: o.Output,
			Tenant: o.Metadata.Tenant, Request: o.Metadata.Request, Model: o.ProvidedModelName, Tokens: o.UsageDetails.Input,
			Start: o.StartTime, End: o.EndTime,
		}
		if o.ParentObservationID != nil {
			r.ParentID = *o.ParentObservationID
		}
		got[o.ID] = r
	}
	if d := cmp.Diff(want, got); d != "" || len(page.Data) != len(want) {
		t.Errorf("%s: %d rows of %d differ:\n%.2000s", what, len(page.Data), len(want), d)
	}
}

// TestFormatIsKept makes the program write what the archives hold, and compares its format with that of the newest
// archive: a changed format needs a new archive.
func TestFormatIsKept(t *testing.T) {
	root := t.TempDir()
	w := writeFormat(t, root)
	if *writeArchive != "" {
		if err := formats.Pack(root, w, *writeArchive); err != nil {
			t.Fatal(err)
		}
		return
	}
	newest := formats.Unpack(t, formats.Newest())
	for _, version := range newest.Format.Catalog {
		if !slices.Contains(w.Format.Catalog, version) {
			t.Errorf("version %d of the catalog is gone", version)
		}
	}
	w.Format.Catalog, newest.Format.Catalog = nil, nil // versions may be added
	if d := cmp.Diff(newest.Format, w.Format); d != "" {
		t.Errorf("the program writes another format than %s has; test/formats/README.md says what to do:\n%s", formats.Newest(), d)
	}
	w.Format, newest.Format = formats.Format{}, formats.Format{}
	w.Media, newest.Media = "", ""
	if !reflect.DeepEqual(w, newest.Written) {
		t.Errorf("the program wrote %+v, the archive has %+v", w, newest.Written)
	}
}

// writeFormat makes a program, which may be an old one, write as much as it can of what archives hold.
func writeFormat(t *testing.T, root string) formats.Written {
	t.Helper()
	data, backup := filepath.Join(root, "data"), filepath.Join(root, "backup")
	var w formats.Written
	start := func() *harness.Server {
		s := harness.StartOn(t, data, "--init-org-id=acme", "--init-project-id=bot", "--init-project-name=bot",
			"--init-project-public-key="+formats.PublicKey, "--init-project-secret-key="+formats.SecretKey)
		s.PublicKey, s.SecretKey = formats.PublicKey, formats.SecretKey
		waitForSegments(t, data)
		return s
	}
	// try sends a request that an old program may not support.
	try := func(s *harness.Server, method, path, body string) bool {
		status, answer := s.Do(t, method, path, s.PublicKey, s.SecretKey, body)
		if status >= 300 && status != http.StatusNotFound {
			t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
		return status < 300
	}
	send := func(s *harness.Server, part int) {
		body, err := formats.Export(formats.Part(part))
		if err != nil {
			t.Fatal(err)
		}
		w.Observations = try(s, "POST", tracesPath, body)
	}
	score := func(s *harness.Server, first, end int) {
		for n := first; n < end; n++ {
			w.Scores = try(s, "POST", "/api/public/scores",
				fmt.Sprintf(`{"id":"score-%d","traceId":%q,"name":"quality","value":%v,"dataType":"NUMERIC"}`,
					n, formats.TraceID(30+n), formats.ScoreValue(n)))
		}
	}
	s := start()
	send(s, 1)
	w.Prompt = try(s, "POST", "/api/public/v2/prompts", fmt.Sprintf(`{"type":"text","name":%q,"prompt":%q,"labels":["production"]}`,
		formats.PromptName, formats.PromptText))
	w.Dataset = try(s, "POST", "/api/public/v2/datasets", fmt.Sprintf(`{"name":%q}`, formats.DatasetName)) &&
		try(s, "POST", "/api/public/dataset-items",
			fmt.Sprintf(`{"datasetName":%q,"id":%q,"input":"What is a format?"}`, formats.DatasetName, formats.ItemID))
	s.Stop(t)
	s = start()
	send(s, 2)
	score(s, 0, formats.ScoresInSegment)
	w.Media = sendText(t, s, formats.MediaText)
	s.Stop(t)
	s = start()
	send(s, 3)
	score(s, formats.ScoresInSegment, formats.Scores)
	w.Deleted = w.Observations && try(s, "DELETE", "/api/public/traces/"+formats.TraceID(formats.DeletedTrace), "")
	_, _, code := harness.Run(t, "backup", backup, "--data", data)
	w.Backup = code == 0
	s.Signal(t, syscall.SIGKILL)
	var err error
	if w.Format, err = formats.FormatOf(t.Context(), copyOf(t, data), backup); err != nil {
		t.Fatal(err)
	}
	return w
}

// copyOf returns a copy of a directory, for use with tools that change it.
func copyOf(t *testing.T, directory string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.RemoveAll(filepath.Join(directory, "socket")); err != nil { // left by a server that was killed; CopyFS copies only files
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(directory)); err != nil {
		t.Fatal(err)
	}
	return to
}

// waitForSegments waits until the server has moved everything in its logs to segments.
func waitForSegments(t *testing.T, data string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		done := true
		for _, table := range []string{"observations", "scores"} {
			logs, err := filepath.Glob(filepath.Join(data, "events", table, "*.wal"))
			done = done && err == nil && len(logs) <= 1
		}
		if done {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("logs do not become segments")
		}
	}
}

// sendText uploads a text file and returns its id, or an empty string if the program does not support media.
func sendText(t *testing.T, s *harness.Server, text string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(text))
	status, body := s.Do(t, "POST", "/api/public/media", s.PublicKey, s.SecretKey, fmt.Sprintf(
		`{"traceId":%q,"field":"input","contentType":"text/plain","contentLength":%d,"sha256Hash":%q}`, formats.TraceID(21), len(text),
		base64.StdEncoding.EncodeToString(sum[:])))
	if status == http.StatusNotFound {
		return ""
	}
	var announced struct{ MediaID, UploadURL string }
	if err := json.Unmarshal([]byte(body), &announced); err != nil || status != http.StatusCreated {
		t.Fatalf("%d %s, %v", status, body, err)
	}
	answer := transfer(t, http.MethodPut, announced.UploadURL, "text/plain", strings.NewReader(text), int64(len(text)))
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("sending a medium: %s", answer.Status)
	}
	return announced.MediaID
}

// TestNewerFormatIsRefused checks that every command refuses data of a newer program and leaves it unchanged.
func TestNewerFormatIsRefused(t *testing.T) {
	for name, raise := range map[string]func(t *testing.T, directory string){
		"events": func(t *testing.T, directory string) {
			payload := []byte(`{"format":999}`)
			frame := binary.LittleEndian.AppendUint32([]byte("EDIT"), uint32(len(payload)))
			frame = binary.LittleEndian.AppendUint32(frame, crc32.Checksum(payload, crc32.MakeTable(crc32.Castagnoli)))
			manifest, err := os.OpenFile(filepath.Join(directory, "events", "scores", "MANIFEST"), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, err = manifest.Write(append(frame, payload...))
			if err := errors.Join(err, manifest.Close()); err != nil {
				t.Fatal(err)
			}
		},
		"catalog": func(t *testing.T, directory string) {
			db, err := sql.Open("sqlite", "file:"+filepath.Join(directory, "catalog.db"))
			if err != nil {
				t.Fatal(err)
			}
			_, err = db.ExecContext(t.Context(), "INSERT INTO schema_versions (version, at) VALUES (9999, 0)")
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := formats.Unpack(t, formats.Newest())
			data, target := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "target")
			succeed(t, "restore", a.Backup, "--data", data)
			raise(t, data)
			raise(t, a.Backup)
			before := contentOf(t, data) + contentOf(t, a.Backup)
			const newer = "written by a newer version of Almanac"
			if _, err := harness.TryStartOn(t, data); err == nil || !strings.Contains(err.Error(), newer) {
				t.Errorf("serve: %v", err)
			}
			for _, args := range [][]string{
				{"doctor", "--data", data},
				{"doctor", "--repair", "--data", data},
				{"backup", target, "--data", data},
				{"restore", a.Backup, "--data", target},
			} {
				if stdout, stderr, code := harness.Run(t, args...); code != 1 || !strings.Contains(stdout+stderr, newer) ||
					!strings.Contains(stdout+stderr, "run that version") {
					t.Errorf("%s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
				}
			}
			if _, err := os.Stat(target); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("something was copied: %v", err)
			}
			if contentOf(t, data)+contentOf(t, a.Backup) != before {
				t.Error("something was changed")
			}
		})
	}
}

// contentOf returns the names and hashes of all files in a directory. Files that a start leaves for the next one are
// ignored.
func contentOf(t *testing.T, directory string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(directory, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "lock" {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s %x\n", path, sha256.Sum256(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
