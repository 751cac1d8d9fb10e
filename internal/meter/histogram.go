package meter

import (
	"slices"
	"sync"
)

// Distribution counts numbers by how large they are.
type Distribution struct {
	bounds []float64 // the largest number of each bucket but the last

	mu     sync.Mutex
	counts []uint64 // one more than there are bounds
	sum    float64
}

// Observe counts a number.
func (d *Distribution) Observe(value float64) {
	bucket, _ := slices.BinarySearch(d.bounds, value)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counts[bucket]++
	d.sum += value
}

// Distributions are histograms with labels.
type Distributions struct{ vector[Distribution] }

// Histograms adds histograms with labels to a registry, which may be nil. Bounds are the largest numbers of the buckets,
// in ascending order; one bucket more takes everything that is larger.
func Histograms(r *Registry, name, help string, bounds []float64, labels ...string) *Distributions {
	d := &Distributions{vector[Distribution]{name: name, help: help, kind: Histogram, labels: labels}}
	d.add = func() *Distribution { return &Distribution{bounds: bounds, counts: make([]uint64, len(bounds)+1)} }
	texts := make([]string, 0, len(bounds)+1)
	for _, bound := range bounds {
		texts = append(texts, string(appendLabel(nil, "le", string(appendNumber(nil, bound)))))
	}
	texts = append(texts, `le="+Inf"`)
	d.read = func(samples []Sample, labels string, of *Distribution) []Sample {
		return of.read(samples, labels, texts)
	}
	register(r, &d.vector)
	return d
}

// With returns the histogram of label values.
func (d *Distributions) With(values ...string) *Distribution { return d.with(values...) }

// read appends the buckets, each of which counts what is in those before it as well.
func (d *Distribution) read(samples []Sample, labels string, bounds []string) []Sample {
	d.mu.Lock()
	defer d.mu.Unlock()
	prefix := labels
	if prefix != "" {
		prefix += ","
	}
	total := uint64(0)
	for n, count := range d.counts {
		total += count
		samples = append(samples, Sample{Suffix: "_bucket", Labels: prefix + bounds[n], Value: float64(total)})
	}
	return append(samples, Sample{Suffix: "_sum", Labels: labels, Value: d.sum}, Sample{Suffix: "_count", Labels: labels, Value: float64(total)})
}
