package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/prompts"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/test/catalogtest"
)

// leased returns a context with a lease on a budget of the given size and wait time.
func leased(t *testing.T, bytes int64, wait time.Duration) (context.Context, *memory.Budget) {
	t.Helper()
	budget := memory.NewBudget(memory.Sizes{Shared: bytes}, wait)
	return memory.With(t.Context(), budget.Lease("")), budget
}

// TestReadsTakeMemory checks that every kind of read accounts for its results while they are in memory.
func TestReadsTakeMemory(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		const size = 200 << 10
		text := strings.Repeat("x", size)
		set := d.dataset("set")
		for n := range 6 {
			d.item("set", catalog.DatasetItemChange{ID: fmt.Sprint("i", n), Input: json.RawMessage(`"` + text + `"`)})
			if _, err := d.ScoreConfigs.Create(d.Context(), d.scope, domain.ScoreConfig{
				Name: "c", DataType: domain.ScoreNumeric, Description: &text,
			}, catalogtest.Tester); err != nil {
				d.Fatal(err)
			}
			p := domain.Prompt{Name: fmt.Sprint("p", n), Type: domain.PromptText, Config: json.RawMessage(`"` + text + `"`)}
			if _, err := d.CreatePrompt(d.Context(), d.scope, p, func(prompts.FindPrompt) error { return nil },
				prompts.Editor{Actor: catalogtest.Tester}); err != nil {
				d.Fatal(err)
			}
		}

		// A list that is returned as a whole keeps its memory.
		ctx, budget := leased(t, 16<<20, 0)
		if list, _, err := d.ScoreConfigs.Page(ctx, d.scope, tables.Page{Offset: 0, Limit: 50}); err != nil || len(list) != 6 {
			d.Fatal(len(list), err)
		}
		if held := budget.Held(); held < 6*size || held > 4*6*size {
			d.Errorf("%d bytes are held for 6 texts of %d", held, size)
		}

		// A list that is read in parts keeps the memory of one part.
		ctx, budget = leased(t, 5*size, 0)
		items, _, err := d.DatasetItems(ctx, d.scope, catalog.DatasetItemQuery{DatasetID: set.ID}, 0, 100)
		if err != nil {
			d.Fatal(err)
		}
		read := 0
		for _, err := range items {
			if err != nil {
				d.Fatal(err)
			}
			if held := budget.Held(); held < 2*size {
				d.Errorf("%d bytes are held for an item of %d", held, size)
			}
			read++
		}
		if read != 6 || budget.Held() != 0 {
			d.Errorf("%d items, %d bytes are lost", read, budget.Held())
		}

		ctx, budget = leased(t, 5*size, 0)
		prompts, _, err := d.Prompts(ctx, d.scope, prompts.PromptFilter{}, tables.Page{Offset: 0, Limit: 50})
		if err != nil {
			d.Fatal(err)
		}
		for _, err := range prompts {
			if err != nil {
				d.Fatal(err)
			}
			if held := budget.Held(); held < 2*size {
				d.Errorf("%d bytes are held for a prompt of %d", held, size)
			}
			read++
		}
		if read != 12 || budget.Held() != 0 {
			d.Errorf("%d prompts, %d bytes are lost", read-6, budget.Held())
		}

		// A read fails if it exceeds the whole budget, or if others hold the memory and do not release it.
		for bytes, want := range map[int64]error{2 * size: memory.ErrTooLarge, 32 * size: memory.ErrBusy} {
			ctx, budget = leased(t, bytes, 0)
			others := bytes - 2*size
			if err := budget.Lease("").Grow(d.Context(), others); err != nil {
				d.Fatal(err)
			}
			if _, _, err := d.ScoreConfigs.Page(ctx, d.scope, tables.Page{Offset: 0, Limit: 50}); !errors.Is(err, want) {
				d.Errorf("of %d bytes: %v, want %v", bytes, err, want)
			}
			items, _, err := d.DatasetItems(ctx, d.scope, catalog.DatasetItemQuery{DatasetID: set.ID}, 0, 100)
			if err != nil {
				d.Fatal(err)
			}
			for _, err = range items {
				if err != nil {
					break
				}
			}
			if !errors.Is(err, want) {
				d.Errorf("items of %d bytes: %v, want %v", bytes, err, want)
			}
			if budget.Held() != others {
				d.Errorf("%d bytes are lost", budget.Held()-others)
			}
		}
	})
}

// TestNobodyWaitsWithAConnection has many reads wait for memory while others still succeed.
func TestNobodyWaitsWithAConnection(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		const readers, size = 60, 100 << 10 // more than there are connections
		text := strings.Repeat("x", size)
		set := d.dataset("set")
		for n := range 5 {
			d.item("set", catalog.DatasetItemChange{ID: fmt.Sprint("i", n), Input: json.RawMessage(`"` + text + `"`)})
			if _, err := d.ScoreConfigs.Create(d.Context(), d.scope, domain.ScoreConfig{
				Name: "c", DataType: domain.ScoreNumeric, Description: &text,
			}, catalogtest.Tester); err != nil {
				d.Fatal(err)
			}
		}
		budget := memory.NewBudget(memory.Sizes{Shared: 6 << 20, Large: 6 << 20}, time.Hour)
		others := []*memory.Lease{budget.Lease("a"), budget.Lease("b")}
		for _, l := range others {
			if err := l.Grow(d.Context(), 6<<20); err != nil {
				d.Fatal(err)
			}
		}
		var wg sync.WaitGroup
		for n := range readers {
			wg.Go(func() {
				lease := budget.Lease("")
				defer lease.Release()
				ctx, read := memory.With(d.Context(), lease), 0
				if n%2 == 0 {
					list, _, err := d.ScoreConfigs.Page(ctx, d.scope, tables.Page{Offset: 0, Limit: 50})
					if read = len(list); err != nil {
						d.Error(err)
					}
				} else {
					items, _, err := d.DatasetItems(ctx, d.scope, catalog.DatasetItemQuery{DatasetID: set.ID}, 0, 100)
					if err != nil {
						d.Error(err)
						return
					}
					for _, err := range items {
						if err != nil {
							d.Error(err)
						}
						read++
					}
				}
				if read != 5 {
					d.Errorf("a reader got %d of 5", read)
				}
			})
		}
		for budget.Waiting() < readers {
			time.Sleep(time.Millisecond)
		}
		if _, err := d.Project(d.Context(), d.scope); err != nil {
			d.Error(err)
		}
		for _, l := range others {
			l.Release()
		}
		wg.Wait()
		if budget.Held() != 0 {
			d.Errorf("%d bytes are lost", budget.Held())
		}
	})
}
