package segment

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/store"
)

const dayMicros = 24 * 60 * 60 * 1_000_000

// segmentsOf returns the number of segments of the observations.
func segmentsOf(t *testing.T, directory string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(directory, "observations", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

func openDays(t *testing.T, options Options) (*Store, string) {
	t.Helper()
	directory := t.TempDir()
	s, err := Open(directory, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // the test may have closed it already
	return s, directory
}

// onDays returns a row on each day, as if a device had no clock.
func onDays(prefix string, days []int64) []domain.Observation {
	rows := make([]domain.Observation, len(days))
	for n, day := range days {
		id := prefix + strconv.Itoa(n)
		rows[n] = domain.Observation{TraceID: id, ID: id, StartTime: domain.Micros(day*dayMicros + int64(n) + 1)}
	}
	return rows
}

// countByDay returns the number of a project's rows of each day that a scan finds.
func countByDay(t *testing.T, s *Store, project string) map[int64]int64 {
	t.Helper()
	found := make(map[int64]int64)
	last := int64(1 << 62)
	for o, err := range s.Observations().Scan(t.Context(), domain.OfProject(project), store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatal(err)
		}
		if o.StartTime.Millis() > last {
			t.Fatalf("row %s of %d comes after one of %d", o.ID, o.StartTime.Millis(), last)
		}
		last = o.StartTime.Millis()
		found[o.StartTime.Day()]++
	}
	return found
}

// sizesByDay returns the number of a project's rows of each day according to Sizes.
func sizesByDay(t *testing.T, s *Store, project string) map[int64]int64 {
	t.Helper()
	list, err := s.Sizes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[int64]int64)
	for _, size := range list {
		if size.ProjectID == project {
			found[size.Day] += size.Rows
			if size.Bytes <= 0 {
				t.Errorf("day %d takes %d bytes", size.Day, size.Bytes)
			}
		}
	}
	return found
}

// TestManyDays writes rows of thousands of days at once: they must cost few files, and every read and deletion by time
// must be exact nevertheless.
func TestManyDays(t *testing.T) {
	s, directory := openDays(t, Options{})
	r := rand.New(rand.NewPCG(3, 4))
	want := make(map[int64]int64)
	var days []int64
	for range 3000 {
		days = append(days, 10_000+r.Int64N(10_000))
		want[days[len(days)-1]]++
	}
	if err := s.Observations().Append(t.Context(), domain.OfProject("p"), onDays("far", days)); err != nil {
		t.Fatal(err)
	}
	today := make([]int64, 3000)
	for n := range today {
		today[n] = 20_500
	}
	if err := s.Observations().Append(t.Context(), domain.OfProject("q"), onDays("near", today)); err != nil {
		t.Fatal(err)
	}
	check := func(state string, most int) {
		t.Helper()
		if found := countByDay(t, s, "p"); !maps.Equal(found, want) {
			t.Errorf("%s: a scan finds %d days, want %d", state, len(found), len(want))
		}
		if found := sizesByDay(t, s, "p"); !maps.Equal(found, want) {
			t.Errorf("%s: there are sizes of %d days, want %d", state, len(found), len(want))
		}
		if found := countByDay(t, s, "q"); len(found) != 1 || found[20_500] != 3000 {
			t.Errorf("%s: the other project has %v", state, found)
		}
		if found := segmentsOf(t, directory); found > most {
			t.Errorf("%s: %d segments, want at most %d", state, found, most)
		}
	}
	check("in memory", 0)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("flushed", 2*flushParts)
	for _, g := range s.observations.current.Load().groups {
		if _, ok := g.rangeOf("q"); ok && (len(g.projects) > 1 || g.rows != 3000) {
			t.Errorf("rows of today share a row group of %d rows with %d projects", g.rows, len(g.projects))
		}
	}
	if _, err := s.Observations().Delete(t.Context(), domain.OfProject("p"), store.Selection{Before: 12_345 * dayMicros}); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(want, func(day, _ int64) bool { return day < 12_345 })
	check("partly deleted", 2*flushParts)
	if err := s.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("merged", consolidateFan)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var err error
	if s, err = Open(directory, Options{}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	check("reopened", consolidateFan)
}

// TestFlushDividesByDay checks that rows of a few days, and days with many rows, still have segments of their own.
func TestFlushDividesByDay(t *testing.T) {
	rows := func(days ...int64) (placed []placedRow[domain.Observation]) {
		for _, o := range onDays("x", days) {
			placed = append(placed, placedRow[domain.Observation]{project: "p", row: &o})
		}
		return placed
	}
	table := &table[domain.Observation]{schema: observationSchema()}
	spans := func(days ...int64) (all []string) {
		for _, part := range table.divide(rows(days...)) {
			first, last := int64(1<<40), int64(-1<<40)
			for _, r := range part {
				first, last = min(first, r.row.StartTime.Day()), max(last, r.row.StartTime.Day())
			}
			all = append(all, fmt.Sprintf("%d-%d:%d", first, last, len(part)))
		}
		return all
	}
	var few, months, years, ever []int64
	for n := range int64(flushParts) {
		few = append(few, 20_000+n)
	}
	for n := range int64(400) {
		months = append(months, 20_089+n) // from the first of a year on
	}
	for n := range int64(10 * 366) {
		years = append(years, 18_000+n, 20_600)
	}
	for n := range int64(40_000) {
		ever = append(ever, n)
	}
	if got := spans(few...); len(got) != flushParts {
		t.Errorf("a few days: %v", got)
	}
	if got := spans(months...); len(got) != 14 || got[0] != "20089-20119:31" {
		t.Errorf("a year: %v", got)
	}
	if got := spans(years...); len(got) != 12 || !slices.Contains(got, "20600-20600:3661") {
		t.Errorf("ten years, and a day with as many rows: %v", got)
	}
	if got := spans(ever...); len(got) != 1 {
		t.Errorf("a century: %v", got)
	}
}

// TestDayFilesAreMerged checks that a store with many segments of few rows, each of another day, recovers.
func TestDayFilesAreMerged(t *testing.T) {
	s, directory := openDays(t, Options{})
	const files = 150
	want := make(map[int64]int64)
	for n := range files {
		day := int64(10_000 + n*n)
		want[day]++
		if err := s.Observations().Append(t.Context(), domain.OfProject("p"), onDays(fmt.Sprintf("f%d-", n), []int64{day})); err != nil {
			t.Fatal(err)
		}
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := segmentsOf(t, directory); found >= consolidateFan {
		t.Errorf("%d segments of %d are left", found, files)
	}
	groups := s.observations.current.Load().groups
	if len(groups) >= consolidateFan {
		t.Errorf("%d rows are in %d row groups", files, len(groups))
	}
	if found := countByDay(t, s, "p"); !maps.Equal(found, want) {
		t.Errorf("a scan finds %d days, want %d", len(found), len(want))
	}
}

// openFiles returns how many files the process has open or mapped in a directory.
func openFiles(t *testing.T, directory string) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, e := range entries {
		if target, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && filepath.Dir(trimDeleted(target)) == directory {
			count++
		}
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return count + bytes.Count(maps, []byte(" "+directory+"/"))
}

func trimDeleted(path string) string {
	return string(bytes.TrimSuffix([]byte(path), []byte(" (deleted)")))
}

// TestFailedFlushReleasesFiles lets flushes fail after they have written some segments: they must neither leave files
// behind nor keep them open.
func TestFailedFlushReleasesFiles(t *testing.T) {
	s, directory := openDays(t, Options{})
	table := s.observations
	in := filepath.Join(directory, "observations")
	before := openFiles(t, in)
	var days []int64
	for n := range int64(flushParts) {
		days = append(days, 20_000+n)
	}
	rows := onDays("x", days)
	var placed []placedRow[domain.Observation]
	for n := range rows {
		placed = append(placed, placedRow[domain.Observation]{project: "p", row: &rows[n]})
	}
	var built []*builtSegment[domain.Observation]
	for _, part := range table.divide(placed) {
		b, err := table.buildSegment(part, nil)
		if err != nil {
			t.Fatal(err)
		}
		built = append(built, b)
	}
	if open := openFiles(t, in); open < before+3*flushParts {
		t.Fatalf("%d files are open after building %d segments, %d before", open, flushParts, before)
	}
	if err := table.discard(built); err != nil {
		t.Fatal(err)
	}
	if open := openFiles(t, in); open != before {
		t.Errorf("%d files are still open, %d before", open, before)
	}
	if left := segmentsOf(t, directory); left != 0 {
		t.Errorf("%d segments are left", left)
	}
	// An index that cannot be opened.
	b, err := table.buildSegment(placed[:1], nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range [][]byte{nil, []byte("not an index at all")} {
		if err := os.WriteFile(filepath.Join(in, indexName(b.number)), damage, 0o600); err != nil {
			t.Fatal(err)
		}
		open := openFiles(t, in)
		if _, err := table.openSegment(b.number); err == nil {
			t.Error("a damaged index was opened")
		}
		if now := openFiles(t, in); now != open {
			t.Errorf("%d files are open after a failure, %d before", now, open)
		}
	}
	if err := table.discard([]*builtSegment[domain.Observation]{b}); err != nil {
		t.Fatal(err)
	}
}

// TestFlushWritesWhatItCan makes the segment with the rows of one day impossible to write. The rows of other days are
// written nevertheless, their memory is available again, and nothing is lost or doubled, now and after a restart.
func TestFlushWritesWhatItCan(t *testing.T) {
	poisoned := errors.New("this cannot be written")
	var broken atomic.Bool
	broken.Store(true)
	options := small()
	options.disk = disk.Watched(func(c *disk.Change, do func() error) error {
		if c.Kind == disk.Write && broken.Load() && filepath.Ext(c.File.Name()) == ".parquet" && bytes.Contains(c.Data, []byte("poison")) {
			return poisoned
		}
		return do()
	})
	s, directory := openDays(t, options)
	project, other := domain.OfProject("p"), domain.OfProject("q")
	poison := onDays("poison", []int64{10_000, 10_000, 10_000})
	if err := s.Observations().Append(t.Context(), project, poison); err != nil {
		t.Fatal(err)
	}
	want := map[int64]int64{20_000: 0}
	for n := range 2000 { // many times what may be in memory
		rows := onDays(fmt.Sprintf("r%d-", n), []int64{20_000})
		rows[0].Input = string(bytes.Repeat([]byte("text "), 500))
		if err := s.Observations().Append(t.Context(), other, rows); err != nil {
			t.Fatalf("row %d: %v", n, err)
		}
		want[20_000]++
	}
	check := func(state string) {
		t.Helper()
		if found := countByDay(t, s, "q"); !maps.Equal(found, want) {
			t.Errorf("%s: the other project has %v, want %v", state, found, want)
		}
		if found := countByDay(t, s, "p"); found[10_000] != 3 {
			t.Errorf("%s: the project has %v", state, found)
		}
	}
	check("failing")
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		left := 0
		for _, hot := range s.observations.frozenAfter(0) {
			rows, _ := hot.size()
			left += rows
		}
		if left == len(poison) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d rows wait in memory, although only %d cannot be written", left, len(poison))
		}
	}
	// A row that was written already is replaced and one that was not is deleted; both must be remembered.
	again := onDays("r0-", []int64{20_001})
	if err := s.Observations().Append(t.Context(), other, again); err != nil {
		t.Fatal(err)
	}
	want[20_000]--
	want[20_001]++
	check("replaced")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var err error
	if s, err = Open(directory, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	check("reopened")
	broken.Store(false)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("mended")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	logs, err := logNumbers(filepath.Join(directory, "observations"))
	if err != nil || len(logs) != 1 {
		t.Errorf("logs %v are left, %v", logs, err)
	}
	if s, err = Open(directory, options); err != nil {
		t.Fatal(err)
	}
	check("reopened again")
	if err := s.Close(); err != nil { // a merge may be writing a file
		t.Fatal(err)
	}
	if stray := strayFiles(t, filepath.Join(directory, "observations")); len(stray) > 0 {
		t.Errorf("files that nothing refers to: %v", stray)
	}
}
