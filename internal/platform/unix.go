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

// FreeBytes returns the free space of the file system of a path that is available to ordinary users.
func FreeBytes(path string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil //nolint:gosec,unconvert // both are positive; their types differ between systems
}

// TryLock locks an open file, exclusively or shared, until it is closed. It reports whether it got the lock.
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

// Map maps a file of the given size, which must not be 0, into read-only memory. The memory is undefined if the file is
// truncated.
func Map(file *os.File, size int64) ([]byte, error) {
	return unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
}

// Unmap ends a mapping. Its memory must not be accessed any more.
func Unmap(mapped []byte) { _ = unix.Munmap(mapped) } // fails only for memory that Map did not return

// Release tells the system that a part of a mapping is not needed for now, so that it does not count towards the memory
// of the process.
func Release(mapped []byte, from, to int64) {
	page := int64(os.Getpagesize())
	_ = unix.Madvise(mapped[from/page*page:to], unix.MADV_DONTNEED) // a failure costs memory and nothing else
}

// OpenDirectory opens a directory for SyncDirectory.
func OpenDirectory(path string) (*os.File, error) { return os.Open(path) } //nolint:gosec // the operator names the place

// SyncDirectory waits until the file names in a directory are on disk.
func SyncDirectory(directory *os.File) error { return directory.Sync() }

// Retry calls do, which renames or removes a file. On Unix that works while the file is open.
func Retry(do func() error) error { return do() }

// MaxFiles returns the maximum number of open files of the process.
func MaxFiles() (most uint64, ok bool) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, false
	}
	return uint64(limit.Cur), true //nolint:unconvert // its type differs between systems
}

// ProcessorTime returns the CPU time that the process has used, in user and system mode.
func ProcessorTime() (used time.Duration, ok bool) {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}
