package store

import (
	"slices"
	"sort"
	"strings"

	"almanac/internal/domain"
)

// PartialAggregates is a compact, immutable copy of the sums of a grouper. It can be added to other groupers with the
// same keys and inputs, any number of times, and is safe for concurrent use. It does not include individual values,
// which quantiles and histograms need.
type PartialAggregates struct {
	// names are the sorted names of all groups, concatenated, without the bucket: frozen sums have none.
	names  string
	ends   []uint32 // end offset of each name
	rows   []int32  // int32 is enough for the rows of a row group
	inputs []frozenInput
}

// frozenInput holds one input by group index. What is not collected is nil.
type frozenInput struct {
	count    []int32
	sum      []domain.Sum
	min, max []float64
	hashes   []uint64 // of all groups, concatenated
	ends     []int32  // end index of each group's hashes
}

// CanFreeze reports whether the sums of this grouping can be frozen.
func (g *Grouping[R]) CanFreeze() bool {
	return g.Buckets == nil && !slices.ContainsFunc(g.Inputs, func(i Input[R]) bool { return i.Values })
}

// Freeze returns a frozen copy of the sums so far.
func (g *Grouper[R]) Freeze() *PartialAggregates {
	groups := slices.Clone(g.groups)
	slices.SortFunc(groups, func(a, b *Sums) int { return strings.Compare(a.name, b.name) })
	f := &PartialAggregates{ends: make([]uint32, len(groups)), rows: make([]int32, len(groups)), inputs: make([]frozenInput, len(g.Inputs))}
	var names strings.Builder
	for n, s := range groups {
		names.WriteString(s.name[bucketBytes:])
		f.ends[n], f.rows[n] = uint32(names.Len()), int32(s.Rows) //nolint:gosec // see rows
	}
	f.names = strings.Clone(names.String()) // without spare capacity
	for i := range f.inputs {
		in := &f.inputs[i]
		in.count = make([]int32, len(groups))
		if g.Inputs[i].Sums {
			in.sum = make([]domain.Sum, 0, len(groups))
		}
		if g.Inputs[i].Extremes {
			in.min, in.max = make([]float64, 0, len(groups)), make([]float64, 0, len(groups))
		}
		if g.Inputs[i].Distinct {
			in.ends = make([]int32, 0, len(groups))
		}
		for n, s := range groups {
			c := &s.Inputs[i]
			in.count[n] = int32(c.count) //nolint:gosec // no more than rows
			if g.Inputs[i].Sums {
				in.sum = append(in.sum, c.sum)
			}
			if g.Inputs[i].Extremes {
				in.min, in.max = append(in.min, c.min), append(in.max, c.max)
			}
			if g.Inputs[i].Distinct {
				first := len(in.hashes)
				c.distinct.each(func(hash uint64) { in.hashes = append(in.hashes, hash) })
				// A set yields its hashes ordered by their low bits. Inserted in that order they would cluster in the
				// next, smaller set.
				slices.Sort(in.hashes[first:])
				in.ends = append(in.ends, int32(len(in.hashes))) //nolint:gosec // no more than rows
			}
		}
		in.hashes = slices.Clone(in.hashes) // without spare capacity
		if slices.Equal(in.count, f.rows) {
			in.count = f.rows
		}
	}
	return f
}

// Bytes returns roughly how much memory it takes.
func (f *PartialAggregates) Bytes() int64 {
	bytes := 8*len(f.rows) + len(f.names)
	for i := range f.inputs {
		in := &f.inputs[i]
		if len(f.rows) > 0 && &in.count[0] != &f.rows[0] {
			bytes += 4 * cap(in.count)
		}
		bytes += 16*cap(in.sum) + 16*cap(in.min) + 8*cap(in.hashes) + 4*cap(in.ends)
	}
	return int64(bytes)
}

// AddPartial adds frozen groups. If wanted is not nil, it adds only those whose first key it accepts.
func (g *Grouper[R]) AddPartial(f *PartialAggregates, wanted func(key string, null bool) bool) error {
	for n := range f.rows {
		if wanted != nil {
			if key, null, _ := readKey(f.name(n)); !wanted(key, null) {
				continue
			}
		}
		if err := g.addFrozen(f, n); err != nil {
			return err
		}
	}
	return nil
}

// AddFrozenNamed adds the groups whose first key is one of keys, which must be distinct.
func (g *Grouper[R]) AddFrozenNamed(f *PartialAggregates, keys []string) error {
	for _, key := range keys {
		g.beginName(0)
		if err := g.extendName(key, false); err != nil {
			return err
		}
		prefix := string(g.name[bucketBytes:])
		first := sort.Search(len(f.rows), func(n int) bool { return f.name(n) >= prefix })
		for n := first; n < len(f.rows) && strings.HasPrefix(f.name(n), prefix); n++ {
			if err := g.addFrozen(f, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// name returns the name of group n, without the bucket.
func (f *PartialAggregates) name(n int) string {
	first := uint32(0)
	if n > 0 {
		first = f.ends[n-1]
	}
	return f.names[first:f.ends[n]]
}

// addFrozen adds one group.
func (g *Grouper[R]) addFrozen(f *PartialAggregates, n int) error {
	g.beginName(0)
	g.name = append(g.name, f.name(n)...)
	to, err := g.find()
	if err != nil {
		return err
	}
	to.Rows += int64(f.rows[n])
	taken := 0
	for i := range f.inputs {
		in, c := &f.inputs[i], &to.Inputs[i]
		var sum domain.Sum
		if in.sum != nil {
			sum = in.sum[n]
		}
		smallest, largest := 0.0, 0.0
		if in.min != nil {
			smallest, largest = in.min[n], in.max[n]
		}
		c.AddPart(int64(in.count[n]), sum, smallest, largest)
		if in.ends == nil {
			continue
		}
		first := int32(0)
		if n > 0 {
			first = in.ends[n-1]
		}
		for _, hash := range in.hashes[first:in.ends[n]] {
			taken += c.AddHash(hash)
		}
	}
	return g.Take(taken)
}
