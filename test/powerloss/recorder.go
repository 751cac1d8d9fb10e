// Package powerloss works out what a disk may hold after the power failed. It is for tests.
//
// A Recorder watches a directory: every change of a file and of a name, and every sync. Crash then makes one of the states
// that the directory may be in when the power fails behind any of these changes.
//
// What counts as on disk is what POSIX promises, and no more:
//
//   - Of a file, what it held when it was last synced. Of what was written since, each sector may be there or not, whatever
//     became of others and in whichever order they were written; the new size may be there without the content, which is
//     zeroes then. A sector is written as a whole, as disks do it.
//   - Of a directory, the names that it had when it was last synced. Of what became of names since, each change may be there
//     or not; a rename is there as a whole or not at all. That a file was synced does not mean that its name is there, and a
//     file in a directory whose own name is lost is lost.
//
// A sync is done when it returns. Disks that say so and did not do it are not looked at.
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

// Recorder records what happens to a directory.
type Recorder struct {
	root string
	base map[string][]byte // of files when recording began; of directories nil

	mu      sync.Mutex
	changes []disk.Change
	left    int64 // how many more bytes can be written; negative for any number
	apart   bool  // files cannot have a second name
	kill    int   // at which change the process is killed; negative for none
	killAt  disk.Site
}

// Killed is what a change panics with at which the process is to be killed.
type Killed struct{}

// Record begins to record. What is in the directory counts as on disk.
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

// TempDir returns a new directory, in memory if this system has some for files: thousands of them are made.
func TempDir(t testing.TB) string {
	t.Helper()
	const memory = "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		return t.TempDir()
	}
	directory, err := os.MkdirTemp(memory, "almanac-power-") //nolint:usetesting // that would be on a disk
	if err != nil {
		return t.TempDir() // there, and not for us
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(directory); err != nil {
			t.Error(err)
		}
	})
	return directory
}

// Seed returns the seed of a test, which it prints: a new one each time, or the one in ALMANAC_POWER_SEED.
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

// Rounds returns how many rounds of a test to do: as many as it takes by itself, times ALMANAC_POWER_ROUNDS.
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

// Disk returns the disk that is recorded.
func (r *Recorder) Disk() disk.Disk { return disk.Watched(r.watch) }

// Len returns how many changes there were.
func (r *Recorder) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.changes)
}

// Sites returns how often each place has synced.
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

// Limit lets so many more bytes be written before the disk is full; a negative number stands for any number.
func (r *Recorder) Limit(bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = bytes
}

// NoLinks lets files have no second name, as if every directory were a disk of its own.
func (r *Recorder) NoLinks() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.apart = true
}

// KillAt lets the change with a number panic with Killed, and all that follow it, until it is called with a negative number.
func (r *Recorder) KillAt(change int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kill, r.killAt = change, ""
}

// KillBefore lets the next sync of a place panic with Killed, and all that follows it, until KillAt is called.
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
	if c.Kind != disk.Sync && c.Kind != disk.SyncDirectory { // what is on disk is worked out, and waiting takes long
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

// Last describes the last changes of a number of them, one in a line.
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
