package prompts

import (
	"sync"

	"almanac/internal/domain"
	"almanac/internal/lru"
)

// key names a cached value.
type key struct {
	project string
	ref     domain.PromptReference
	kind    kind
}

// kind is which form of a prompt is cached.
type kind uint8

const (
	resolvedBody kind = iota // the answer with everything in place
	storedBody               // the answer as it was written
	idOnly                   // its id
)

// cache keeps values of projects until their prompts change. The least recently used ones go when there are too many.
type cache struct {
	mu       sync.Mutex
	entries  *lru.Cache[key, entry]
	projects map[string]*project
}

// entry is a cached value, or the fact that there is none.
type entry struct {
	epoch int
	value any
}

// project tells which entries of a project are out of date: those of an earlier epoch.
type project struct{ epoch int }

// overhead is about what an entry takes beside its value and its names.
const overhead = 300

func newCache(limit int) *cache {
	return &cache{entries: lru.New[key, entry](int64(limit), nil), projects: make(map[string]*project)}
}

// get returns a cached value. The epoch is for add: what is read from now on belongs to it.
func (c *cache) get(k key) (value any, epoch int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	epoch = c.project(k.project).epoch
	e, ok := c.entries.Get(k)
	if ok && e.epoch != epoch {
		c.entries.Remove(k)
		return nil, epoch, false
	}
	return e.value, epoch, ok
}

// add caches a value of so many bytes that was read in an epoch. Later epochs do not see it.
func (c *cache) add(k key, epoch int, value any, bytes int) {
	size := bytes + len(k.project) + len(k.ref.Name) + len(k.ref.Label) + overhead
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.project(k.project).epoch == epoch {
		c.entries.Put(k, entry{epoch, value}, int64(size))
	}
}

// project returns what is known of a project. They are as many as have been asked for.
func (c *cache) project(id string) *project {
	p := c.projects[id]
	if p == nil {
		p = new(project)
		c.projects[id] = p
	}
	return p
}

// epoch returns the epoch to which what is read of a project from now on belongs.
func (c *cache) epoch(id string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.project(id).epoch
}

// invalidate makes everything of a project out of date.
func (c *cache) invalidate(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.project(id).epoch++
}

// invalidateAll makes everything out of date.
func (c *cache) invalidateAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.projects {
		p.epoch++
	}
}
