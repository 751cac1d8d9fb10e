package prompts_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func createSkill(t *testing.T, c *catalogtest.Catalog, scope domain.ProjectScope, name string, files ...domain.NewSkillFile) domain.Skill {
	t.Helper()
	created, err := c.CreateSkill(t.Context(), scope, files, func(text string) (domain.Skill, error) {
		return domain.Skill{Name: name, Description: text, Frontmatter: []byte(`{"a":1.50}`), CreatedBy: "API"}, nil
	}, catalogtest.Tester)
	if err != nil {
		t.Fatal(err)
	}
	return created
}

func skillFile(path, content string) domain.NewSkillFile {
	return domain.NewSkillFile{Path: path, Content: &content}
}

func TestSkillRoundTrip(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		created := createSkill(t, c, scope, "s", skillFile("SKILL.md", "first"), skillFile("a", "zero \x00"), skillFile("b", "zero \x00"))
		if created.Description != "first" || created.Version != 1 || len(created.Files) != 3 ||
			created.Files[1].BlobID != created.Files[2].BlobID || created.Files[1].Length != 6 {
			t.Errorf("%+v", created)
		}
		got, err := c.Skill(t.Context(), scope, "s", 0, domain.LatestLabel)
		if diff := cmp.Diff(created, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		texts, err := c.SkillContents(t.Context(), scope, []string{created.Files[1].Hash, created.Files[0].Hash})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for text, err := range texts {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, text.Content)
		}
		if diff := cmp.Diff([]string{"zero \x00", "first"}, found); diff != "" {
			t.Errorf("contents (-want +got):\n%s", diff)
		}
		// A manifest that is given only by its hash.
		second := createSkill(t, c, scope, "s", domain.NewSkillFile{Path: "SKILL.md", Hash: created.Files[0].Hash})
		if second.Description != "first" || second.Version != 2 {
			t.Errorf("%+v", second)
		}
		if err := c.DeleteSkill(t.Context(), scope, "s", 1, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if _, err := c.SkillContents(t.Context(), scope, []string{created.Files[1].Hash}); !errors.Is(err, domain.ErrNotFound) {
			t.Errorf("the content of a deleted version: %v", err)
		}
		if _, err := c.SkillContents(t.Context(), scope, []string{created.Files[0].Hash}); err != nil {
			t.Errorf("the content that another version has: %v", err)
		}
	})
}

// TestSkillsAtOnce creates versions concurrently: all of them are created, one after another.
func TestSkillsAtOnce(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		const writers = 8
		var work sync.WaitGroup
		for range writers {
			work.Go(func() { createSkill(t, c, scope, "s", skillFile("SKILL.md", "same")) })
		}
		work.Wait()
		if newest, err := c.Skill(t.Context(), scope, "s", 0, domain.LatestLabel); err != nil || newest.Version != writers {
			t.Errorf("%+v, %v", newest, err)
		}
	})
}

func TestSkillsGoWithTheirProject(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		organization, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		createSkill(t, c, scope, "s", skillFile("SKILL.md", "x"))
		if _, err := c.LabelSkill(t.Context(), scope, "s", 1, []string{"a"}, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if _, err := c.TagSkill(t.Context(), scope, "s", []string{"t"}, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		count := func(table string) int {
			t.Helper()
			n, err := tables.QueryOne(t.Context(), c.DB.Reader(), tables.ScanValue[int], "SELECT COUNT(*) FROM "+table)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		tables := []string{"skills", "skill_labels", "skill_tags", "skill_blobs", "skill_files", "skill_revisions"}
		for _, table := range tables {
			if n := count(table); n != 1 {
				t.Errorf("%d rows of %s", n, table)
			}
		}
		if err := c.DeleteProject(t.Context(), organization, project.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		for _, table := range tables {
			if n := count(table); n != 0 {
				t.Errorf("%d rows of %s are left", n, table)
			}
		}
	})
}
