package scores

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/platform"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// BenchmarkWrite parses events and writes them durably to the real store, with sixteen concurrent clients, as SDKs do:
// in batches of 15 (Python) and 100 (JavaScript), once alone and once while spans arrive. It reports scores per second
// and, where nothing else runs, the CPU time per score.
func BenchmarkWrite(b *testing.B) {
	for _, size := range []int{15, 100} {
		for _, spans := range []bool{false, true} {
			b.Run(fmt.Sprintf("batch=%d/spans=%v", size, spans), func(b *testing.B) { benchmarkWrite(b, size, spans) })
		}
	}
}

func benchmarkWrite(b *testing.B, size int, spans bool) {
	s, err := segment.Open(b.TempDir(), segment.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	w := NewWriter(Options{Table: store.LockScores(s.Scores(),
		nil), Config: func(context.Context, domain.ProjectScope, string) (domain.ScoreConfig, error) {
		return domain.ScoreConfig{ID: "c", Name: "quality", DataType: domain.ScoreNumeric}, nil
	}})

	ctx, stop := context.WithCancel(b.Context())
	var background sync.WaitGroup
	if spans {
		background.Go(func() { sendSpans(ctx, b, s) })
	}
	var number atomic.Int64
	b.SetParallelism(16)
	b.ResetTimer()
	before := processorTime()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			drafts := make([]Draft, 0, size)
			for range size {
				n := number.Add(1)
				d, err := ReadEvent(decode.NewBody(fmt.Appendf(nil,
					`{"id":"score-%032d","traceId":"%032x","observationId":"%016x","name":"quality",`+
						`"value":0.%d,"dataType":"NUMERIC","configId":"c","comment":"Answers the question.","metadata":{"rater":"judge-%d","attempt":1},"environment":"production"}`,
					n, n/3, n, n%1000, n%7)))
				if err != nil {
					b.Error(err)
				}
				d.At = domain.MicrosOf(time.Now())
				drafts = append(drafts, d)
			}
			if _, err := w.Write(b.Context(), scope, drafts); err != nil {
				b.Error(err)
			}
		}
	})
	b.StopTimer()
	scores := float64(b.N * size)
	if !spans {
		b.ReportMetric(float64((processorTime()-before).Microseconds())/scores, "cpu-µs/score")
	}
	b.ReportMetric(scores/b.Elapsed().Seconds(), "scores/s")
	stop()
	background.Wait()
}

// sendSpans appends about two thousand spans per second until it is stopped.
func sendSpans(ctx context.Context, b *testing.B, s *segment.Store) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for batch := 0; ; batch++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		rows := make([]domain.Observation, 100)
		for n := range rows {
			rows[n] = domain.Observation{
				TraceID: fmt.Sprintf("%032x", batch), ID: fmt.Sprintf("%016x", n), Type: "GENERATION", Name: "answer",
				StartTime: domain.MicrosOf(time.Now()),
				Input:     "What is the capital of France, and how many people live there today?",
				Output:    "Paris. About two million people live in the city itself.",
			}
		}
		if err := s.Observations().Append(b.Context(), scope, rows); err != nil {
			b.Error(err)
			return
		}
	}
}

// processorTime returns the CPU time used by this process.
func processorTime() time.Duration {
	used, _ := platform.ProcessorTime()
	return used
}
