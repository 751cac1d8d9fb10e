package store

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
)

// AggregateQuery describes what Aggregate computes.
type AggregateQuery[R any] struct {
	From, To domain.Micros // as in Query
	Where    []filter.Condition[R]
	Arrived  *Window // as in Query
	// GroupBy lists string, boolean, number or list columns; a row with several tags counts once in the group of each
	// tag. To group by whole lists, months and the like, use derived columns of package filter.
	GroupBy []*filter.Column[R]
	// Bucket, if not 0, also groups by time, in buckets of this many milliseconds counted from 1970.
	Bucket int64
	// Calendar, if set, groups by time in buckets that vary in length or start elsewhere, such as Weeks and Months.
	Calendar Buckets
	// Measures are computed for each group.
	Measures []Measure[R]
	// MaxGroups is the maximum number of groups; exceeding it is ErrTooLarge. 0 means DefaultMaxGroups.
	MaxGroups int
	// MaxBytes is roughly how much memory the groups and the values collected in them may take; exceeding it is
	// ErrTooLarge. 0 means DefaultMaxBytes.
	MaxBytes int64
}

// The limits of a query that sets none.
const (
	DefaultMaxGroups = 100_000
	DefaultMaxBytes  = 256 << 20
)

// Function reduces many values to one number.
type Function uint8

// The functions. All but Count without a column ignore rows whose column is null or an unset string. Over no values,
// Count, Sum and Distinct are 0 and the others are null. NaN counts as null, both as a value and as a result: the sum
// of opposite infinities is null, and so is any point between them. 0 and -0 are the same number.
const (
	Count     Function = iota // rows if the column is nil; otherwise values of a number or string column
	Sum                       // of a number column
	Average                   // of a number column
	Min                       // of a number column, or of a time column in microseconds since 1970
	Max                       // as Min
	Quantile                  // of a number column, exact; see Measure.Quantile
	Distinct                  // number of distinct values of a number or string column
	Histogram                 // of a number column; see Measure.Bins; the result is in Group.Histograms
)

// Measure is one value to compute for each group.
type Measure[R any] struct {
	Function Function
	Column   *filter.Column[R]
	// Quantile is between 0 and 1: the value at position q*(n-1) of the sorted values, interpolated linearly between
	// neighbours. Interpolating between an infinity and a finite number yields that infinity.
	Quantile float64
	// Bins is the maximum number of bins of a histogram: between 1 and MaxBins.
	Bins int
}

// Groups is the result of Aggregate, in no particular order.
type Groups struct {
	Rows []Group
	// Held is how much of the context's lease the groups take. It is not released along with the result, since the
	// caller would then have to wait for the memory again while holding the result. A caller that drops the groups
	// before the request ends may release it.
	Held int64
}

// Bytes returns roughly how much memory the group takes.
func (g *Group) Bytes() int64 {
	const group, key, value, bin = 160, 17, 16, 24
	bytes := group + key*len(g.Keys) + value*len(g.Values)
	for _, text := range g.Keys {
		bytes += len(text)
	}
	for _, bins := range g.Histograms {
		bytes += bin * len(bins)
	}
	return int64(bytes)
}

// Group is one group of an aggregate.
type Group struct {
	// Bucket is the start of the time bucket in milliseconds since 1970, if the query has buckets.
	Bucket int64
	// Keys are the values of the GroupBy columns. Booleans are "true" and "false", numbers are in the shortest form
	// that parses to the same number, and null is "".
	Keys []string
	// Nulls reports which of the Keys are null: unset numbers and NaN, empty lists, and null strings of Nullable
	// columns. An unset string of any other column is "" and not null.
	Nulls []bool
	// Values are the results of the measures; for a Histogram, the number of values in it.
	Values []domain.OptFloat
	// Histograms holds the histograms, each at the index of its measure; nil if the query has none.
	Histograms [][]Bin
}
