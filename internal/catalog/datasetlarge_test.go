package catalog_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// BenchmarkLargeDataset writes items of half a kilobyte in parts, as an import does, and reads them in the ways of the
// pages of a dataset.
func BenchmarkLargeDataset(b *testing.B) {
	const items, part = 500_000, 1000
	c := catalogtest.Open(b, catalogtest.File(b))
	_, p := catalogtest.Seed(b, c, "mine")
	scope, ctx := domain.OfProject(p.ID), b.Context()
	d, err := c.PutDataset(ctx, scope, catalog.DatasetChange{Name: "large"}, acceptAll, catalogtest.Tester)
	if err != nil {
		b.Fatal(err)
	}
	text := fmt.Sprintf("%0400d", 0)
	started := time.Now()
	for first := 0; first < items; first += part {
		writes := make([]catalog.ItemWrite, part)
		for n := range writes {
			id := fmt.Sprintf("%08x", uint32(first+n)*2654435761) // in no order, like ids made of values
			writes[n].Change = catalog.DatasetItemChange{
				ID: id, Input: json.RawMessage(fmt.Sprintf(`{"q":"case %d %s"}`, first+n, text)), ExpectedOutput: json.RawMessage(`"an answer"`),
			}
		}
		if _, err := c.PutDatasetItems(ctx, scope, d.ID, writes, takesAll, false, catalogtest.Tester); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%.0f items/s written", items/time.Since(started).Seconds())
	started = time.Now()
	read := 0
	for _, err := range c.CurrentDatasetItems(ctx, scope, d.ID) {
		if err != nil {
			b.Fatal(err)
		}
		read++
	}
	b.Logf("%.0f items/s read", float64(read)/time.Since(started).Seconds())
	at := time.Now().Add(-time.Millisecond)
	for name, q := range map[string]catalog.ItemsQuery{
		"first page": {Status: domain.ItemActive}, "as of a time": {At: &at},
		"search that finds many": {Search: "case 4999"}, "search that finds nothing": {Search: "nothing like it"},
	} {
		q.DatasetID, q.Limit = d.ID, 51
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.BrowseItems(ctx, scope, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("versions", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.DatasetVersions(ctx, scope, d.ID, time.Time{}, 101); err != nil {
				b.Fatal(err)
			}
		}
	})
}
