package catalogtest

import (
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/ingest/pricing"
)

// Prices returns the price lists of the projects of a catalog.
func Prices(t testing.TB, c *catalog.Catalog) *pricing.Lists {
	t.Helper()
	defaults, err := pricing.Default()
	if err != nil {
		t.Fatal(err)
	}
	return pricing.NewLists(defaults, c)
}
