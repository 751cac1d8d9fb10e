package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is the process an engine runs in, by its id; 0 is this program.
type process int

const thisProcess process = 0

// cpuTime returns the CPU time that the process has used so far, in user and system mode.
func (p process) cpuTime() time.Duration {
	if p == thisProcess {
		var usage syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
			return 0
		}
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	text, err := os.ReadFile(p.file("stat"))
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, may contain anything.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	const tick = 10 * time.Millisecond // as every Linux reports it to programs
	return time.Duration(user+system) * tick
}

// anonymousMemory returns the memory of the process that is not backed by a file, in bytes; 0 where it is unknown.
// Mapped files are left out, since the system reclaims that memory when it is needed elsewhere.
func (p process) anonymousMemory() int64 {
	f, err := os.Open(p.file("status"))
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

// file returns the path of a file of the process in /proc.
func (p process) file(name string) string {
	if p == thisProcess {
		return "/proc/self/" + name
	}
	return fmt.Sprintf("/proc/%d/%s", p, name)
}

// watchMemory samples the memory until stop is called, which returns the peak.
func (p process) watchMemory() (stop func() int64) {
	const interval = 20 * time.Millisecond
	done := make(chan struct{})
	peak := p.anonymousMemory()
	var watcher sync.WaitGroup
	watcher.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				peak = max(peak, p.anonymousMemory())
			}
		}
	})
	return func() int64 {
		close(done)
		watcher.Wait()
		return max(peak, p.anonymousMemory())
	}
}

// inProcess is embedded by engines that run in this program, on their own files.
type inProcess struct{ dir string }

func (inProcess) process() process { return thisProcess }

func (i inProcess) disk(ctx context.Context) (int64, error) { return settledUsage(ctx, i.dir) }
