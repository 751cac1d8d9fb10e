package almanac

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/domain"
	"almanac/internal/query/explore"
	"almanac/internal/query/traces"
	"almanac/internal/store"
	"almanac/internal/transfer/export"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/importing/files"
	"almanac/test/importtest"
)

// exportAll writes a file for each table.
func exportAll(w *world, directory, format string) {
	w.Helper()
	for _, table := range export.Tables() {
		w.must(os.WriteFile(filepath.Join(directory, table+"."+format), []byte(w.export(table, format)), 0o600))
	}
}

// without returns the rows of a file without some columns.
func without(w *world, path string, columns ...string) (rows []map[string]any) {
	w.Helper()
	for row, err := range files.Read(path, func(_, text string) json.RawMessage { b, _ := json.Marshal(text); return b }) {
		w.must(err)
		var object map[string]any
		w.must(json.Unmarshal(row.JSON, &object))
		for _, c := range columns {
			delete(object, c)
		}
		rows = append(rows, object)
	}
	return rows
}

// TestBatchRoundTrip exports everything, imports it into an empty installation, and exports that again. Importing twice
// must change nothing.
func TestBatchRoundTrip(t *testing.T) {
	old := newWorld(t)
	old.fill()
	for _, format := range export.Formats() {
		t.Run(format, func(t *testing.T) {
			from, to := t.TempDir(), t.TempDir()
			exportAll(old, from, format)
			w := newWorld(t)
			var first []importing.Report
			for n := range 2 {
				reports, err := w.read(toTheEnd, from)
				if err != nil {
					t.Fatal(err)
				}
				exportAll(w, to, format)
				compareFiles(t, w, from, to, format)
				if n == 0 {
					first = reports
					continue
				}
				for i, r := range reports {
					if r.Table != importing.Datasets && r.Table != importing.DatasetRuns &&
						(r.Digest != first[i].Digest || r.Counted != first[i].Counted) {
						t.Errorf("%s is %+v, then %+v", r.Table, first[i], r)
					}
				}
			}
			for table, want := range map[string]int64{
				importing.Observations: 9, importing.Traces: 5, importing.Scores: 5, importing.DatasetItems: 4,
				importing.DatasetRunItems: 3, importing.Comments: 3,
			} {
				n := slices.IndexFunc(first, func(r importing.Report) bool { return r.Table == table })
				if n < 0 || first[n].Counted != want || len(first[n].Skipped) > 0 {
					t.Errorf("%s: %+v, want %d", table, first, want)
				}
			}
		})
	}
}

func compareFiles(t *testing.T, w *world, from, to, format string) {
	t.Helper()
	for _, c := range []struct {
		table string
		// anyOrder is set if the order depends on times that files do not have: when runs were created.
		anyOrder bool
	}{
		{table: export.Observations},
		{table: export.Traces},
		{table: export.Sessions},
		{table: export.Users},
		{table: export.Scores},
		{table: export.DatasetItems},
		{table: export.DatasetRunItems, anyOrder: true},
	} {
		name := c.table + "." + format
		want, err := os.ReadFile(filepath.Join(from, name))
		w.must(err)
		got, err := os.ReadFile(filepath.Join(to, name))
		w.must(err)
		if string(want) == string(got) {
			continue
		}
		byID := cmpopts.SortSlices(func(a, b map[string]any) bool { return c.anyOrder && fmt.Sprint(a["id"]) < fmt.Sprint(b["id"]) })
		if diff := cmp.Diff(without(w, filepath.Join(from, name)), without(w, filepath.Join(to, name)), byID); diff != "" || !c.anyOrder {
			t.Errorf("%s differ:\n%s", name, diff)
		}
	}
	audited := without(w, filepath.Join(to, export.AuditLogs+"."+format))
	for _, entry := range without(w, filepath.Join(from, export.AuditLogs+"."+format)) {
		if n := slices.IndexFunc(audited, func(e map[string]any) bool { return e["id"] == entry["id"] }); n < 0 ||
			!cmp.Equal(audited[n], entry) {
			t.Errorf("the audit log lacks %v", entry)
		}
	}
}

// TestScheduledRoundTrip writes, changes and deletes rows between runs. What is imported must match the store.
func TestScheduledRoundTrip(t *testing.T) {
	for _, c := range []struct {
		fileType   string
		compressed bool
	}{{"JSONL", true}, {"JSONL", false}, {"JSON", true}, {"CSV", true}, {"PARQUET", false}} {
		t.Run(fmt.Sprint(c.fileType, c.compressed), func(t *testing.T) {
			old, bucket := newWorld(t), t.TempDir()
			export := old.schedule(bucket, c.fileType, c.compressed)
			w, follower := newWorld(t), newWorld(t) // one imports everything at the end, the other after each run
			run := func() {
				t.Helper()
				export()
				if _, err := follower.read(toTheEnd, bucket); err != nil {
					t.Fatal(err)
				}
			}
			old.fill()
			old.append(domain.Observation{
				TraceID: "old", ID: "moved", Type: "SPAN", Name: "later than it was", StartTime: noon + second, Level: "DEFAULT",
				CreatedAt: noon, UpdatedAt: noon,
			})
			run()
			changed := everything()[1]
			changed.Name = "changed"
			moved := domain.Observation{
				TraceID: "old", ID: "moved", Type: "SPAN", Name: "as it was", StartTime: noon - 10*second, Level: "DEFAULT",
				CreatedAt: noon, UpdatedAt: noon,
			}
			old.append(changed, moved, domain.Observation{
				TraceID: "old", ID: "very", Type: "SPAN", StartTime: noon - 5*second, Level: "DEFAULT", CreatedAt: noon, UpdatedAt: noon,
			})
			run()
			_, err := old.store.Observations().Delete(t.Context(), scope, store.Selection{TraceIDs: []string{"t2"}})
			old.must(err)
			_, err = old.store.Scores().Delete(t.Context(), scope, store.Selection{IDs: []string{"sc4"}})
			old.must(err)
			_, err = old.store.Observations().Delete(t.Context(), scope, store.Selection{Before: noon - second})
			old.must(err)
			again := everything()[3]
			again.TraceID, again.Name = "t3", "has the id of a deleted one"
			old.append(again)
			run()

			var last []importing.Report
			for range 2 {
				if last, err = w.read(toTheEnd, bucket); err != nil {
					t.Fatal(err)
				}
			}
			observations, scores := w.arrived()
			wantObservations, wantScores := old.arrived()
			if followed, scored := follower.arrived(); followed != observations || scored != scores {
				t.Errorf("imported after each run it is\n%s\n%s", followed, scored)
			}
			// Copied without manifests, files are read in the order of their names.
			old.must(os.RemoveAll(filepath.Join(bucket, "pre", "p", "manifests")))
			alone := newWorld(t)
			if _, err := alone.read(toTheEnd, bucket); err != nil {
				t.Fatal(err)
			}
			if rows, scored := alone.arrived(); rows != observations || scored != scores {
				t.Errorf("without manifests it is\n%s\n%s", rows, scored)
			}
			if d := cmp.Diff(strings.Split(wantObservations, "\n"), strings.Split(observations, "\n")); d != "" ||
				strings.Count(observations, "\n") != 9 {
				t.Errorf("observations:\n%s", d)
			}
			if d := cmp.Diff(strings.Split(wantScores, "\n"), strings.Split(scores, "\n")); d != "" || strings.Count(scores, "\n") != 4 {
				t.Errorf("scores:\n%s", d)
			}
			if skipped := last[0].Skipped; len(skipped) != 1 || skipped[0].Reason != reasonDeleted || skipped[0].Count != 3 {
				t.Errorf("skipped %+v", skipped)
			}
		})
	}
}

// TestRootsComeBack exports traces with roots of every kind: the list of traces must show the same ones.
func TestRootsComeBack(t *testing.T) {
	for _, fileType := range []string{"JSONL", "CSV", "PARQUET"} {
		old, w, bucket := newWorld(t), newWorld(t), t.TempDir()
		run := old.schedule(bucket, fileType, false)
		for n, root := range []domain.Observation{
			{},
			{ParentID: "unsent"},
			{ParentID: "unsent", IsAppRoot: true},
			{ParentID: "unsent", AsRoot: true},
			{ParentID: "unsent", IsAppRoot: true, AsRoot: true},
		} {
			root.TraceID, root.ID, root.Type, root.Name, root.StartTime = fmt.Sprint("t", n), "root", "SPAN", "root", noon+second
			root.Input, root.Output, root.Level, root.CreatedAt, root.UpdatedAt = "asked", "answered", "DEFAULT", noon, noon
			early := domain.Observation{
				TraceID: root.TraceID, ID: "early", ParentID: "root", Type: "SPAN", Name: "step", StartTime: noon, Level: "DEFAULT",
				Input: "in", Output: "out", CreatedAt: noon, UpdatedAt: noon,
			}
			old.append(root, early)
		}
		run()
		if _, err := w.read(toTheEnd, bucket); err != nil {
			t.Fatal(err)
		}
		list := func(w *world) (shown []string) {
			e := &explore.Explorer{Store: w.store, Scope: scope, Traces: &traces.Finder{Store: w.store, Scope: scope}}
			found, _, err := e.TraceRows(t.Context(), &explore.Selection{}, explore.Order{}, nil, 10, explore.Shown{})
			w.must(err)
			for _, trace := range found {
				shown = append(shown, fmt.Sprint(trace.TraceID, " ", trace.ID, " ", trace.HasRoot))
			}
			return append(shown, w.export(export.Traces, export.JSONL)) // with inputs and outputs
		}
		if want, got := list(old), list(w); len(want) != 6 || !slices.Equal(want, got) {
			t.Errorf("%s: the traces are\n%q\nnot\n%q", fileType, got, want)
		}
	}
}

// TestKilledImportGoesOn kills an import after each page.
func TestKilledImportGoesOn(t *testing.T) {
	old, from := newWorld(t), t.TempDir()
	old.fill()
	var many []domain.Observation
	for n := range 3 * pageRows {
		many = append(many, domain.Observation{
			TraceID: fmt.Sprintf("m%d", n/30), ID: fmt.Sprint("m", n), Type: "SPAN", Name: "many", StartTime: noon + domain.Micros(n),
			Level: "DEFAULT",
		})
	}
	old.append(many...)
	exportAll(old, from, export.JSONL)
	whole, pieces := newWorld(t), newWorld(t)
	want, err := whole.read(toTheEnd, from)
	if err != nil {
		t.Fatal(err)
	}
	kills := 0
	var got []importing.Report
	for {
		if got, err = pieces.read(1, from); err == nil {
			break
		}
		if kills++; !errors.Is(err, importtest.ErrCut) || kills > 100 {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(want, got); d != "" || kills < 8 {
		t.Errorf("after %d kills the report differs:\n%s", kills, d)
	}
	for _, table := range []string{export.Observations, export.Traces, export.DatasetItems, export.DatasetRunItems} {
		if whole.export(table, export.JSONL) != pieces.export(table, export.JSONL) {
			t.Errorf("%s differ", table)
		}
	}
}

// TestDamage modifies the files of a scheduled export.
func TestDamage(t *testing.T) {
	old, good := newWorld(t), t.TempDir()
	run := old.schedule(good, "JSONL", false)
	old.fill()
	run()
	edit := func(pattern string, change func(string) string) func(t *testing.T, bucket string) {
		return func(t *testing.T, bucket string) {
			t.Helper()
			names, err := filepath.Glob(filepath.Join(bucket, "pre", "p", pattern))
			if err != nil || len(names) != 1 {
				t.Fatal(names, err)
			}
			content, err := os.ReadFile(names[0])
			if err != nil {
				t.Fatal(err)
			}
			changed := change(string(content))
			if err := errors.Join(os.Remove(names[0]), os.WriteFile(names[0], []byte(changed), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	replace := func(old, now string) func(string) string {
		return func(text string) string {
			if !strings.Contains(text, old) {
				panic(old + " is not in " + text)
			}
			return strings.Replace(text, old, now, 1)
		}
	}
	noManifests := func(t *testing.T, bucket string) {
		t.Helper()
		if err := os.RemoveAll(filepath.Join(bucket, "pre", "p", export.Manifests)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		change []func(t *testing.T, bucket string)
		fails  string
		rows   int
		note   string
	}{
		{name: "nothing", rows: 9},
		{name: "without manifests", change: []func(*testing.T, string){noManifests}, rows: 9},
		{
			name: "another byte", change: []func(*testing.T, string){edit("observations_v2/*", replace("answer", "Answer"))},
			fails: "is damaged: its SHA-256 is",
		},
		{
			name: "a file that was cut", change: []func(*testing.T, string){
				edit("observations_v2/*", func(s string) string { return s[:len(s)-5] }),
			}, fails: "it is damaged, or was not copied completely",
		},
		{
			name: "another number of rows", change: []func(*testing.T, string){
				edit("manifests/*", replace(`"rowCount":9`, `"rowCount":8`)),
			}, fails: "has 9 rows, but its manifest says 8",
		},
		{
			name: "a newer manifest", change: []func(*testing.T, string){
				edit("manifests/*", replace(`"schemaVersion":1`, `"schemaVersion":2`)),
			}, fails: "newer version of Almanac",
		},
		{
			name: "no manifest", change: []func(*testing.T, string){edit("manifests/*", func(string) string { return "{}" })},
			fails: "is not a manifest",
		},
		{
			name: "an unknown table", change: []func(*testing.T, string){
				edit("manifests/*", replace(`"table":"scores"`, `"table":"records"`)),
			}, fails: "unknown table",
		},
		{
			name: "a file that is missing", change: []func(*testing.T, string){func(_ *testing.T, bucket string) {
				_ = os.RemoveAll(filepath.Join(bucket, "pre", "p", "scores"))
			}},
			fails: "lists a file that does not exist",
		},
		{
			name: "a file that no manifest names", change: []func(*testing.T, string){func(t *testing.T, bucket string) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(bucket, "pre", "p", "observations_v2", "loose.jsonl"), []byte("{}"),
					0o600); err != nil {
					t.Fatal(err)
				}
			}}, rows: 9, note: "not listed in any manifest",
		},
		{
			name: "a part of an attempt that was interrupted", change: []func(*testing.T, string){func(t *testing.T, bucket string) {
				t.Helper()
				names, err := filepath.Glob(filepath.Join(bucket, "pre", "p", "observations_v2", "*.jsonl"))
				if err != nil || len(names) != 1 {
					t.Fatal(names, err)
				}
				content, err := os.ReadFile(names[0])
				if err != nil {
					t.Fatal(err)
				}
				part := strings.TrimSuffix(names[0], ".jsonl") + "_0002.jsonl"
				if err := os.WriteFile(part, []byte(replace(`{"id":"`, `{"id":"deleted-`)(string(content))), 0o600); err != nil {
					t.Fatal(err)
				}
			}}, rows: 9, note: "not listed in any manifest",
		},
		{
			name: "a damaged line", change: []func(*testing.T, string){
				noManifests, edit("observations_v2/*", replace(`"name":"app"`, `"name":app"`)),
			}, fails: ".jsonl, line ",
		},
		{
			name: "a wrong type", change: []func(*testing.T, string){
				noManifests, edit("observations_v2/*", replace(`"name":"app"`, `"name":7`)),
			}, fails: ".jsonl, line ",
		},
		{
			name: "no time", change: []func(*testing.T, string){
				noManifests, edit("scores/*", replace(`"timestamp":"2026`, `"timestamp":"next`)),
			}, rows: 9, fails: "is not a time",
		},
		{
			name: "another file", change: []func(*testing.T, string){
				noManifests, edit("scores/*", func(string) string { return `{"a":1}` }),
			}, fails: "is not an export file",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			bucket := t.TempDir()
			if err := os.CopyFS(bucket, os.DirFS(good)); err != nil {
				t.Fatal(err)
			}
			for _, change := range c.change {
				change(t, bucket)
			}
			w := newWorld(t)
			reports, err := w.read(toTheEnd, bucket)
			if text := fmt.Sprint(err); (err == nil) != (c.fails == "") || !strings.Contains(text, c.fails) {
				t.Errorf("it ends with %s, want %q", text, c.fails)
			}
			if observations, _ := w.arrived(); strings.Count(observations, "\n") != c.rows {
				t.Errorf("%d rows, want %d", strings.Count(observations, "\n"), c.rows)
			}
			if text := fmt.Sprintf("%+v", reports); !strings.Contains(text, c.note) {
				t.Errorf("%q is not in %s", c.note, text)
			}
		})
	}
}

// TestDamagedDeletions changes which row was deleted. Nothing must be imported, since the wrong row would be left out.
func TestDamagedDeletions(t *testing.T) {
	old, bucket, w := newWorld(t), t.TempDir(), newWorld(t)
	run := old.schedule(bucket, "JSONL", false)
	old.fill()
	run()
	_, err := old.store.Observations().Delete(t.Context(), scope, store.Selection{IDs: []string{"o2"}})
	old.must(err)
	run()
	names, err := filepath.Glob(filepath.Join(bucket, "pre", "p", export.Deletions, "*"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	content, err := os.ReadFile(names[0])
	old.must(err)
	old.must(os.WriteFile(names[0], bytes.Replace(content, []byte(`"o2"`), []byte(`"o1"`), 1), 0o600))
	if _, err := w.read(toTheEnd, bucket); err == nil || !strings.Contains(err.Error(), "is damaged: its SHA-256 is") {
		t.Error(err)
	}
	if observations, _ := w.arrived(); observations != "" {
		t.Errorf("it has %s", observations)
	}
}

// TestTracesAlone imports traces whose observations do not exist, and then their observations.
func TestTracesAlone(t *testing.T) {
	old, from, to := newWorld(t), t.TempDir(), t.TempDir()
	old.fill()
	exportAll(old, from, export.JSONL)
	w := newWorld(t)
	if _, err := w.read(toTheEnd, filepath.Join(from, "traces.jsonl")); err != nil {
		t.Fatal(err)
	}
	exportAll(w, to, export.JSONL)
	own := func(directory string) (rows []map[string]any) { // fields that are not derived from observations or scores
		for _, row := range without(w, filepath.Join(directory, "traces.jsonl")) {
			kept := make(map[string]any)
			for _, c := range []string{
				"id", "timestamp", "name", "environment", "userId", "sessionId", "release", "tags", "bookmarked", "public", "input",
				"output", "metadata", "createdAt", "comments",
			} {
				kept[c] = row[c]
			}
			rows = append(rows, kept)
		}
		return rows
	}
	if diff := cmp.Diff(own(from), own(to)); diff != "" {
		t.Errorf("traces differ:\n%s", diff)
	}
	if _, err := w.read(toTheEnd, filepath.Join(from, "observations.jsonl")); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for o, err := range w.store.Observations().Lookup(t.Context(), scope, store.Lookup{TraceIDs: []string{"t1"}}) {
		w.must(err)
		if rows++; o.ID == "o1" && o.ParentID != domain.TraceRecordID("t1") {
			t.Errorf("its root hangs below %q", o.ParentID)
		}
	}
	if rows != 4 {
		t.Errorf("the trace has %d rows", rows)
	}
}

// TestSharedIDs deletes a row whose id another trace also has. Rows are deleted by id: nothing is lost, and the report
// says so.
func TestSharedIDs(t *testing.T) {
	old, bucket, w := newWorld(t), t.TempDir(), newWorld(t)
	run := old.schedule(bucket, "JSONL", true)
	row := func(trace string) domain.Observation {
		return domain.Observation{
			TraceID: trace, ID: "same", Type: "SPAN", StartTime: noon, Level: "DEFAULT", CreatedAt: noon, UpdatedAt: noon,
		}
	}
	old.append(row("a"), row("b"))
	run()
	if _, err := w.read(toTheEnd, bucket); err != nil {
		t.Fatal(err)
	}
	_, err := old.store.Observations().Delete(t.Context(), scope, store.Selection{TraceIDs: []string{"a"}})
	old.must(err)
	run()
	reports, err := w.read(toTheEnd, bucket)
	old.must(err)
	if notes := reports[0].Notes; !slices.Equal(notes, []string{"deleted rows are kept if another trace has a row with the same id"}) {
		t.Errorf("of %s: %q", reports[0].Table, notes)
	}
	if observations, _ := w.arrived(); !strings.Contains(observations, `"trace_id":"b"`) {
		t.Errorf("it has %s", observations)
	}
	fresh := newWorld(t)
	if _, err := fresh.read(toTheEnd, bucket); err != nil {
		t.Fatal(err)
	}
	got, _ := fresh.arrived()
	if want, _ := old.arrived(); got != want {
		t.Errorf("it has %s, want %s", got, want)
	}
}

func TestRefusedPaths(t *testing.T) {
	directory := t.TempDir()
	for name, content := range map[string]string{"x.txt": "", "y.jsonl": "{\"a\":"} {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, want string }{
		{"none", "no such file"},
		{"x.txt", "the name must end in"},
		{"y.jsonl", "y.jsonl, line 1: the JSON object is damaged"},
	} {
		if _, err := Open(t.Context(), []string{filepath.Join(directory, c.name)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Open(t.Context(), []string{t.TempDir()}); err == nil || !strings.Contains(err.Error(), "no export files found") {
		t.Errorf("an empty directory: %v", err)
	}
}
