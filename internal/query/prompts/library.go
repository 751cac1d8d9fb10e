package prompts

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"almanac/internal/domain"
)

// Catalog stores prompts.
type Catalog interface {
	Prompt(ctx context.Context, scope domain.ProjectScope, ref domain.PromptReference) (domain.Prompt, error)
	PromptIDs(ctx context.Context, scope domain.ProjectScope, refs []domain.PromptReference) (map[domain.PromptReference]string, error)
	PromptRevision(ctx context.Context, scope domain.ProjectScope) (int64, error)
}

const (
	// CacheBytes is the maximum memory for cached responses, where there is enough.
	CacheBytes = 64 << 20
	// lookingUp is the maximum time that rows wait for the ids of their prompts.
	lookingUp = 2 * time.Second
	// afterFailure is how long no ids are looked up for rows after the catalog failed.
	afterFailure = time.Second
)

// Library reads prompts and caches them until something changes.
type Library struct {
	catalog  Catalog
	cache    *cache
	log      *slog.Logger
	failedAt atomic.Int64 // when looking up ids last failed, in nanoseconds
}

// New returns a library on a catalog that caches up to cacheBytes of responses. It starts no goroutines.
func New(catalog Catalog, cacheBytes int, log *slog.Logger) *Library {
	return &Library{catalog: catalog, cache: newCache(cacheBytes), log: log}
}

// Invalidate drops the cached prompts of a project. It must be called after every change.
func (l *Library) Invalidate(project string) { l.cache.invalidate(project) }

// InvalidateAll drops everything cached.
func (l *Library) InvalidateAll() { l.cache.invalidateAll() }

// Answer is a cached response for a prompt. It must be immutable.
type Answer interface {
	// Size returns the memory it takes, in bytes.
	Size() int
}

// Read returns the response for a version of a prompt, as made by write, from the cache if nothing has changed. If
// resolve is set, references to other prompts are resolved; the error is an *Unresolvable if that is not possible.
func (l *Library) Read(
	ctx context.Context, scope domain.ProjectScope, ref domain.PromptReference, resolve bool,
	write func(domain.Prompt, *Graph) (Answer, error),
) (Answer, error) {
	k := key{project: scope.ProjectID(), ref: ref, kind: storedBody}
	if resolve {
		k.kind = resolvedBody
	}
	known, epoch, ok := l.cache.get(k)
	if ok {
		if err, failed := known.(error); failed {
			return nil, err
		}
		return known.(Answer), nil //nolint:forcetypeassert // nothing else is added under these kinds
	}
	p, graph, err := l.load(ctx, scope, ref, resolve)
	var lasting *Unresolvable
	switch {
	case errors.Is(err, domain.ErrNotFound) || errors.As(err, &lasting):
		l.cache.add(k, epoch, err, len(err.Error()))
		return nil, err
	case err != nil:
		return nil, err
	}
	answer, err := write(p, graph)
	if err == nil {
		l.cache.add(k, epoch, answer, answer.Size())
	}
	return answer, err
}

// maxLoads is the maximum number of times that a prompt is read because prompts changed concurrently.
const maxLoads = 3

// load reads a prompt and its dependencies as of one point in time.
func (l *Library) load(
	ctx context.Context, scope domain.ProjectScope, ref domain.PromptReference, resolve bool,
) (p domain.Prompt, graph *Graph, err error) {
	find := func(ctx context.Context, ref domain.PromptReference) (domain.Prompt, error) {
		return l.catalog.Prompt(ctx, scope, ref)
	}
	before, err := l.catalog.PromptRevision(ctx, scope)
	if err != nil {
		return p, nil, err
	}
	for range maxLoads {
		if p, err = find(ctx, ref); err == nil && resolve {
			p, graph, err = Resolve(ctx, p, find)
		}
		after, revisionErr := l.catalog.PromptRevision(ctx, scope)
		if revisionErr != nil {
			return p, nil, revisionErr
		}
		if after == before {
			break
		}
		before = after
	}
	return p, graph, err
}

// FillIDs fills in the ids of versions of prompts; those that do not exist stay empty. If the catalog fails, the ids
// that are not cached stay empty as well: it is better to store the rows without ids than to refuse them.
func (l *Library) FillIDs(ctx context.Context, scope domain.ProjectScope, ids map[domain.PromptReference]string) {
	epoch := l.cache.epoch(scope.ProjectID())
	var unknown []domain.PromptReference
	for ref := range ids {
		if id, _, ok := l.cache.get(key{project: scope.ProjectID(), ref: ref, kind: idOnly}); ok {
			ids[ref] = id.(string) //nolint:forcetypeassert // nothing else is added under this kind
		} else {
			unknown = append(unknown, ref)
		}
	}
	// A clock that was set back must not prolong the wait.
	if waited := time.Since(time.Unix(0, l.failedAt.Load())); len(unknown) == 0 || waited >= 0 && waited < afterFailure {
		return
	}
	limited, cancel := context.WithTimeout(ctx, lookingUp)
	defer cancel()
	found, err := l.catalog.PromptIDs(limited, scope, unknown)
	if err != nil {
		if ctx.Err() == nil {
			l.failedAt.Store(time.Now().UnixNano())
			l.log.Warn("cannot link observations to their prompts", "prompts", len(unknown), "error", err)
		}
		return
	}
	for _, ref := range unknown {
		id := found[ref]
		ids[ref] = id
		l.cache.add(key{project: scope.ProjectID(), ref: ref, kind: idOnly}, epoch, id, len(id))
	}
}
