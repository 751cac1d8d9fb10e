package report

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestChart(t *testing.T) {
	c := Chart{Title: "a < b", Series: []string{"store", "other"}, Groups: []Group{
		{"q1 & q2", []float64{0.05, 20}}, {"missing", []float64{0, 1}},
	}}
	if low, high := c.decades(); low != -2 || high != 2 {
		t.Errorf("the scale is from 10^%v to 10^%v", low, high)
	}
	text := c.SVG()
	for decoder := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	// 0.05 is at 0.7 of the first of four decades, 20 at 1.3 of the last two, in 460 units.
	for _, want := range []string{
		"a &lt; b", "q1 &amp; q2", ">0.01<", ">0.1<", ">100<", `width="80.4"`, `width="379.6"`, ">0.050<", ">20.0<",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture has no %s:\n%s", want, text)
		}
	}
	if bars := strings.Count(text, `height="12"`); bars != 3 {
		t.Errorf("there are %d bars", bars)
	}
	if empty := (Chart{Title: "nothing"}).SVG(); !strings.Contains(empty, "nothing") {
		t.Error(empty)
	}
}
