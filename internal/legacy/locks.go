package legacy

import (
	"hash/maphash"
	"slices"
	"sync"
)

// stripes is how many locks there are. Things that share one wait for each other without need, which is rare.
const stripes = 1024

// locks keep what belongs together from being changed by two batches at once: both would read the same row, and the second
// to write would undo what the first did.
type locks struct {
	seed maphash.Seed
	all  [stripes]sync.Mutex
}

// of returns the lock of a thing, by its name in a project.
func (l *locks) of(project, name string) int {
	var h maphash.Hash
	h.SetSeed(l.seed)
	_, _ = h.WriteString(project)
	_ = h.WriteByte(0)
	_, _ = h.WriteString(name)
	return int(h.Sum64() % stripes)
}

// hold locks all that are named, in one order for everybody so that nobody waits for one who waits for him. It returns
// how to let go.
func (l *locks) hold(numbers []int) (release func()) {
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	for _, n := range numbers {
		l.all[n].Lock()
	}
	return func() {
		for _, n := range numbers {
			l.all[n].Unlock()
		}
	}
}
