package main

import (
	"almanac/internal/limits/memory"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// openStore opens the store to be measured within a memory budget; 0 means none.
func openStore(dir string, budget int64) (store.Store, error) {
	memory.Apply(budget)
	return segment.Open(dir, segment.OptionsFor(budget))
}
