//go:build windows && !portable

package platform

import (
	"errors"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// HasModes reports whether the mode of a file tells who may read it. Here access lists do.
const HasModes = false

// FreeBytes returns how much room the file system of a path has for an ordinary user.
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

// TryLock locks an open file for this process alone, or together with others that share it, until it is closed. It reports whether
// nobody else holds a lock that is in the way. What is locked cannot be read by others, so it is a byte far behind the end.
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

// Map maps a file of that size, which is not 0, into memory that can be read. The file cannot be removed, cut short or replaced until it
// is unmapped.
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

// Unmap ends a mapping. Nobody may look at its memory any more.
func Unmap(mapped []byte) {
	_ = windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(mapped)))) // it fails for what Map did not return
}

// Release tells the system that a part of a mapping is not needed for now. Windows finds out by itself.
func Release([]byte, int64, int64) {}

// OpenDirectory opens a directory for SyncDirectory.
func OpenDirectory(path string) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const everybody = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	handle, err := windows.CreateFile(name, windows.GENERIC_WRITE, everybody, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return os.Open(path) // somebody else's directory, perhaps; SyncDirectory does what it can
	}
	return os.NewFile(uintptr(handle), path), nil
}

// SyncDirectory waits until the names in a directory are on disk, if the file system can be asked for that. NTFS keeps names in a journal
// and brings them to disk in their order, at the latest with the next file that is synced.
func SyncDirectory(directory *os.File) error {
	err := windows.FlushFileBuffers(windows.Handle(directory.Fd()))
	for _, refused := range []error{windows.ERROR_ACCESS_DENIED, windows.ERROR_INVALID_FUNCTION, windows.ERROR_INVALID_HANDLE, windows.ERROR_NOT_SUPPORTED} {
		if errors.Is(err, refused) {
			return nil
		}
	}
	return os.NewSyscallError("FlushFileBuffers", err)
}

// Retry does something to the name of a file, and waits a while for whoever has it open.
func Retry(do func() error) error { return retry(time.Sleep, do) }

// ProcessorTime returns how much processor time the process has used, in the program and for it in the system.
func ProcessorTime() (used time.Duration, ok bool) {
	var created, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user); err != nil {
		return 0, false
	}
	return ticks(kernel) + ticks(user), true
}

// ticks reads a duration in units of 100 ns.
func ticks(t windows.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
}
