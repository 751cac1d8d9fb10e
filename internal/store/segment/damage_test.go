package segment

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// damageSeed makes failures reproducible.
const damageSeed = 20240607

// damagedBytes sets how many bytes of each file are changed, one at a time; the default takes seconds.
const damagedBytes = "ALMANAC_DAMAGED_BYTES"

// damageOptions disables automatic flushes, so that tests control them, and leaves stores as those of servers that are
// killed before the manifest records how far the log reaches.
func damageOptions() Options {
	return Options{FlushBytes: 1 << 30, MergeGroups: 4, MinFreeDisk: 1, noteEvery: -1}
}

// damageStore creates a store that has everything: segments with several row groups and with one, dead rows in the
// manifest, and a log with several frames in both tables.
func damageStore(t *testing.T) (directory string) {
	t.Helper()
	directory = t.TempDir()
	s, err := Open(directory, damageOptions())
	if err != nil {
		t.Fatal(err)
	}
	kept, n := crashState{}, 0
	write := func(writes int) {
		t.Helper()
		for range writes {
			op := crashOperation(damageSeed, n%crashWorkers, n)
			n++
			if err := op.run(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			kept.apply(op)
		}
	}
	flush := func() {
		t.Helper()
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	write(30)
	flush()
	write(20)
	flush()
	if err := s.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(20)
	flush()
	write(15)
	// The last frames are appends, so that it shows if one is missing.
	for _, op := range []crashOp{
		{
			table: "observations", project: "shared-0", observations: []domain.Observation{
				{TraceID: "w0-trace-00", ID: "w0-last", StartTime: 1_700_000_000_000_000, Input: "the last one"},
			},
		},
		{
			table: "scores", project: "shared-0", scores: []domain.Score{
				{TraceID: "w0-trace-00", ID: "w0-last", Timestamp: 1_700_000_000_000_000, Comment: "the last one"},
			},
		},
	} {
		if err := op.run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		kept.apply(op)
	}
	c := &crashTest{random: rand.New(rand.NewPCG(damageSeed, 0)), kept: kept}
	c.checkReads(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return directory
}

// copyStore copies a store so that the copy can be damaged. Immutable files are hard-linked.
func copyStore(t *testing.T, directory string) string {
	t.Helper()
	target := t.TempDir()
	if err := filepath.WalkDir(directory, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(directory, path)
		if err != nil {
			return err
		}
		to := filepath.Join(target, name)
		switch filepath.Ext(name) {
		case ".parquet", ".idx":
			return os.Link(path, to)
		}
		if e.IsDir() {
			return os.MkdirAll(to, 0o700)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o600)
	}); err != nil {
		t.Fatal(err)
	}
	return target
}

// replaceFile replaces a file of a copy, without changing the original.
func replaceFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// answer is the result of one read.
type answer struct {
	text string
	err  error
}

// damageProjects are the projects to read: the others have rows in the same row groups.
var damageProjects = []string{"shared-0", "shared-1"}

// openAndRead opens a table and reads it in every possible way. It returns the results by query. If merge is set, it
// then merges and reads again.
func openAndRead(t *testing.T, directory, name string, merge bool) (before, after map[string]answer, err error) {
	t.Helper()
	if name == "scores" {
		return openAndReadTable(t, directory, scoreSchema(), filter.Scores(), scoreRow, merge)
	}
	return openAndReadTable(t, directory, observationSchema(), filter.Observations(), observationRow, merge)
}

func openAndReadTable[R any](
	t *testing.T, directory string, s *schema[R], columns *filter.Catalogue[R], as func(string, *R) crashRow, merge bool,
) (before, after map[string]answer, err error) {
	t.Helper()
	options := damageOptions().withDefaults()
	table, err := openTable(s, filepath.Join(directory, s.table), options, &freeSpace{directory: directory})
	if err != nil {
		return nil, nil, err
	}
	read := func() map[string]answer {
		answers := make(map[string]answer)
		for _, project := range damageProjects {
			readTable(t.Context(), answers, project, table, columns, as)
		}
		return answers
	}
	before = read()
	if merge {
		if err := table.mergeAll(t.Context()); err == nil {
			after = read()
		}
	}
	if err := table.close(); err != nil {
		t.Errorf("close: %v", err)
	}
	return before, after, nil
}

func readTable[R any](
	ctx context.Context, answers map[string]answer, project string, table store.Table[R], columns *filter.Catalogue[R],
	as func(string, *R) crashRow,
) {
	scope := domain.OfProject(project)
	note := func(question, text string, err error) { answers[question+" of "+project] = answer{text, err} }
	rows := func(question string, seq func(func(*R, error) bool)) {
		var text strings.Builder
		for r, err := range seq {
			if err != nil {
				note(question, "", err)
				return
			}
			text.WriteString(as(project, r).content + "\n")
		}
		note(question, text.String(), nil)
	}
	column := func(name string) *filter.Column[R] {
		c, ok := columns.Column(name)
		if !ok {
			panic("no column " + name)
		}
		return c
	}
	must := func(c filter.Condition[R], err error) []filter.Condition[R] {
		if err != nil {
			panic(err)
		}
		return []filter.Condition[R]{c}
	}
	// Request everything, since unwanted fields may or may not be empty.
	scan := func(question string, q store.Query[R]) {
		q.Want = store.WantAll
		rows(question, table.Scan(ctx, scope, q))
	}
	lookup := func(question string, l store.Lookup) {
		l.Want = store.WantAll
		rows(question, table.Lookup(ctx, scope, l))
	}
	scan("all", store.Query[R]{})
	scan("one day", store.Query[R]{From: 1_700_000_000_000_000, To: 1_700_086_400_000_000})
	scan("a page", store.Query[R]{After: &store.Position{Millis: 1_700_100_000_000}, Limit: 10})
	scan("by name", store.Query[R]{Where: must(filter.NewText(column("name"), filter.Equal, "search"))})
	scan("metadata", store.Query[R]{Where: must(filter.NewMetadataText(column("metadata"), filter.Equal, "n", "17"))})
	if long, ok := columns.Column("input"); ok {
		scan("a word", store.Query[R]{Where: must(filter.NewText(long, filter.Matches, "word7"))})
	}
	traces, ids := keyTexts()
	for n := 0; n < len(traces); n += 27 {
		lookup("trace "+traces[n], store.Lookup{TraceIDs: traces[n : n+1]})
	}
	lookup("traces", store.Lookup{TraceIDs: traces})
	lookup("ids", store.Lookup{IDs: ids})
	lookup("a session", store.Lookup{SessionIDs: []string{"session-1"}})
	count := []store.Measure[R]{{Function: store.Count}}
	for question, by := range map[string][]*filter.Column[R]{"count": nil, "count by trace": {column("traceId")}} {
		groups, err := table.Aggregate(ctx, scope, store.AggregateQuery[R]{Measures: count, GroupBy: by})
		if err != nil {
			note(question, "", err)
			continue
		}
		var counts []string
		for _, g := range groups.Rows {
			counts = append(counts, fmt.Sprint(g.Keys, g.Values))
		}
		slices.Sort(counts)
		note(question, strings.Join(counts, "\n"), nil)
	}
}

// undamaged reads an intact copy of a store.
func undamaged(t *testing.T, directory, table string) map[string]answer {
	t.Helper()
	answers, _, err := openAndRead(t, directory, table, false)
	if err != nil {
		t.Fatal(err)
	}
	for question, a := range answers {
		if a.err != nil {
			t.Fatalf("%s: %v", question, a.err)
		}
	}
	return answers
}

// differs returns the queries whose results are neither correct nor an error, and the errors.
func differs(want, got map[string]answer) (wrong []string, errs []error) {
	for _, question := range slices.Sorted(maps.Keys(want)) {
		switch g := got[question]; {
		case g.err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", question, g.err))
		case g.text != want[question].text:
			wrong = append(wrong, question)
		}
	}
	return wrong, errs
}

// damagedFiles returns the files to damage, as paths relative to the store: the oldest and the youngest of each kind,
// which are a merged segment and an unmerged one.
func damagedFiles(t *testing.T, directory string) (files []string) {
	t.Helper()
	for _, table := range []string{"observations", "scores"} {
		for _, pattern := range []string{"MANIFEST", "*.wal", "*.parquet", "*.idx"} {
			found, err := filepath.Glob(filepath.Join(directory, table, pattern))
			if err != nil || len(found) == 0 {
				t.Fatal(table, pattern, err)
			}
			files = append(files, filepath.Join(table, filepath.Base(found[0])))
			if len(found) > 1 {
				files = append(files, filepath.Join(table, filepath.Base(found[len(found)-1])))
			}
		}
	}
	return files
}

// TestDamage changes one byte of a file, opens the store and reads everything. Whatever is damaged, each result must be
// correct or an error that names the file: never a wrong result, never a panic. The only exception is the end of the
// last log, which cannot be distinguished from an interrupted write and is truncated.
func TestDamage(t *testing.T) {
	directory := damageStore(t)
	for _, name := range damagedFiles(t, directory) {
		t.Run(name, func(t *testing.T) { damageFile(t, directory, name) })
	}
}

func damageFile(t *testing.T, directory, name string) {
	content, err := os.ReadFile(filepath.Join(directory, name))
	if err != nil {
		t.Fatal(err)
	}
	table, kind := filepath.Dir(name), filepath.Ext(name)
	framed := kind == ".wal" || kind == ""
	want := undamaged(t, copyStore(t, directory), table)
	lastFrame, withoutLast := len(content), want
	if kind == ".wal" {
		frames := framesOf(t, content)
		lastFrame = frames[len(frames)-1]
		cut := copyStore(t, directory)
		replaceFile(t, filepath.Join(cut, name), content[:lastFrame])
		withoutLast = undamaged(t, cut, table)
		if wrong, _ := differs(want, withoutLast); len(wrong) == 0 {
			t.Fatal("the last frame changes nothing, so its loss would not show")
		}
	}
	refused, failed, harmless, cut := 0, 0, 0, 0
	for _, at := range damagePositions(t, name, len(content)) {
		damaged := slices.Clone(content)
		damaged[at] ^= byte(1 + rand.New(rand.NewPCG(damageSeed, uint64(at))).IntN(255))
		trial := copyStore(t, directory)
		replaceFile(t, filepath.Join(trial, name), damaged)
		complain := func(format string, args ...any) {
			t.Helper()
			t.Errorf("byte %d of %d changed from %#02x to %#02x: "+format,
				append([]any{at, len(content), content[at], damaged[at]}, args...)...)
		}
		before, after, err := openAndRead(t, trial, table, at%8 == 0)
		if err != nil {
			refused++
			if !names(err, name) || framed && at >= logHead && !strings.Contains(err.Error(), "offset ") {
				complain("the error does not say where: %v", err)
			}
			continue
		}
		right := want
		wrong, errs := differs(right, before)
		if len(wrong) > 0 && at >= lastFrame {
			right = withoutLast
			wrong, errs = differs(right, before)
			cut++
		}
		switch unnamed := slices.IndexFunc(errs, func(err error) bool { return !names(err, name) }); {
		case len(wrong) > 0:
			complain("%d wrong answers, such as %s: %.200s", len(wrong), wrong[0], before[wrong[0]].text)
			continue
		case unnamed >= 0:
			complain("the error does not name the file: %v", errs[unnamed])
		case len(errs) > 0:
			failed++
		default:
			harmless++
		}
		if after == nil {
			continue
		}
		wrongAfter, errsAfter := differs(right, after)
		if len(wrongAfter) > 0 || len(errs) == 0 && len(errsAfter) > 0 {
			complain("right before merging, wrong after it: %v %v", wrongAfter, errsAfter)
		}
	}
	t.Logf("%d bytes: refused to open %d times, reads failed %d times, everything right %d times, last frame cut %d times", len(content),
		refused, failed, harmless-cut, cut)
}

// names reports whether an error names a file. An index may also be named by its segment.
func names(err error, name string) bool {
	base := filepath.Base(name)
	return strings.Contains(err.Error(), base) || strings.HasSuffix(base, ".idx") &&
		strings.Contains(err.Error(), strings.TrimSuffix(base, ".idx")+".parquet")
}

// damagePositions returns the bytes of a file to change: some anywhere, and the first and last ones, which hold most of
// the metadata.
func damagePositions(t *testing.T, name string, size int) []int {
	t.Helper()
	anywhere, edge := 60, 16
	if text := os.Getenv(damagedBytes); text != "" {
		var err error
		if anywhere, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", damagedBytes, err)
		}
		edge = max(edge, anywhere/4)
	}
	if strings.HasPrefix(name, "scores") {
		anywhere, edge = anywhere/3, edge/3 // the same code
	}
	r := rand.New(rand.NewPCG(damageSeed, uint64(size)))
	var positions []int
	for range anywhere {
		positions = append(positions, r.IntN(size))
	}
	for n := range min(edge, size) {
		positions = append(positions, n, size-1-n)
	}
	slices.Sort(positions)
	return slices.Compact(positions)
}

// TestTruncated truncates files. Segments and indexes are complete before the manifest names them, so a short one is
// damaged: reading must report that, and must not access memory beyond the end of the file.
func TestTruncated(t *testing.T) {
	directory := damageStore(t)
	for _, name := range damagedFiles(t, directory) {
		kind, table := filepath.Ext(name), filepath.Dir(name)
		if kind != ".parquet" && kind != ".idx" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			content, err := os.ReadFile(filepath.Join(directory, name))
			if err != nil {
				t.Fatal(err)
			}
			want := undamaged(t, copyStore(t, directory), table)
			for _, size := range []int{
				0, 1, 7, 8, 12, 15, 16, 39, 40, 47, 48, 300, 4096, len(content) / 2, len(content) - 9, len(content) - 1,
			} {
				if size >= len(content) {
					continue
				}
				trial := copyStore(t, directory)
				replaceFile(t, filepath.Join(trial, name), content[:size])
				before, _, err := openAndRead(t, trial, table, false)
				if err != nil {
					if !names(err, name) {
						t.Errorf("%d of %d bytes: the error does not name the file: %v", size, len(content), err)
					}
					continue
				}
				wrong, errs := differs(want, before)
				if len(wrong) > 0 {
					t.Errorf("%d of %d bytes: wrong answers: %s", size, len(content), wrong)
				}
				for _, err := range errs {
					if !names(err, name) {
						t.Errorf("%d of %d bytes: the error does not name the file: %v", size, len(content), err)
						break
					}
				}
				// An index may end with padding, and only the footer follows the pages of a segment.
				if len(errs) == 0 && size < len(content)-9 && (kind == ".idx" || size < len(content)/2) {
					t.Errorf("%d of %d bytes are enough to read everything", size, len(content))
				}
			}
		})
	}
}

// TestMissing removes files, or restores older ones. That must be detected when the store is opened, without removing
// anything that a repair would need.
func TestMissing(t *testing.T) {
	directory := damageStore(t)
	table := "observations"
	manifestFile := filepath.Join(table, manifestName)
	manifest, err := os.ReadFile(filepath.Join(directory, manifestFile))
	if err != nil {
		t.Fatal(err)
	}
	frames := framesOf(t, manifest)
	find := func(pattern string) string {
		found, err := filepath.Glob(filepath.Join(directory, table, pattern))
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		return filepath.Join(table, filepath.Base(found[0]))
	}
	cases := []struct {
		name    string
		damage  func(t *testing.T, trial string)
		message string
	}{
		{"a segment", func(t *testing.T, trial string) { removeFile(t, trial, find("*.parquet")) }, ".parquet: no such file"},
		{"an index", func(t *testing.T, trial string) { removeFile(t, trial, find("*.idx")) }, ".idx: no such file"},
		{
			"the manifest", func(t *testing.T, trial string) { removeFile(t, trial, manifestFile) },
			"MANIFEST is missing, but there are files that belong to it",
		},
		{"the last edit", func(t *testing.T, trial string) {
			replaceFile(t, filepath.Join(trial, manifestFile), manifest[:frames[len(frames)-1]])
		}, "is missing"},
		{"half of the last edit", func(t *testing.T, trial string) {
			replaceFile(t, filepath.Join(trial, manifestFile), manifest[:(frames[len(frames)-1]+len(manifest))/2])
		}, fmt.Sprintf("MANIFEST cannot be read from offset %d on", frames[len(frames)-1])},
		{"all edits", func(t *testing.T, trial string) {
			replaceFile(t, filepath.Join(trial, manifestFile), manifest[:len(manifestMagic)])
		}, "MANIFEST is damaged at offset 8"},
		{"the manifest's content", func(t *testing.T, trial string) {
			replaceFile(t, filepath.Join(trial, manifestFile), nil)
		}, "MANIFEST has an invalid header"},
		{
			"a newer manifest", func(t *testing.T, trial string) {
				frame, err := manifestFrame(edit{Format: formatVersion + 1})
				if err != nil {
					t.Fatal(err)
				}
				replaceFile(t, filepath.Join(trial, manifestFile), append([]byte(manifestMagic), frame...))
			},
			fmt.Sprintf("MANIFEST, edit at offset 8: it has format %d, written by a newer version of Almanac; this version supports up to %d", formatVersion+1, formatVersion),
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			trial := copyStore(t, directory)
			c.damage(t, trial)
			before := fileNames(t, filepath.Join(trial, table))
			for range 2 { // it stays refused
				_, _, err := openAndRead(t, trial, table, false)
				if err == nil || !strings.Contains(err.Error(), c.message) {
					t.Errorf("error %v, want one with %q", err, c.message)
				}
			}
			if after := fileNames(t, filepath.Join(trial, table)); !slices.Equal(before, after) {
				t.Errorf("files before %v, after %v", before, after)
			}
		})
	}
}

func removeFile(t *testing.T, directory, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(directory, name)); err != nil {
		t.Fatal(err)
	}
}

// fileNames returns the files of a directory with their sizes.
func fileNames(t *testing.T, directory string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, fmt.Sprint(e.Name(), " ", info.Size()))
	}
	return names
}

// TestMissingLog removes a log file between two others.
func TestMissingLog(t *testing.T) {
	directory := t.TempDir()
	options := damageOptions()
	hold := make(chan struct{})
	options.failpoint = func(name string) {
		if name == "segment-write" {
			<-hold // no log becomes a segment meanwhile
		}
	}
	s, err := Open(directory, options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, scope := t.Context(), domain.OfProject("p")
	for n := range 3 {
		row := domain.Observation{TraceID: "t", ID: strconv.Itoa(n), StartTime: 1}
		if err := s.Observations().Append(ctx, scope, []domain.Observation{row}); err != nil {
			t.Fatal(err)
		}
		s.observations.mu.Lock()
		if err := s.observations.freeze(); err != nil {
			t.Error(err)
		}
		s.observations.mu.Unlock()
	}
	copied := copyStore(t, directory)
	close(hold)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(copied, "observations")
	numbers, err := logNumbers(table)
	if err != nil || len(numbers) != 4 {
		t.Fatal(numbers, err)
	}
	removeFile(t, table, logName(numbers[1]))
	if _, err := Open(copied, damageOptions()); err == nil || !strings.Contains(err.Error(), logName(numbers[1])+" is missing") {
		t.Errorf("error %v", err)
	}
	// Do what the message advises.
	lost, err := AcceptLoss(disk.Disk{}, copied)
	if err != nil || len(lost) != 2 || !strings.Contains(lost[1], "the writes from 2 to 2") {
		t.Errorf("lost %v, %v", lost, err)
	}
	s, err = Open(copied, damageOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rows := collectRows(t, "p", observationRow, s.Observations().Scan(ctx, scope, store.Query[domain.Observation]{}))
	if len(rows) != 2 || rows[0].id != "2" || rows[1].id != "0" {
		t.Errorf("rows %v", rows)
	}
}

// TestNewerColumns opens a store written by a version with one more column. It must not be reported as damaged, or
// somebody might repair it.
func TestNewerColumns(t *testing.T) {
	directory := t.TempDir()
	s, err := Open(directory, damageOptions())
	if err != nil {
		t.Fatal(err)
	}
	ctx, scope := t.Context(), domain.OfProject("p")
	write := func(id string) {
		t.Helper()
		if err := s.Scores().Append(ctx, scope, []domain.Score{{ID: id, Timestamp: 1, Metadata: `{"a":"b"}`}}); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(directory string, messages ...string) {
		t.Helper()
		older := scoreSchema()
		older.columns = older.columns[:len(older.columns)-1]
		older.metadata = 0
		_, err := openTable(older, filepath.Join(directory, "scores"), damageOptions().withDefaults(), &freeSpace{})
		if err == nil || strings.Contains(err.Error(), "damaged") {
			t.Fatalf("error %v", err)
		}
		for _, m := range messages {
			if !strings.Contains(err.Error(), m) {
				t.Errorf("error %v, want one with %q", err, m)
			}
		}
	}
	columns := len(scoreSchema().columns)
	write("in the log")
	refused(copyStore(t, directory), "log-00000001.wal, frame at offset ",
		fmt.Sprintf("it has rows of %d columns, written by a newer version of Almanac; this version supports %d", columns, columns-1))
	if err := s.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	refused(copyStore(t, directory), "00000003.parquet",
		fmt.Sprintf("it has %d columns, written by a newer version of Almanac; this version supports %d", columns, columns-1))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestReplacingDamagedRows replaces a row in a damaged page: the old row cannot be found, so it cannot be marked dead.
// Reads that would count it must fail, even those that do not need the damaged page.
func TestReplacingDamagedRows(t *testing.T) {
	for _, column := range []string{"id", "trace_id"} {
		t.Run(column, func(t *testing.T) {
			directory := t.TempDir()
			s, err := Open(directory, damageOptions())
			if err != nil {
				t.Fatal(err)
			}
			ctx, scope := t.Context(), domain.OfProject("p")
			row := domain.Observation{TraceID: "trace", ID: "id", StartTime: 1}
			if err := errors.Join(s.Observations().Append(ctx, scope, []domain.Observation{row}), s.Flush(ctx)); err != nil {
				t.Fatal(err)
			}
			g := s.observations.current.Load().groups[0]
			at := &g.chunks[observationSchema().index(column)]
			page := at.pages[0]
			if column == "trace_id" {
				page = at.dictionary
			}
			path := g.file.path
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			content[page.offset+int64(page.size)-1] ^= 1
			replaceFile(t, path, content)
			if s, err = Open(directory, damageOptions()); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			count := store.AggregateQuery[domain.Observation]{Measures: []store.Measure[domain.Observation]{{Function: store.Count}}}
			if _, err := s.Observations().Aggregate(ctx, scope, count); err != nil {
				t.Fatalf("counting does not need the page: %v", err)
			}
			if err := s.Observations().Append(ctx, scope, []domain.Observation{row}); err != nil {
				t.Fatalf("a write was refused: %v", err)
			}
			if groups, err := s.Observations().Aggregate(ctx, scope, count); err == nil || !names(err, filepath.Base(path)) {
				t.Errorf("counted %+v, error %v", groups, err)
			}
		})
	}
}

// TestIndexHead changes the row groups in the head of an index in ways that are consistent with the rest: otherwise a
// missing row group would go unnoticed.
func TestIndexHead(t *testing.T) {
	directory := damageStore(t)
	name := damagedFiles(t, directory)[4] // the index of a merged segment
	content, err := os.ReadFile(filepath.Join(directory, name))
	if err != nil {
		t.Fatal(err)
	}
	count := int(binary.LittleEndian.Uint32(content[8:]))
	if filepath.Ext(name) != ".idx" || count < 2 {
		t.Fatalf("%s has %d row groups", name, count)
	}
	for what, change := range map[string]func(head []byte){
		"no row group":       func(head []byte) { binary.LittleEndian.PutUint32(head[8:], 0) },
		"one less":           func(head []byte) { binary.LittleEndian.PutUint32(head[8:], uint32(count-1)) },
		"one twice":          func(head []byte) { copy(head[16+24:16+48], head[16:16+24]) },
		"another order":      func(head []byte) { copy(head[16:], slices.Concat(head[16+24:16+48], head[16:16+24])) },
		"pages of the other": func(head []byte) { copy(head[16+16:16+24], head[16+24+16:16+48]) },
	} {
		trial := copyStore(t, directory)
		changed := slices.Clone(content)
		change(changed)
		replaceFile(t, filepath.Join(trial, name), changed)
		_, _, err := openAndRead(t, trial, "observations", false)
		if err == nil || !names(err, name) {
			t.Errorf("%s: error %v", what, err)
		}
	}
}
