// Package traces finds traces and puts them together from the rows that the store has of them. The store knows observations
// only; what the deprecated reads call a trace is what its observations agree on. No row tells that there is an earlier one, so what a
// trace is like is known when all of its rows are.
//
// Rows are added in the order of the store, newest first. Where the rows of a trace say different things, the latest
// counts, and that is the first that says anything.
package traces
