// Package filtertest provides rows, filters on them, and an independent implementation of which rows a filter matches.
// Everything that finds rows by a filter is tested with it: the conditions themselves, every store, and the API.
//
//	rows := filtertest.Rows()
//	... put them where they are to be found ...
//	for _, cell := range filtertest.Cells() {
//		want := filtertest.Found(cell.Filter, rows)
//		... find rows by cell.Filter and compare their filtertest.Name ...
//	}
//
// Cells has every operator of every type on every column; Filters draws random filters of several conditions. Oracle
// implements the meaning of a filter again in the plainest way, without using package filter.
package filtertest
