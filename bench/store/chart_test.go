package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestChart(t *testing.T) {
	c := chart{title: "a < b", series: []string{"store", "other"}, groups: []chartGroup{
		{"q1 & q2", []float64{0.05, 20}}, {"missing", []float64{0, 1}},
	}}
	if low, high := c.decades(); low != -2 || high != 2 {
		t.Errorf("the scale is from 10^%v to 10^%v", low, high)
	}
	text := c.svg()
	for decoder := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	// 0.05 is at 0.7 of the first of four decades, 20 at 1.3 of the last two, in 460 units.
	for _, want := range []string{"a &lt; b", "q1 &amp; q2", ">0.01<", ">0.1<", ">100<", `width="80.4"`, `width="379.6"`, ">0.050<", ">20.0<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture has no %s:\n%s", want, text)
		}
	}
	if bars := strings.Count(text, `height="12"`); bars != 3 {
		t.Errorf("there are %d bars", bars)
	}
	if empty := (chart{title: "nothing"}).svg(); !strings.Contains(empty, "nothing") {
		t.Error(empty)
	}
}

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
