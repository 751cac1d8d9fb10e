package store

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"
)

// IDLocks serialize writers of the same id: both would read it, and the second to write would undo the change of the
// first. Ids share locks, but there are so many locks that two batches seldom block each other needlessly.
type IDLocks struct {
	remote  RemoteLocker
	seed    maphash.Seed
	stripes [1 << 16]sync.Mutex
}

// RemoteLocker locks ids against writers on other servers. It waits for them and returns a function that releases the
// locks.
type RemoteLocker func(ctx context.Context, project string, ids []string) (release func(), err error)

// NewIDLocks returns a set of unlocked locks. The remote locker is nil if there are no other servers.
func NewIDLocks(remote RemoteLocker) *IDLocks {
	return &IDLocks{remote: remote, seed: maphash.MakeSeed()}
}

// Take locks ids of a project and returns a function that unlocks them.
func (l *IDLocks) Take(ctx context.Context, project string, ids []string) (release func(), err error) {
	taken := make([]int, len(ids))
	for n, id := range ids {
		taken[n] = l.stripe(project, id)
	}
	slices.Sort(taken) // a fixed order prevents deadlock
	taken = slices.Compact(taken)
	for _, n := range taken {
		l.stripes[n].Lock()
	}
	local := func() {
		for _, n := range taken {
			l.stripes[n].Unlock()
		}
	}
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

func (l *IDLocks) stripe(project, id string) int {
	return int(maphash.Comparable(l.seed, [2]string{project, id}) % uint64(len(l.stripes)))
}
