// Package traces puts traces together from the rows that the store has of them. The store knows observations only; what
// the deprecated reads call a trace is what its observations agree on.
//
// Rows are added in the order of the store, newest first. Where the rows of a trace say different things, the latest
// counts, and that is the first that says anything.
package traces
