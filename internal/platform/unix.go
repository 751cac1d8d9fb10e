//go:build unix && !portable

package platform

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// HasModes reports whether the mode of a file tells who may read it.
const HasModes = true

// FreeBytes returns how much room the file system of a path has for an ordinary user.
func FreeBytes(path string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil //nolint:gosec,unconvert // both are positive; their types differ between systems
}

// TryLock locks an open file for this process alone, or together with others that share it, until it is closed. It reports whether
// nobody else holds a lock that is in the way.
func TryLock(file *os.File, exclusive bool) (bool, error) {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	err := unix.Flock(int(file.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Map maps a file of that size, which is not 0, into memory that can be read. What is in it is undefined once the file is shorter.
func Map(file *os.File, size int64) ([]byte, error) {
	return unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
}

// Unmap ends a mapping. Nobody may look at its memory any more.
func Unmap(mapped []byte) { _ = unix.Munmap(mapped) } // it fails for what Map did not return

// Release tells the system that a part of a mapping is not needed for now, so that it does not count as ours.
func Release(mapped []byte, from, to int64) {
	page := int64(os.Getpagesize())
	_ = unix.Madvise(mapped[from/page*page:to], unix.MADV_DONTNEED) // it costs memory if it fails, and nothing else
}

// OpenDirectory opens a directory for SyncDirectory.
func OpenDirectory(path string) (*os.File, error) { return os.Open(path) } //nolint:gosec // the operator names the place

// SyncDirectory waits until the names in a directory are on disk.
func SyncDirectory(directory *os.File) error { return directory.Sync() }

// Retry does something to the name of a file. Names can change here whoever has the file open.
func Retry(do func() error) error { return do() }

// ProcessorTime returns how much processor time the process has used, in the program and for it in the system.
func ProcessorTime() (used time.Duration, ok bool) {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}
