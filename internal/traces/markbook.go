package traces

import (
	"context"
	"sync"

	"almanac/internal/domain"
	"almanac/internal/lru"
)

// MarkBytes is how much memory a book of marks takes at most.
const MarkBytes = 8 << 20

// MarkBook remembers what people say of the traces of projects, so that reads of a few rows need not ask the catalog. It is safe for
// concurrent use.
type MarkBook struct {
	read func(context.Context, domain.ProjectScope) (map[string]domain.TraceMark, error)

	mu      sync.Mutex
	known   *lru.Cache[string, map[string]domain.TraceMark] // by project
	changes int                                             // how often something was invalidated
}

// NewMarkBook returns a book that takes so many bytes at most. Read returns all marks of a project.
func NewMarkBook(read func(context.Context, domain.ProjectScope) (map[string]domain.TraceMark, error), bytes int) *MarkBook {
	return &MarkBook{read: read, known: lru.New[string, map[string]domain.TraceMark](int64(bytes), nil)}
}

// Of returns the marks of a project, by the ids of traces. They are for all who ask, and must not be changed.
func (b *MarkBook) Of(ctx context.Context, scope domain.ProjectScope) (map[string]domain.TraceMark, error) {
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
	if b.changes == changes { // else it may be what was there before the change
		b.known.Put(scope.ProjectID(), marks, bytesOf(marks))
	}
	return marks, nil
}

// bytesOf is what marks take, roughly.
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

// Invalidate makes the next call of Of read the marks of the project, after a change of them.
func (b *MarkBook) Invalidate(project string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes++
	b.known.Remove(project)
}

// InvalidateAll does so for all projects.
func (b *MarkBook) InvalidateAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes++
	b.known.RemoveFunc(func(string) bool { return true })
}
