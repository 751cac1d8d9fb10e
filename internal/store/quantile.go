package store

import (
	"math"
	"slices"

	"almanac/internal/domain"
)

// quantile returns the value at position q*(n-1) of the sorted values, interpolated between neighbours; null if there
// are no values, or if the interpolation is not a number. It reorders the values.
func quantile(values []float64, q float64) domain.OptFloat {
	if len(values) == 0 {
		return domain.OptFloat{}
	}
	position := q * float64(len(values)-1)
	low := int(math.Floor(position))
	a := selectNth(values, low)
	fraction := position - float64(low)
	if fraction == 0 || low+1 >= len(values) {
		return domain.FloatOf(a)
	}
	b := slices.Min(values[low+1:]) // selectNth leaves everything larger after low
	switch {
	case a == b: // infinity minus infinity would be NaN
		return domain.FloatOf(a)
	case math.IsInf(a, -1) && !math.IsInf(b, 1): // interpolating from -Inf towards a finite number stays at -Inf
		return domain.FloatOf(a)
	}
	return NumberOrNull(a + (b-a)*fraction)
}

// selectNth puts the value that belongs at position n there, smaller ones before it and larger ones after it.
func selectNth(values []float64, n int) float64 {
	for low, high := 0, len(values); ; {
		pivot := pivotOf(values[low:high], n-low)
		less := low + partition(values[low:high], pivot, false)
		if n < less {
			high = less
			continue
		}
		equal := less + partition(values[less:high], pivot, true)
		if n < equal {
			return pivot
		}
		low = equal
	}
}

// partition moves the values less than the pivot (or not greater than it, if orEqual) to the front. It returns how many
// there are. Comparisons are unpredictable, so only the count depends on them: there is no branch.
func partition(values []float64, pivot float64, orEqual bool) int {
	count := 0
	if orEqual {
		for i, v := range values {
			values[i], values[count] = values[count], v
			if v <= pivot {
				count++
			}
		}
		return count
	}
	for i, v := range values {
		values[i], values[count] = values[count], v
		if v < pivot {
			count++
		}
	}
	return count
}

// pivotOf returns a value close to the one that belongs at position n, estimated from a small sample taken at equal
// distances.
func pivotOf(values []float64, n int) float64 {
	const few = 15
	if len(values) < 4*few {
		return values[len(values)/2]
	}
	var sample [few]float64
	for i := range sample {
		v := values[i*len(values)/few]
		at := i
		for ; at > 0 && sample[at-1] > v; at-- {
			sample[at] = sample[at-1]
		}
		sample[at] = v
	}
	return sample[n*few/len(values)]
}
