package llm_test

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/internal/llm"
	"almanac/internal/llm/llmtest"
)

// BenchmarkFirstToken measures the time from when a provider writes a piece of an answer to when the caller has it, on this
// machine: what this program adds to the first token.
func BenchmarkFirstToken(b *testing.B) {
	for _, api := range llmtest.APIs() {
		b.Run(string(api), func(b *testing.B) {
			p, c := llmtest.Start(b, api), newClient(b, func(o *llm.Options) { o.PerMinute = 1e9 })
			var mu sync.Mutex
			var wrote time.Time
			p.Answer(llmtest.Answer{Text: []string{"first"}, Write: func() {
				mu.Lock()
				defer mu.Unlock()
				wrote = time.Now()
			}})
			var took []time.Duration
			for b.Loop() {
				if _, err := c.Stream(b.Context(), p.Connection(), ask(p, "Hi"), func(llm.Event) error {
					mu.Lock()
					defer mu.Unlock()
					took = append(took, time.Since(wrote))
					return nil
				}); err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/first-p50")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/first-p99")
		})
	}
}

// TestFiftyStreams: 50 streams in progress take less than 100 MB, with the memory of the fake provider.
func TestFiftyStreams(t *testing.T) {
	const streams, most = 50, 100 << 20
	p := llmtest.Start(t, llmtest.OpenAI)
	release := make(chan struct{})
	pieces := slices.Repeat([]string{"some words of an answer "}, 200)
	p.Answer(llmtest.Answer{Text: pieces, Wait: release})
	c := newClient(t, func(o *llm.Options) { o.PerConnection, o.Calls = streams, 2*streams })
	before := inUse()
	var all sync.WaitGroup
	began := make(chan struct{}, streams)
	for range streams {
		all.Go(func() {
			first := sync.OnceFunc(func() { began <- struct{}{} })
			result, err := c.Stream(t.Context(), p.Connection(), ask(p, "Hi"), func(llm.Event) error {
				first()
				return nil
			})
			if err != nil || len(result.Text) != 200*len(pieces[0]) {
				t.Errorf("%d bytes, %v", len(result.Text), err)
			}
		})
	}
	for range 2 * streams { // the first piece says who answers
		release <- struct{}{}
	}
	for range streams {
		select {
		case <-began:
		case release <- struct{}{}:
		}
	}
	took := inUse() - before
	t.Logf("%d streams take %d KB", streams, took>>10)
	if took > most {
		t.Errorf("%d streams take %d MB", streams, took>>20)
	}
	close(release)
	all.Wait()
}

// inUse returns the memory of the heap and of stacks.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
