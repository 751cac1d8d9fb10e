// Package report presents results of benchmarks: facts about the machine, numbers and pictures.
package report

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Facts describes where and how figures were measured, without which they cannot be compared. The directory is that of
// the data; it may be empty.
func Facts(commandLine []string, dir string) string {
	w := new(strings.Builder)
	fmt.Fprintf(w, "command   %s %s\n", filepath.Base(commandLine[0]), strings.Join(commandLine[1:], " "))
	fmt.Fprintf(w, "date      %s\n", time.Now().UTC().Format(time.RFC3339))
	fmt.Fprintf(w, "machine   %d of %d cores, %s, %s memory, load average %s\n", runtime.GOMAXPROCS(0), runtime.NumCPU(),
		valueIn("/proc/cpuinfo", "model name"), valueIn("/proc/meminfo", "MemTotal"), LoadAverage())
	if dir != "" {
		fmt.Fprintf(w, "directory %s (%s)\n", dir, fileSystem(dir))
	}
	fmt.Fprintf(w, "go        %s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GODEBUG"} {
		if value := os.Getenv(name); value != "" {
			fmt.Fprintf(w, ", %s=%s", name, value)
		}
	}
	fmt.Fprintln(w)
	return w.String()
}

// LoadAverage returns the load averages of the last 1, 5 and 15 minutes.
func LoadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return unknown
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}

const unknown = "unknown"

// valueIn returns the first value with the given name in a file of lines "name : value".
func valueIn(path, name string) string {
	f, err := os.Open(path) //nolint:gosec // one of two paths
	if err != nil {
		return unknown
	}
	defer f.Close() //nolint:errcheck // only read
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return unknown
}

// fileSystem returns the type of the file system of a directory: in memory, syncs cost nothing.
func fileSystem(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return unknown
	}
	mounts, err := os.ReadFile("/proc/mounts")
	if err != nil {
		return unknown
	}
	kind, longest := unknown, ""
	for line := range strings.Lines(string(mounts)) {
		fields := strings.Fields(line)
		if len(fields) < 3 || len(fields[1]) < len(longest) {
			continue
		}
		if below, err := filepath.Rel(fields[1], dir); err == nil && below != ".." && !strings.HasPrefix(below, "../") {
			kind, longest = fields[2], fields[1]
		}
	}
	return kind
}
