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

// FreeBytes returns how much room the file system of a path has. Nobody can say, so that there is always enough until a write fails.
func FreeBytes(path string) (uint64, error) {
	_, err := os.Stat(path)
	return math.MaxInt64, err
}

// TryLock locks nothing, and says so: two servers on one directory would destroy it.
func TryLock(file *os.File, _ bool) (bool, error) {
	return false, fmt.Errorf("%s cannot be locked: %w", file.Name(), errors.ErrUnsupported)
}

// Map returns what a file of that size holds.
func Map(file *os.File, size int64) ([]byte, error) { return readInstead(file, size) }

// Unmap leaves the memory to the collector.
func Unmap([]byte) {}

// Release does nothing: the memory is in use as long as the file.
func Release([]byte, int64, int64) {}

// OpenDirectory opens a directory for SyncDirectory.
func OpenDirectory(path string) (*os.File, error) { return os.Open(path) } //nolint:gosec // the operator names the place

// SyncDirectory does what package os can do.
func SyncDirectory(directory *os.File) error {
	_ = directory.Sync() // most systems that come here refuse to sync a directory
	return nil
}

// Retry does something to the name of a file, and waits a while for whoever has it open.
func Retry(do func() error) error { return retry(time.Sleep, do) }

// ProcessorTime is not known.
func ProcessorTime() (used time.Duration, ok bool) { return 0, false }
