package catalog_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/catalog/pgtest"
	"almanac/internal/catalog/sqldb"
	"almanac/test/catalogtest"
)

// TestHoldRows changes counters from several servers concurrently, kept apart only by the held rows: a few rows at a
// time, the whole project, and more writers than there are connections.
func TestHoldRows(t *testing.T) {
	address := pgtest.URL(t)
	const things, rounds, writers = 5, 10, 12
	var counters [things]atomic.Int64 // loaded and stored separately: the sum shows whether two writers overlapped
	many := make([]string, sqldb.MaxHeld+1)
	for n := range many {
		many[n] = strconv.Itoa(n)
	}
	var work sync.WaitGroup
	began := time.Now()
	for server := range 2 {
		c := catalogtest.Open(t, address)
		for writer := range writers {
			work.Go(func() {
				random := rand.New(rand.NewPCG(uint64(server), uint64(writer)))
				for range rounds {
					numbers := random.Perm(things)[:2]
					ids := []string{strconv.Itoa(numbers[0]), strconv.Itoa(numbers[1]), strconv.Itoa(numbers[0])}
					if writer == 0 {
						ids = many
					}
					release, err := c.LockRows(t.Context(), "p", ids)
					if err != nil {
						t.Error(err)
						return
					}
					for _, n := range numbers {
						before := counters[n].Load()
						time.Sleep(100 * time.Microsecond)
						counters[n].Store(before + 1)
					}
					release()
				}
			})
		}
	}
	work.Wait()
	sum := 0
	for n := range counters {
		sum += int(counters[n].Load())
	}
	if want := 2 * writers * rounds * 2; sum != want {
		t.Errorf("%d changes are left of %d", sum, want)
	}
	t.Logf("%d times held in %v", 2*writers*rounds, time.Since(began))
}

func TestHoldRowsGivesUp(t *testing.T) {
	address := pgtest.URL(t)
	one, two := catalogtest.Open(t, address), catalogtest.Open(t, address)
	release, err := one.LockRows(t.Context(), "p", []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	limited, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for _, free := range [][2]string{{"p", "b"}, {"q", "a"}} {
		other, err := two.LockRows(t.Context(), free[0], free[1:])
		if err != nil {
			t.Fatal(err)
		}
		other()
	}
	if _, err := two.LockRows(limited, "p", []string{"b", "a"}); err == nil {
		t.Error("two servers hold one row")
	}
	release()
	if release, err = two.LockRows(t.Context(), "p", []string{"b", "a"}); err != nil {
		t.Fatal(err)
	}
	release()
	if release, err = catalogtest.Open(t, t.TempDir()+"/c.db").LockRows(t.Context(), "p", []string{"a"}); err != nil {
		t.Fatal(err)
	}
	release()
}
