package inflate

import (
	"bytes"
	stdgzip "compress/gzip"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/VictoriaMetrics/easyproto"
	"github.com/klauspost/compress/gzip"

	"almanac/bench/corpus"
	"almanac/internal/domain"
)

// usualBody returns an export of spans as a compressor sees it: repeating keys, ids, and texts of 2 KB.
func usualBody(mode corpus.Mode, spans int) []byte {
	rows := make([]domain.Observation, spans)
	corpus.New(corpus.Options{Rows: spans, Mode: mode, TextBytes: spans << 13}).Fill(rows)
	var m easyproto.Marshaler
	list := m.MessageMarshaler()
	for i := range rows {
		row, span := &rows[i], list.AppendMessage(2)
		span.AppendBytes(1, []byte(row.TraceID))
		span.AppendBytes(2, []byte(row.ID))
		span.AppendString(5, row.Name)
		span.AppendFixed64(7, uint64(row.StartTime)*1000)
		span.AppendFixed64(8, uint64(row.EndTime)*1000)
		for _, a := range [][2]string{
			{"langfuse.observation.type", row.Type},
			{"langfuse.observation.input", row.Input},
			{"langfuse.observation.output", row.Output},
			{"langfuse.observation.model.name", row.Model},
			{"langfuse.observation.model.parameters", row.ModelParameters},
			{"langfuse.observation.usage_details", row.Usage},
			{"langfuse.observation.metadata", row.Metadata},
			{"langfuse.user.id", row.UserID},
			{"langfuse.session.id", row.SessionID},
			{"langfuse.environment", row.Environment},
			{"langfuse.trace.name", row.TraceName},
		} {
			attribute := span.AppendMessage(9)
			attribute.AppendString(1, a[0])
			attribute.AppendMessage(2).AppendString(1, a[1])
		}
	}
	return m.Marshal(nil)
}

// BenchmarkGzip compares the speed of decompressing typical bodies with two other implementations. All three take
// turns, since the load of a machine changes from second to second: reported are the fastest turn of each, which was
// disturbed the least, and the median of how many times as long the others took in the same turn.
func BenchmarkGzip(b *testing.B) {
	for _, mode := range []corpus.Mode{corpus.Text, corpus.Conversations} {
		text := usualBody(mode, 500)
		for _, level := range []int{1, 6, 9} {
			packed := gzipFormat.pack(b, text, level)
			b.Run(fmt.Sprintf("%v/level %d", mode, level), func(b *testing.B) {
				buffer := make([]byte, 0, len(text)+1)
				var decoder Decoder
				var theirs gzip.Reader
				var standard stdgzip.Reader
				ways := []struct {
					name   string
					unpack func() ([]byte, error)
					took   []time.Duration
				}{
					{name: "ours", unpack: func() ([]byte, error) { return decoder.Gzip(b.Context(), buffer, packed, nil) }},
					{name: "klauspost", unpack: func() ([]byte, error) {
						return readInto(buffer, &theirs, theirs.Reset(bytes.NewReader(packed)))
					}},
					{name: "standard", unpack: func() ([]byte, error) {
						return readInto(buffer, &standard, standard.Reset(bytes.NewReader(packed)))
					}},
				}
				for b.Loop() {
					for i := range ways {
						began := time.Now()
						got, err := ways[i].unpack()
						ways[i].took = append(ways[i].took, time.Since(began))
						if err != nil || len(got) != len(text) {
							b.Fatalf("%s: %d bytes instead of %d, error %v", ways[i].name, len(got), len(text), err)
						}
					}
				}
				for _, way := range ways {
					b.ReportMetric(float64(len(text))/1e6/slices.Min(way.took).Seconds(), way.name+"-MB/s")
				}
				for _, way := range ways[1:] {
					times := make([]float64, len(way.took))
					for i := range times {
						times[i] = float64(way.took[i]) / float64(ways[0].took[i])
					}
					slices.Sort(times)
					b.ReportMetric(times[len(times)/2], "x-"+way.name)
				}
				b.ReportMetric(float64(len(text))/float64(len(packed)), "packing")
				b.ReportMetric(0, "ns/op") // for all three together, which is meaningless
			})
		}
	}
}

// readInto reads until EOF into a buffer that is large enough.
func readInto(buffer []byte, r io.Reader, err error) ([]byte, error) {
	for err == nil {
		var n int
		n, err = r.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
	}
	if err == io.EOF {
		err = nil
	}
	return buffer, err
}
