package inherit

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// cpu returns the time that the processors have worked for this process.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// export returns the spans of 50 traces of ten spans, the root of which comes last.
func export(first int, user func(root bool) string) []row {
	text := strings.Repeat("what shall we do with the drunken sailor ", 25)
	rows := make([]row, 0, 500)
	for n := range 500 {
		root := n%10 == 9
		o := row{
			TraceID: fmt.Sprintf("%016d", (first+n)/10), ID: fmt.Sprintf("%08d", first+n), ParentID: fmt.Sprintf("%08d", (first+n)/10*10+9),
			StartTime: domain.Micros(1_767_225_600_000_000 + (first+n)*1000), Type: "SPAN", Name: "step", Input: text, Output: text,
			UserID: user(root), SessionID: user(root), Version: "1",
		}
		if root {
			o.ParentID = ""
		}
		rows = append(rows, o)
	}
	return rows
}

func onRoot(root bool) string {
	if root {
		return "user-1"
	}
	return ""
}

// withoutRoots takes the roots out of an export.
func withoutRoots(rows []row) (children, roots []row) {
	for _, o := range rows {
		if o.ParentID == "" {
			roots = append(roots, o)
		} else {
			children = append(children, o)
		}
	}
	return children, roots
}

// BenchmarkArrivals stores exports and completes their traces, as a server does with five exports a second. The baseline
// is storing them alone.
func BenchmarkArrivals(b *testing.B) {
	const every = 5
	for _, c := range []struct {
		name  string
		user  func(root bool) string
		split bool // roots come in the next export
		work  bool
	}{
		{"on every span, storing alone", func(bool) string { return "user-1" }, false, false},
		{"on every span", func(bool) string { return "user-1" }, false, true},
		{"on the root, storing alone", onRoot, false, false},
		{"on the root", onRoot, false, true},
		{"on the root in a later export, storing alone", onRoot, true, false},
		{"on the root in a later export", onRoot, true, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, err := segment.Open(b.TempDir(), segment.Options{MinFreeDisk: 1})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			job := New(nil, s, quiet())
			scope := domain.OfProject("p")
			var late []row
			spans, used, completing := 0, time.Duration(0), time.Duration(0)
			for n := 0; b.Loop(); n++ {
				rows := export(500*n, c.user)
				if c.split {
					before := late
					rows, late = withoutRoots(rows)
					rows = append(rows, before...)
				}
				spans += len(rows)
				before := cpu(b)
				if c.work {
					domain.HandDown(rows)
				}
				completing += cpu(b) - before
				if err := s.Observations().Append(b.Context(), scope, rows); err != nil {
					b.Fatal(err)
				}
				stored := cpu(b)
				if c.work && n%every == every-1 {
					if err := job.Step(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
				completing += cpu(b) - stored
				used += cpu(b) - before
			}
			b.ReportMetric(float64(used.Nanoseconds())/float64(spans), "cpu-ns/span")
			b.ReportMetric(float64(completing.Nanoseconds())/float64(spans), "completing-ns/span")
		})
	}
}

// BenchmarkJoining measures what a read would cost at least that finds out the user of each trace: one pass over a project
// that groups its rows by trace, compared with counting the rows of a user.
func BenchmarkJoining(b *testing.B) {
	s, err := segment.Open(b.TempDir(), segment.Options{MinFreeDisk: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	const rows = 200_000
	for n := range rows / 500 {
		some := export(500*n, onRoot)
		for at := range some {
			some[at].Input, some[at].Output = "", ""
		}
		if err := s.Observations().Append(b.Context(), scope, some); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	ofUser := filter.Must(filter.NewText(filter.ObservationColumn("userId"), filter.Equal, "user-1"))
	run := func(name string, read func() error) {
		b.Run(name, func(b *testing.B) {
			used := cpu(b)
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cpu(b)-used).Microseconds())/float64(b.N)/1000, "cpu-ms/read")
		})
	}
	run("count of a user", func() error {
		_, err := s.Observations().Aggregate(b.Context(), scope, store.AggregateQuery[row]{
			Where: []filter.Condition[row]{ofUser}, Measures: []store.Measure[row]{{Function: store.Count}},
		})
		return err
	})
	run("groups by trace", func() error {
		_, err := s.Observations().Aggregate(b.Context(), scope, store.AggregateQuery[row]{
			GroupBy:  []*filter.Column[row]{filter.ObservationColumn("traceId")},
			Measures: []store.Measure[row]{{Function: store.Count}},
		})
		return err
	})
}
