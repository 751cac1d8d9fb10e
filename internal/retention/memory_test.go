package retention

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// weighingStore notes how much of a budget is held when rows are deleted.
type weighingStore struct {
	store.Store
	budget *memory.Budget
	leased bool
}

func (s *weighingStore) Observations() store.Table[domain.Observation] {
	return &weighingTable{s.Store.Observations(), s}
}

type weighingTable struct {
	store.Table[domain.Observation]
	*weighingStore
}

func (t *weighingTable) Delete(ctx context.Context, scope domain.ProjectScope, s store.Selection) (int, error) {
	t.leased = memory.Of(ctx) != nil
	return t.Table.Delete(ctx, scope, s)
}

// TestRetentionTakesMemoryFromTheBudget deletes a day with more users than its sums have memory for: it is summed up with
// fewer details, nothing is lost, and nothing stays held.
func TestRetentionTakesMemoryFromTheBudget(t *testing.T) {
	j := newJob(t)
	j.Memory = memory.NewBudget(memory.SizesOf(4<<20), time.Minute)
	weighed := &weighingStore{Store: j.Store, budget: j.Memory}
	j.Store = weighed
	now := j.Now().UTC().Truncate(24 * time.Hour).Add(15 * time.Hour)
	const users = 20_000
	var rows []domain.Observation
	for n := range users {
		id := fmt.Sprint(n, strings.Repeat("-", 50))
		rows = append(rows, domain.Observation{
			TraceID: id, ID: id, UserID: id, StartTime: domain.MicrosOf(now.AddDate(0, 0, -20)), TotalCost: domain.FloatOf(1),
		})
	}
	if err := j.Store.Observations().Append(t.Context(), domain.OfProject("ever"), rows); err != nil {
		t.Fatal(err)
	}
	if n, _, err := j.expireWithMedia(t.Context(), "ever", domain.MicrosOf(now.AddDate(0, 0, -15))); err != nil || n != users {
		t.Fatalf("%d were deleted, %v", n, err)
	}
	if !weighed.leased || j.Memory.Held() != 0 {
		t.Errorf("leased: %t; %d bytes are still held", weighed.leased, j.Memory.Held())
	}
	totals, err := j.Catalog.DailyTotals(t.Context(), domain.OfProject("ever"), domain.TotalsByUser, 0, 1<<40, false)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, total := range totals {
		sum += total.TotalCost
	}
	if sum != users {
		t.Errorf("the sums have a cost of %v, want %d", sum, users)
	}
}
