package meter

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// AddRuntime adds what Go's runtime measures of itself, under the names that dashboards for Go programs know.
func AddRuntime(r *Registry) {
	Gauges(r, "go_info", "1, with the version of Go as a label.", "version").With(runtime.Version()).Add(1)
	r.AddSource(func() []Family { return append(append(heap(), scheduler()...), pauses()) })
}

// heap returns the measurements of memory.
func heap() []Family {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	gauge := func(name, help string, bytes uint64) Family {
		return single("go_memstats_"+name, help, Gauge, float64(bytes))
	}
	counter := func(name, help string, n uint64) Family {
		return single("go_memstats_"+name, help, Counter, float64(n))
	}
	return []Family{
		gauge("alloc_bytes", "Bytes of objects on the heap.", m.Alloc),
		counter("alloc_bytes_total", "Bytes of all objects that were ever on the heap.", m.TotalAlloc),
		gauge("sys_bytes", "Bytes obtained from the system.", m.Sys),
		counter("mallocs_total", "Objects that were put on the heap.", m.Mallocs),
		counter("frees_total", "Objects that were removed from the heap.", m.Frees),
		gauge("heap_alloc_bytes", "Bytes of objects on the heap.", m.HeapAlloc),
		gauge("heap_sys_bytes", "Bytes obtained from the system for the heap.", m.HeapSys),
		gauge("heap_idle_bytes", "Bytes of the heap without objects.", m.HeapIdle),
		gauge("heap_inuse_bytes", "Bytes of the heap in spans that have objects.", m.HeapInuse),
		gauge("heap_released_bytes", "Bytes of the heap that were given back to the system.", m.HeapReleased),
		gauge("heap_objects", "Objects on the heap.", m.HeapObjects),
		gauge("stack_inuse_bytes", "Bytes of stacks.", m.StackInuse),
		gauge("stack_sys_bytes", "Bytes obtained from the system for stacks.", m.StackSys),
		gauge("mspan_inuse_bytes", "Bytes of descriptions of spans in use.", m.MSpanInuse),
		gauge("mspan_sys_bytes", "Bytes obtained from the system for descriptions of spans.", m.MSpanSys),
		gauge("mcache_inuse_bytes", "Bytes of caches of processors in use.", m.MCacheInuse),
		gauge("mcache_sys_bytes", "Bytes obtained from the system for caches of processors.", m.MCacheSys),
		gauge("buck_hash_sys_bytes", "Bytes of the tables of the profiler.", m.BuckHashSys),
		gauge("gc_sys_bytes", "Bytes of the garbage collector's own data.", m.GCSys),
		gauge("other_sys_bytes", "Bytes of everything else that was obtained from the system.", m.OtherSys),
		gauge("next_gc_bytes", "Bytes on the heap at which the next collection begins.", m.NextGC),
		single("go_memstats_last_gc_time_seconds", "When the last collection ended, in seconds since 1970.", Gauge, float64(m.LastGC)/float64(time.Second)),
	}
}

// scheduler returns how much is run at once, and how the garbage collector is set up.
func scheduler() []Family {
	settings := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(settings)
	number := func(s metrics.Sample) float64 {
		if s.Value.Kind() != metrics.KindUint64 {
			return math.NaN() // a runtime that does not know it
		}
		return float64(s.Value.Uint64())
	}
	threads, _ := runtime.ThreadCreateProfile(nil)
	return []Family{
		single("go_goroutines", "Goroutines that exist.", Gauge, float64(runtime.NumGoroutine())),
		single("go_threads", "Threads of the system that were created.", Gauge, float64(threads)),
		single("go_sched_gomaxprocs_threads", "Threads that run Go code at once: GOMAXPROCS.", Gauge, float64(runtime.GOMAXPROCS(0))),
		single("go_gc_gogc_percent", "How much the heap may grow before it is collected: GOGC.", Gauge, number(settings[0])),
		single("go_gc_gomemlimit_bytes", "The limit of memory that the garbage collector keeps: GOMEMLIMIT.", Gauge, number(settings[1])),
	}
}

// pauses returns how long the last collections stopped the program.
func pauses() Family {
	quantiles := []string{"0", "0.25", "0.5", "0.75", "1"}
	stats := debug.GCStats{PauseQuantiles: make([]time.Duration, len(quantiles))}
	debug.ReadGCStats(&stats)
	f := Family{Name: "go_gc_duration_seconds", Help: "Pauses of the program for garbage collection.", Kind: Summary}
	for n, quantile := range quantiles {
		f.Samples = append(f.Samples, Sample{Labels: `quantile="` + quantile + `"`, Value: stats.PauseQuantiles[n].Seconds()})
	}
	f.Samples = append(f.Samples, Sample{Suffix: "_sum", Value: stats.PauseTotal.Seconds()}, Sample{Suffix: "_count", Value: float64(stats.NumGC)})
	return f
}
