package prompts_test

import (
	"testing"

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
