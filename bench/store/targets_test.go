package main

import (
	"strings"
	"testing"
)

func TestTargets(t *testing.T) {
	mine := []line{
		heading("ingest"),
		{"CPU µs per row, flush included", "50", 50, lower},
		{"bytes per row on disk", "900", 900, lower},
		heading("queries"),
		{"q1 newest", "1", 1, lower},
		{"q8 cost", "10", 10, lower},
		{"q4 mixed", "1", 1, lower},
		heading("queries while rows come in"),
		{"q1 newest", "100", 100, lower},
	}
	theirs := []line{
		heading("ingest"),
		{"CPU µs per row, flush included", "100", 100, lower},
		{"bytes per row on disk", "800", 800, lower},
		heading("queries"),
		{"q1 newest", "9", 9, lower},
		{"q8 cost", "20", 20, lower},
		{"q4 mixed", "1", 1, lower},
		heading("queries while rows come in"),
		{"q1 newest", "1", 1, lower},
	}
	var out strings.Builder
	writeTargets(&out, mine, theirs)
	want := `
Targets against ClickHouse:
  met     2.00 times better, wanted 1.67: CPU µs per row, flush included
  MISSED  0.889 times better, wanted 1.00: bytes per row on disk
  MISSED  9.00 times better, wanted 10.0: q1 newest
  met     2.00 times better, wanted 2.00: q8 cost
`
	if out.String() != want {
		t.Errorf("got %s", out.String())
	}
}
