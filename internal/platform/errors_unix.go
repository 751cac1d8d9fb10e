//go:build !windows

package platform

import "syscall"

var (
	diskFull     = []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT}
	outOfFiles   = []syscall.Errno{syscall.EMFILE, syscall.ENFILE}
	inUse        = []syscall.Errno{syscall.EBUSY, syscall.ETXTBSY}
	addressInUse = []syscall.Errno{syscall.EADDRINUSE}
)
