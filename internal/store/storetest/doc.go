// Package storetest checks event stores against the contract of package store. A store implementation needs a single
// test:
//
//	func TestStore(t *testing.T) {
//		open := func(t *testing.T, dir string) store.Store { ... }
//		storetest.Run(t, open)
//		storetest.RunScripts(t, open)
//		storetest.RunRandom(t, open)
//	}
//
// Run checks named cases with hand-written results. RunScripts runs the query scripts in testdata, which state in plain
// text what a query finds. RunRandom performs random operations on the store and on Model, which is too simple to be
// wrong, and compares the results.
package storetest
