package pricing

import (
	"strings"
	"sync"
)

// recentLimit is how many names each half of a recent holds. Applications use a handful of models; the limit is for
// clients that put something unique into the name.
const recentLimit = 1024

// recent remembers which model a name matched, nil included. When its young half is full, that becomes the old half and
// the old one is forgotten, so names in use stay and the memory is bounded. It is safe for concurrent use.
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

// put remembers the name. The text is copied, since it may be a view of memory that is about to be used again.
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
