// Package lru implements a least recently used cache with a budget in bytes.
package lru

import "container/list"

// Cache holds values by key. It is not safe for concurrent use: its users need locks that cover more than the cache.
type Cache[K comparable, V any] struct {
	budget  int64
	used    int64
	entries map[K]*list.Element // of entry[K, V]
	recent  *list.List          // most recently used first
	removed func(K, V)
}

type entry[K comparable, V any] struct {
	key   K
	value V
	size  int64
}

// New returns an empty cache with a budget in bytes. The function removed, unless it is nil, is called for every value
// dropped.
func New[K comparable, V any](budget int64, removed func(K, V)) *Cache[K, V] {
	return &Cache[K, V]{budget: budget, entries: make(map[K]*list.Element), recent: list.New(), removed: removed}
}

// Bytes returns the total size of the values.
func (c *Cache[K, V]) Bytes() int64 { return c.used }

// Get returns a value and reports whether it was found.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	e, ok := c.entries[key]
	if ok {
		c.recent.MoveToFront(e)
		value = e.Value.(entry[K, V]).value //nolint:forcetypeassert // the list holds nothing else
	}
	return value, ok
}

// Oldest returns the key of the least recently used value and reports whether there is one.
func (c *Cache[K, V]) Oldest() (key K, ok bool) {
	last := c.recent.Back()
	if last != nil {
		key = last.Value.(entry[K, V]).key //nolint:forcetypeassert // the list holds nothing else
	}
	return key, last != nil
}

// Fits reports whether a value of the given size would be stored. Values larger than a quarter of the budget are not:
// they would evict too many others.
func (c *Cache[K, V]) Fits(size int64) bool { return size <= c.budget/4 }

// Put stores a value of the given size if it fits, replacing one with the same key, and reports whether it did.
func (c *Cache[K, V]) Put(key K, value V, size int64) bool {
	c.Remove(key)
	if !c.Fits(size) {
		return false
	}
	c.entries[key] = c.recent.PushFront(entry[K, V]{key, value, size})
	for c.used += size; c.used > c.budget; {
		c.remove(c.recent.Back())
	}
	return true
}

// Remove drops a value if it is present.
func (c *Cache[K, V]) Remove(key K) {
	if e, ok := c.entries[key]; ok {
		c.remove(e)
	}
}

// RemoveFunc drops the values for whose keys gone returns true.
func (c *Cache[K, V]) RemoveFunc(gone func(K) bool) {
	for key, e := range c.entries {
		if gone(key) {
			c.remove(e)
		}
	}
}

func (c *Cache[K, V]) remove(element *list.Element) {
	e := c.recent.Remove(element).(entry[K, V]) //nolint:forcetypeassert // the list holds nothing else
	delete(c.entries, e.key)
	c.used -= e.size
	if c.removed != nil {
		c.removed(e.key, e.value)
	}
}
