package platform

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// The Unix codes are included because package syscall invents some of them on Windows, and tests use them.
var (
	diskFull = []syscall.Errno{
		windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED, syscall.ENOSPC, syscall.EDQUOT,
	}
	outOfFiles = []syscall.Errno{windows.ERROR_TOO_MANY_OPEN_FILES, windows.ERROR_NO_SYSTEM_RESOURCES, syscall.EMFILE, syscall.ENFILE}
	inUse      = []syscall.Errno{
		windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION, windows.ERROR_ACCESS_DENIED, windows.ERROR_USER_MAPPED_FILE,
		syscall.EBUSY,
	}
	addressInUse = []syscall.Errno{windows.WSAEADDRINUSE, syscall.EADDRINUSE}
)
