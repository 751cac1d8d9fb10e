package prompts_test

import (
	"errors"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// TestRestoringWhatWasImportedAgain restores versions after one of them was imported again, with its id.
func TestRestoringWhatWasImportedAgain(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		first := createPrompt(t, c, scope, newTestPrompt("a", "first", "production"))
		createPrompt(t, c, scope, newTestPrompt("a", "second"))
		deletion, err := c.DeletePrompt(t.Context(), scope, domain.PromptReference{Name: "a"}, tester)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Import(t.Context(), scope, []any{first}, func([]tables.ImportOutcome) (catalog.ImportState, error) {
			return catalog.ImportState{Source: "other", Report: []byte("{}")}, nil
		}); err != nil {
			t.Fatal(err)
		}
		done, err := c.RestorePrompt(t.Context(), scope, deletion.ID, tester)
		if err != nil {
			t.Fatal(err)
		}
		for n, text := range []string{"first", "second"} {
			got, err := c.Prompt(t.Context(), scope, versionOf("a", done.Versions[n].Version))
			if err != nil || got.Text != text {
				t.Errorf("version %d is %q, %v; want %q", done.Versions[n].Version, got.Text, err, text)
			}
		}
		if again, err := c.Prompt(t.Context(), scope, versionOf("a", 1)); err != nil || again.ID != first.ID {
			t.Errorf("the imported version has the id %q, %v", again.ID, err)
		}
	})
}

// TestWhatWasDeletedExpires checks that deleted versions can be restored for 30 days and no longer, whether they are
// removed yet or not.
func TestWhatWasDeletedExpires(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		clock := time.Now()
		c.DB.Now = func() time.Time { return clock }
		createPrompt(t, c, scope, newTestPrompt("a", "text"))
		deletion, err := c.DeletePrompt(t.Context(), scope, domain.PromptReference{Name: "a"}, tester)
		if err != nil {
			t.Fatal(err)
		}
		check := func(listed int) {
			t.Helper()
			if list, err := c.PromptDeletions(t.Context(), scope, nil, 10); err != nil || len(list) != listed {
				t.Errorf("%d deletions are listed, %v; want %d", len(list), err, listed)
			}
		}
		expires := deletion.ExpiresAt()
		clock = expires.Add(-time.Millisecond)
		if err := c.ExpirePrompts(t.Context()); err != nil {
			t.Fatal(err)
		}
		check(1)
		clock = expires
		check(0)
		if _, err := c.RestorePrompt(t.Context(), scope, deletion.ID, tester); !errors.Is(err, domain.ErrNotFound) {
			t.Errorf("restored after 30 days: %v", err)
		}
		if err := c.ExpirePrompts(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock = expires.Add(-time.Millisecond)
		check(0) // removed, not only hidden
	})
}
