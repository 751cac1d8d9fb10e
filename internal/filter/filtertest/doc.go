// Package filtertest holds rows, filters on them, and a second opinion on which rows a filter finds. Whatever finds rows
// by a filter is tested with it: the conditions themselves, every store, and the API.
//
//	rows := filtertest.Rows()
//	... put them where they are to be found ...
//	for _, cell := range filtertest.Cells() {
//		want := filtertest.Found(cell.Filter, rows)
//		... find rows by cell.Filter and compare their filtertest.Name ...
//	}
//
// Cells has every operator of every type on every column; Filters draws random filters of several conditions. Oracle is
// what a filter means, written down once more in the plainest way, with nothing of package filter in it.
package filtertest
