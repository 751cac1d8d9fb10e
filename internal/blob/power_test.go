package blob

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/disk"
	"almanac/test/powerloss"
)

// TestPowerLoss stores files and simulates a power failure: stored files survive, and without any one of the syncs they
// may not.
func TestPowerLoss(t *testing.T) {
	seed := powerloss.Seed(t)
	content := bytes.Repeat([]byte("media "), 500)
	keys := []string{"aaaa1111", "aaaa2222", "aabb3333"}
	for _, site := range []disk.Site{disk.MediaName, disk.BlobData, disk.BlobName, disk.BlobDirectory} {
		t.Run(string(site), func(t *testing.T) {
			powerloss.Needs(t, seed, site, func(uint64) (*powerloss.Recorder, powerloss.Check) {
				root := powerloss.TempDir(t)
				r := powerloss.Record(t, root)
				d, err := openDirectory(r.Disk(), filepath.Join(root, "media"))
				if err != nil {
					t.Fatal(err)
				}
				kept := make([]int, len(keys)) // number of changes after which each was stored
				for n, key := range keys {
					if err := d.Put(t.Context(), key, bytes.NewReader(content), int64(len(content))); err != nil {
						t.Fatal(err)
					}
					kept[n] = r.Len()
				}
				scratch := powerloss.TempDir(t)
				return r, func(changes int, random *rand.Rand, without disk.Site) error {
					after := filepath.Join(scratch, "after")
					defer os.RemoveAll(after)
					r.Crash(t, changes, random, without, after)
					for n, key := range keys {
						if kept[n] > changes {
							continue
						}
						file, err := InDirectory(filepath.Join(after, "media")).Open(t.Context(), key, int64(len(content)))
						if err != nil {
							return err
						}
						got, err := io.ReadAll(file)
						if err := file.Close(); err != nil {
							t.Fatal(err)
						}
						if err != nil || !bytes.Equal(got, content) {
							return ErrLength
						}
					}
					return nil
				}
			})
		})
	}
}
