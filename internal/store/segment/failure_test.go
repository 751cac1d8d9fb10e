package segment

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
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

// failingStore is a store in which failures are injected.
type failingStore struct {
	*Store
	directory string
	rows      []string // ids of acknowledged rows, oldest first
}

func openFailing(t *testing.T, options Options) *failingStore {
	t.Helper()
	f := &failingStore{directory: t.TempDir()}
	s, err := Open(f.directory, options)
	if err != nil {
		t.Fatal(err)
	}
	f.Store = s
	return f
}

// append appends the next row.
func (f *failingStore) append(t *testing.T) error {
	t.Helper()
	n := len(f.rows)
	row := domain.Observation{
		TraceID: "t", ID: fmt.Sprintf("%04d", n), StartTime: domain.Micros(1000 + n), Input: strings.Repeat("text ", 200),
	}
	err := f.Observations().Append(t.Context(), domain.OfProject("p"), []domain.Observation{row})
	if err == nil {
		f.rows = append(f.rows, row.ID)
	}
	return err
}

func (f *failingStore) mustAppend(t *testing.T) {
	t.Helper()
	if err := f.append(t); err != nil {
		t.Fatal(err)
	}
}

// checkRows fails the test unless exactly the acknowledged rows are there; the rows in more may be there as well.
func (f *failingStore) checkRows(t *testing.T, more ...string) {
	t.Helper()
	var got []string
	for row, err := range f.Observations().Scan(t.Context(), domain.OfProject("p"), store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatalf("reading failed: %v", err)
		}
		if !slices.Contains(more, row.ID) {
			got = append(got, strings.Clone(row.ID))
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, f.rows) {
		t.Errorf("rows %v, want %v", got, f.rows)
	}
}

// reopen reopens the store, in which everything must work again.
func (f *failingStore) reopen(t *testing.T, more ...string) {
	t.Helper()
	s, err := Open(f.directory, damageOptions())
	if err != nil {
		t.Fatal(err)
	}
	f.Store = s
	f.checkRows(t, more...)
	if len(more) == 0 {
		f.mustAppend(t)
	}
	if err := f.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	f.checkRows(t, more...)
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if stray := strayFiles(t, filepath.Join(f.directory, "observations")); len(stray) > 0 {
		t.Errorf("files that nothing refers to: %v", stray)
	}
}

func wantErr(t *testing.T, err error, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("error %v, want one with %q", err, text)
		}
	}
}

// TestDiskFull sets the required free space above what the disk has.
func TestDiskFull(t *testing.T) {
	f := openFailing(t, damageOptions())
	f.mustAppend(t)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	options := damageOptions()
	options.MinFreeDisk = math.MaxUint64
	s, err := Open(f.directory, options)
	if err != nil {
		t.Fatal(err)
	}
	f.Store = s
	if err := f.append(t); !errors.Is(err, store.ErrDiskFull) {
		t.Errorf("Append: %v, want %v", err, store.ErrDiskFull)
	}
	f.checkRows(t)
	// Deleting must still work, since it frees space.
	if n, err := f.Observations().Delete(t.Context(), domain.OfProject("p"), store.Selection{IDs: f.rows}); n != 1 || err != nil {
		t.Errorf("Delete: %d, %v", n, err)
	}
	f.rows = nil
	f.checkRows(t)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	f.reopen(t)
}

// TestBusy blocks the writing of segments: writers are refused when too much is in memory, and accepted again when it
// has been written.
func TestBusy(t *testing.T) {
	hold := make(chan struct{})
	f := openFailing(t, Options{
		FlushBytes: 8 << 10, HotBytes: 24 << 10, BusyTimeout: 30 * time.Millisecond, MinFreeDisk: 1,
		failpoint: func(name string) {
			if name == "segment-write" {
				<-hold
			}
		},
	})
	var err error
	for n := 0; err == nil; n++ {
		if n > 1000 {
			t.Fatal("nothing holds writers up")
		}
		err = f.append(t)
	}
	if !errors.Is(err, store.ErrBusy) {
		t.Fatalf("Append: %v, want %v", err, store.ErrBusy)
	}
	if hot := f.Stats().Observations.HotBytes; hot > 32<<10 {
		t.Errorf("%d bytes are in memory", hot)
	}
	f.checkRows(t)
	if err := f.append(t); !errors.Is(err, store.ErrBusy) {
		t.Errorf("Append: %v, want %v", err, store.ErrBusy)
	}
	// A waiting writer is admitted as soon as there is space.
	f.observations.options.BusyTimeout = time.Minute
	waiting := make(chan error)
	go func() { waiting <- f.append(t) }()
	close(hold)
	if err := <-waiting; err != nil {
		t.Errorf("Append after room was made: %v", err)
	}
	for range 50 {
		f.mustAppend(t)
	}
	f.checkRows(t)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	f.reopen(t)
}

// TestLogFails closes the log's file under the store: nothing can be guaranteed any more, so nothing is acknowledged.
// Reads still work.
func TestLogFails(t *testing.T) {
	f := openFailing(t, damageOptions())
	f.mustAppend(t)
	if err := f.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.mustAppend(t)
	name := f.observations.log.file.Name()
	if err := f.observations.log.file.Close(); err != nil {
		t.Fatal(err)
	}
	wantErr(t, f.append(t), "cannot write", filepath.Base(name))
	for range 2 {
		wantErr(t, f.append(t), "table observations no longer accepts writes because its log failed; restart the server",
			filepath.Base(name))
	}
	_, err := f.Observations().Delete(t.Context(), domain.OfProject("p"), store.Selection{All: true})
	wantErr(t, err, "no longer accepts writes")
	wantErr(t, f.Flush(t.Context()), "no longer accepts writes")
	f.checkRows(t)
	// The other table does not depend on it.
	if err := f.Scores().Append(t.Context(), domain.OfProject("p"), []domain.Score{{ID: "s", Timestamp: 1}}); err != nil {
		t.Error(err)
	}
	wantErr(t, f.Close(), filepath.Base(name))
	f.reopen(t)
}

// TestLogFailsInTheMiddle writes part of a frame before the log fails, like a full disk. The part must stay at the end
// of the last log, where it is truncated later: not even a flush may start another log.
func TestLogFailsInTheMiddle(t *testing.T) {
	var fail atomic.Pointer[func()]
	options := damageOptions()
	options.failpoint = func(name string) {
		if do := fail.Load(); do != nil && name == "log-write" {
			(*do)()
		}
	}
	f := openFailing(t, options)
	f.mustAppend(t)
	path := f.observations.log.file.Name()
	do := func() { // the committer is here, and holds the lock
		_, err := f.observations.log.file.Write([]byte{100, 0, 0, 0, 1, 2, 3, 4, 5})
		if err := errors.Join(err, f.observations.log.file.Close()); err != nil {
			t.Error(err)
		}
	}
	fail.Store(&do)
	wantErr(t, f.append(t), "cannot write")
	fail.Store(nil)
	wantErr(t, f.Flush(t.Context()), "no longer accepts writes")
	if numbers, err := logNumbers(filepath.Dir(path)); err != nil || len(numbers) != 1 {
		t.Errorf("log files %v, %v: want one", numbers, err)
	}
	f.checkRows(t)
	wantErr(t, f.Close(), "closed")
	f.reopen(t)
}

// TestManifestFailsInTheMiddle writes part of an edit before the manifest fails. Anything written after that would be
// unreadable, so nothing may be written, even if writing would work again.
func TestManifestFailsInTheMiddle(t *testing.T) {
	for _, merging := range []bool{false, true} {
		t.Run(fmt.Sprintf("merging %v", merging), func(t *testing.T) {
			var once sync.Once
			var f *failingStore
			var fail, failed atomic.Bool
			var good *disk.File
			options := damageOptions()
			options.failpoint = func(name string) {
				if name == "manifest-write" && fail.Load() {
					once.Do(func() {
						m := f.observations.manifest
						good = m.file
						bad, err := disk.Disk{}.OpenFile(m.file.Name(), os.O_RDONLY) // cannot be written to
						if err != nil {
							t.Error(err)
						}
						if _, err := good.Write([]byte{100, 0, 0, 0, 1, 2, 3, 4, 5}); err != nil {
							t.Error(err)
						}
						m.file = bad
						failed.Store(true)
					})
				}
			}
			f = openFailing(t, options)
			for range 2 {
				f.mustAppend(t)
				if err := f.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			fail.Store(true)
			if merging {
				wantErr(t, f.Merge(t.Context()), "cannot write", manifestName)
			} else {
				f.mustAppend(t)
				wantErr(t, f.Flush(t.Context()), "no longer accepts writes", manifestName)
			}
			if !failed.Load() {
				t.Fatal("nothing failed")
			}
			f.observations.mu.Lock()
			bad := f.observations.manifest.file
			f.observations.manifest.file = good
			f.observations.mu.Unlock()
			if err := bad.Close(); err != nil {
				t.Error(err)
			}
			wantErr(t, f.observations.flushTables(f.observations.frozenAfter(0)), "no longer accepts writes")
			_, err := f.observations.mergeOnce(2)
			wantErr(t, err, "no longer accepts writes")
			f.checkRows(t)
			wantErr(t, f.append(t), "no longer accepts writes")
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			f.reopen(t)
		})
	}
}

// TestSegmentFails obstructs the files of a segment. The rows stay in memory and in the log until the obstacle is gone,
// and files of failed attempts do not stay on disk.
func TestSegmentFails(t *testing.T) {
	for _, c := range []struct {
		point string
		name  func(number int) string
	}{{"segment-write", segmentName}, {"index-write", indexName}} {
		t.Run(c.point, func(t *testing.T) {
			var f *failingStore
			var failures atomic.Int64
			var obstacles []string
			options := damageOptions()
			options.failpoint = func(name string) {
				if name != c.point || failures.Load() >= 3 {
					return
				}
				failures.Add(1)
				f.observations.mu.Lock()
				path := filepath.Join(f.observations.directory, c.name(f.observations.next-1))
				f.observations.mu.Unlock()
				// A non-empty directory can be neither opened for writing nor removed.
				if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o700); err != nil {
					t.Error(err)
				}
				obstacles = append(obstacles, path)
			}
			f = openFailing(t, options)
			f.mustAppend(t)
			if err := f.Flush(t.Context()); err != nil { // waits until it succeeds
				t.Error(err)
			}
			if failures.Load() != 3 {
				t.Errorf("failed %d times, want 3", failures.Load())
			}
			f.checkRows(t)
			f.mustAppend(t)
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			for _, path := range obstacles {
				if err := os.RemoveAll(path); err != nil {
					t.Error(err)
				}
			}
			if stray := strayFiles(t, filepath.Join(f.directory, "observations")); len(stray) > 0 {
				t.Errorf("files of failed attempts: %v", stray)
			}
			f.reopen(t)
		})
	}
}

// TestWritesInFlightAtAFailedSync sends many batches concurrently while the log fails: acknowledged batches are there
// after a restart, and each of the others is there as a whole or not at all.
func TestWritesInFlightAtAFailedSync(t *testing.T) {
	var passed atomic.Int64
	var f *failingStore
	options := damageOptions()
	options.failpoint = func(name string) {
		if name == "log-sync" && passed.Add(1) == 5 {
			if err := f.observations.log.file.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	f = openFailing(t, options)
	var mu sync.Mutex
	acknowledged := make(map[string]bool)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for n := range 20 {
				trace := fmt.Sprintf("%d-%d", worker, n)
				var rows []domain.Observation
				for i := range 3 {
					rows = append(rows, domain.Observation{TraceID: trace, ID: strconv.Itoa(i), StartTime: 1})
				}
				err := f.Observations().Append(t.Context(), domain.OfProject("p"), rows)
				mu.Lock()
				acknowledged[trace] = err == nil
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	wantErr(t, f.Close(), "closed")
	s, err := Open(f.directory, damageOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	stored := make(map[string]int)
	for row, err := range s.Observations().Scan(t.Context(), domain.OfProject("p"), store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatal(err)
		}
		stored[strings.Clone(row.TraceID)]++
	}
	kept := 0
	for trace, ok := range acknowledged {
		if ok {
			kept++
		}
		if n := stored[trace]; ok && n != 3 || n != 0 && n != 3 {
			t.Errorf("batch %s, acknowledged %v: %d of 3 rows", trace, ok, n)
		}
	}
	if kept == 0 || kept == len(acknowledged) {
		t.Errorf("%d of %d batches were acknowledged", kept, len(acknowledged))
	}
}
