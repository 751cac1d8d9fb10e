// Package platform wraps the system calls that differ between operating systems. Everything else is the same
// everywhere. Systems that are neither Unix nor Windows get what package os offers. The build tag "portable" selects
// that on any system, so that it can be tested.
package platform

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// DiskFull reports whether a write failed because the disk or the user's quota is full.
func DiskFull(err error) bool { return isAny(err, diskFull) }

// OutOfFiles reports whether the process or the machine has reached its limit of open files.
func OutOfFiles(err error) bool { return isAny(err, outOfFiles) }

// InUse reports whether a file could not be removed or replaced because it is open. That happens on Windows and on
// network file systems.
func InUse(err error) bool { return isAny(err, inUse) }

// AddressInUse reports whether another program listens on an address.
func AddressInUse(err error) bool { return isAny(err, addressInUse) }

func isAny(err error, codes []syscall.Errno) bool {
	for _, c := range codes {
		if errors.Is(err, c) {
			return true
		}
	}
	return false
}

// patience is the total time to wait for a file that is in use. Virus scanners and backups open every file for a
// moment.
const patience = time.Second

// retry calls do until it succeeds, fails for another reason than a file in use, or patience runs out.
func retry(sleep func(time.Duration), do func() error) error {
	const pause = 20 * time.Millisecond
	err := do()
	for waited := time.Duration(0); InUse(err) && waited < patience; waited += pause {
		sleep(pause)
		err = do()
	}
	return err
}

// readInstead implements Map for systems without memory mapping.
func readInstead(file *os.File, size int64) ([]byte, error) {
	content := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(file, 0, size), content); err != nil {
		return nil, err
	}
	return content, nil
}
