package export

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store/segment"
)

// BenchmarkExport writes the observations and the traces of the same rows, 20 traces of 5 to 10 observations at a time.
func BenchmarkExport(b *testing.B) {
	const traces, atATime = 20_000, 20
	w := newWorld(b)
	s, err := segment.Open(b.TempDir(), segment.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the model said that it can not answer because a tool did return an error and the user should try again later")
	text := func() string {
		var some strings.Builder
		for some.Len() < 1000 {
			some.WriteString(words[random.IntN(len(words))] + " ")
		}
		return some.String()
	}
	at, rows := domain.Micros(1_800_000_000_000_000), 0
	for first := 0; first < traces; first += atATime {
		var batch []domain.Observation
		for n := range 10 {
			for trace := first; trace < first+atATime; trace++ {
				if n >= 5+trace%6 {
					continue
				}
				o := domain.Observation{
					TraceID: fmt.Sprintf("%016x%016x", uint64(trace)*0x9e3779b97f4a7c15, trace), ID: fmt.Sprintf("%016x", rows),
					StartTime: at, EndTime: at + 900_000, Type: "GENERATION",
					Name: "answer", Model: "gpt-4o", Input: text(), Output: "done", Metadata: `{"tenant":"t1","attempt":1}`,
					UserID:    fmt.Sprint("user-", trace%1000),
					TraceName: "chat", Tags: []string{"prod"}, InputTokens: 120, OutputTokens: 30, TotalCost: domain.FloatOf(0.00125),
				}
				if n > 0 {
					o.ParentID = fmt.Sprintf("%016x", rows-atATime)
				}
				batch = append(batch, o)
				at, rows = at+1000, rows+1
			}
		}
		if err := s.Observations().Append(b.Context(), w.scope, batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	for table, want := range map[string]int{Observations: rows, Traces: traces} {
		b.Run(table, func(b *testing.B) {
			written := int64(0)
			for b.Loop() {
				opened, err := (&Reader{Catalog: w.catalog, Store: s, Scope: w.scope}).Open(b.Context(),
					&Request{Table: table, Format: JSONL})
				if err != nil {
					b.Fatal(err)
				}
				file, err := NewWriter(JSONL, io.Discard, opened.Columns, Batch)
				if err != nil {
					b.Fatal(err)
				}
				if err := opened.Write(b.Context(), file, func(rows int64) { written = rows }); err != nil || written != int64(want) {
					b.Fatalf("%d rows of %d: %v", written, want, err)
				}
			}
			b.ReportMetric(float64(written)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "observations/s")
		})
	}
}
