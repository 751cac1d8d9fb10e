package segment

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"almanac/internal/disk"
	"almanac/internal/store"
)

// TestTakeBack checks that the remains of a write are truncated if the disk is full, and not after other failures.
// test/faults tests the whole store on full disks.
func TestTakeBack(t *testing.T) {
	for _, c := range []struct {
		name    string
		err     error
		full    bool
		content string
	}{
		{"full", syscall.ENOSPC, true, "kept, next"},
		{"over quota", fmt.Errorf("writing: %w", syscall.EDQUOT), true, "kept, next"},
		{"broken", syscall.EIO, false, "kept, half next"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, err := disk.Disk{}.OpenFile(filepath.Join(t.TempDir(), "file"), os.O_RDWR|os.O_CREATE)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			write := func(text string) {
				t.Helper()
				if _, err := file.Write([]byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			write("kept, ")
			write("half ")
			err = truncateFailedWrite(file, int64(len("kept, ")), c.err)
			if !errors.Is(err, c.err) || errors.Is(err, store.ErrDiskFull) != c.full {
				t.Errorf("error %v, want %v, full: %v", err, c.err, c.full)
			}
			write("next")
			if content, err := os.ReadFile(file.Name()); err != nil || string(content) != c.content {
				t.Errorf("content %q, %v, want %q", content, err, c.content)
			}
		})
	}
	t.Run("cannot be cut", func(t *testing.T) {
		file, err := disk.Disk{}.OpenFile("/dev/full", os.O_WRONLY)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		_, err = file.Write([]byte("x"))
		if err := truncateFailedWrite(file, 0, err); !errors.Is(err, syscall.ENOSPC) || errors.Is(err, store.ErrDiskFull) {
			t.Errorf("error %v, want one that ends all writing", err)
		}
	})
}

// TestNoNewLog obstructs the next log file. The table continues with the current one, reports that when flushed, and
// starts another as soon as it can.
func TestNoNewLog(t *testing.T) {
	options := damageOptions()
	options.FlushBytes, options.HotBytes = 4<<10, 1<<20
	f := openFailing(t, options)
	table := f.observations
	table.mu.Lock()
	obstacle := filepath.Join(table.directory, logName(table.next))
	table.mu.Unlock()
	if err := os.Mkdir(obstacle, 0o700); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		f.mustAppend(t)
	}
	wantErr(t, f.Flush(t.Context()), "cannot create a log file", filepath.Base(obstacle))
	f.checkRows(t)
	if err := os.Remove(obstacle); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); table.flushes.Load() == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing became a segment within 30 s")
		}
	}
	f.mustAppend(t)
	f.checkRows(t)
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	f.reopen(t)
}

// TestFilesInUseAreRemovedLater refuses to remove files, as Windows does while they are being read. Nothing fails, and
// they are removed as soon as possible.
func TestFilesInUseAreRemovedLater(t *testing.T) {
	var inUse atomic.Bool
	options := damageOptions()
	options.disk = disk.Watched(func(c *disk.Change, do func() error) error {
		if c.Kind == disk.Remove && inUse.Load() {
			return &os.PathError{Op: "remove", Path: c.Path, Err: syscall.EBUSY}
		}
		return do()
	})
	f := openFailing(t, options)
	flush := func() {
		t.Helper()
		f.mustAppend(t)
		if err := f.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	count := func(ending string) int {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(f.observations.directory, "*"+ending))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	inUse.Store(true)
	flush()
	flush()
	if err := f.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.checkRows(t)
	if s, i, l := count(".parquet"), count(".idx"), count(".wal"); s != 3 || i != 3 || l != 3 {
		t.Fatalf("%d segments, %d indexes, %d logs: nothing was to be removed", s, i, l)
	}
	inUse.Store(false)
	flush()
	for deadline := time.Now().Add(30 * time.Second); count(".parquet") != 2 || count(".idx") != 2 ||
		count(".wal") != 1; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d segments, %d indexes, %d logs are left", count(".parquet"), count(".idx"), count(".wal"))
		}
	}
	f.checkRows(t)
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	f.reopen(t)
}
