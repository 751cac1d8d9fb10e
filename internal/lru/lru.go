// Package lru keeps the values that were used last, within a budget of bytes.
package lru

import "container/list"

// Cache keeps values by their keys. It has no lock: those who use it guard more than the cache with theirs.
type Cache[K comparable, V any] struct {
	budget  int64
	used    int64
	entries map[K]*list.Element // of entry[K, V]
	recent  *list.List          // the last used in front
	removed func(K, V)
}

type entry[K comparable, V any] struct {
	key   K
	value V
	size  int64
}

// New returns an empty cache for values of so many bytes. The function, if there is one, is told of those that it drops.
func New[K comparable, V any](budget int64, removed func(K, V)) *Cache[K, V] {
	return &Cache[K, V]{budget: budget, entries: make(map[K]*list.Element), recent: list.New(), removed: removed}
}

// Bytes returns how many bytes the values take.
func (c *Cache[K, V]) Bytes() int64 { return c.used }

// Get returns a value, and reports whether it is there.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	e, ok := c.entries[key]
	if ok {
		c.recent.MoveToFront(e)
		value = e.Value.(entry[K, V]).value //nolint:forcetypeassert // the list holds nothing else
	}
	return value, ok
}

// Oldest returns the key of the value that was used longest ago, and reports whether there is one.
func (c *Cache[K, V]) Oldest() (key K, ok bool) {
	last := c.recent.Back()
	if last != nil {
		key = last.Value.(entry[K, V]).key //nolint:forcetypeassert // the list holds nothing else
	}
	return key, last != nil
}

// Put keeps a value of so many bytes, in place of one with the same key, and reports whether it did. One that takes more than a quarter
// of the budget is not kept: too many others would have to go.
func (c *Cache[K, V]) Put(key K, value V, size int64) bool {
	c.Remove(key)
	if size > c.budget/4 {
		return false
	}
	c.entries[key] = c.recent.PushFront(entry[K, V]{key, value, size})
	for c.used += size; c.used > c.budget; {
		c.remove(c.recent.Back())
	}
	return true
}

// Remove drops a value, if it is there.
func (c *Cache[K, V]) Remove(key K) {
	if e, ok := c.entries[key]; ok {
		c.remove(e)
	}
}

// RemoveFunc drops the values whose keys meet a condition.
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
