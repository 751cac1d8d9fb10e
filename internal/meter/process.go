package meter

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"almanac/internal/platform"
)

// AddProcess adds what the system knows of the process, under the names that all programs use. What the system does not
// tell is left out.
func AddProcess(r *Registry) {
	started := float64(time.Now().UnixMilli()) / 1e3
	r.AddSource(func() []Family {
		families := []Family{single("process_start_time_seconds", "When the process started, in seconds since 1970.", Gauge, started)}
		families = append(families, processorTime()...)
		families = append(families, residentMemory("/proc/self/statm")...)
		return append(families, openFiles("/proc/self/fd")...)
	})
}

func processorTime() []Family {
	used, ok := platform.ProcessorTime()
	if !ok {
		return nil
	}
	return []Family{single("process_cpu_seconds_total", "Processor time used, in the program and for it in the system.", Counter, used.Seconds())}
}

// residentMemory reads how many pages the process has, altogether and in memory.
func residentMemory(file string) []Family {
	content, err := os.ReadFile(file) //nolint:gosec // a file of the kernel
	if err != nil {
		return nil
	}
	var families []Family
	fields := bytes.Fields(content)
	for n, f := range []Family{
		single("process_virtual_memory_bytes", "Address space of the process.", Gauge, 0),
		single("process_resident_memory_bytes", "Memory of the process.", Gauge, 0),
	} {
		if n >= len(fields) {
			break
		}
		pages, err := strconv.ParseUint(string(fields[n]), 10, 64)
		if err != nil {
			break
		}
		f.Samples[0].Value = float64(pages) * float64(os.Getpagesize())
		families = append(families, f)
	}
	return families
}

// openFiles counts the descriptors of the process, and reads how many it may have.
func openFiles(directory string) []Family {
	var families []Family
	if entries, err := os.ReadDir(directory); err == nil {
		open := max(0, len(entries)-1) // one is for reading the directory
		families = append(families, single("process_open_fds", "Open files and connections.", Gauge, float64(open)))
	}
	if most, ok := platform.MostFiles(); ok {
		families = append(families, single("process_max_fds", "How many files and connections may be open.", Gauge, float64(most)))
	}
	return families
}
