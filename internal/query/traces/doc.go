// Package traces finds traces and assembles them from their rows. The store has only observations; what the deprecated
// endpoints call a trace is derived from them. No row says whether there is an earlier one, so a trace is known only
// once all of its rows are.
//
// Rows are added in store order, newest first. Where rows of a trace disagree, the latest one that has a value wins,
// which is the first one added.
package traces
