//go:build windows && !portable

package platform

import (
	"errors"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// HasModes reports whether the mode of a file tells who may read it. On Windows access control lists do.
const HasModes = false

// FreeBytes returns the free space of the file system of a path that is available to ordinary users.
func FreeBytes(path string) (uint64, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, &os.PathError{Op: "GetDiskFreeSpaceEx", Path: path, Err: err}
	}
	return free, nil
}

// TryLock locks an open file, exclusively or shared, until it is closed. It reports whether it got the lock. Others
// cannot read the locked range, so it is a byte far beyond the end of the file.
func TryLock(file *os.File, exclusive bool) (bool, error) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

// Map maps a file of the given size, which must not be 0, into read-only memory. The file cannot be removed, truncated
// or replaced until it is unmapped.
func Map(file *os.File, size int64) ([]byte, error) {
	mapping, err := windows.CreateFileMapping(windows.Handle(file.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, os.NewSyscallError("CreateFileMapping", err)
	}
	defer windows.CloseHandle(mapping) //nolint:errcheck // the view keeps it
	address, err := windows.MapViewOfFile(mapping, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, os.NewSyscallError("MapViewOfFile", err)
	}
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), size), nil
}

// Unmap ends a mapping. Its memory must not be accessed any more.
func Unmap(mapped []byte) {
	_ = windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(mapped)))) // fails only for memory that Map did not return
}

// Release does nothing: Windows trims unused memory by itself.
func Release([]byte, int64, int64) {}

// OpenDirectory opens a directory for SyncDirectory.
func OpenDirectory(path string) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const everybody = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	handle, err := windows.CreateFile(name, windows.GENERIC_WRITE, everybody, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return os.Open(path) // perhaps without write permission; SyncDirectory does what it can
	}
	return os.NewFile(uintptr(handle), path), nil
}

// SyncDirectory waits until the file names in a directory are on disk, if the file system supports that. NTFS keeps
// names in a journal and writes them in order, at the latest with the next file that is synced.
func SyncDirectory(directory *os.File) error {
	err := windows.FlushFileBuffers(windows.Handle(directory.Fd()))
	for _, refused := range []error{
		windows.ERROR_ACCESS_DENIED, windows.ERROR_INVALID_FUNCTION, windows.ERROR_INVALID_HANDLE, windows.ERROR_NOT_SUPPORTED,
	} {
		if errors.Is(err, refused) {
			return nil
		}
	}
	return os.NewSyscallError("FlushFileBuffers", err)
}

// Retry calls do, which renames or removes a file, and retries for a while if the file is open elsewhere.
func Retry(do func() error) error { return retry(time.Sleep, do) }

// MaxFiles is unknown here.
func MaxFiles() (most uint64, ok bool) { return 0, false }

// ProcessorTime returns the CPU time that the process has used, in user and system mode.
func ProcessorTime() (used time.Duration, ok bool) {
	var created, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user); err != nil {
		return 0, false
	}
	return ticks(kernel) + ticks(user), true
}

// ticks converts a duration in units of 100 ns.
func ticks(t windows.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
}
