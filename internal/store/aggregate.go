package store

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
)

// AggregateQuery says what Aggregate computes.
type AggregateQuery[R any] struct {
	From, To domain.Micros // as in Query
	Where    []filter.Condition[R]
	// GroupBy are columns of text, booleans or lists; a row with several tags counts once in the group of each.
	GroupBy []*filter.Column[R]
	// Bucket, if not 0, also groups by time: buckets of this many milliseconds since 1970.
	Bucket int64
	// Measures are computed for each group.
	Measures []Measure[R]
	// MaxGroups is the largest number of groups; more is ErrTooLarge. 0 stands for DefaultMaxGroups.
	MaxGroups int
}

// DefaultMaxGroups bounds the groups of a query that sets no bound.
const DefaultMaxGroups = 100_000

// Function is a way to make one number of many.
type Function uint8

// The functions. All but Count ignore rows whose column is null; of nothing, Sum and Distinct are 0 and the others are null.
const (
	Count    Function = iota // of rows; its column is nil
	Sum                      // of a number column
	Average                  // of a number column
	Min                      // of a number column
	Max                      // of a number column
	Quantile                 // of a number column, exact: see Measure.Quantile
	Distinct                 // of a text column: how many different values; unset counts as none
)

// Measure is one thing to compute.
type Measure[R any] struct {
	Function Function
	Column   *filter.Column[R]
	// Quantile is between 0 and 1: the value at position q*(n-1) of the sorted values, interpolated linearly between
	// neighbours.
	Quantile float64
}

// Groups is the result of Aggregate, in no particular order.
type Groups struct {
	Rows []Group
}

// Group is one group.
type Group struct {
	// Bucket is the start of its time bucket in milliseconds since 1970, if the query has buckets.
	Bucket int64
	// Keys are the values of the GroupBy columns; booleans are true and false, null is "".
	Keys []string
	// Values are the measures.
	Values []domain.OptFloat
}
