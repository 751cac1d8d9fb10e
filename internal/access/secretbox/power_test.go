package secretbox

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/disk"
	"almanac/test/powerloss"
)

// TestPowerLoss creates a key and simulates a power loss: a key that was used survives, there is never half a key, and
// without any one of the syncs that is not so.
func TestPowerLoss(t *testing.T) {
	seed := powerloss.Seed(t)
	for _, site := range []disk.Site{disk.KeyData, disk.KeyName} {
		t.Run(string(site), func(t *testing.T) {
			powerloss.Needs(t, seed, site, func(uint64) (*powerloss.Recorder, powerloss.Check) {
				root, scratch := powerloss.TempDir(t), powerloss.TempDir(t)
				r := powerloss.Record(t, root)
				key, _, err := keyFile(r.Disk(), filepath.Join(root, "encryption.key"))
				if err != nil {
					t.Fatal(err)
				}
				return r, func(changes int, random *rand.Rand, without disk.Site) error {
					after := filepath.Join(scratch, "after")
					defer os.RemoveAll(after)
					r.Crash(t, changes, random, without, after)
					text, err := os.ReadFile(filepath.Join(after, "encryption.key"))
					if errors.Is(err, fs.ErrNotExist) && changes < r.Len() {
						return nil
					}
					if err != nil {
						return err
					}
					got, err := ParseKey(strings.TrimSpace(string(text)))
					if err == nil && got != key {
						err = errors.New("it is another key")
					}
					return err
				}
			})
		})
	}
}
