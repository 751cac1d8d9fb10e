package segment

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/store"
)

// counters are rows that a writer replaces repeatedly, each time with a larger number: a backup must have every row
// once, with at least the number that was acknowledged before it began.
type counters struct {
	acknowledged [40]atomic.Int64
}

func (c *counters) write(t *testing.T, s *Store, stop <-chan struct{}) {
	filler := strings.Repeat("some text that takes space ", 60)
	for n := int64(1); ; n++ {
		select {
		case <-stop:
			return
		case <-time.After(5 * time.Millisecond): // or it flushes faster than the race detector lets a manifest be read
		}
		var rows []domain.Observation
		for k := range c.acknowledged {
			if (int(n)+k)%3 == 0 { // not all of them, so that live rows are in many segments
				rows = append(rows, domain.Observation{
					TraceID: fmt.Sprintf("trace-%d", k), ID: "counter", StartTime: upkeepNoon + domain.Micros(k),
					Name: strconv.FormatInt(n, 10), Input: filler,
				})
			}
		}
		if err := s.Observations().Append(t.Context(), domain.OfProject("a"), rows); err != nil {
			t.Error(err)
			return
		}
		for k := range c.acknowledged {
			if (int(n)+k)%3 == 0 {
				c.acknowledged[k].Store(n)
			}
		}
	}
}

func (c *counters) values() map[string]int64 {
	values := make(map[string]int64)
	for k := range c.acknowledged {
		if n := c.acknowledged[k].Load(); n > 0 {
			values[fmt.Sprintf("trace-%d", k)] = n
		}
	}
	return values
}

// check opens a restored store and compares it with the acknowledged writes.
func (c *counters) check(t *testing.T, directory string, least map[string]int64) {
	t.Helper()
	s, err := Open(directory, upkeepOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	seen := make(map[string]int64)
	for row, err := range s.Observations().Scan(t.Context(), domain.OfProject("a"), store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatal(err)
		}
		if seen[row.TraceID] != 0 {
			t.Errorf("%s is there twice", row.TraceID)
		}
		if seen[row.TraceID], err = strconv.ParseInt(row.Name, 10, 64); err != nil {
			t.Error(err)
		}
	}
	for trace, n := range least {
		if seen[trace] < n {
			t.Errorf("%s has %d in the backup; %d was acknowledged before it began", trace, seen[trace], n)
		}
	}
}

// TestBackupBesideAServer makes backups of a store that is constantly written to, flushed and merged.
func TestBackupBesideAServer(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "store")
	options := upkeepOptions()
	options.FlushBytes = 150 << 10
	s, err := Open(directory, options)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var (
		c    counters
		wg   sync.WaitGroup
		stop = make(chan struct{})
	)
	wg.Go(func() { c.write(t, s, stop) })
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if err := s.Merge(t.Context()); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for round := range 15 {
		least := c.values()
		backup := filepath.Join(t.TempDir(), "backup")
		restored := filepath.Join(t.TempDir(), "restored")
		if err := Backup(disk.Disk{}, directory, backup, nil); err != nil {
			t.Fatal(err)
		}
		verified(t, backup)
		if err := Restore(disk.Disk{}, backup, restored, "", nil); err != nil {
			t.Fatal(err)
		}
		verified(t, restored)
		c.check(t, restored, least)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	close(stop)
	wg.Wait()
	stats := s.Stats().Observations
	if stats.Flushes == 0 || stats.Merges == 0 {
		t.Errorf("nothing happened meanwhile: %+v", stats)
	}
	t.Logf("15 backups beside %d flushes and %d merges", stats.Flushes, stats.Merges)
}

// TestBackupHasEverything compares query results of a store and its backup, even after the store was deleted.
func TestBackupHasEverything(t *testing.T) {
	directory := upkeepStore(t)
	backup := filepath.Join(t.TempDir(), "backup")
	steps := 0
	if err := Backup(disk.Disk{}, directory, backup, func(done, total int, what string) {
		if steps++; done >= total || !strings.HasPrefix(what, directory) {
			t.Errorf("progress %d of %d: %s", done, total, what)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if steps == 0 {
		t.Error("no progress was told")
	}
	want := answersOf(t, directory) // after the backup, since opening a store may write to it
	if err := os.RemoveAll(directory); err != nil {
		t.Fatal(err)
	}
	if err := Restore(disk.Disk{}, backup, directory, "", nil); err != nil {
		t.Fatal(err)
	}
	if got := answersOf(t, directory); got != want {
		t.Error("the backup holds something else")
	}
	// The restored store was opened and has changed; the backup has not.
	verified(t, backup)
	again := filepath.Join(t.TempDir(), "again")
	if err := Restore(disk.Disk{}, backup, again, "", nil); err != nil {
		t.Fatal(err)
	}
	if got := answersOf(t, again); got != want {
		t.Error("the second restore holds something else")
	}
}

// TestBackupAcrossFileSystems makes a backup where hard links are not possible.
func TestBackupAcrossFileSystems(t *testing.T) {
	other, err := os.MkdirTemp("/dev/shm", "almanac-backup-") //nolint:usetesting // it must be another file system
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(other)
	directory := smallStore(t)
	backup := filepath.Join(other, "backup")
	if err := Backup(disk.Disk{}, directory, backup, nil); err != nil {
		t.Fatal(err)
	}
	verified(t, backup)
}

func TestBackupRefusals(t *testing.T) {
	directory := smallStore(t)
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	backup := filepath.Join(t.TempDir(), "backup")
	if err := Backup(disk.Disk{}, directory, backup, nil); err != nil {
		t.Fatal(err)
	}
	unfinished := filepath.Join(t.TempDir(), "unfinished")
	if err := Backup(disk.Disk{}, directory, unfinished, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(unfinished, "scores", manifestName)); err != nil {
		t.Fatal(err)
	}
	incomplete := filepath.Join(t.TempDir(), "incomplete")
	if err := Backup(disk.Disk{}, directory, incomplete, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(indexFiles(t, incomplete)[0]); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"backup to a full directory":      {Backup(disk.Disk{}, directory, full, nil), "is not empty: it has notes.txt"},
		"backup to the same place twice":  {Backup(disk.Disk{}, directory, backup, nil), "is not empty"},
		"restore to a full directory":     {Restore(disk.Disk{}, backup, full, "", nil), "is not empty"},
		"restore over a store":            {Restore(disk.Disk{}, backup, directory, "", nil), "is not empty"},
		"restore of nothing":              {Restore(disk.Disk{}, filepath.Join(full, "nope"), t.TempDir(), "", nil), "no such file"},
		"restore of an unfinished backup": {Restore(disk.Disk{}, unfinished, t.TempDir(), "", nil), "cannot read the manifest"},
		"restore of an incomplete backup": {Restore(disk.Disk{}, incomplete, t.TempDir(), "", nil), "no such file"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, c.err, c.want)
		}
	}
	// A store that was never written to can be backed up as well.
	empty := filepath.Join(t.TempDir(), "empty")
	if err := Backup(disk.Disk{}, filepath.Join(full, "nope"), empty, nil); err != nil {
		t.Error(err)
	}
	if err := Restore(disk.Disk{}, empty, filepath.Join(t.TempDir(), "restored"), "", nil); err != nil {
		t.Error(err)
	}
}

// TestBackupIsOneMoment changes the store at every step of a backup, in all ways that move data from one file to
// another.
func TestBackupIsOneMoment(t *testing.T) {
	project := domain.OfProject("a")
	write := func(t *testing.T, s *Store, trace, name string) {
		t.Helper()
		if err := s.Observations().Append(t.Context(), project, []domain.Observation{
			{TraceID: trace, ID: "counter", StartTime: upkeepNoon, Name: name},
		}); err != nil {
			t.Fatal(err)
		}
	}
	flush := func(t *testing.T, s *Store) {
		t.Helper()
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	merge := func(t *testing.T, s *Store) {
		t.Helper()
		if err := s.Merge(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	changes := map[string]func(t *testing.T, s *Store){
		"replace":                 func(t *testing.T, s *Store) { write(t, s, "flushed-1", "2") },
		"flush":                   flush,
		"merge":                   merge,
		"replace, merge":          func(t *testing.T, s *Store) { write(t, s, "flushed-1", "2"); merge(t, s) },
		"replace, flush":          func(t *testing.T, s *Store) { write(t, s, "flushed-1", "2"); flush(t, s) },
		"replace, flush, merge":   func(t *testing.T, s *Store) { write(t, s, "flushed-1", "2"); flush(t, s); merge(t, s) },
		"flush, replace, merge":   func(t *testing.T, s *Store) { flush(t, s); write(t, s, "flushed-1", "2"); merge(t, s) },
		"replace in log, flush":   func(t *testing.T, s *Store) { write(t, s, "logged", "2"); flush(t, s) },
		"flush, replace, replace": func(t *testing.T, s *Store) { flush(t, s); write(t, s, "flushed-2", "2"); write(t, s, "logged", "2") },
	}
	for _, at := range []string{"snapshot-manifest", "snapshot-logs", "copy-segments", "copy-logs"} {
		for name, change := range changes {
			t.Run(at+": "+name, func(t *testing.T) {
				directory := filepath.Join(t.TempDir(), "store")
				s := openUpkeep(t, directory)
				for _, trace := range []string{"flushed-1", "flushed-2", "flushed-3"} {
					write(t, s, trace, "1")
					flush(t, s)
				}
				write(t, s, "logged", "1")
				backup := filepath.Join(t.TempDir(), "backup")
				if err := os.MkdirAll(filepath.Join(backup, "observations"), 0o700); err != nil {
					t.Fatal(err)
				}
				changed := false
				c := &copier{
					from: filepath.Join(directory, "observations"), to: filepath.Join(backup, "observations"), link: true,
					walk: newWalk(nil),
				}
				c.point = func(name string) {
					if name == at && !changed {
						changed = true
						change(t, s)
					}
				}
				if err := c.table(); err != nil {
					t.Fatal(err)
				}
				verified(t, backup)
				new(counters).check(t, backup, map[string]int64{"flushed-1": 1, "flushed-2": 1, "flushed-3": 1, "logged": 1})
			})
		}
	}
}
