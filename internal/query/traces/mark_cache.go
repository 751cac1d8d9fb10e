package traces

import (
	"context"
	"sync"

	"almanac/internal/domain"
	"almanac/internal/lru"
)

// MarkBytes is the maximum memory of a MarkCache.
const MarkBytes = 8 << 20

// MarkCache caches what users set on the traces of projects, so that reads of a few rows need not query the catalog. It
// is safe for concurrent use.
type MarkCache struct {
	read func(context.Context, domain.ProjectScope) (map[string]domain.TraceMark, error)

	mu      sync.Mutex
	known   *lru.Cache[string, map[string]domain.TraceMark] // by project
	changes int                                             // number of invalidations
}

// NewMarkCache returns a MarkCache that takes at most the given number of bytes. Read returns all marks of a project.
func NewMarkCache(read func(context.Context, domain.ProjectScope) (map[string]domain.TraceMark, error), bytes int) *MarkCache {
	return &MarkCache{read: read, known: lru.New[string, map[string]domain.TraceMark](int64(bytes), nil)}
}

// Of returns the marks of a project, by trace id. The map is shared and must not be modified.
func (b *MarkCache) Of(ctx context.Context, scope domain.ProjectScope) (map[string]domain.TraceMark, error) {
	b.mu.Lock()
	marks, ok := b.known.Get(scope.ProjectID())
	changes := b.changes
	b.mu.Unlock()
	if ok {
		return marks, nil
	}
	marks, err := b.read(ctx, scope)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changes == changes { // otherwise the marks may predate the change
		b.known.Put(scope.ProjectID(), marks, bytesOf(marks))
	}
	return marks, nil
}

// bytesOf returns the approximate memory of marks.
func bytesOf(marks map[string]domain.TraceMark) int64 {
	const project, mark, text = 300, 120, 16
	bytes := project
	for id, m := range marks {
		bytes += mark + len(id)
		for _, tag := range m.Tags {
			bytes += text + len(tag)
		}
	}
	return int64(bytes)
}

// Invalidate drops the marks of a project after they changed.
func (b *MarkCache) Invalidate(project string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes++
	b.known.Remove(project)
}

// InvalidateAll drops the marks of all projects.
func (b *MarkCache) InvalidateAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes++
	b.known.RemoveFunc(func(string) bool { return true })
}
