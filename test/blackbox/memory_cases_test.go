package blackbox

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

// everyMemoryCase is for changes to what requests hold: the cases move gigabytes and take minutes.
var everyMemoryCase = flag.Bool("every-memory-case", false, "run all cases of TestMemoryCases, not only the first")

// TestMemoryCases reads ten rows of 10 MB from servers with various limits.
func TestMemoryCases(t *testing.T) {
	const lists, traces = "/api/public/v2/observations?fields=core,basic,io", "/api/public/traces?limit=50"
	cases := []struct {
		path    string
		limit   int64
		clients int
	}{
		{lists, memoryLimit, 120},
		{lists, 400 << 20, 20},
		{lists, 1 << 30, 60},
		{traces, 400 << 20, 20},
	}
	if !*everyMemoryCase {
		cases = cases[:1]
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%d clients with %d MB, %s", c.clients, c.limit>>20, c.path), func(t *testing.T) {
			s := startLimited(t, c.limit)
			sendHeavyRows(t, s, 10)
			stop, asked := make(chan struct{}), make(chan int)
			go func() { asked <- keepAsking(t, s, stop) }()
			var wg sync.WaitGroup
			var answered, later, cut atomic.Int64
			for range c.clients {
				wg.Go(func() {
					answer, err := heavyRequest{http.MethodGet, c.path, ""}.do(t.Context(), s)
					if err != nil {
						t.Errorf("no answer: %v", err)
						return
					}
					defer answer.Body.Close()
					switch {
					case answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != "":
						later.Add(1)
					case answer.StatusCode != http.StatusOK:
						t.Errorf("status %d", answer.StatusCode)
					default:
						if _, err := io.Copy(io.Discard, answer.Body); err != nil {
							cut.Add(1)
							t.Errorf("cut off: %v", err)
						}
						answered.Add(1)
					}
				})
			}
			wg.Wait()
			close(stop)
			small, peak := <-asked, peakMemory(t, s)
			t.Logf("%d answers, %d asked to come back, %d cut; %d small requests; peak %d MB", answered.Load(), later.Load(), cut.Load(),
				small, peak>>20)
			if answered.Load() == 0 || small == 0 || peak > c.limit {
				t.Errorf("%d answers, %d small ones, %d MB in use", answered.Load(), small, peak>>20)
			}
		})
	}
}
