package prompts

import (
	"container/list"
	"sync"

	"almanac/internal/domain"
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
	limit int // bytes

	mu       sync.Mutex
	bytes    int
	entries  map[key]*list.Element // of *entry
	recent   *list.List            // the most recently used first
	projects map[string]*project
}

// entry is a cached value, or the fact that there is none.
type entry struct {
	key   key
	epoch int
	value any
	size  int
}

// project tells which entries of a project are out of date: those of an earlier epoch.
type project struct{ epoch int }

// overhead is about what an entry takes beside its value and its names.
const overhead = 300

func newCache(limit int) *cache {
	return &cache{limit: limit, entries: make(map[key]*list.Element), recent: list.New(), projects: make(map[string]*project)}
}

// get returns a cached value. The epoch is for add: what is read from now on belongs to it.
func (c *cache) get(k key) (value any, epoch int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	epoch = c.project(k.project).epoch
	element := c.entries[k]
	if element == nil {
		return nil, epoch, false
	}
	e := element.Value.(*entry) //nolint:forcetypeassert // the list holds nothing else
	if e.epoch != epoch {
		c.drop(element)
		return nil, epoch, false
	}
	c.recent.MoveToFront(element)
	return e.value, epoch, true
}

// add caches a value of so many bytes that was read in an epoch. Later epochs do not see it.
func (c *cache) add(k key, epoch int, value any, bytes int) {
	size := bytes + len(k.project) + len(k.ref.Name) + len(k.ref.Label) + overhead
	c.mu.Lock()
	defer c.mu.Unlock()
	if element := c.entries[k]; element != nil {
		c.drop(element)
	}
	if size > c.limit/4 || c.project(k.project).epoch != epoch {
		return // it would push too many others out, or is out of date already
	}
	c.entries[k] = c.recent.PushFront(&entry{k, epoch, value, size})
	for c.bytes += size; c.bytes > c.limit; {
		c.drop(c.recent.Back())
	}
}

func (c *cache) drop(element *list.Element) {
	e := c.recent.Remove(element).(*entry) //nolint:forcetypeassert // the list holds nothing else
	delete(c.entries, e.key)
	c.bytes -= e.size
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
