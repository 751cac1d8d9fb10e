package scores

import (
	"hash/maphash"
	"slices"
	"sync"
)

// locks keep two writes of one id apart. Ids share locks, but there are so many that two batches seldom wait for each other.
type locks struct {
	seed    maphash.Seed
	stripes [1 << 16]sync.Mutex
}

func newLocks() *locks { return &locks{seed: maphash.MakeSeed()} }

// take locks the ids of a project and returns what unlocks them.
func (l *locks) take(project string, ids []string) (release func()) {
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

func (l *locks) stripe(project, id string) int {
	var h maphash.Hash
	h.SetSeed(l.seed)
	_, _ = h.WriteString(project)
	_ = h.WriteByte(0)
	_, _ = h.WriteString(id)
	return int(h.Sum64() % uint64(len(l.stripes)))
}
