// Package idlocks keeps two writers of one thing apart: both would read it, and the second to write would undo what the
// first did.
package idlocks

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"
)

// Locks are locks of things by their ids. Ids share locks, but there are so many that two batches seldom wait for each
// other without need.
type Locks struct {
	others  Others
	seed    maphash.Seed
	stripes [1 << 16]sync.Mutex
}

// Others keeps writers of other servers apart from those of this one. It waits for them, and returns what lets them go on.
type Others func(ctx context.Context, project string, ids []string) (release func(), err error)

// New returns locks that nobody holds. Others is nil if there are no other servers.
func New(others Others) *Locks { return &Locks{others: others, seed: maphash.MakeSeed()} }

// Take locks things of a project and returns what unlocks them.
func (l *Locks) Take(ctx context.Context, project string, ids []string) (release func(), err error) {
	here := l.takeHere(project, ids)
	if l.others == nil || len(ids) == 0 {
		return here, nil
	}
	there, err := l.others(ctx, project, ids)
	if err != nil {
		here()
		return nil, err
	}
	return func() {
		there()
		here()
	}, nil
}

func (l *Locks) takeHere(project string, ids []string) (release func()) {
	taken := make([]int, len(ids))
	for n, id := range ids {
		taken[n] = l.stripe(project, id)
	}
	slices.Sort(taken) // everyone takes them in this order, so nobody waits in a circle
	taken = slices.Compact(taken)
	for _, n := range taken {
		l.stripes[n].Lock()
	}
	return func() {
		for _, n := range taken {
			l.stripes[n].Unlock()
		}
	}
}

func (l *Locks) stripe(project, id string) int {
	var h maphash.Hash
	h.SetSeed(l.seed)
	_, _ = h.WriteString(project)
	_ = h.WriteByte(0)
	_, _ = h.WriteString(id)
	return int(h.Sum64() % uint64(len(l.stripes)))
}
