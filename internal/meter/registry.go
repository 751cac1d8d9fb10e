// Package meter counts and measures what the program does, and writes it down for Prometheus.
//
// It has what is used here and no more: counters, gauges and histograms with a few labels. Whoever gives them values sees
// to it that there are not too many of them: every combination is kept for ever.
package meter

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Registry knows everything that is measured. A nil one knows nothing and can be registered with all the same.
type Registry struct {
	mu      sync.Mutex
	sources []func() []Family
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry { return new(Registry) }

// AddSource adds what is read at the time somebody asks. Names must be unique in the registry.
func (r *Registry) AddSource(read func() []Family) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sources = append(r.sources, read)
}

// AddGauge adds one number that is read at the time somebody asks.
func (r *Registry) AddGauge(name, help string, read func() float64) {
	r.AddSource(func() []Family { return []Family{single(name, help, Gauge, read())} })
}

// Families returns everything that is measured, by name.
func (r *Registry) Families() []Family {
	r.mu.Lock()
	sources := slices.Clone(r.sources)
	r.mu.Unlock()
	var families []Family
	for _, read := range sources {
		families = append(families, read()...)
	}
	slices.SortStableFunc(families, func(a, b Family) int { return strings.Compare(a.Name, b.Name) })
	return families
}

// Kind is what Prometheus calls a type.
type Kind string

// The kinds.
const (
	Counter   Kind = "counter"
	Gauge     Kind = "gauge"
	Histogram Kind = "histogram"
	Summary   Kind = "summary"
)

// Family is everything of one name.
type Family struct {
	Name, Help string
	Kind       Kind
	Samples    []Sample
}

// Sample is one number of a family.
type Sample struct {
	Suffix string // of the name, such as _count
	Labels string // as they are written, without braces
	Value  float64
}

// single is a family of one number.
func single(name, help string, kind Kind, value float64) Family {
	return Family{Name: name, Help: help, Kind: kind, Samples: []Sample{{Value: value}}}
}

// maxLabels is how many labels a family can have.
const maxLabels = 3

// labelValues are the values of the labels of one series.
type labelValues [maxLabels]string

// vector is the series of a family, one for each combination of label values that was used.
type vector[T any] struct {
	name, help string
	kind       Kind
	labels     []string
	add        func() *T                                             // makes a series
	read       func(samples []Sample, labels string, of *T) []Sample // appends what a series is now

	mu     sync.RWMutex
	series map[labelValues]*T
}

// register adds a family with labels to a registry. Labels should be sorted: that is how they are written.
func register[T any](r *Registry, v *vector[T]) {
	if len(v.labels) > maxLabels {
		panic(fmt.Sprintf("BUG: %s has %d labels", v.name, len(v.labels)))
	}
	v.series = make(map[labelValues]*T)
	if len(v.labels) == 0 {
		v.with() // it is 0 before anything happens
	}
	r.AddSource(func() []Family { return []Family{v.family()} })
}

// with returns the series of label values, which are in the order of the labels.
func (v *vector[T]) with(values ...string) *T {
	if len(values) != len(v.labels) {
		panic(fmt.Sprintf("BUG: %s has the labels %v, not %d of them", v.name, v.labels, len(values)))
	}
	var key labelValues
	copy(key[:], values)
	v.mu.RLock()
	series := v.series[key]
	v.mu.RUnlock()
	if series != nil {
		return series
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if series = v.series[key]; series == nil {
		series = v.add()
		v.series[key] = series
	}
	return series
}

// family returns the family as it is now, its series in the order of their label values.
func (v *vector[T]) family() Family {
	v.mu.RLock()
	defer v.mu.RUnlock()
	keys := make([]labelValues, 0, len(v.series))
	for key := range v.series {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b labelValues) int { return slices.Compare(a[:], b[:]) })
	f := Family{Name: v.name, Help: v.help, Kind: v.kind, Samples: make([]Sample, 0, len(keys))}
	for _, key := range keys {
		f.Samples = v.read(f.Samples, labelText(v.labels, key[:]), v.series[key])
	}
	return f
}
