package powerloss

import (
	"math/rand/v2"
	"testing"

	"almanac/internal/disk"
)

// Check simulates a power loss after a number of changes, without the syncs of a site, and returns an error if what
// remains is wrong.
type Check func(changes int, random *rand.Rand, without disk.Site) error

// Needs checks that a sync is needed: without it a power loss does damage that it does not do with it. The function
// record records what happens around the sync, which may differ between attempts.
func Needs(t *testing.T, seed uint64, site disk.Site, record func(attempt uint64) (*Recorder, Check)) {
	t.Helper()
	const attempts, losses = 200, 20
	for attempt := range uint64(attempts) {
		r, check := record(seed + attempt)
		random := randomOf(seed, attempt)
		for range losses {
			changes := r.After(site, random)
			if changes < 0 {
				break
			}
			same := random.Uint64()
			harm := check(changes, randomOf(same, 0), site)
			if harm == nil {
				continue
			}
			if err := check(changes, randomOf(same, 0), ""); err != nil {
				t.Fatalf("%s: a loss of power does harm with the sync, too: %v\n%s", site, err, r.Last(changes, 40))
			}
			t.Logf("%s, attempt %d: %.300v", site, attempt, harm)
			return
		}
	}
	t.Errorf("%s: no loss of power does harm without it, in %d attempts of %d", site, attempts, losses)
}

func randomOf(seed, stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, stream)) //nolint:gosec // a seed gives the same again
}
