package meter

import "sync/atomic"

// Count is a number that only grows.
type Count struct{ n atomic.Uint64 }

// Add adds to the number.
func (c *Count) Add(n int) { c.n.Add(uint64(max(0, n))) }

// Inc adds one.
func (c *Count) Inc() { c.n.Add(1) }

// Counts are counters with labels.
type Counts struct{ vector[Count] }

// Counters adds counters with labels to a registry, which may be nil.
func Counters(r *Registry, name, help string, labels ...string) *Counts {
	c := &Counts{vector[Count]{name: name, help: help, kind: Counter, labels: labels, add: func() *Count { return new(Count) }}}
	c.read = func(samples []Sample, labels string, of *Count) []Sample {
		return append(samples, Sample{Labels: labels, Value: float64(of.n.Load())})
	}
	register(r, &c.vector)
	return c
}

// With returns the counter of label values.
func (c *Counts) With(values ...string) *Count { return c.with(values...) }

// Level is a number that goes up and down.
type Level struct{ n atomic.Int64 }

// Add adds to the number, or takes something away.
func (l *Level) Add(n int) { l.n.Add(int64(n)) }

// Levels are gauges with labels.
type Levels struct{ vector[Level] }

// Gauges adds gauges with labels to a registry, which may be nil.
func Gauges(r *Registry, name, help string, labels ...string) *Levels {
	l := &Levels{vector[Level]{name: name, help: help, kind: Gauge, labels: labels, add: func() *Level { return new(Level) }}}
	l.read = func(samples []Sample, labels string, of *Level) []Sample {
		return append(samples, Sample{Labels: labels, Value: float64(of.n.Load())})
	}
	register(r, &l.vector)
	return l
}

// With returns the gauge of label values.
func (l *Levels) With(values ...string) *Level { return l.with(values...) }
