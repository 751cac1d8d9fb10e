package segment

import (
	"container/list"
	"sync"
)

// cacheKey names a decoded page: a row group, a column of it, and a page of that, or -1 for its dictionary. Column -1
// stands for all narrow columns. Sums that are kept have keys of their own (frozenQuery.key).
type cacheKey struct {
	group  uint64
	column int32
	page   int32
}

// cache keeps decoded pages that were used lately, within a budget of bytes.
type cache struct {
	mu      sync.Mutex
	budget  int64
	used    int64
	hits    int64
	misses  int64
	entries map[cacheKey]*list.Element
	recent  *list.List // newest in front
	// asked are keys that were asked for lately, each at the place that its hash gives it.
	asked [256]cacheKey
	// sums are how many bytes of sums are kept for queries that were asked lately, by their hashes.
	sums map[uint64]int64
}

type cacheEntry struct {
	key   cacheKey
	value any
	size  int64
}

func newCache(budget int64) *cache {
	return &cache{budget: budget, entries: make(map[cacheKey]*list.Element), recent: list.New()}
}

func (c *cache) get(key cacheKey) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok {
		c.misses++
		return nil, false
	}
	c.hits++
	c.recent.MoveToFront(e)
	return e.Value.(*cacheEntry).value, true //nolint:forcetypeassert // the list holds nothing else
}

func (c *cache) stats() (bytes, hits, misses int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used, c.hits, c.misses
}

// worth reports whether something that is not in the cache is worth keeping: it was asked for before, not long ago. What is
// read once must not push out what others need.
func (c *cache) worth(key cacheKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	hash := (key.group*0x9e3779b97f4a7c15 + uint64(key.page)) * 0xd6e8feb86659fd93
	was := &c.asked[hash>>56]
	if *was == key {
		return true
	}
	*was = key
	return false
}

// worthSums reports whether the sums that a query asks for are worth keeping: it was asked before, and those of all row groups have
// room beside everything else, as far as that is known.
func (c *cache) worthSums(query uint64) bool {
	const most = 1000 // queries
	c.mu.Lock()
	defer c.mu.Unlock()
	bytes, asked := c.sums[query]
	if asked {
		return bytes < c.budget/3
	}
	if c.sums == nil || len(c.sums) == most {
		c.sums = make(map[uint64]int64)
	}
	c.sums[query] = 0
	return false
}

// putSums keeps sums of a row group. Large ones are not kept, nor made again for a while: those of other row groups are as large.
func (c *cache) putSums(key cacheKey, sums *frozenSums, size int64) {
	small := size <= c.budget/16
	if small {
		c.put(key, sums, size)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, kept := c.entries[key]; c.sums != nil && (kept || !small) {
		c.sums[sums.query] += size
		if !small {
			c.sums[sums.query] += c.budget
		}
	}
}

func (c *cache) put(key cacheKey, value any, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[key]; ok || size > c.budget/4 {
		return
	}
	c.entries[key] = c.recent.PushFront(&cacheEntry{key, value, size})
	c.used += size
	for c.used > c.budget {
		last := c.recent.Back()
		if sums, ok := last.Value.(*cacheEntry).value.(*frozenSums); ok && c.sums[sums.query] > c.budget/8 { //nolint:forcetypeassert // the list holds nothing else
			c.sums[sums.query] += c.budget // there is no room for all of them: what is left is of use, and more is not made
		}
		c.remove(last)
	}
}

func (c *cache) remove(e *list.Element) {
	entry := c.recent.Remove(e).(*cacheEntry) //nolint:forcetypeassert // the list holds nothing else
	delete(c.entries, entry.key)
	c.used -= entry.size
	if sums, ok := entry.value.(*frozenSums); ok && c.sums[sums.query] > 0 {
		c.sums[sums.query] -= entry.size
	}
}

// forget drops everything of a row group that is gone.
func (c *cache) forget(group uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.recent.Front(); e != nil; {
		next := e.Next()
		if e.Value.(*cacheEntry).key.group == group { //nolint:forcetypeassert // the list holds nothing else
			c.remove(e)
		}
		e = next
	}
}
