//go:build portable || (!unix && !windows)

package platform

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"
)

// HasModes reports whether the mode of a file tells who may read it.
const HasModes = false

// FreeBytes returns the free space of the file system of a path. It is unknown here, so there is always enough until a
// write fails.
func FreeBytes(path string) (uint64, error) {
	_, err := os.Stat(path)
	return math.MaxInt64, err
}

// TryLock always fails: two servers on one directory would destroy it.
func TryLock(file *os.File, _ bool) (bool, error) {
	return false, fmt.Errorf("%s cannot be locked: %w", file.Name(), errors.ErrUnsupported)
}

// Map returns the content of a file of the given size.
func Map(file *os.File, size int64) ([]byte, error) { return readInstead(file, size) }

// Unmap leaves the memory to the garbage collector.
func Unmap([]byte) {}

// Release does nothing: the memory stays in use until the garbage collector frees it.
func Release([]byte, int64, int64) {}

// OpenDirectory opens a directory for SyncDirectory.
func OpenDirectory(path string) (*os.File, error) { return os.Open(path) } //nolint:gosec // the operator names the place

// SyncDirectory does what package os can do.
func SyncDirectory(directory *os.File) error {
	_ = directory.Sync() // most of these systems cannot sync a directory
	return nil
}

// Retry calls do, which renames or removes a file, and retries for a while if the file is open elsewhere.
func Retry(do func() error) error { return retry(time.Sleep, do) }

// MaxFiles is unknown here.
func MaxFiles() (most uint64, ok bool) { return 0, false }

// ProcessorTime is unknown here.
func ProcessorTime() (used time.Duration, ok bool) { return 0, false }
