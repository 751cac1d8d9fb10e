package segment

import (
	"sync"

	"almanac/internal/lru"
)

// cacheKey identifies a decoded page by row group, column and page, where page -1 is the dictionary. Column -1 stands
// for all narrow columns.
type cacheKey struct {
	group  uint64
	column int32
	page   int32
}

// sumsKey identifies cached sums: those of a query, by the hash of its signature, over the rows of a project in a row
// group, by the first of them. Dead rows never come back to life, so their count identifies the set.
type sumsKey struct {
	group uint64
	query uint64
	start int
	dead  int
}

// cache holds recently used decoded pages, and sums of row groups. Each has its own budget: a long scan must not evict
// sums that every list of users needs.
type cache struct {
	mu     sync.Mutex
	hits   int64
	misses int64
	pages  *lru.Cache[cacheKey, any]
	sums   *lru.Cache[sumsKey, *partialSums]
	budget int64 // of sums
	// asked holds the hashes of recent requests, each at the index given by its top bits.
	asked [256]uint64
	// queries are the queries that could use sums, by the hash of their signature; questions counts how often they were
	// asked.
	queries   map[uint64]*sumsQuery
	questions int64
}

// sumsQuery holds statistics of a query that can use sums.
type sumsQuery struct {
	bytes  int64 // of its sums
	asked  int64 // the value of questions when it was last asked
	barred int64 // the value of questions until which no more of its sums are cached, for lack of room
}

func newCache(pages, sums int64) *cache {
	c := &cache{pages: lru.New[cacheKey, any](pages, nil), budget: sums, queries: make(map[uint64]*sumsQuery)}
	c.sums = lru.New(sums, func(key sumsKey, f *partialSums) {
		if q := c.queries[key.query]; q != nil { // nil if all were forgotten
			q.bytes -= f.size
		}
	})
	return c
}

func (c *cache) get(key cacheKey) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	value, ok := c.pages.Get(key)
	c.count(ok)
	return value, ok
}

func (c *cache) getSums(key sumsKey) (*partialSums, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sums, ok := c.sums.Get(key)
	c.count(ok)
	return sums, ok
}

func (c *cache) count(hit bool) {
	if hit {
		c.hits++
	} else {
		c.misses++
	}
}

func (c *cache) stats() (bytes, hits, misses int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pages.Bytes() + c.sums.Bytes(), c.hits, c.misses
}

// shouldCache reports whether something that is not in the cache is worth caching: it was requested before, not
// long ago. Data that is read once must not evict what others need.
func (c *cache) shouldCache(group, what uint64) bool {
	hash := (group*0x9e3779b97f4a7c15 + what) * 0xd6e8feb86659fd93
	c.mu.Lock()
	defer c.mu.Unlock()
	was := &c.asked[hash>>56]
	if *was == hash {
		return true
	}
	*was = hash
	return false
}

// fits reports whether a page of the given size would be cached.
func (c *cache) fits(size int64) bool { return c.pages.Fits(size) }

func (c *cache) put(key cacheKey, value any, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.pages.Get(key); !ok {
		c.pages.Put(key, value, size)
	}
}

// worthSums reports whether the sums of a query are worth caching: the query was asked before and, as far as is known,
// there is room for the sums of all row groups.
func (c *cache) worthSums(query uint64) bool {
	const most = 1000 // queries
	c.mu.Lock()
	defer c.mu.Unlock()
	c.questions++
	if q := c.queries[query]; q != nil {
		q.asked = c.questions
		return q.barred < c.questions && q.bytes < c.budget/2
	}
	if len(c.queries) == most { // with that many, none is asked often
		clear(c.queries)
		c.sums.RemoveFunc(func(sumsKey) bool { return true })
	}
	c.queries[query] = &sumsQuery{asked: c.questions}
	return false
}

// putSums caches the sums of a row group. If they are large, or would evict sums of a recently asked query, no more
// sums of that query are cached for a while: those of other row groups would be as large.
func (c *cache) putSums(key sumsKey, sums *partialSums) {
	const lately, pause = 50, 100 // questions
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.queries[key.query]
	if q == nil {
		return // forgotten in the meantime
	}
	tooMuch := sums.size > c.budget/16
	if c.sums.Bytes()+sums.size > c.budget {
		oldest, _ := c.sums.Oldest()
		tooMuch = tooMuch || c.queries[oldest.query].asked > c.questions-lately
	}
	if tooMuch {
		q.barred = c.questions + pause
		return
	}
	if c.sums.Put(key, sums, sums.size) {
		q.bytes += sums.size
	}
}

// forget drops everything of a row group that was removed.
func (c *cache) forget(group uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pages.RemoveFunc(func(key cacheKey) bool { return key.group == group })
	c.sums.RemoveFunc(func(key sumsKey) bool { return key.group == group })
}
