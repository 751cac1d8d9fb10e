package pricing

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/domain"
)

// Source is where the definitions of projects are kept.
type Source interface {
	// ModelsRevision returns a text that is another one after each change of the project's definitions.
	ModelsRevision(ctx context.Context, scope domain.ProjectScope) (string, error)
	// Models returns the project's own definitions.
	Models(ctx context.Context, scope domain.ProjectScope) ([]domain.Model, error)
}

const (
	// revisionLife is how long a list is used before its revision is looked at again: changes that another process made are
	// seen within this time.
	revisionLife = time.Second
	// maxBookLists bounds how many projects' lists are kept. Most are the defaults, which all share.
	maxBookLists = 10_000
)

// Book has the lists of all projects. Lists are made when they are first asked for. It is safe for concurrent use.
type Book struct {
	defaults *List
	source   Source
	now      func() time.Time

	mu    sync.RWMutex
	lists map[string]*bookEntry // by project id
}

// bookEntry is the list of a project, as it was at some time.
type bookEntry struct {
	current atomic.Pointer[datedList] // nil: not known
	loading sync.Mutex                // held by the one who reads the definitions
}

type datedList struct {
	list     *List
	revision string
	checked  time.Time
}

// NewBook returns a book whose lists have the definitions of the source before the defaults.
func NewBook(defaults *List, source Source) *Book {
	return &Book{defaults: defaults, source: source, now: time.Now, lists: make(map[string]*bookEntry)}
}

// Defaults returns the list of a project without definitions of its own.
func (b *Book) Defaults() *List { return b.defaults }

// Of returns the list of a project. If the source fails, the list that was last known is good enough.
func (b *Book) Of(ctx context.Context, scope domain.ProjectScope) (*List, error) {
	e := b.entry(scope.ProjectID())
	known := e.current.Load()
	if known != nil && b.now().Sub(known.checked) < revisionLife {
		return known.list, nil
	}
	if known == nil {
		e.loading.Lock()
	} else if !e.loading.TryLock() {
		return known.list, nil // somebody is looking already
	}
	defer e.loading.Unlock()
	if latest := e.current.Load(); latest != known && latest != nil {
		return latest.list, nil // somebody else was faster
	}
	fresh, err := b.load(ctx, scope, known)
	switch {
	case err != nil && known == nil:
		return nil, err
	case err != nil && ctx.Err() != nil:
		return known.list, nil // only this caller is out of time
	case err != nil:
		fresh = &datedList{known.list, known.revision, b.now()} // asked again in a while
	}
	e.current.Store(fresh)
	return fresh.list, nil
}

// load reads what has changed since a list was made, if anything has.
func (b *Book) load(ctx context.Context, scope domain.ProjectScope, known *datedList) (*datedList, error) {
	checked := b.now()
	// The revision first: definitions that change in between have another one, and are read again later.
	revision, err := b.source.ModelsRevision(ctx, scope)
	if err != nil {
		return nil, err
	}
	if known != nil && known.revision == revision {
		return &datedList{known.list, revision, checked}, nil
	}
	models, err := b.source.Models(ctx, scope)
	if err != nil {
		return nil, err
	}
	return &datedList{New(models, b.defaults), revision, checked}, nil
}

// Forget makes the next call of Of read the definitions of the project, after a change of them.
func (b *Book) Forget(project string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	// The entry goes, not only its list: whoever is reading into it now may have read what was there before the change.
	delete(b.lists, project)
}

// ForgetAll does so for all projects.
func (b *Book) ForgetAll() {
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
