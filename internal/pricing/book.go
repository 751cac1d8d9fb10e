package pricing

import (
	"context"
	"sync"
	"sync/atomic"

	"almanac/internal/domain"
)

// Source is where the definitions of projects are kept.
type Source interface {
	// Models returns the project's own definitions.
	Models(ctx context.Context, scope domain.ProjectScope) ([]domain.Model, error)
}

// maxBookLists bounds how many projects' lists are kept. Most are the defaults, which all share.
const maxBookLists = 10_000

// Book has the lists of all projects. A list is made when it is first asked for, and kept until Invalidate is told that it has
// changed. It is safe for concurrent use.
type Book struct {
	defaults *List
	source   Source

	mu    sync.RWMutex
	lists map[string]*bookEntry // by project id
}

// bookEntry is the list of a project.
type bookEntry struct {
	current atomic.Pointer[List] // nil: not known
	loading sync.Mutex           // held by the one who reads the definitions
}

// NewBook returns a book whose lists have the definitions of the source before the defaults.
func NewBook(defaults *List, source Source) *Book {
	return &Book{defaults: defaults, source: source, lists: make(map[string]*bookEntry)}
}

// Defaults returns the list of a project without definitions of its own.
func (b *Book) Defaults() *List { return b.defaults }

// Of returns the list of a project.
func (b *Book) Of(ctx context.Context, scope domain.ProjectScope) (*List, error) {
	e := b.entry(scope.ProjectID())
	if known := e.current.Load(); known != nil {
		return known, nil
	}
	e.loading.Lock()
	defer e.loading.Unlock()
	if known := e.current.Load(); known != nil {
		return known, nil // somebody else was faster
	}
	models, err := b.source.Models(ctx, scope)
	if err != nil {
		return nil, err
	}
	list := New(models, b.defaults)
	e.current.Store(list)
	return list, nil
}

// Invalidate makes the next call of Of read the definitions of the project, after a change of them.
func (b *Book) Invalidate(project string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	// The entry goes, not only its list: whoever is reading into it now may have read what was there before the change.
	delete(b.lists, project)
}

// InvalidateAll does so for all projects.
func (b *Book) InvalidateAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.lists)
}

func (b *Book) entry(project string) *bookEntry {
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
	if len(b.lists) >= maxBookLists {
		clear(b.lists) // they are made again in a moment, by those who are active
	}
	e = new(bookEntry)
	b.lists[project] = e
	return e
}
