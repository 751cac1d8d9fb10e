package prompts_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/catalog/prompts"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// BenchmarkLargeProject reads the lists of a project with 5,000 prompts of 2 KB, one of which has 10,000 versions.
func BenchmarkLargeProject(b *testing.B) {
	db, err := catalog.OpenDB(b.Context(), filepath.Join(b.TempDir(), "catalog.db"))
	if err != nil {
		b.Fatal(err)
	}
	c := &catalogtest.Catalog{Catalog: catalog.New(db), DB: db}
	b.Cleanup(func() { _ = c.Close() })
	_, project := catalogtest.Seed(b, c, "o")
	scope := domain.OfProject(project.ID)
	text := strings.Repeat("You are an assistant. ", 93)
	add := func(count int, name func(int) string) {
		b.Helper()
		batch := prompts.Batch{Check: func(domain.Prompt, prompts.FindPrompt) error { return nil }}
		for n := range count {
			p := newTestPrompt(name(n), fmt.Sprint(text, n), "production")
			p.Tags = []string{"a", "b"}
			batch.Entries = append(batch.Entries, p)
		}
		results, err := c.AddPrompts(b.Context(), scope, batch, tester)
		if err != nil || results[count-1].Outcome != prompts.EntryCreated {
			b.Fatal(results[count-1], err)
		}
	}
	add(5000, func(n int) string { return fmt.Sprintf("team %d/prompt %d", n%50, n) })
	add(10_000, func(int) string { return "many" })
	for name, run := range map[string]func() (int, error){
		"all": func() (int, error) {
			h, err := c.PromptHeads(b.Context(), scope, prompts.HeadFilter{})
			return len(h), err
		},
		"folder": func() (int, error) {
			h, err := c.PromptHeads(b.Context(), scope, prompts.HeadFilter{Folder: "team 7"})
			return len(h), err
		},
		"name": func() (int, error) {
			h, err := c.PromptHeads(b.Context(), scope, prompts.HeadFilter{Search: "prompt 12"})
			return len(h), err
		},
		"content": func() (int, error) {
			h, err := c.PromptHeads(b.Context(), scope, prompts.HeadFilter{Search: "assistant. 77", InContent: true})
			return len(h), err
		},
		"versions": func() (int, error) {
			v, _, err := c.PromptVersions(b.Context(), scope, "many", prompts.VersionFilter{Before: 5000, Limit: 51})
			return len(v), err
		},
		"versions searched": func() (int, error) {
			v, _, err := c.PromptVersions(b.Context(), scope, "many", prompts.VersionFilter{Search: "77", Limit: 51})
			return len(v), err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if found, err := run(); err != nil || found == 0 {
					b.Fatal(found, err)
				}
			}
		})
	}
}
