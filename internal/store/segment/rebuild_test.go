package segment

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/disk"
	"almanac/internal/domain"
)

func numberOf(t *testing.T, path string) int {
	t.Helper()
	name := filepath.Base(path)
	n, err := strconv.Atoi(strings.TrimSuffix(name, filepath.Ext(name)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRebuiltIndexIsTheSame rebuilds every index of a varied store and compares the bytes.
func TestRebuiltIndexIsTheSame(t *testing.T) {
	directory := upkeepStore(t)
	for _, path := range indexFiles(t, directory) {
		want := readAll(t, path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := RebuildIndex(disk.Disk{}, filepath.Dir(path), numberOf(t, path)); err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, path); !bytes.Equal(got, want) {
			t.Errorf("%s has %d bytes and was made again with %d, which differ", path, len(want), len(got))
		}
	}
	verified(t, directory)
}

// TestRepair damages indexes in all ways and compares query results before and after the repair.
func TestRepair(t *testing.T) {
	directory := upkeepStore(t)
	want := answersOf(t, directory)
	var damaged []string
	for n, path := range indexFiles(t, directory) {
		content := readAll(t, path)
		switch n % 6 {
		case 0:
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		case 1:
			start, _ := sectionOf(content, 0, sectionOrder)
			content[start] ^= 0x40
			overwrite(t, path, content)
		case 2:
			overwrite(t, path, content[:len(content)/3])
		case 3:
			overwrite(t, path, nil)
		case 4:
			content[3] ^= 1
			overwrite(t, path, content)
		default:
			continue
		}
		damaged = append(damaged, path)
	}
	if _, err := Open(directory, upkeepOptions()); err == nil || !strings.Contains(err.Error(), "index") {
		t.Errorf("opening a store with damaged indexes: %v", err)
	}
	if found, err := Verify(directory, nil); err != nil || len(found.Faults) < len(damaged) || found.Indexes != len(found.Faults) {
		t.Errorf("%d faults found after damaging %d indexes, %d of indexes, %v", len(found.Faults), len(damaged), found.Indexes, err)
	}
	steps := 0
	made, err := Repair(disk.Disk{}, directory, func(done, total int, what string) {
		steps++
		if done >= total || !strings.HasPrefix(what, directory) {
			t.Errorf("progress %d of %d: %s", done, total, what)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(made)
	if !slices.Equal(made, damaged) || steps < len(damaged) {
		t.Errorf("made %q again in %d steps, want %q", made, steps, damaged)
	}
	verified(t, directory)
	if made, err := Repair(disk.Disk{}, directory, nil); err != nil || len(made) > 0 {
		t.Errorf("a second repair made %q again, %v", made, err)
	}
	if got := answersOf(t, directory); got != want {
		t.Error("after the repair queries find something else")
	}
}

// TestRepairLeavesDamagedSegments checks that an index is not rebuilt from a damaged segment.
func TestRepairLeavesDamagedSegments(t *testing.T) {
	directory := smallStore(t)
	path := indexFiles(t, directory)[0]
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	segment := strings.TrimSuffix(path, ".idx") + ".parquet"
	content := readAll(t, segment)
	content[len(content)/4] ^= 1
	overwrite(t, segment, content)
	if made, err := Repair(disk.Disk{}, directory, nil); err != nil || len(made) > 0 {
		t.Errorf("made %q again, %v", made, err)
	}
	err := RebuildIndex(disk.Disk{}, filepath.Dir(path), numberOf(t, path))
	if err == nil || !strings.Contains(err.Error(), "the segment itself is damaged") || !strings.Contains(err.Error(), segment) {
		t.Errorf("RebuildIndex = %v", err)
	}
	if found, err := Verify(directory, nil); err != nil || len(found.Faults) != 2 || found.Indexes != 1 {
		t.Errorf("Verify = %+v, %v", found, err)
	}
	if err := RebuildIndex(disk.Disk{}, filepath.Dir(path), 99999); err == nil {
		t.Error("the index of a segment that does not exist was made")
	}
}

// TestRebuildOfAnOlderFile rebuilds the index of a segment that lacks the table's last columns.
func TestRebuildOfAnOlderFile(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "store")
	older := observationSchema()
	older.columns = older.columns[:len(older.columns)-3]
	options := upkeepOptions().withDefaults()
	table, err := openTable(older, filepath.Join(directory, "observations"), options, &freeSpace{directory: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	rows := []domain.Observation{
		{TraceID: "t1", ID: "o1", StartTime: upkeepNoon, Input: "the first"},
		{TraceID: "t2", ID: "o2", StartTime: upkeepNoon + 1e6, Input: "the second", Metadata: `{"a":"b"}`},
	}
	if err := table.Append(t.Context(), domain.OfProject("a"), rows); err != nil {
		t.Fatal(err)
	}
	if err := table.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := table.close(); err != nil {
		t.Fatal(err)
	}
	verified(t, directory)
	path := indexFiles(t, directory)[0]
	want := readAll(t, path)
	overwrite(t, path, want[:20])
	if made, err := Repair(disk.Disk{}, directory, nil); err != nil || len(made) != 1 {
		t.Fatalf("made %q again, %v", made, err)
	}
	if got := readAll(t, path); !bytes.Equal(got, want) {
		t.Error("the index differs")
	}
}

// TestEarlierIndexIsMadeAgain opens and repairs a store whose indexes were written by an earlier version.
func TestEarlierIndexIsMadeAgain(t *testing.T) {
	directory := upkeepStore(t)
	want := answersOf(t, directory)
	indexes := indexFiles(t, directory)
	for n, magic := range earlierIndexes {
		for _, path := range indexes {
			overwrite(t, path, append([]byte(magic), readAll(t, path)[len(magic):]...))
		}
		if found, err := Verify(directory, nil); err != nil || len(found.Faults) > 0 || found.Earlier != len(indexes) {
			t.Errorf("Verify = %+v, %v, want %d earlier indexes and no fault", found, err, len(indexes))
		}
		if n == 0 {
			if made, err := Repair(disk.Disk{}, directory, nil); err != nil || len(made) != len(indexes) {
				t.Errorf("made %q again, %v", made, err)
			}
		} else if got := answersOf(t, directory); got != want {
			t.Error("queries find something else")
		}
		if found, err := Verify(directory, nil); err != nil || len(found.Faults) > 0 || found.Earlier > 0 {
			t.Errorf("Verify = %+v, %v afterwards", found, err)
		}
	}
}

// TestFormatIsNoted opens a store of an earlier format: the version that wrote it must refuse it afterwards.
func TestFormatIsNoted(t *testing.T) {
	directory := smallStore(t)
	for _, table := range tables() {
		path := filepath.Join(directory, table.name)
		state, _, err := loadManifest(path)
		if err != nil || state.format != formatVersion {
			t.Fatalf("format %d, %v", state.format, err)
		}
		content := readAll(t, filepath.Join(path, manifestName))
		overwrite(t, filepath.Join(path, manifestName), withFormat(t, content, 1))
		if state, _, err = loadManifest(path); err != nil || state.format != 1 {
			t.Fatalf("format %d, %v", state.format, err)
		}
	}
	s := openUpkeep(t, directory)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, table := range tables() {
		if state, _, err := loadManifest(filepath.Join(directory, table.name)); err != nil || state.format != formatVersion {
			t.Errorf("%s has format %d, %v", table.name, state.format, err)
		}
	}
	verified(t, directory)
}

// withFormat returns a manifest whose first edit has the given format.
func withFormat(t *testing.T, content []byte, format int) []byte {
	t.Helper()
	payload, ok := frameAt(content, len(manifestMagic), manifestMark)
	if !ok {
		t.Fatal("the manifest has no edit")
	}
	var e edit
	if err := json.Unmarshal(payload, &e); err != nil {
		t.Fatal(err)
	}
	e.Format = format
	frame, err := manifestFrame(e)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat([]byte(manifestMagic), frame, content[len(manifestMagic)+frameHeader+len(payload):])
}

// TestNewerIsRefusedUntouched checks that a store whose last table is newer is refused without changing the others.
func TestNewerIsRefusedUntouched(t *testing.T) {
	directory := upkeepStore(t)
	path := filepath.Join(directory, "scores", manifestName)
	overwrite(t, path, withFormat(t, readAll(t, path), formatVersion+1))
	before := fileNames(t, filepath.Join(directory, "observations"))
	for name, refused := range map[string]func() error{
		"Open":        func() error { _, err := Open(directory, upkeepOptions()); return err },
		"RefuseNewer": func() error { return RefuseNewer(directory) },
		"Repair":      func() error { _, err := Repair(disk.Disk{}, directory, nil); return err },
		"Backup":      func() error { return Backup(disk.Disk{}, directory, filepath.Join(t.TempDir(), "backup"), nil) },
		"Restore":     func() error { return Restore(disk.Disk{}, directory, filepath.Join(t.TempDir(), "restored"), "", nil) },
	} {
		if err := refused(); !errors.Is(err, errNewer) || !strings.Contains(err.Error(), "run that version") {
			t.Errorf("%s = %v", name, err)
		}
	}
	wantFault(t, directory, "a newer store", "written by a newer version of Almanac")
	if after := fileNames(t, filepath.Join(directory, "observations")); !slices.Equal(before, after) {
		t.Errorf("files before %v, after %v", before, after)
	}
	if err := RefuseNewer(filepath.Join(directory, "nothing")); err != nil {
		t.Errorf("RefuseNewer of nothing = %v", err)
	}
}
