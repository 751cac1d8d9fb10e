package prompts

import (
	"strings"
	"sync"

	"almanac/internal/domain"
	"almanac/internal/lru"
)

// key identifies a cached value.
type key struct {
	project string
	ref     domain.PromptReference
	kind    kind
}

// kind is the form in which a prompt is cached.
type kind uint8

const (
	resolvedBody kind = iota // the response with references resolved
	storedBody               // the response as it was written
	idOnly                   // the id
)

// cache keeps values of projects until their prompts change. The least recently used ones are evicted when there are
// too many.
type cache struct {
	mu       sync.Mutex
	entries  *lru.Cache[key, entry]
	projects map[string]*project
}

// entry is a cached value, or an error.
type entry struct {
	epoch int
	value any
}

// project has the current epoch of a project. Entries of an earlier epoch are stale.
type project struct{ epoch int }

// overhead is roughly the memory that an entry takes in addition to its value and its names.
const overhead = 300

func newCache(limit int) *cache {
	return &cache{entries: lru.New[key, entry](int64(limit), nil), projects: make(map[string]*project)}
}

// get returns a cached value. The epoch must be passed to add along with values read from now on.
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

// add caches a value of the given size that was read in an epoch. It does nothing if a later epoch has begun.
func (c *cache) add(k key, epoch int, value any, bytes int) {
	size := bytes + len(k.project) + len(k.ref.Name) + len(k.ref.Label) + overhead
	// They may be parts of much larger strings, such as the URL of a request.
	k.project, k.ref.Name, k.ref.Label = strings.Clone(k.project), strings.Clone(k.ref.Name), strings.Clone(k.ref.Label)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.project(k.project).epoch == epoch {
		c.entries.Put(k, entry{epoch, value}, int64(size))
	}
}

// project returns the state of a project. There is one for each project that was ever looked up.
func (c *cache) project(id string) *project {
	p := c.projects[id]
	if p == nil {
		p = new(project)
		c.projects[id] = p
	}
	return p
}

// epoch returns the epoch for values of a project that are read from now on.
func (c *cache) epoch(id string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.project(id).epoch
}

// invalidate makes all entries of a project stale.
func (c *cache) invalidate(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.project(id).epoch++
}

// invalidateAll makes all entries stale.
func (c *cache) invalidateAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.projects {
		p.epoch++
	}
}
