package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// removal is a write that has to look up rows in segments. The rows are a-0 to c-3: a trace and an id.
type removal struct {
	name string
	do   func(t *testing.T, s *Store) error
	want []string // rows by trace, id and name afterwards
}

func removals() []removal {
	remove := func(selection store.Selection) func(*testing.T, *Store) error {
		return func(t *testing.T, s *Store) error {
			_, err := s.Observations().Delete(t.Context(), domain.OfProject("p"), selection)
			return err
		}
	}
	rows := func(without string) (want []string) {
		for _, name := range []string{"a-0", "a-1", "a-2", "a-3", "b-0", "b-1", "b-2", "b-3", "c-0", "c-1", "c-2", "c-3"} {
			if !strings.HasPrefix(name, without) {
				want = append(want, name+"-first")
			}
		}
		return want
	}
	return []removal{
		{"delete a trace", remove(store.Selection{TraceIDs: []string{"b"}}), rows("b")},
		{"delete an id", remove(store.Selection{IDs: []string{"b-1"}}), rows("b-1")},
		{"delete by time", remove(store.Selection{Before: removalStart + 4}), rows("a")},
		{"delete all", remove(store.Selection{All: true}), nil},
		{"delete what arrived", remove(store.Selection{TraceIDs: []string{"b"}, Arrived: &store.Window{After: 0, UpTo: 1}}), rows("b")},
		{"replace", func(t *testing.T, s *Store) error {
			row := domain.Observation{TraceID: "b", ID: "b-1", Name: "second", StartTime: removalStart + 5}
			return s.Observations().Append(t.Context(), domain.OfProject("p"), []domain.Observation{row})
		}, append(rows("b-1"), "b-1-second")},
	}
}

const removalStart = 1_700_000_000_000_000

// obstacle makes something unreadable that a removal needs, in place, and returns how to undo it.
type obstacle struct {
	name  string
	place func(t *testing.T, g *rowGroup[domain.Observation]) (undo func())
	index bool // Repair rebuilds it
}

// damageAt flips a byte of a file that is in use.
func damageAt(t *testing.T, path string, offset int64) (undo func()) {
	t.Helper()
	flip := func() {
		t.Helper()
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) { // the removal did not need it, and the segment was rewritten
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		one := make([]byte, 1)
		if _, err := file.ReadAt(one, offset); err != nil {
			t.Fatal(err)
		}
		one[0] ^= 0x55
		if _, err := file.WriteAt(one, offset); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	flip()
	return flip
}

// cutFile truncates a file that is in use: reading it faults.
func cutFile(t *testing.T, path string) (undo func()) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := os.WriteFile(path, content, 0o600); err != nil { // the same file, which stays mapped
			t.Fatal(err)
		}
	}
}

func obstacles() []obstacle {
	s := observationSchema()
	all := []obstacle{
		{"index cut", func(t *testing.T, g *rowGroup[domain.Observation]) func() { return cutFile(t, g.file.indexPath()) }, true},
		{"segment cut", func(t *testing.T, g *rowGroup[domain.Observation]) func() { return cutFile(t, g.file.path) }, false},
	}
	for n := sectionNames; n < s.fieldsSection(); n++ { // the others are read when a segment is opened, or not at all
		all = append(all, obstacle{"section " + s.sectionTitle(n), func(t *testing.T, g *rowGroup[domain.Observation]) func() {
			offset := int64(binary.LittleEndian.Uint64(g.file.index[16:])) + int64(binary.LittleEndian.Uint64(g.blob[8+24*n:]))
			return damageAt(t, g.file.indexPath(), offset)
		}, true})
	}
	for _, column := range []string{"id", "trace_id", "start_time", "sequence"} {
		all = append(all, obstacle{"column " + column, func(t *testing.T, g *rowGroup[domain.Observation]) func() {
			chunk := &g.chunks[s.index(column)]
			at := chunk.pages[0]
			if chunk.dictionary.size > 0 {
				at = chunk.dictionary
			}
			return damageAt(t, g.file.path, at.offset+int64(at.size)-1)
		}, false})
	}
	return all
}

// observationNames reads all rows of the project.
func observationNames(t *testing.T, s *Store) ([]string, error) {
	t.Helper()
	var names []string
	for o, err := range s.Observations().Scan(t.Context(), domain.OfProject("p"), store.Query[domain.Observation]{}) {
		if err != nil {
			return nil, err
		}
		names = append(names, fmt.Sprintf("%s-%s", o.ID, o.Name))
	}
	slices.Sort(names)
	return names, nil
}

// TestRemovalsAreNotForgotten makes everything unreadable that a delete or a replacement needs, one after the other.
// Rows that were deleted or replaced must never come back: neither at once, nor after a flush, nor after a restart, nor
// after a repair.
func TestRemovalsAreNotForgotten(t *testing.T) {
	check := func(t *testing.T, s *Store, when string, want []string, mayFail bool) {
		t.Helper()
		got, err := observationNames(t, s)
		if err != nil && mayFail {
			return
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: rows %v, error %v, want %v", when, got, err, want)
		}
	}
	open := func(t *testing.T, directory string) *Store {
		t.Helper()
		options := damageOptions()
		options.disk = unsynced()
		s, err := Open(directory, options)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, o := range obstacles() {
		for _, r := range removals() {
			for _, way := range []string{"readable again", "readable after a restart", "repaired", "readable after the log is gone"} {
				t.Run(o.name+"/"+r.name+"/"+way, func(t *testing.T) {
					directory := t.TempDir()
					want := slices.Sorted(slices.Values(r.want))
					s := open(t, directory)
					var rows []domain.Observation
					for n := range 12 {
						trace := string(rune('a' + n/4))
						rows = append(rows, domain.Observation{
							TraceID: trace, ID: fmt.Sprintf("%s-%d", trace, n%4), Name: "first", StartTime: domain.Micros(removalStart + n),
						})
					}
					if err := errors.Join(s.Observations().Append(t.Context(), domain.OfProject("p"), rows), s.Flush(t.Context()),
						s.Close()); err != nil {
						t.Fatal(err)
					}
					s = open(t, directory)
					undo := o.place(t, s.observations.current.Load().groups[0].rowGroup)
					if err := r.do(t, s); err != nil {
						t.Fatalf("a write was refused: %v", err)
					}
					check(t, s, "at once", want, true)
					if way == "readable after the log is gone" {
						if err := s.Flush(t.Context()); err != nil {
							t.Fatal(err)
						}
						check(t, s, "after a flush", want, true)
					}
					if way == "readable again" {
						undo()
						if err := s.observations.retryDeferred(); err != nil {
							t.Fatal(err)
						}
						check(t, s, "readable again", want, false)
					}
					deferred := s.observations.deferred.count.Load()
					if err := errors.Join(s.Flush(t.Context()), s.Close()); err != nil {
						t.Fatal(err)
					}
					if deferred > 0 {
						if found, err := Verify(directory, nil); err != nil || found.Deferred == 0 {
							t.Errorf("Verify: %+v, %v", found, err)
						}
					}
					switch {
					case way == "repaired" && o.index:
						if _, err := Repair(unsynced(), directory, nil); err != nil {
							t.Fatal(err)
						}
					case way != "readable again":
						undo()
						if way == "repaired" {
							if _, err := Repair(unsynced(), directory, nil); err != nil {
								t.Fatal(err)
							}
						}
					}
					if way == "repaired" {
						if found, err := Verify(directory, nil); err != nil || len(found.Faults) > 0 {
							t.Errorf("after the repair: %v, %v", found.Faults, err)
						}
					}
					for range 2 {
						s = open(t, directory)
						check(t, s, "after a restart", want, false)
						if n := s.observations.deferred.count.Load(); n > 0 {
							t.Errorf("%d removals are still deferred", n)
						}
						if err := errors.Join(s.Observations().Append(t.Context(), domain.OfProject("other"), rows), s.Flush(t.Context()),
							s.Close()); err != nil {
							t.Fatal(err)
						}
					}
					if found, err := Verify(directory, nil); err != nil || len(found.Faults) > 0 {
						t.Errorf("in the end: %v, %v", found.Faults, err)
					}
				})
			}
		}
	}
}

// TestTooManyDeferredRemovals defers as much as a table remembers. From then on, also after a restart, the project whose
// rows are in the damaged file can write nothing; others can. Nothing is forgotten, and when the file can be read again,
// everything is applied and the project can write.
func TestTooManyDeferredRemovals(t *testing.T) {
	directory := t.TempDir()
	open := func() *Store {
		options := damageOptions()
		options.disk = unsynced()
		s, err := Open(directory, options)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	row := func(id string) []domain.Observation {
		return []domain.Observation{{TraceID: id, ID: id, Name: "first", StartTime: removalStart}}
	}
	write := func(s *Store, project, id string) error {
		return s.Observations().Append(t.Context(), domain.OfProject(project), row(id))
	}
	s := open()
	if err := errors.Join(write(s, "p", "kept"), write(s, "p", "deleted"), s.Flush(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	s = open()
	schema := observationSchema()
	at := slices.IndexFunc(obstacles(), func(o obstacle) bool {
		return o.name == "section "+schema.sectionTitle(schema.sectionOf(schema.id))
	})
	undo := obstacles()[at].place(t, s.observations.current.Load().groups[0].rowGroup)
	remove := func(n int) error {
		ids := []string{"deleted", strconv.Itoa(n)}
		for size := 0; size < 4<<20; size += 1000 {
			ids = append(ids, fmt.Sprintf("%01000d", size))
		}
		_, err := s.Observations().Delete(t.Context(), domain.OfProject("p"), store.Selection{IDs: ids})
		return err
	}
	refusedAt := 0
	for n := 1; refusedAt == 0; n++ {
		switch err := remove(n); {
		case errors.Is(err, store.ErrBusy):
			refusedAt = n
		case err != nil || n > 100:
			t.Fatal(n, err)
		}
	}
	if bytes := s.observations.deferred.bytes.Load(); bytes <= deferredBytes || bytes > deferredBytes+5<<20 {
		t.Errorf("%d bytes are deferred", bytes)
	}
	for _, when := range []string{"at once", "after a restart"} {
		if err := write(s, "p", "refused"); !errors.Is(err, store.ErrBusy) ||
			!strings.Contains(err.Error(), fmt.Sprintf("%d deletes and replacements", refusedAt-1)) {
			t.Errorf("%s: the project writes: %v", when, err)
		}
		if err := write(s, "other", when); err != nil {
			t.Errorf("%s: another project is refused: %v", when, err)
		}
		if _, err := s.Observations().Delete(t.Context(), domain.OfProject("other"), store.Selection{All: true}); err != nil {
			t.Errorf("%s: another project cannot delete: %v", when, err)
		}
		if s.observations.deferred.count.Load() != int64(refusedAt-1) {
			t.Errorf("%s: %d removals are deferred, %d were asked for", when, s.observations.deferred.count.Load(), refusedAt-1)
		}
		if names, err := observationNames(t, s); err == nil {
			t.Errorf("%s: a file with deleted rows is read: %v", when, names)
		}
		if when == "at once" {
			if err := errors.Join(s.Flush(t.Context()), s.Close()); err != nil {
				t.Fatal(err)
			}
			s = open()
		}
	}
	undo()
	if err := s.observations.retryDeferred(); err != nil {
		t.Fatal(err)
	}
	if err := write(s, "p", "later"); err != nil {
		t.Error(err)
	}
	if names, err := observationNames(t, s); err != nil || !slices.Equal(names, []string{"kept-first", "later-first"}) {
		t.Errorf("in the end: %v, %v", names, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
