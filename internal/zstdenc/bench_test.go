package zstdenc

import (
	"slices"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"almanac/bench/corpus"
	"almanac/internal/domain"
)

// pages are a column of rows as a store compresses it, some 160 KB at a time.
func pages(mode corpus.Mode, text func(*domain.Observation) string) (all [][]byte) {
	rows := make([]domain.Observation, 8000)
	corpus.New(corpus.Options{Rows: len(rows), Mode: mode, TextBytes: 16 << 20}).Fill(rows)
	var page []byte
	for i := range rows {
		if page = append(page, text(&rows[i])...); len(page) > 160<<10 {
			all, page = append(all, page), nil
		}
	}
	return all[:min(len(all), 16)]
}

// BenchmarkAppend prints how fast pages are compressed, and to which part of their size, beside the fastest level of the library
// that reads them. Both take turns, since what else a machine does changes from second to second: printed are the fastest turn of
// each, which was disturbed the least, and the median of how many times as long the library took in the same turn.
func BenchmarkAppend(b *testing.B) {
	for _, c := range []struct {
		name string
		mode corpus.Mode
		text func(*domain.Observation) string
	}{
		{"prose", corpus.Text, func(o *domain.Observation) string { return o.Output }},
		{"metadata", corpus.Text, func(o *domain.Observation) string { return o.Metadata }},
		{"conversations", corpus.Conversations, func(o *domain.Observation) string { return o.Input }},
	} {
		b.Run(c.name, func(b *testing.B) {
			texts := pages(c.mode, c.text)
			library, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false),
				zstd.WithAllLitEntropyCompression(true))
			if err != nil {
				b.Fatal(err)
			}
			e := NewEncoder()
			ways := []struct {
				name string
				pack func(dst, src []byte) []byte
				took []time.Duration
				size int
			}{
				{name: "ours", pack: e.Append},
				{name: "library", pack: func(dst, src []byte) []byte { return library.EncodeAll(src, dst) }},
			}
			var packed []byte
			for b.Loop() {
				for i := range ways {
					began := time.Now()
					ways[i].size = 0
					for _, text := range texts {
						packed = ways[i].pack(packed[:0], text)
						ways[i].size += len(packed)
					}
					ways[i].took = append(ways[i].took, time.Since(began))
				}
			}
			total := 0
			for _, text := range texts {
				total += len(text)
			}
			times := make([]float64, len(ways[0].took))
			for i := range times {
				times[i] = float64(ways[1].took[i]) / float64(ways[0].took[i])
			}
			slices.Sort(times)
			for _, way := range ways {
				b.ReportMetric(float64(total)/1e6/slices.Min(way.took).Seconds(), way.name+"-MB/s")
				b.ReportMetric(100*float64(way.size)/float64(total), way.name+"-%")
			}
			b.ReportMetric(times[len(times)/2], "x-library")
			b.ReportMetric(0, "ns/op") // of both together, which says nothing
		})
	}
}
