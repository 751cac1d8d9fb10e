package report

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Chart is a picture of grouped bars on a logarithmic scale.
type Chart struct {
	Title  string
	Series []string
	Groups []Group
}

// Group is one figure of several series. A value of 0 is left out.
type Group struct {
	Label  string
	Values []float64
}

// Dimensions of a picture, in its units.
const (
	chartWidth  = 860
	chartLeft   = 320 // of the bars
	chartRight  = 80  // for the numbers after the longest bars
	chartTop    = 60
	barHeight   = 14
	groupMargin = 10
)

// chartColours can be told apart in print and by people with red-green colour blindness.
var chartColours = []string{"#0072b2", "#e69f00", "#999999", "#009e73"}

// SVG draws the picture.
func (c Chart) SVG() string {
	low, high := c.decades()
	length := func(value float64) float64 {
		return (math.Log10(value) - low) / (high - low) * (chartWidth - chartLeft - chartRight)
	}
	groupHeight := len(c.Series)*barHeight + groupMargin
	height := chartTop + len(c.Groups)*groupHeight + 30
	w := new(strings.Builder)
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+"\n",
		chartWidth, height)
	fmt.Fprintf(w, `<rect width="%d" height="%d" fill="white"/>`+"\n", chartWidth, height)
	fmt.Fprintf(w, `<text x="10" y="20" font-size="14">%s</text>`+"\n", html.EscapeString(c.Title))
	for i, name := range c.Series {
		x := 10 + i*220
		fmt.Fprintf(w, `<rect x="%d" y="32" width="10" height="10" fill="%s"/><text x="%d" y="41">%s</text>`+"\n",
			x, colour(i), x+15, html.EscapeString(name))
	}
	for decade := low; decade <= high; decade++ {
		x := chartLeft + length(math.Pow(10, decade))
		fmt.Fprintf(w, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#dddddd"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>`+
			"\n",
			x, x, chartTop-6, height-24, x, height-10, axisLabel(decade))
	}
	for i, g := range c.Groups {
		y := chartTop + i*groupHeight
		fmt.Fprintf(w, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", chartLeft-8, y+(groupHeight-groupMargin)/2+4,
			html.EscapeString(g.Label))
		for j, value := range g.Values {
			if value <= 0 {
				continue
			}
			top := y + j*barHeight
			fmt.Fprintf(w, `<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/><text x="%.1f" y="%d">%s</text>`+"\n",
				chartLeft, top, length(value), barHeight-2, colour(j), chartLeft+length(value)+4, top+barHeight-4, Significant(value))
		}
	}
	w.WriteString("</svg>\n")
	return w.String()
}

func colour(series int) string { return chartColours[series%len(chartColours)] }

// decades returns the powers of ten that enclose all values. Even the shortest bar stays visible.
func (c Chart) decades() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, g := range c.Groups {
		for _, value := range g.Values {
			if value > 0 {
				low, high = min(low, math.Floor(math.Log10(value)-0.1)), max(high, math.Ceil(math.Log10(value)))
			}
		}
	}
	if low >= high {
		return 0, 1
	}
	return low, high
}

// axisLabel writes a power of ten.
func axisLabel(decade float64) string {
	if decade >= 0 {
		return Grouped(int64(math.Pow(10, decade)))
	}
	return "0." + strings.Repeat("0", int(-decade)-1) + "1"
}
