package segment

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

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

// TestRebuiltIndexIsTheSame makes every index of a varied store again and compares the bytes.
func TestRebuiltIndexIsTheSame(t *testing.T) {
	directory := upkeepStore(t)
	for _, path := range indexFiles(t, directory) {
		want := readAll(t, path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := RebuildIndex(filepath.Dir(path), numberOf(t, path)); err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, path); !bytes.Equal(got, want) {
			t.Errorf("%s has %d bytes and was made again with %d, which differ", path, len(want), len(got))
		}
	}
	verified(t, directory)
}

// TestRepair damages indexes in all ways and compares what queries find before and after.
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
	if found, err := Verify(directory, nil); err != nil || len(found) < len(damaged) {
		t.Errorf("%d faults found after damaging %d indexes, %v", len(found), len(damaged), err)
	}
	steps := 0
	made, err := Repair(directory, func(done, total int, what string) {
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
	if made, err := Repair(directory, nil); err != nil || len(made) > 0 {
		t.Errorf("a second repair made %q again, %v", made, err)
	}
	if got := answersOf(t, directory); got != want {
		t.Error("after the repair queries find something else")
	}
}

// TestRepairLeavesDamagedSegments makes sure that an index is not made from a segment that is damaged itself.
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
	if made, err := Repair(directory, nil); err != nil || len(made) > 0 {
		t.Errorf("made %q again, %v", made, err)
	}
	err := RebuildIndex(filepath.Dir(path), numberOf(t, path))
	if err == nil || !strings.Contains(err.Error(), "the segment itself is damaged") || !strings.Contains(err.Error(), segment) {
		t.Errorf("RebuildIndex = %v", err)
	}
	if found, err := Verify(directory, nil); err != nil || len(found) != 2 {
		t.Errorf("Verify = %q, %v", found, err)
	}
	if err := RebuildIndex(filepath.Dir(path), 99999); err == nil {
		t.Error("the index of a segment that does not exist was made")
	}
}

// TestRebuildOfAnOlderFile makes the index of a segment again that lacks the table's last columns.
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
	if made, err := Repair(directory, nil); err != nil || len(made) != 1 {
		t.Fatalf("made %q again, %v", made, err)
	}
	if got := readAll(t, path); !bytes.Equal(got, want) {
		t.Error("the index differs")
	}
}

// TestOldIndexIsMadeAgain opens a store whose indexes an earlier program has written.
func TestOldIndexIsMadeAgain(t *testing.T) {
	directory := upkeepStore(t)
	want := answersOf(t, directory)
	for _, path := range indexFiles(t, directory) {
		overwrite(t, path, append([]byte(oldIndexMagic), readAll(t, path)[len(oldIndexMagic):]...))
	}
	wantFault(t, directory, "indexes of an earlier program", "earlier")
	if got := answersOf(t, directory); got != want {
		t.Error("queries find something else")
	}
	verified(t, directory)
}
