package retention

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/prompts"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

// TestDeletedPromptsWaitForTheClock checks that deleted prompts can be restored after the clock was ahead for a few minutes.
func TestDeletedPromptsWaitForTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64
		now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		db, err := catalog.OpenDB(t.Context(), filepath.Join(t.TempDir(), "catalog.db"))
		if err != nil {
			t.Fatal(err)
		}
		db.Now = now
		j := newJob(t)
		if err := j.Catalog.Close(); err != nil {
			t.Fatal(err)
		}
		j.Catalog, j.Now = catalog.New(db), now
		defer j.Catalog.Close()
		j.Media.Catalog = j.Catalog
		scope, by := domain.OfProject("p"), domain.Actor{Kind: "cli"}
		if _, err := j.Catalog.CreateOrganization(t.Context(), "org", "Org", by); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Catalog.CreateProject(t.Context(), domain.OfOrganization("org"), tenants.NewProject{ID: "p", Name: "p"}, by); err != nil {
			t.Fatal(err)
		}
		editor := prompts.Editor{Actor: by}
		if _, err := j.Catalog.CreatePrompt(t.Context(), scope, domain.Prompt{Name: "a", Type: domain.PromptText, Config: []byte("{}")},
			func(prompts.FindPrompt) error { return nil }, editor); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Catalog.DeletePrompt(t.Context(), scope, domain.PromptReference{Name: "a"}, editor); err != nil {
			t.Fatal(err)
		}
		left := func() int {
			list, err := j.Catalog.PromptDeletions(t.Context(), scope, nil, 10)
			if err != nil {
				t.Fatal(err)
			}
			return len(list)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { j.runner().Run(ctx) })
		time.Sleep(2 * steady)
		ahead.Store(int64(2 * prompts.DeletedKept))
		time.Sleep(steady / 2)
		synctest.Wait()
		ahead.Store(0)
		if left() != 1 {
			t.Error("a deleted prompt was removed for good while the clock was ahead")
		}
		ahead.Store(int64(prompts.DeletedKept))
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		ahead.Store(0) // what is kept is shown again
		if left() != 0 {
			t.Error("a deleted prompt is kept for more than 30 days")
		}
		cancel()
		done.Wait()
	})
}
