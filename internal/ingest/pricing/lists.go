package pricing

import (
	"context"
	"sync"
	"sync/atomic"

	"almanac/internal/domain"
)

// Source provides the model definitions of projects.
type Source interface {
	// Models returns the project's own definitions.
	Models(ctx context.Context, scope domain.ProjectScope) ([]domain.Model, error)
}

// maxLists is the maximum number of cached lists. Most are the shared defaults.
const maxLists = 10_000

// Lists caches the lists of all projects. A list is created on first use and kept until Invalidate is called. It is
// safe for concurrent use.
type Lists struct {
	defaults *List
	source   Source

	mu    sync.RWMutex
	lists map[string]*listEntry // by project id
}

// listEntry caches the list of a project.
type listEntry struct {
	current atomic.Pointer[List] // nil if not loaded
	loading sync.Mutex           // held while the definitions are read
}

// NewLists returns price lists that have the definitions of the source ahead of the defaults.
func NewLists(defaults *List, source Source) *Lists {
	return &Lists{defaults: defaults, source: source, lists: make(map[string]*listEntry)}
}

// Defaults returns the list for projects without their own definitions.
func (b *Lists) Defaults() *List { return b.defaults }

// Of returns the list of a project.
func (b *Lists) Of(ctx context.Context, scope domain.ProjectScope) (*List, error) {
	e := b.entry(scope.ProjectID())
	if known := e.current.Load(); known != nil {
		return known, nil
	}
	e.loading.Lock()
	defer e.loading.Unlock()
	if known := e.current.Load(); known != nil {
		return known, nil // another goroutine loaded it
	}
	models, err := b.source.Models(ctx, scope)
	if err != nil {
		return nil, err
	}
	list := New(models, b.defaults)
	e.current.Store(list)
	return list, nil
}

// Invalidate must be called after the definitions of a project changed. It makes the next call of Of read them again.
func (b *Lists) Invalidate(project string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	// Drop the whole entry, not just its list: a concurrent load into it may have read the definitions before the change.
	delete(b.lists, project)
}

// InvalidateAll does the same for all projects.
func (b *Lists) InvalidateAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.lists)
}

func (b *Lists) entry(project string) *listEntry {
	b.mu.RLock()
	e := b.lists[project]
	b.mu.RUnlock()
	if e != nil {
		return e
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.lists[project]; e != nil {
		return e
	}
	if len(b.lists) >= maxLists {
		clear(b.lists) // active projects reload theirs shortly
	}
	e = new(listEntry)
	b.lists[project] = e
	return e
}
