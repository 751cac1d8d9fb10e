package main

import (
	"almanac/internal/memory"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// openStore opens the store that is measured, within a budget of memory; 0 stands for none.
func openStore(dir string, budget int64) (store.Store, error) {
	memory.Apply(budget)
	return segment.Open(dir, segment.OptionsFor(budget))
}
