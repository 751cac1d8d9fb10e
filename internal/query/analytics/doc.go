// Package analytics computes aggregates over many rows: sums, averages, quantiles and the like, grouped by dimensions and
// by time. It knows nothing of HTTP.
//
// A query arrives as JSON. ReadQuery reads it, view.go and the view_*.go files define what can be queried in each view,
// plan.go resolves the query against its view, and Engine runs it: mostly with one pass of the store's Aggregate. What
// the store cannot group by itself, because it takes rows of both tables or several groups for one row, is joined row
// by row and grouped by store.GroupRows. result.go orders the groups and write.go encodes them.
package analytics
