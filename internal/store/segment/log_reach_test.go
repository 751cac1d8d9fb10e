package segment

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// unsyncedOptions are damageOptions without syncs; the manifest records how far the log reaches when a test says so,
// and at an orderly end.
func unsyncedOptions() Options {
	options := damageOptions()
	options.disk, options.noteEvery = unsynced(), time.Hour
	return options
}

// killedStore returns the directory of a store that was killed: rows 0 to 9 are in a segment, 10 to 19 in the log, each
// in a frame of its own.
func killedStore(t *testing.T) (directory, log string) {
	t.Helper()
	live := t.TempDir()
	s, err := Open(live, unsyncedOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for n := range 20 {
		row := domain.Observation{TraceID: "t", ID: fmt.Sprintf("%02d", n), StartTime: domain.Micros(1000 + n)}
		if err := s.Observations().Append(t.Context(), domain.OfProject("p"), []domain.Observation{row}); err != nil {
			t.Fatal(err)
		}
		if n == 9 {
			if err := s.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.observations.noteSynced(); err != nil {
		t.Fatal(err)
	}
	directory = copyStore(t, live)
	return directory, filepath.Join(directory, "observations", filepath.Base(s.observations.log.file.Name()))
}

// TestLostLogIsNoticed damages the newest log of a killed server in every way that loses acknowledged writes: the store
// must not open, and the doctor must see it. After the loss is accepted, everything that is left is there.
func TestLostLogIsNoticed(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(content []byte) []byte // nil removes the file
		message string
		left    int
	}{
		{"missing", nil, "is missing", 10},
		{"empty", func([]byte) []byte { return []byte{} }, "is empty", 10},
		{"zeroed", func(c []byte) []byte { return make([]byte, len(c)) }, "is empty, or its beginning is", 10},
		{"beginning zeroed", func(c []byte) []byte { clear(c[:logHead]); return c }, "is not the one that was there", 20},
		{"only its head left", func(c []byte) []byte { return c[:logHead] }, "is empty, or its beginning is", 10},
		{"cut by a byte", func(c []byte) []byte { return c[:len(c)-1] }, "the writes from 20 to 20 are missing", 19},
		{"cut in the middle", func(c []byte) []byte { return c[:len(c)/2] }, "are missing", -1},
		{"end zeroed", func(c []byte) []byte { clear(c[len(c)-3:]); return c }, "the writes from 20 to 20 are missing", 19},
		{"damaged in the middle", func(c []byte) []byte { c[len(c)/2] ^= 1; return c }, "is damaged at offset", 19},
		{"another log", func([]byte) []byte { return append(logHeadOf(mark{1, 2, 3, 4}), "more"...) }, "is not the one that was there", 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			directory, log := killedStore(t)
			content, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(log); err != nil {
				t.Fatal(err)
			}
			if c.change != nil {
				content = c.change(content)
				if err := os.WriteFile(log, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // refusing it must not make it look right
				s, err := Open(directory, unsyncedOptions())
				if err == nil {
					names, _ := observationNames(t, s)
					t.Fatalf("opened with %d rows, %v", len(names), s.Close())
				}
				wantErr(t, err, c.message, filepath.Join(directory, "observations"), "almanac doctor --accept-loss")
				if found, err := Verify(directory, nil); err != nil || found.Losses == 0 || found.Losses != len(found.Faults) {
					t.Fatalf("Verify: %+v, %v", found, err)
				}
				if after, err := os.ReadFile(log); c.change != nil && (err != nil || !bytes.Equal(after, content)) {
					t.Fatalf("the log was changed, %v", err)
				}
			}
			if err := Backup(unsynced(), directory, t.TempDir(), nil); c.change == nil && err == nil {
				t.Error("a backup was made of a store without its log")
			}
			lost, err := AcceptLoss(unsynced(), directory)
			if err != nil || len(lost) == 0 {
				t.Fatalf("AcceptLoss: %v, %v", lost, err)
			}
			if again, err := AcceptLoss(unsynced(), directory); err != nil || len(again) > 0 {
				t.Errorf("AcceptLoss again: %v, %v", again, err)
			}
			for round := range 3 {
				if found, err := Verify(directory, nil); err != nil || len(found.Faults) > 0 {
					t.Errorf("round %d: %v, %v", round, found.Faults, err)
				}
				s, err := Open(directory, unsyncedOptions())
				if err != nil {
					t.Fatal(err)
				}
				names, err := observationNames(t, s)
				if err != nil || c.left >= 0 && len(names) != c.left+round || len(names) < 10+round {
					t.Errorf("round %d: rows %v, %v", round, names, err)
				}
				// Numbers of lost writes are not used again: exports continue after them.
				if mark := s.Mark().Observations; mark != int64(20+round) {
					t.Errorf("the last write has the number %d", mark)
				}
				row := domain.Observation{TraceID: "t", ID: fmt.Sprint("new", round), StartTime: 5000}
				if err := s.Observations().Append(t.Context(), domain.OfProject("p"), []domain.Observation{row}); err != nil {
					t.Error(err)
				}
				if round == 1 {
					if err := s.Flush(t.Context()); err != nil {
						t.Error(err)
					}
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestTornEndIsNoLoss checks that what was never recorded as being in the log may be missing at its end.
func TestTornEndIsNoLoss(t *testing.T) {
	directory, log := killedStore(t)
	file, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.Write(append(markIn(content), "part of a frame"...))
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := Open(directory, unsyncedOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if names, err := observationNames(t, s); err != nil || len(names) != 20 {
		t.Errorf("rows %v, %v", names, err)
	}
}

// TestMissingManifest removes the manifest, with and without logs: the segments must not be taken for leftovers.
func TestMissingManifest(t *testing.T) {
	for _, logs := range []bool{true, false} {
		directory, log := killedStore(t)
		table := filepath.Dir(log)
		if err := os.Remove(filepath.Join(table, manifestName)); err != nil {
			t.Fatal(err)
		}
		if !logs {
			if err := os.Remove(log); err != nil {
				t.Fatal(err)
			}
		}
		before := listFiles(t, table)
		s, err := Open(directory, unsyncedOptions())
		if err == nil {
			t.Fatalf("opened without a manifest, %v", s.Close())
		}
		wantErr(t, err, filepath.Join(table, manifestName)+" is missing")
		if after := listFiles(t, table); !slices.Equal(before, after) {
			t.Errorf("files %v, before %v", after, before)
		}
		if found, err := Verify(directory, nil); err != nil || !strings.Contains(strings.Join(found.Faults, "\n"), "manifest") {
			t.Errorf("Verify: %v, %v", found.Faults, err)
		}
	}
}

func listFiles(t *testing.T, directory string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestSyncedIsRecorded checks that the manifest soon knows how far the log reaches, and exactly after an orderly end.
func TestSyncedIsRecorded(t *testing.T) {
	directory := t.TempDir()
	s, err := Open(directory, unsyncedOptions())
	if err != nil {
		t.Fatal(err)
	}
	for n := range 5 {
		row := domain.Observation{TraceID: "t", ID: strconv.Itoa(n), StartTime: domain.Micros(1000 + n)}
		if err := s.Observations().Append(t.Context(), domain.OfProject("p"), []domain.Observation{row}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Observations().Delete(t.Context(), domain.OfProject("p"), store.Selection{IDs: []string{"1"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	state, _, err := loadManifest(filepath.Join(directory, "observations"))
	if err != nil || state.synced != 6 || len(state.logs) != 1 {
		t.Errorf("state %+v, %v", state, err)
	}
}

// TestManifestOfANewTableIsNotCut lets the disk be full at the second edit of a new table: what is truncated is that
// edit, and not the first one.
func TestManifestOfANewTableIsNotCut(t *testing.T) {
	directory := t.TempDir()
	m, _, err := openManifest(directory, Options{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	info, err := os.Stat(filepath.Join(directory, manifestName))
	if err != nil || m.size != info.Size() || m.all != info.Size() {
		t.Errorf("the manifest is taken for %d of %d bytes, it has %d, %v", m.size, m.all, info.Size(), err)
	}
}
