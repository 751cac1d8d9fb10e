package store

import (
	"strconv"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// TestHashesCannotBeChosen: whoever knows the program, but not the memory of the process, can choose neither different
// values that are counted as one, nor many that belong in the same place of a table.
func TestHashesCannotBeChosen(t *testing.T) {
	const a, b = "mffuyced|2k@x>Mm", "jnpvzsff:B#'BE{r"
	if xxhash.Sum64String(a) != xxhash.Sum64String(b) {
		t.Fatal("the two strings are no longer a pair")
	}
	if TextHash(a) == TextHash(b) {
		t.Error("two strings that were chosen for it have the same hash")
	}
	const chosen, mask = 64, 1<<14 - 1
	places := make(map[uint64]bool)
	for n, found := 0, 0; found < chosen; n++ {
		if text := strconv.Itoa(n); xxhash.Sum64String(text)&mask == 0 {
			places[TextHash(text)&mask] = true
			found++
		}
	}
	if len(places) < chosen/2 {
		t.Errorf("%d strings that were chosen for it have %d places", chosen, len(places))
	}
	clear(places)
	for n := range chosen { // numbers whose low bits are 0, as a product with a fixed factor keeps them
		places[NumberHash(float64(uint64(n+1)<<40))&mask] = true
	}
	if len(places) < chosen/2 {
		t.Errorf("%d numbers that were chosen for it have %d places", chosen, len(places))
	}
	if NumberHash(0) != NumberHash(-1/1e308/1e308) {
		t.Error("0 and -0 have different hashes")
	}
}
