package process

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// PID is a process on this machine. Values that cannot be read, for instance because it has ended, are 0.
type PID int

// CPU returns the CPU time of the process so far, in user and system mode.
func (p PID) CPU() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p))
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, may contain anything.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	ticks := int64(0)
	for _, n := range []int{11, 12} { // user and system time, in hundredths of a second
		if len(fields) > n {
			value, _ := strconv.ParseInt(string(fields[n]), 10, 64)
			ticks += value
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// AnonymousMemory returns the memory that is not backed by a file, in bytes.
func (p PID) AnonymousMemory() int64 { return p.status("RssAnon:") }

// PeakMemory returns the largest resident memory so far, in bytes.
func (p PID) PeakMemory() int64 { return p.status("VmHWM:") }

// status returns a number of bytes from the status file of the process.
func (p PID) status(name string) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// WatchMemory samples the memory until the returned function is called, which returns the peak.
func (p PID) WatchMemory() func() int64 {
	done := make(chan struct{})
	peak := int64(0)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			peak = max(peak, p.AnonymousMemory())
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	var once sync.Once
	return func() int64 {
		once.Do(func() { close(done) })
		work.Wait()
		return peak
	}
}

// Settle waits until the processes are idle, using less than a hundredth of their time for a second, but at most a
// minute.
func Settle(ctx context.Context, processes ...PID) error {
	cpu := func() (sum time.Duration) {
		for _, p := range processes {
			sum += p.CPU()
		}
		return sum
	}
	if len(processes) == 0 {
		return nil
	}
	last := cpu()
	for range 60 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
		now := cpu()
		if now-last <= time.Duration(len(processes))*10*time.Millisecond {
			break
		}
		last = now
	}
	return nil
}

// DiskUsage returns the size of all files in a directory. Files may appear and disappear meanwhile.
func DiskUsage(directory string) int64 {
	sum := int64(0)
	_ = filepath.WalkDir(directory, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil //nolint:nilerr // a file that was just removed
		}
		if info, err := e.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
