package store

import (
	"container/heap"
	"math"
	"slices"
)

// MaxBins is the maximum number of bins of a histogram.
const MaxBins = 1000

// Bin is one bin of a histogram: the number of values between two edges. The upper edge of a bin is the lower edge of
// the next.
type Bin struct {
	Lower, Upper, Height float64
}

// NewHistogram divides values into at most the given number of bins. Each distinct value gets its own bin if there are
// enough; otherwise the two bins whose means are closest are merged repeatedly, the lower pair first on a tie. Edges
// lie midway between the means of neighbouring bins; the outer edges are the smallest and the largest value. Infinite
// values, which have no place between edges, are left out. It sorts the values.
func NewHistogram(values []float64, bins int) []Bin {
	slices.Sort(values)
	for len(values) > 0 && math.IsInf(values[0], -1) {
		values = values[1:]
	}
	for len(values) > 0 && math.IsInf(values[len(values)-1], 1) {
		values = values[:len(values)-1]
	}
	if len(values) == 0 || bins < 1 {
		return nil
	}
	c := clustersOf(values)
	c.mergeTo(bins)
	result := make([]Bin, 0, min(bins, len(c.mean)))
	for n := 0; n >= 0; n = c.next[n] {
		if len(result) > 0 {
			last := &result[len(result)-1]
			// Halve each first, since the sum may overflow.
			last.Upper = c.mean[c.before[n]]/2 + c.mean[n]/2
			result = append(result, Bin{Lower: last.Upper, Height: c.count[n]})
		} else {
			result = append(result, Bin{Lower: values[0], Height: c.count[n]})
		}
	}
	result[len(result)-1].Upper = values[len(values)-1]
	return result
}

// clusters are sets of values that share a bin, in ascending order: a doubly linked list, so that neighbours can be
// merged. The first is never removed; -1 means none.
type clusters struct {
	mean, count  []float64
	next, before []int
	// gaps is a heap of the distances from each cluster to the next, smallest first, each with the cluster before it. A
	// gap is stale if its version is not the newest of its cluster.
	gaps   []gap
	newest []int
}

type gap struct {
	distance float64
	at       int
	version  int
}

// clustersOf makes a cluster of each distinct value. Values must be sorted.
func clustersOf(values []float64) *clusters {
	c := new(clusters)
	for n, v := range values {
		if n > 0 && v == values[n-1] {
			c.count[len(c.count)-1]++
			continue
		}
		c.mean, c.count = append(c.mean, v), append(c.count, 1)
	}
	for n := range c.mean {
		c.next, c.before, c.newest = append(c.next, n+1), append(c.before, n-1), append(c.newest, 0)
	}
	c.next[len(c.next)-1] = -1
	return c
}

// mergeTo merges neighbours until at most bins clusters are left.
func (c *clusters) mergeTo(bins int) {
	if len(c.mean) <= bins {
		return
	}
	for n := range len(c.mean) - 1 {
		c.gaps = append(c.gaps, gap{c.mean[n+1] - c.mean[n], n, 0})
	}
	heap.Init(c)
	for left := len(c.mean); left > bins; {
		g := heap.Pop(c).(gap) //nolint:forcetypeassert // the heap holds nothing else
		if g.version != c.newest[g.at] {
			continue
		}
		c.merge(g.at)
		left--
	}
}

// merge merges a cluster with the next one.
func (c *clusters) merge(at int) {
	gone := c.next[at]
	count := c.count[at] + c.count[gone]
	c.mean[at] += (c.mean[gone] - c.mean[at]) * (c.count[gone] / count)
	c.count[at] = count
	c.next[at] = c.next[gone]
	c.newest[gone]++
	c.newest[at]++
	if next := c.next[at]; next >= 0 {
		c.before[next] = at
		heap.Push(c, gap{c.mean[next] - c.mean[at], at, c.newest[at]})
	}
	if before := c.before[at]; before >= 0 {
		c.newest[before]++
		heap.Push(c, gap{c.mean[at] - c.mean[before], before, c.newest[before]})
	}
}

// Len implements heap.Interface.
func (c *clusters) Len() int { return len(c.gaps) }

// Less implements heap.Interface.
func (c *clusters) Less(i, j int) bool {
	a, b := &c.gaps[i], &c.gaps[j]
	return a.distance < b.distance || a.distance == b.distance && a.at < b.at
}

// Swap implements heap.Interface.
func (c *clusters) Swap(i, j int) { c.gaps[i], c.gaps[j] = c.gaps[j], c.gaps[i] }

// Push implements heap.Interface.
func (c *clusters) Push(x any) { c.gaps = append(c.gaps, x.(gap)) } //nolint:forcetypeassert // only gaps are pushed

// Pop implements heap.Interface.
func (c *clusters) Pop() any {
	last := c.gaps[len(c.gaps)-1]
	c.gaps = c.gaps[:len(c.gaps)-1]
	return last
}
