// Package storetest holds every event store to the contract of package store. The author of a store writes one test:
//
//	func TestStore(t *testing.T) {
//		open := func(t *testing.T, dir string) store.Store { ... }
//		storetest.Run(t, open)
//		storetest.RunScripts(t, open)
//		storetest.RunRandom(t, open)
//	}
//
// Run checks named cases with answers written by hand. RunScripts runs the query scripts in testdata, which say in
// plain text what a query finds. RunRandom does random things to the store and to Model, which is too simple to be wrong,
// and compares what they answer.
package storetest
