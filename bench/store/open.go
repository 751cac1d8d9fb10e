package main

import (
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

func init() {
	openStore = func(dir string) (store.Store, error) { return segment.Open(dir, segment.Options{}) }
}
