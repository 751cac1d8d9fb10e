// Package memory determines how much memory the program may use, keeps Go's garbage collector within it, and bounds the
// memory held by requests.
package memory

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// Limit returns how many bytes the program may use: the configured limit, else the limit of its container, else 0 for
// no limit.
func Limit(configured int64) int64 {
	if configured > 0 {
		return configured
	}
	return containerLimit("/proc/self/cgroup", "/sys/fs/cgroup")
}

// softShare is the share of the budget that Go's heap may take before the garbage collector works harder; the rest is
// for stacks, mapped files that count towards the limit, and bursts.
const softShare = 0.85

// Apply makes the garbage collector respect the budget. A budget of 0 changes nothing.
func Apply(budget int64) {
	if budget > 0 {
		debug.SetMemoryLimit(softLimit(budget, programSize()))
	}
}

// softLimit returns the limit for Go's heap. The executable is mapped and counts as far as it is touched: in a small
// budget it takes more than the share left for it.
func softLimit(budget, program int64) int64 {
	share := int64(softShare * float64(budget))
	return max(min(share, budget-budget/10-program), budget/2)
}

// programSize returns the size of the executable, 0 if unknown.
func programSize() int64 {
	path, err := os.Executable()
	if err != nil {
		return 0
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// containerLimit returns the smallest memory limit of the process's control groups, version 2 or 1; 0 if there is none.
func containerLimit(membership, root string) int64 {
	content, err := os.ReadFile(membership) //nolint:gosec // given by Budget and tests
	if err != nil {
		return 0
	}
	least := int64(math.MaxInt64)
	for line := range strings.Lines(string(content)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		base, file := root, "memory.max"
		if fields[0] != "0" {
			if !strings.Contains(","+fields[1]+",", ",memory,") {
				continue
			}
			base, file = filepath.Join(root, "memory"), "memory.limit_in_bytes"
		}
		// A limit can be set on any group above ours. Inside a container the path may not exist: then the root is our group.
		for path := fields[2]; ; path = filepath.Dir(path) {
			least = min(least, readLimit(filepath.Join(base, path, file)))
			if path == "/" || path == "." {
				break
			}
		}
	}
	// Version 1 represents "no limit" by a number larger than the memory of any machine.
	if least >= 1<<60 {
		return 0
	}
	return least
}

func readLimit(path string) int64 {
	content, err := os.ReadFile(path) //nolint:gosec // a file of the kernel
	if err != nil {
		return math.MaxInt64
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(content)), 10, 64)
	if err != nil { // "max"
		return math.MaxInt64
	}
	return limit
}
