package store

import (
	"context"
	"slices"
	"sync"
)

// IDLocks serialize writers of the same id of a project: both would read it, and the second to write would undo the
// change of the first. There is one lock for each id that is in use, so that writers of different ids never wait for
// each other, and each project has a lock on everything for deletions.
type IDLocks struct {
	remote RemoteLocker

	mu sync.Mutex
	// ids and projects have the locks that are held or waited for.
	ids      map[projectID]*lock
	projects map[string]*lock
}

// projectID is an id of a project.
type projectID struct{ project, id string }

// lock is held by one exclusive holder, or by several that share it. Waiters are served in order.
type lock struct {
	shared    int
	exclusive bool
	queue     []*lockWaiter
}

type lockWaiter struct {
	exclusive bool
	granted   chan struct{}
}

// RemoteLocker locks ids against writers on other servers. It waits for them and returns a function that releases the
// locks.
type RemoteLocker func(ctx context.Context, project string, ids []string) (release func(), err error)

// NewIDLocks returns a set of unlocked locks. The remote locker is nil if there are no other servers.
func NewIDLocks(remote RemoteLocker) *IDLocks {
	return &IDLocks{remote: remote, ids: make(map[projectID]*lock), projects: make(map[string]*lock)}
}

// Take locks ids of a project and returns a function that unlocks them. It waits for others as long as ctx allows.
func (l *IDLocks) Take(ctx context.Context, project string, ids []string) (release func(), err error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids))) // a fixed order prevents deadlock
	if err := acquire(ctx, l, l.projects, project, false); err != nil {
		return nil, err
	}
	taken := 0
	local := func() {
		for _, id := range ids[:taken] {
			surrender(l, l.ids, projectID{project, id})
		}
		surrender(l, l.projects, project)
	}
	for _, id := range ids {
		if err := acquire(ctx, l, l.ids, projectID{project, id}, true); err != nil {
			local()
			return nil, err
		}
		taken++
	}
	return l.andRemote(ctx, project, ids, local)
}

// TakeAll locks all ids of a project on this server, and the given ones on others.
func (l *IDLocks) TakeAll(ctx context.Context, project string, ids []string) (release func(), err error) {
	if err := acquire(ctx, l, l.projects, project, true); err != nil {
		return nil, err
	}
	return l.andRemote(ctx, project, ids, func() { surrender(l, l.projects, project) })
}

// andRemote locks ids on other servers, too.
func (l *IDLocks) andRemote(ctx context.Context, project string, ids []string, local func()) (release func(), err error) {
	if l.remote == nil || len(ids) == 0 {
		return local, nil
	}
	remote, err := l.remote(ctx, project, ids)
	if err != nil {
		local()
		return nil, err
	}
	return func() {
		remote()
		local()
	}, nil
}

// acquire waits for a lock.
func acquire[K comparable](ctx context.Context, l *IDLocks, locks map[K]*lock, key K, exclusive bool) error {
	l.mu.Lock()
	of := locks[key]
	if of == nil {
		of = new(lock)
		locks[key] = of
	}
	w := &lockWaiter{exclusive: exclusive, granted: make(chan struct{})}
	of.queue = append(of.queue, w)
	of.serve()
	l.mu.Unlock()
	select {
	case <-w.granted:
		return nil
	default:
	}
	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	at := slices.Index(of.queue, w)
	if at >= 0 {
		of.queue = slices.Delete(of.queue, at, at+1)
		of.serve()
		if of.unused() {
			delete(locks, key)
		}
	}
	l.mu.Unlock()
	if at < 0 { // granted at the last moment
		surrender(l, locks, key)
	}
	return ctx.Err()
}

// surrender gives a lock back.
func surrender[K comparable](l *IDLocks, locks map[K]*lock, key K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := locks[key]
	if of.exclusive {
		of.exclusive = false
	} else {
		of.shared--
	}
	of.serve()
	if of.unused() {
		delete(locks, key)
	}
}

// serve grants the lock to the waiters that can have it.
func (l *lock) serve() {
	for len(l.queue) > 0 {
		next := l.queue[0]
		if l.exclusive || next.exclusive && l.shared > 0 {
			return
		}
		if next.exclusive {
			l.exclusive = true
		} else {
			l.shared++
		}
		l.queue = slices.Delete(l.queue, 0, 1)
		close(next.granted)
	}
}

func (l *lock) unused() bool { return !l.exclusive && l.shared == 0 && len(l.queue) == 0 }
