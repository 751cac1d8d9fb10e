package store

import (
	"slices"
	"sort"
	"strings"

	"almanac/internal/domain"
)

// Frozen is what a grouper added up, in little memory and for good: it can be added to other groupers of the same groups and inputs,
// any number of times and by several goroutines at once. Values, which quantiles and histograms need, are not part of it.
type Frozen struct {
	// names are those of all groups, sorted, one after the other and without the bucket, which there is none of.
	names  string
	ends   []uint32 // where the name of each group ends
	rows   []int32  // of one row group or the like, which has no more than that
	inputs []frozenInput
}

// frozenInput is what groups have of one input, by their place. What is not collected is nil.
type frozenInput struct {
	count    []int32
	sum      []domain.Sum
	min, max []float64
	hashes   []uint64 // of all groups, one after the other
	ends     []int32  // where those of each group end
}

// CanFreeze reports whether what is collected can be frozen.
func (g *Grouping[R]) CanFreeze() bool {
	return g.Buckets == nil && !slices.ContainsFunc(g.Inputs, func(i Input[R]) bool { return i.Values })
}

// Freeze returns what was added up so far.
func (g *Grouper[R]) Freeze() *Frozen {
	groups := slices.Clone(g.groups)
	slices.SortFunc(groups, func(a, b *Sums) int { return strings.Compare(a.name, b.name) })
	f := &Frozen{ends: make([]uint32, len(groups)), rows: make([]int32, len(groups)), inputs: make([]frozenInput, len(g.Inputs))}
	var names strings.Builder
	for n, s := range groups {
		names.WriteString(s.name[bucketBytes:])
		f.ends[n], f.rows[n] = uint32(names.Len()), int32(s.Rows) //nolint:gosec // see rows
	}
	f.names = strings.Clone(names.String()) // without room for more
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
				// A set has them in the order of their last bits. In that order they would crowd at one place of the next, smaller set.
				slices.Sort(in.hashes[first:])
				in.ends = append(in.ends, int32(len(in.hashes))) //nolint:gosec // no more than rows
			}
		}
		in.hashes = slices.Clone(in.hashes) // without room for more
		if slices.Equal(in.count, f.rows) {
			in.count = f.rows
		}
	}
	return f
}

// Bytes returns about how much memory it takes.
func (f *Frozen) Bytes() int64 {
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

// AddFrozen adds groups; those whose first key meets a condition, if there is one.
func (g *Grouper[R]) AddFrozen(f *Frozen, wanted func(key string, null bool) bool) error {
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

// AddFrozenNamed adds the groups whose first key is one of some different texts.
func (g *Grouper[R]) AddFrozenNamed(f *Frozen, keys []string) error {
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

// name returns the name of a group, without the bucket.
func (f *Frozen) name(n int) string {
	first := uint32(0)
	if n > 0 {
		first = f.ends[n-1]
	}
	return f.names[first:f.ends[n]]
}

// addFrozen adds one group.
func (g *Grouper[R]) addFrozen(f *Frozen, n int) error {
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
