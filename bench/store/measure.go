package main

import (
	"bufio"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// cpuTime returns the processor time that the process has taken so far, in user and system mode.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// anonymousMemory returns the memory of the process that is backed by no file, in bytes; 0 where the system does not
// tell. Mapped files are left out since the system takes that memory back when somebody else needs it.
func anonymousMemory() int64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close() //nolint:errcheck // only read
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "RssAnon:"); ok {
			kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// watchMemory looks at the memory until stop is called, which returns the largest that it saw.
func watchMemory() (stop func() int64) {
	const interval = 20 * time.Millisecond
	done := make(chan struct{})
	peak := anonymousMemory()
	var watcher sync.WaitGroup
	watcher.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				peak = max(peak, anonymousMemory())
			}
		}
	})
	return func() int64 {
		close(done)
		watcher.Wait()
		return max(peak, anonymousMemory())
	}
}

// diskUsage returns the number of bytes in all files of a directory.
func diskUsage(dir string) (int64, error) {
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error { //nolint:gosec // the operator named it
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if os.IsNotExist(err) {
			return nil // the store removed it since
		}
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}

// durations collects how long something took each time.
type durations []time.Duration

// percentile returns the smallest of the durations that p percent of them do not exceed; 0 if there are none.
func (d durations) percentile(p float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(d))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
