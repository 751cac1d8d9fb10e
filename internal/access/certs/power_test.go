package certs

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/crypto/acme/autocert"

	"almanac/internal/disk"
	"almanac/test/powerloss"
)

// TestPowerLoss stores an account key and simulates a power loss: the file is complete, as it was before, or missing.
// Without the sync that does not hold.
func TestPowerLoss(t *testing.T) {
	seed := powerloss.Seed(t)
	const name = "acme_account+key"
	older, newer := bytes.Repeat([]byte("older "), 200), bytes.Repeat([]byte("newer "), 200)
	for _, site := range []disk.Site{disk.CertificateData} {
		t.Run(string(site), func(t *testing.T) {
			powerloss.Needs(t, seed, site, func(uint64) (*powerloss.Recorder, powerloss.Check) {
				root, scratch := powerloss.TempDir(t), powerloss.TempDir(t)
				r := powerloss.Record(t, root)
				cache := syncedCache{autocert.DirCache(filepath.Join(root, "certificates")), r.Disk()}
				for _, content := range [][]byte{older, newer} {
					if err := cache.Put(t.Context(), name, content); err != nil {
						t.Fatal(err)
					}
					if got, err := cache.Get(t.Context(), name); err != nil || !bytes.Equal(got, content) {
						t.Fatalf("Get = %.20q, %v", got, err)
					}
				}
				return r, func(changes int, random *rand.Rand, without disk.Site) error {
					after := filepath.Join(scratch, "after")
					defer os.RemoveAll(after)
					r.Crash(t, changes, random, without, after)
					got, err := autocert.DirCache(filepath.Join(after, "certificates")).Get(t.Context(), name)
					switch {
					case errors.Is(err, autocert.ErrCacheMiss), bytes.Equal(got, older), bytes.Equal(got, newer):
						return nil
					default:
						return errors.Join(err, errors.New("half a key"))
					}
				}
			})
		})
	}
}
