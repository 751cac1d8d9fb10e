// Package platform is what differs between operating systems: the system calls that the program makes itself. Everything else of it is
// the same everywhere. Systems that are neither a Unix nor Windows get what package os offers; the build tag "portable" gives that to any
// system, so that it is tested where the tests run.
package platform

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// DiskFull reports whether a write failed because the disk, or the user's share of it, is full.
func DiskFull(err error) bool { return isAny(err, diskFull) }

// OutOfFiles reports whether the process or the machine has as many files open as it may.
func OutOfFiles(err error) bool { return isAny(err, outOfFiles) }

// InUse reports whether a file could not be removed, or another put in its place, because somebody has it open. That happens on Windows, and
// on network file systems.
func InUse(err error) bool { return isAny(err, inUse) }

// AddressInUse reports whether another program listens on an address.
func AddressInUse(err error) bool { return isAny(err, addressInUse) }

// ConnectionRefused reports whether nobody listens on an address.
func ConnectionRefused(err error) bool { return isAny(err, connectionRefused) }

func isAny(err error, codes []syscall.Errno) bool {
	for _, c := range codes {
		if errors.Is(err, c) {
			return true
		}
	}
	return false
}

// patience is how long a file that is in use is waited for, in all. Virus scanners and backups open every file for a moment.
const patience = time.Second

// retry calls a function until it succeeds, fails for another reason than that a file is in use, or patience runs out.
func retry(sleep func(time.Duration), do func() error) error {
	const pause = 20 * time.Millisecond
	err := do()
	for waited := time.Duration(0); InUse(err) && waited < patience; waited += pause {
		sleep(pause)
		err = do()
	}
	return err
}

// readInstead is Map for systems without mapped memory.
func readInstead(file *os.File, size int64) ([]byte, error) {
	content := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(file, 0, size), content); err != nil {
		return nil, err
	}
	return content, nil
}
