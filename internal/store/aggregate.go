package store

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
)

// AggregateQuery says what Aggregate computes.
type AggregateQuery[R any] struct {
	From, To domain.Micros // as in Query
	Where    []filter.Condition[R]
	Arrived  *Window // as in Query
	// GroupBy are columns of text, booleans, numbers or lists; a row with several tags counts once in the group of each.
	// Whole lists, months and the like are derived columns of package filter.
	GroupBy []*filter.Column[R]
	// Bucket, if not 0, also groups by time: buckets of this many milliseconds since 1970.
	Bucket int64
	// Calendar, if set, does so in buckets that are not all alike or begin elsewhere, such as Weeks and Months.
	Calendar Buckets
	// Measures are computed for each group.
	Measures []Measure[R]
	// MaxGroups is the largest number of groups; more is ErrTooLarge. 0 stands for DefaultMaxGroups.
	MaxGroups int
	// MaxBytes is about how much memory the groups and what is collected in them may take; more is ErrTooLarge. 0 stands
	// for DefaultMaxBytes.
	MaxBytes int64
}

// The bounds of a query that sets none.
const (
	DefaultMaxGroups = 100_000
	DefaultMaxBytes  = 256 << 20
)

// Function is a way to make one number of many.
type Function uint8

// The functions. All but Count without a column ignore rows whose column is null, and rows whose text is unset; of
// nothing, Count, Sum and Distinct are 0 and the others are null. What is no number (NaN) counts as null, among values and
// as a result: the sum of opposite infinities, and what lies between them. 0 and -0 are one number.
const (
	Count     Function = iota // of rows if its column is nil; else of values of a number or text column
	Sum                       // of a number column
	Average                   // of a number column
	Min                       // of a number column, or of a time column in microseconds since 1970
	Max                       // likewise
	Quantile                  // of a number column, exact: see Measure.Quantile
	Distinct                  // of a number or text column: how many different values
	Histogram                 // of a number column: see Measure.Bins; its result is in Group.Histograms
)

// Measure is one thing to compute.
type Measure[R any] struct {
	Function Function
	Column   *filter.Column[R]
	// Quantile is between 0 and 1: the value at position q*(n-1) of the sorted values, interpolated linearly between
	// neighbours. Between an infinite one and a number lies infinity.
	Quantile float64
	// Bins is how many bins a histogram has at most: between 1 and MaxBins.
	Bins int
}

// Groups is the result of Aggregate, in no particular order.
type Groups struct {
	Rows []Group
	// Held is how much of the lease of the context is taken for them. If it came back with the result, the caller would have to wait for
	// it again, and hold the result meanwhile. Whoever drops the groups before the request ends may give it back.
	Held int64
}

// Bytes returns about how much memory a group takes.
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

// Group is one group.
type Group struct {
	// Bucket is the start of its time bucket in milliseconds since 1970, if the query has buckets.
	Bucket int64
	// Keys are the values of the GroupBy columns. Booleans are true and false, numbers are written in the shortest way that
	// reads as the same number, and null is "".
	Keys []string
	// Nulls says which of the Keys are null: numbers that are not set or are none, lists without elements, and texts of columns that
	// are Nullable. Unset text of other columns is "" and not null.
	Nulls []bool
	// Values are the measures; that of a Histogram is how many values it is made of.
	Values []domain.OptFloat
	// Histograms are those of the measures that are histograms, each at the place of its measure; nil if there is none.
	Histograms [][]Bin
}
