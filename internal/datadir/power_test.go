package datadir

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"almanac/internal/disk"
	"almanac/test/powerloss"
)

// TestPowerLoss creates a data directory and simulates a power loss: what is stored in it later is not lost with the
// directory, unless the sync is left out. The syncs of a restore are covered by the tests of that command.
func TestPowerLoss(t *testing.T) {
	seed := powerloss.Seed(t)
	for _, site := range []disk.Site{disk.DataName} {
		t.Run(string(site), func(t *testing.T) {
			powerloss.Needs(t, seed, site, func(uint64) (*powerloss.Recorder, powerloss.Check) {
				root, scratch := powerloss.TempDir(t), powerloss.TempDir(t)
				r := powerloss.Record(t, root)
				d, err := open(r.Disk(), filepath.Join(root, "deep", "data"))
				if err != nil {
					t.Fatal(err)
				}
				if err := d.Close(); err != nil {
					t.Fatal(err)
				}
				return r, func(changes int, random *rand.Rand, without disk.Site) error {
					after := filepath.Join(scratch, "after")
					defer os.RemoveAll(after)
					r.Crash(t, changes, random, without, after)
					if changes < r.Len() {
						return nil
					}
					_, err := os.Stat(filepath.Join(after, "deep", "data"))
					return err
				}
			})
		})
	}
}

// TestAFailedSyncKeepsServersAway fails the sync that must succeed before a server may start on a restored directory.
func TestAFailedSyncKeepsServersAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	failing := disk.Watched(func(c *disk.Change, do func() error) error {
		if c.Site == disk.RestoredNames {
			return syscall.EIO
		}
		return do()
	})
	d, err := OpenEmpty(failing, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.MarkComplete(); !errors.Is(err, syscall.EIO) {
		t.Errorf("Filled = %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if d, err := Open(path); err == nil {
		t.Error("a server starts on a directory of which nobody knows what is on disk", d.Close())
	}
}
