package powerloss

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"almanac/internal/disk"
)

// Crash simulates a power loss after a number of changes and writes one of the possible states of the disk into a new
// directory. If a site is given, its syncs are treated as if they had never happened.
func (r *Recorder) Crash(t testing.TB, at int, random *rand.Rand, without disk.Site, to string) {
	t.Helper()
	r.mu.Lock()
	s := r.stateAt(at, without)
	r.mu.Unlock()
	c := crash{random: random, sector: 512, names: fate(random.IntN(int(anyOf) + 1)), done: map[*node][]byte{}}
	if random.IntN(3) == 0 {
		c.sector = 4096
	}
	for i := range s.pending {
		if c.names == all || c.names == anyOf && random.IntN(2) == 0 {
			s.pending[i].apply(onDisk)
		}
	}
	c.write(t, s.root, to)
}

// After returns a number of changes after one of the syncs of a site, or -1 if it never synced.
func (r *Recorder) After(site disk.Site, random *rand.Rand) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	var at []int
	for n := range r.changes {
		if r.changes[n].Site == site {
			at = append(at, n+1)
		}
	}
	if len(at) == 0 {
		return -1
	}
	from := at[random.IntN(len(at))]
	if random.IntN(2) == 0 { // near the end, where the damage is done that the test is about
		return len(r.changes) - random.IntN(min(8, len(r.changes)-from+1))
	}
	return from + random.IntN(min(1<<random.IntN(6), len(r.changes)-from+1))
}

// fate is what becomes of changes that are not on disk.
type fate int

const (
	none   fate = iota // lost
	all                // kept
	anyOf              // each kept or lost
	first              // kept only before some sector
	last               // kept only after some sector
	hollow             // the size kept, the content lost
	fates
)

type crash struct {
	random *rand.Rand
	sector int
	names  fate
	done   map[*node][]byte // files with several names are the same under each
}

func (c *crash) write(t testing.TB, n *node, to string) {
	t.Helper()
	if !n.directory {
		content, ok := c.done[n]
		if !ok {
			content = c.content(n)
			c.done[n] = content
		}
		if err := os.WriteFile(to, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := os.Mkdir(to, 0o700); err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(n.kept))
	for name := range n.kept {
		names = append(names, name)
	}
	slices.Sort(names) // so that a seed reproduces the state
	for _, name := range names {
		c.write(t, n.kept[name], filepath.Join(to, name))
	}
}

// content returns what remains of a file.
func (c *crash) content(n *node) []byte {
	if len(n.versions) == 0 {
		return n.synced
	}
	versions := append([][]byte{n.synced}, n.versions...)
	newest := len(versions) - 1
	// Most losses come shortly after a write, so older versions are less likely.
	newest -= min(newest, max(0, c.random.IntN(6)-4))
	how := fate(c.random.IntN(int(fates)))
	size := len(versions[newest])
	switch how {
	case none:
		return n.synced
	case all:
		return versions[newest]
	case anyOf, first, last:
		if c.random.IntN(4) == 0 {
			size = len(versions[c.random.IntN(len(versions))])
		}
	}
	longest := 0
	for _, v := range versions {
		longest = max(longest, len(v))
	}
	sectors := (longest + c.sector - 1) / c.sector
	border := c.random.IntN(sectors + 1)
	content := make([]byte, sectors*c.sector)
	for sector := range sectors {
		version := 0
		switch {
		case how == anyOf:
			version = c.random.IntN(len(versions))
		case how == first && sector < border, how == last && sector >= border:
			version = newest
		}
		start := sector * c.sector
		if v := versions[version]; start < len(v) {
			copy(content[start:], v[start:min(start+c.sector, len(v))])
		}
	}
	return content[:size]
}
