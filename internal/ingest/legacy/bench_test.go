package legacy

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/store/segment"
)

// BenchmarkIngest stores typical batches, a trace with spans and generations and their updates, and one long event,
// with the real store.
func BenchmarkIngest(b *testing.B) {
	text := strings.Repeat("some words of a conversation, ", 20)
	long := ev(1, "generation-create",
		fmt.Sprintf(`{"id":"o","traceId":"T","input":%q,"usage":{"input":1}}`, strings.Repeat(text, 4<<20/len(text))))
	for name, batch := range map[string]func(n int) []Event{
		"usual": func(n int) []Event {
			events := []Event{
				ev(1, "trace-create", fmt.Sprintf(`{"id":"T%d","name":"n","userId":"u","sessionId":"s","input":%q}`, n, text)),
			}
			for k := range 7 {
				id := fmt.Sprintf("%d-%d", n, k)
				events = append(events,
					ev(1, "generation-create",
						fmt.Sprintf(`{"id":%q,"traceId":"T%d","name":"g","model":"gpt-4o","input":%q,"metadata":{"a":{"b":1}}}`,
							id, n, text)),
					ev(2, "generation-update",
						fmt.Sprintf(`{"id":%q,"output":%q,"usage":{"input":100,"output":50},"endTime":"2026-03-01T12:00:05Z"}`, id, text)))
			}
			return events
		},
		"long": func(int) []Event { return []Event{long} },
	} {
		b.Run(name, func(b *testing.B) {
			s, err := segment.Open(b.TempDir(), segment.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			bench := newBench(b)
			bench.in.Table = s.Observations()
			events, bytes := 0, 0
			for n := 0; b.Loop(); n++ {
				list := batch(n)
				bench.send(list...)
				events += len(list)
				for _, e := range list {
					bytes += len(e.Body)
				}
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			b.SetBytes(int64(bytes / b.N))
		})
	}
}
