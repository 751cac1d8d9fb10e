package pricing

import (
	"strings"
	"sync"
)

// recentLimit is the maximum number of names in each half of a recent. Applications use a handful of models; the limit
// is for clients that put something unique into the name.
const recentLimit = 1024

// recent caches which model a name matched, including nil. When the young half is full, it replaces the old half, so
// that names in use stay cached and memory is bounded. It is safe for concurrent use.
type recent struct {
	mu    sync.RWMutex
	young map[string]*model
	old   map[string]*model
}

func (r *recent) get(name string) (m *model, ok bool) {
	r.mu.RLock()
	m, ok = r.young[name]
	if ok {
		r.mu.RUnlock()
		return m, true
	}
	m, ok = r.old[name]
	r.mu.RUnlock()
	if ok {
		r.put(name, m)
	}
	return m, ok
}

// put adds a name. The string is copied, since it may refer to memory that is about to be reused.
func (r *recent) put(name string, m *model) {
	name = strings.Clone(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.young) >= recentLimit {
		r.old, r.young = r.young, nil
	}
	if r.young == nil {
		r.young = make(map[string]*model)
	}
	r.young[name] = m
}
