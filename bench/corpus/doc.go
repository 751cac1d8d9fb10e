// Package corpus makes rows that look like those of a real installation, for benchmarks. The same options always give
// the same rows, so that two stores can be compared on exactly the same data.
//
// Making a row must be cheap beside storing it, or a benchmark measures this package: texts are cut out of one large
// text that is made once, and everything else that a row holds is written into one allocation.
package corpus
