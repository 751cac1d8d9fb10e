package meter

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	r := NewRegistry()
	requests := Counters(r, "requests_total", "Requests \\ answered.\nAll of them.", "method", "status")
	requests.With("POST", "200").Add(3)
	requests.With("GET", "404").Inc()
	requests.With("GET", `"odd\
`+"\xff").Inc()
	Counters(r, "bytes_total", "Bytes.")
	Counters(r, "unused_total", "Nothing.", "label")
	Gauges(r, "in_flight", "Requests.").With().Add(-2)
	r.AddGauge("held", "Memory.", func() float64 { return math.Inf(1) })
	seconds := Histograms(r, "seconds", "Time.", []float64{.1, 1, 10}, "stage")
	for _, value := range []float64{.05, .1, .2, 1, 99} {
		seconds.With("work").Observe(value)
	}
	Histograms(r, "sizes", "Sizes.", []float64{1 << 20}).With().Observe(1)
	want := `# HELP bytes_total Bytes.
# TYPE bytes_total counter
bytes_total 0
# HELP held Memory.
# TYPE held gauge
held +Inf
# HELP in_flight Requests.
# TYPE in_flight gauge
in_flight -2
# HELP requests_total Requests \\ answered.\nAll of them.
# TYPE requests_total counter
requests_total{method="GET",status="\"odd\\\n` + "\uFFFD" + `"} 1
requests_total{method="GET",status="404"} 1
requests_total{method="POST",status="200"} 3
# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{stage="work",le="0.1"} 2
seconds_bucket{stage="work",le="1"} 4
seconds_bucket{stage="work",le="10"} 4
seconds_bucket{stage="work",le="+Inf"} 5
seconds_sum{stage="work"} 100.35
seconds_count{stage="work"} 5
# HELP sizes Sizes.
# TYPE sizes histogram
sizes_bucket{le="1.048576e+06"} 1
sizes_bucket{le="+Inf"} 1
sizes_sum 1
sizes_count 1
`
	if diff := cmp.Diff(want, string(r.Text())); diff != "" {
		t.Error(diff)
	}
}

// TestNoRegistry: whoever measures does not ask whether anybody wants to know.
func TestNoRegistry(*testing.T) {
	Counters(nil, "a_total", "A.", "label").With("value").Inc()
	Histograms(nil, "b", "B.", []float64{1}).With().Observe(1)
	(*Registry)(nil).AddGauge("c", "C.", func() float64 { return 1 })
}

// TestLabelValuesComeBack reads what is written with the parser of Prometheus.
func TestLabelValuesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.MapOf(rapid.String(), rapid.IntRange(1, 1<<50)).Draw(t, "counts")
		r := NewRegistry()
		family := Counters(r, "events_total", rapid.String().Draw(t, "help"), "name")
		want := map[string]int{}
		for name, n := range counts {
			family.With(name).Add(n)
			want[strings.ToValidUTF8(name, "\uFFFD")] += n
		}
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(bytes.NewReader(r.Text()))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, metric := range families["events_total"].GetMetric() {
			got[metric.GetLabel()[0].GetValue()] = int(metric.GetCounter().GetValue())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// TestRuntimeAndProcess: every name that dashboards know is there once, of the right type and with a value that can be.
func TestRuntimeAndProcess(t *testing.T) {
	r := NewRegistry()
	AddRuntime(r)
	AddProcess(r)
	runtime.GC()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(r.Text()))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"go_goroutines", "go_threads", "go_sched_gomaxprocs_threads", "go_gc_gogc_percent", "go_gc_gomemlimit_bytes",
		"go_memstats_alloc_bytes", "go_memstats_heap_inuse_bytes", "go_memstats_next_gc_bytes", "go_memstats_last_gc_time_seconds",
		"process_start_time_seconds", "process_resident_memory_bytes", "process_virtual_memory_bytes", "process_open_fds", "process_max_fds",
	} {
		if f := families[name]; len(f.GetMetric()) != 1 || f.GetMetric()[0].GetGauge().GetValue() <= 0 {
			t.Errorf("%s is %v", name, f)
		}
	}
	for _, name := range []string{"go_memstats_alloc_bytes_total", "go_memstats_mallocs_total", "process_cpu_seconds_total"} {
		if f := families[name]; len(f.GetMetric()) != 1 || f.GetMetric()[0].GetCounter().GetValue() <= 0 {
			t.Errorf("%s is %v", name, f)
		}
	}
	if pauses := families["go_gc_duration_seconds"].GetMetric()[0].GetSummary(); pauses.GetSampleCount() == 0 || len(pauses.GetQuantile()) != 5 {
		t.Errorf("pauses are %v", pauses)
	}
	if version := families["go_info"].GetMetric()[0].GetLabel()[0].GetValue(); version != runtime.Version() {
		t.Errorf("version %s", version)
	}
	resident, virtual := families["process_resident_memory_bytes"].GetMetric()[0], families["process_virtual_memory_bytes"].GetMetric()[0]
	if resident.GetGauge().GetValue() > virtual.GetGauge().GetValue() {
		t.Errorf("%v bytes are in memory, of %v", resident, virtual)
	}
}

func TestStrangeSystems(t *testing.T) {
	file := filepath.Join(t.TempDir(), "statm")
	for content, want := range map[string]int{"": 0, "x 2": 0, "5": 1, "5 -2": 1, "5 2 1 0": 2} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := residentMemory(file); len(got) != want {
			t.Errorf("%q is read as %v", content, got)
		}
	}
	if got := residentMemory("/nowhere"); got != nil {
		t.Errorf("without the file: %v", got)
	}
	if got := openFiles("/nowhere"); len(got) != 1 {
		t.Errorf("without the directory: %v", got)
	}
}

func TestManyAtOnce(t *testing.T) {
	r := NewRegistry()
	counts := Counters(r, "a_total", "A.", "label")
	times := Histograms(r, "b", "B.", []float64{1}, "label")
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for n := range 1000 {
				label := string(rune('a' + n%10))
				counts.With(label).Inc()
				times.With(label).Observe(float64(n))
				if n%100 == 0 {
					r.Text()
				}
			}
		})
	}
	work.Wait()
	for _, f := range r.Families() {
		total := 0.0
		for _, s := range f.Samples {
			if s.Suffix == "" || s.Suffix == "_count" {
				total += s.Value
			}
		}
		if total != 4000 {
			t.Errorf("%s counts %v", f.Name, total)
		}
	}
}

func BenchmarkObserve(b *testing.B) {
	times := Histograms(NewRegistry(), "a", "A.", []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1}, "method", "route")
	b.ReportAllocs()
	for b.Loop() {
		times.With("GET", "/api/public/traces").Observe(.003)
	}
}
