// Package metrics answers questions about many rows at once: sums, averages, quantiles and the like, grouped by
// dimensions and by time. It knows nothing of HTTP.
//
// A question comes as JSON. ReadQuery reads it, view.go and the files beside it say what can be asked of each view,
// plan.go finds out what the question means there, and Engine answers it: mostly with one pass of the store's Aggregate.
// What the store cannot group by itself, because it takes rows of both tables or several groups for one row, is put
// together row by row and grouped by store.GroupRows. result.go puts the groups in order and writes them.
package metrics
