package otlpgrpc

import (
	"fmt"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding/gzip"

	"almanac/internal/platform"
)

// BenchmarkExport sends exports over one connection, with client and server in one process. Rows are discarded.
func BenchmarkExport(b *testing.B) {
	ids := make([]string, 500)
	for n := range ids {
		ids[n] = fmt.Sprintf("%08d", n)
	}
	for _, c := range []struct {
		name    string
		spans   int
		options []grpc.CallOption
	}{
		{"1 span", 1, nil},
		{"500 spans", 500, nil},
		{"500 spans in gzip", 500, []grpc.CallOption{grpc.UseCompressor(gzip.Name)}},
	} {
		b.Run(c.name, func(b *testing.B) {
			f := newFixture(b, nil)
			f.table.forget = true
			body, ctx := spans(ids[:c.spans]...), as(b.Context(), basic("pk-write", "secret"))
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			before := processorTime(b)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := f.export(ctx, body, c.options...); err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
		})
	}
}

// processorTime returns the CPU time used by this process.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	used, ok := platform.ProcessorTime()
	if !ok {
		tb.Fatal("the system does not tell how much processor time was used")
	}
	return used
}
