// Package corpus makes rows that look like those of a real installation, for benchmarks. The same options always give
// the same rows, so that two stores can be compared on exactly the same data.
//
// Making a row must be cheap compared to storing it, or a benchmark measures this package. Strings are therefore cut
// from one large text that is made once, and everything else in a row is written into one allocation.
package corpus
