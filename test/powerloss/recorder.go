// Package powerloss computes what a disk may hold after a power loss. It is for tests.
//
// A Recorder watches a directory: every change to a file or a name, and every sync. Crash then makes one of the states
// that the directory may be in when the power fails after any of these changes.
//
// What counts as on disk is what POSIX promises, and no more:
//
//   - For a file, its content at the last sync. Of later writes, each sector may be on disk or not, independently of
//     others and of their order; the new size may be on disk without the content, which is then zero. A sector is
//     written atomically, as disks do.
//   - For a directory, its names at the last sync. Of later changes to names, each may be on disk or not; a rename is
//     atomic. A synced file does not imply that its name is on disk, and a file in a directory whose own name is lost
//     is lost.
//
// A sync is complete when it returns. Disks that report a sync without doing it are not considered.
package powerloss

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"almanac/internal/disk"
)

// Recorder records the changes to a directory.
type Recorder struct {
	root string
	base map[string][]byte // files when recording began; nil for directories

	mu      sync.Mutex
	changes []disk.Change
	left    int64 // bytes that can still be written; negative for no limit
	apart   bool  // no hard links
	kill    int   // the change at which the process is killed; negative for none
	killAt  disk.Site
}

// Killed is the value that a change panics with when the process is to be killed.
type Killed struct{}

// Record begins to record. The current content of the directory counts as on disk.
func Record(t testing.TB, root string) *Recorder {
	t.Helper()
	r := &Recorder{root: root, base: map[string][]byte{}, left: -1, kill: -1}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		name := r.relative(path)
		if r.base[name] = nil; e.IsDir() {
			return nil
		}
		content, err := os.ReadFile(path)                                //nolint:gosec // a directory of a test
		r.base[name] = append(make([]byte, 0, len(content)), content...) // not nil
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TempDir returns a new directory, in memory if possible: thousands of them are made.
func TempDir(t testing.TB) string {
	t.Helper()
	const memory = "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		return t.TempDir()
	}
	directory, err := os.MkdirTemp(memory, "almanac-power-") //nolint:usetesting // that would be on a disk
	if err != nil {
		return t.TempDir() // it exists but is not accessible
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(directory); err != nil {
			t.Error(err)
		}
	})
	return directory
}

// Seed returns and logs the seed of a test: a new one each time, or the one in ALMANAC_POWER_SEED.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64() //nolint:gosec // any will do
	if text := os.Getenv("ALMANAC_POWER_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("ALMANAC_POWER_SEED: %v", err)
		}
	}
	t.Logf("again with ALMANAC_POWER_SEED=%d", seed)
	return seed
}

// Rounds returns the number of rounds of a test: the given number times ALMANAC_POWER_ROUNDS.
func Rounds(t testing.TB, rounds int) int {
	t.Helper()
	if text := os.Getenv("ALMANAC_POWER_ROUNDS"); text != "" {
		times, err := strconv.Atoi(text)
		if err != nil || times < 1 {
			t.Fatalf("ALMANAC_POWER_ROUNDS is %q: it is a number from 1 on", text)
		}
		rounds *= times
	}
	return rounds
}

// Disk returns the recorded disk.
func (r *Recorder) Disk() disk.Disk { return disk.Watched(r.watch) }

// Len returns the number of changes so far.
func (r *Recorder) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.changes)
}

// Sites returns how often each site has synced.
func (r *Recorder) Sites() map[disk.Site]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	sites := make(map[disk.Site]int)
	for n := range r.changes {
		if site := r.changes[n].Site; site != "" {
			sites[site]++
		}
	}
	return sites
}

// Limit sets how many more bytes can be written before the disk is full; a negative number means no limit.
func (r *Recorder) Limit(bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = bytes
}

// NoLinks disables hard links, as if every directory were on its own disk.
func (r *Recorder) NoLinks() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.apart = true
}

// KillAt makes the change with the given number, and all that follow, panic with Killed, until it is called with a
// negative number.
func (r *Recorder) KillAt(change int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kill, r.killAt = change, ""
}

// KillBefore makes the next sync of a site, and all that follows, panic with Killed, until KillAt is called.
func (r *Recorder) KillBefore(site disk.Site) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.killAt = site
}

// relative returns the path of a file within the directory.
func (r *Recorder) relative(path string) string {
	name, err := filepath.Rel(r.root, path)
	if err != nil || name == ".." || strings.HasPrefix(name, "../") {
		panic(fmt.Sprintf("%s is not in %s, which is recorded", path, r.root))
	}
	return name
}

func (r *Recorder) watch(c *disk.Change, do func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kill >= 0 && len(r.changes) >= r.kill || r.killAt != "" && r.killAt == c.Site {
		r.kill = 0 // nothing comes after it
		panic(Killed{})
	}
	if r.apart && c.Kind == disk.Link {
		return &os.LinkError{Op: "link", Old: c.Path, New: c.To, Err: syscall.EXDEV}
	}
	var full error
	if c.Kind == disk.Write && r.left >= 0 {
		if int64(len(c.Data)) > r.left {
			c.Data, full = c.Data[:r.left], syscall.ENOSPC
		}
		r.left -= int64(len(c.Data))
	}
	if c.Kind != disk.Sync && c.Kind != disk.SyncDirectory { // the state on disk is computed, and real syncs are slow
		if err := do(); err != nil {
			return err
		}
	}
	recorded := *c
	recorded.Path = r.relative(c.Path)
	if c.To != "" {
		recorded.To = r.relative(c.To)
	}
	recorded.Data = append([]byte(nil), c.Data...)
	if c.Kind == disk.Sync && c.File == nil {
		content, err := os.ReadFile(c.Path)
		if err != nil {
			return err
		}
		recorded.Data = content
	}
	r.changes = append(r.changes, recorded)
	return full
}

// Last describes up to count changes before the given one, one per line.
func (r *Recorder) Last(changes, count int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for n := max(0, changes-count); n < changes; n++ {
		c := &r.changes[n]
		fmt.Fprintf(&b, "%5d %s\n", n, describe(c))
	}
	return b.String()
}

func describe(c *disk.Change) string {
	switch c.Kind {
	case disk.Open:
		return "open " + c.Path
	case disk.Write:
		return fmt.Sprintf("write %s: %d bytes at %d", c.Path, len(c.Data), c.Offset)
	case disk.Truncate:
		return fmt.Sprintf("truncate %s to %d", c.Path, c.Size)
	case disk.Sync:
		return fmt.Sprintf("sync %s (%s)", c.Path, c.Site)
	case disk.Rename:
		return fmt.Sprintf("rename %s to %s", c.Path, c.To)
	case disk.Link:
		return fmt.Sprintf("link %s to %s", c.Path, c.To)
	case disk.Remove:
		return "remove " + c.Path
	case disk.Mkdir:
		return "make directory " + c.Path
	default:
		return fmt.Sprintf("sync directory %s (%s)", c.Path, c.Site)
	}
}
