package store

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"
)

// IDLocks keep two writers of one id apart: both would read it, and the second to write would undo what the first did.
// Ids share locks, but there are so many that two batches seldom wait for each other without need.
type IDLocks struct {
	remote  RemoteLocker
	seed    maphash.Seed
	stripes [1 << 16]sync.Mutex
}

// RemoteLocker keeps writers of other servers apart from those of this one. It waits for them, and returns what lets them go on.
type RemoteLocker func(ctx context.Context, project string, ids []string) (release func(), err error)

// NewIDLocks returns locks that nobody holds. The remote locker is nil if there are no other servers.
func NewIDLocks(remote RemoteLocker) *IDLocks {
	return &IDLocks{remote: remote, seed: maphash.MakeSeed()}
}

// Take locks ids of a project and returns what unlocks them.
func (l *IDLocks) Take(ctx context.Context, project string, ids []string) (release func(), err error) {
	taken := make([]int, len(ids))
	for n, id := range ids {
		taken[n] = l.stripe(project, id)
	}
	slices.Sort(taken) // everyone takes them in this order, so nobody waits in a circle
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
