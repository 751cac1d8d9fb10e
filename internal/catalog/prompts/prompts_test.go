package prompts_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog"
	"almanac/internal/catalog/prompts"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// tester is an editor who may do everything.
var tester = prompts.Editor{Actor: catalogtest.Tester, MovesProtected: true}

// deleted returns the error of a deletion.
func deleted(_ prompts.PromptDeletion, err error) error { return err }

// fine is a check that every prompt passes.
func fine(prompts.FindPrompt) error { return nil }

func newTestPrompt(name, text string, labels ...string) domain.Prompt {
	return domain.Prompt{Name: name, Type: domain.PromptText, Text: text, Labels: labels, Config: []byte("{}"), CreatedBy: "API"}
}

func createPrompt(t *testing.T, c *catalogtest.Catalog, scope domain.ProjectScope, n domain.Prompt) domain.Prompt {
	t.Helper()
	created, err := c.CreatePrompt(t.Context(), scope, n, fine, tester)
	if err != nil {
		t.Fatal(err)
	}
	return created
}

func versionOf(name string, version int) domain.PromptReference {
	return domain.PromptReference{Name: name, Version: version}
}

func labelOf(name, label string) domain.PromptReference {
	return domain.PromptReference{Name: name, Label: label}
}

func TestPromptRoundTrip(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		n := domain.Prompt{
			Name: "folder/é", Type: domain.PromptChat, Config: []byte(`{"a":[1.50,null]}`), CreatedBy: "API", CommitMessage: new("why"),
			Messages: []domain.PromptMessage{{Role: "user", Content: "zero \x00 and <tag>"}, {Placeholder: "history"}},
			Labels:   []string{"b", "a"}, Tags: []string{"z", "y"},
			References: []domain.PromptReference{labelOf("x", "production"), versionOf("y", 2)},
		}
		created := createPrompt(t, c, scope, n)
		for _, ref := range []domain.PromptReference{versionOf(n.Name, 1), labelOf(n.Name, "a"), labelOf(n.Name, "latest")} {
			got, err := c.Prompt(t.Context(), scope, ref)
			if err != nil {
				t.Fatal(err)
			}
			want := n
			want.ID, want.Version, want.CreatedAt, want.UpdatedAt = created.ID, 1, created.CreatedAt, created.UpdatedAt
			want.Labels = []string{"b", "a", "latest"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Prompt(%v) (-want +got):\n%s", ref, diff)
			}
		}
		for _, ref := range []domain.PromptReference{
			versionOf(n.Name, 2), labelOf(n.Name, "production"), versionOf("other", 1), versionOf("\x00", 1), labelOf(n.Name, "\xff"),
		} {
			_, err := c.Prompt(t.Context(), scope, ref)
			catalogtest.WantError(t, ref.String(), err, domain.ErrNotFound)
		}
		_, other := catalogtest.Seed(t, c, "other")
		foreign := domain.OfProject(other.ID)
		_, err := c.Prompt(t.Context(), foreign, versionOf(n.Name, 1))
		catalogtest.WantError(t, "a foreign project", err, domain.ErrNotFound)
		for scope, want := range map[domain.ProjectScope]bool{scope: true, foreign: false} {
			if exists, err := c.PromptExists(t.Context(), scope, created.ID); err != nil || exists != want {
				t.Errorf("PromptExists = %v, %v, want %v", exists, err, want)
			}
		}
		_, err = c.LabelPrompt(t.Context(), foreign, n.Name, 1, []string{"x"}, tester)
		catalogtest.WantError(t, "labels from a foreign project", err, domain.ErrNotFound)
		catalogtest.WantError(t, "deletion from a foreign project",
			deleted(c.DeletePrompt(t.Context(), foreign, labelOf(n.Name, ""), tester)), domain.ErrNotFound)
		_, err = c.CreatePrompt(t.Context(), domain.OfProject("gone"), n, fine, tester)
		catalogtest.WantError(t, "a project that is gone", err, domain.ErrNotFound)
	})
}

func TestPromptIDs(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		want := make(map[domain.PromptReference]string)
		var refs []domain.PromptReference
		for _, name := range []string{"a", "b", "a", "c"} {
			created := createPrompt(t, c, scope, newTestPrompt(name, "x"))
			want[versionOf(name, created.Version)] = created.ID
			refs = append(refs, versionOf(name, created.Version))
		}
		for n := range 250 { // more than one statement looks up
			refs = append(refs, versionOf(strings.Repeat("n", n+2), 1))
		}
		refs = append(refs, versionOf("\x00", 1), versionOf("a", 9))
		got, err := c.PromptIDs(t.Context(), scope, refs)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("PromptIDs (-want +got):\n%s", diff)
		}
	})
}

// TestPromptTimes shows which changes update updatedAt, and for which versions.
func TestPromptTimes(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		clock := time.UnixMilli(1_000_000).UTC()
		c.DB.Now = func() time.Time { return clock }
		updated := func(version int) int64 {
			t.Helper()
			p, err := c.Prompt(t.Context(), scope, versionOf("p", version))
			if err != nil {
				t.Fatal(err)
			}
			if p.CreatedAt.UnixMilli() != int64(1_000_000+1000*(version-1)) {
				t.Errorf("version %d was created at %v", version, p.CreatedAt)
			}
			return p.UpdatedAt.UnixMilli()
		}
		step := func(what string, change func() error, want ...int64) {
			t.Helper()
			if err := change(); err != nil {
				t.Fatal(err)
			}
			var got []int64
			for n := range want {
				got = append(got, updated(n+1))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: updated at %v, want %v", what, got, want)
			}
			clock = clock.Add(time.Second)
		}
		create := func(n domain.Prompt) func() error {
			return func() error { _, err := c.CreatePrompt(t.Context(), scope, n, fine, tester); return err }
		}
		label := func(version int, labels ...string) func() error {
			return func() error {
				_, err := c.LabelPrompt(t.Context(), scope, "p", version, labels, tester)
				return err
			}
		}
		step("created", create(newTestPrompt("p", "1", "a")), 1_000_000)
		step("loses latest", create(newTestPrompt("p", "2", "b")), 1_001_000, 1_001_000)
		step("neither loses anything", create(newTestPrompt("p", "3")), 1_001_000, 1_002_000, 1_002_000)
		step("a label moves", label(1, "b"), 1_003_000, 1_003_000, 1_002_000)
		step("nothing new", label(1, "b", "a"), 1_003_000, 1_003_000, 1_002_000)
		tagged := newTestPrompt("p", "5")
		tagged.Tags = []string{"t"}
		clock = time.UnixMilli(1_003_000).UTC() // its number is 4
		step("tags", create(tagged), 1_003_000, 1_003_000, 1_003_000, 1_003_000)
	})
}

// TestLatestIsInherited deletes versions from the newest on: the label latest moves to the newest remaining version, in
// addition to its own labels, and the tags are deleted with the last version.
func TestLatestIsInherited(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		for _, label := range []string{"a", "b", "c"} {
			n := newTestPrompt("p", "text", label)
			n.Tags = []string{"t"}
			if _, err := c.CreatePrompt(t.Context(), scope, n, fine, tester); err != nil {
				t.Fatal(err)
			}
		}
		remove := func(ref domain.PromptReference) {
			t.Helper()
			if err := deleted(c.DeletePrompt(t.Context(), scope, ref, tester)); err != nil {
				t.Fatal(err)
			}
		}
		latest := func(version int, labels ...string) {
			t.Helper()
			p, err := c.Prompt(t.Context(), scope, labelOf("p", "latest"))
			if err != nil || p.Version != version || !slices.Equal(p.Labels, labels) {
				t.Errorf("latest is version %d with %q, %v, want %d with %q", p.Version, p.Labels, err, version, labels)
			}
		}
		latest(3, "c", "latest")
		remove(versionOf("p", 1))
		latest(3, "c", "latest")
		remove(labelOf("p", "latest"))
		latest(2, "b", "latest")
		remove(versionOf("p", 2))
		if p, err := c.Prompt(t.Context(), scope, labelOf("p", "latest")); !errors.Is(err, domain.ErrNotFound) {
			t.Errorf("all versions are gone, but %+v, %v is latest", p, err)
		}
		again, err := c.CreatePrompt(t.Context(), scope, newTestPrompt("p", "text"), fine, tester)
		if err != nil || len(again.Tags) != 0 {
			t.Errorf("a prompt of the name of one that is gone is %+v, %v, want no tags", again, err)
		}
	})
}

func TestPromptsAtOnce(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, address string) {
		_, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		catalogs := []*catalogtest.Catalog{c}
		if catalog.IsPostgres(address) {
			catalogs = append(catalogs, catalogtest.Open(t, address)) // another server
		}
		const each = 10
		var work sync.WaitGroup
		for _, c := range catalogs {
			for range each {
				work.Go(func() {
					if _, err := c.CreatePrompt(t.Context(), scope, newTestPrompt("p", "x", "production"), fine,
						tester); err != nil {
						t.Error(err)
					}
				})
				work.Go(func() {
					if _, err := c.LabelPrompt(t.Context(), scope, "p", 1, []string{"production"}, tester); err != nil &&
						!errors.Is(err, domain.ErrNotFound) {
						t.Error(err)
					}
				})
			}
		}
		work.Wait()
		newest := each * len(catalogs)
		p, err := c.Prompt(t.Context(), scope, labelOf("p", "latest"))
		if err != nil || p.Version != newest {
			t.Errorf("latest is %d, %v, want %d", p.Version, err, newest)
		}
		revision, err := c.PromptRevision(t.Context(), scope)
		if err != nil || revision < int64(newest) {
			t.Errorf("revision %d, %v", revision, err)
		}
		carriers := 0
		for version := range newest {
			p, err := c.Prompt(t.Context(), scope, versionOf("p", version+1))
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(p.Labels, "production") {
				carriers++
			}
		}
		if carriers != 1 {
			t.Errorf("%d versions are in production", carriers)
		}
	})
}

func TestPromptChanges(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		organization, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		base := createPrompt(t, c, scope, newTestPrompt("base", "1"))
		// The check sees the stored prompts, and its error undoes everything.
		wrong := errors.New("wrong")
		_, err := c.CreatePrompt(t.Context(), scope, newTestPrompt("base", "2"), func(find prompts.FindPrompt) error {
			found, err := find(t.Context(), labelOf("base", "latest"))
			if err != nil || found.ID != base.ID {
				t.Errorf("the check found %v, %v", found, err)
			}
			return wrong
		}, tester)
		catalogtest.WantError(t, "a failed check", err, wrong)
		chat := domain.Prompt{Name: "base", Type: domain.PromptChat, Config: []byte("{}"), Messages: []domain.PromptMessage{}}
		_, err = c.CreatePrompt(t.Context(), scope, chat, fine, tester)
		catalogtest.WantError(t, "another type", err, prompts.ErrPromptType)
		if _, err := c.LabelPrompt(t.Context(), scope, "base", 1, []string{"production"}, tester); err != nil {
			t.Fatal(err)
		}
		many := make([]string, 1000)
		for n := range many {
			many[n] = strings.Repeat("l", n+1)
		}
		_, err = c.LabelPrompt(t.Context(), scope, "base", 1, many, tester)
		catalogtest.WantError(t, "too many labels", err, prompts.ErrPromptLabels)
		parent := newTestPrompt("parent", "")
		parent.References = []domain.PromptReference{labelOf("base", "production")}
		createPrompt(t, c, scope, parent)
		var inUse *prompts.PromptInUse
		if err := deleted(c.DeletePrompt(t.Context(), scope, versionOf("base", 1), tester)); !errors.As(err, &inUse) ||
			inUse.Dependents() != "parent (version 1)" {
			t.Errorf("deleting what is in use: %v", err)
		}
		if err := deleted(c.DeletePrompt(t.Context(), scope, labelOf("parent", ""), tester)); err != nil {
			t.Fatal(err)
		}
		if err := deleted(c.DeletePrompt(t.Context(), scope, versionOf("base", 1), tester)); err != nil {
			t.Fatal(err)
		}
		catalogtest.WantError(t, "deleting it again", deleted(c.DeletePrompt(t.Context(), scope, versionOf("base", 1), tester)),
			domain.ErrNotFound)
		catalogtest.WantError(t, "deleting all of none", deleted(c.DeletePrompt(t.Context(), scope, labelOf("base", ""), tester)),
			domain.ErrNotFound)
		catalogtest.WantError(t, "deleting an impossible name", deleted(c.DeletePrompt(t.Context(), scope, labelOf("\x00", ""), tester)),
			domain.ErrNotFound)

		log, err := catalogtest.OldestFirst(t.Context(), c, organization)
		if err != nil {
			t.Fatal(err)
		}
		var actions []string
		for _, e := range log {
			if e.ResourceKind == "prompt" {
				actions = append(actions, e.Action)
				if strings.Contains(string(e.Before)+string(e.After), "content") {
					t.Errorf("the audit log holds contents: %s %s", e.Before, e.After)
				}
			}
		}
		if want := []string{"create", "update", "create", "delete", "delete"}; !slices.Equal(actions, want) {
			t.Errorf("the audit log has %v, want %v", actions, want)
		}
		// Deleting a project deletes its prompts.
		createPrompt(t, c, scope, newTestPrompt("last", "x", "a"))
		if err := c.DeleteProject(t.Context(), organization, project.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"prompts", "prompt_labels", "prompt_tags", "prompt_references", "prompt_revisions"} {
			if left, err := tables.QueryOne(context.Background(), c.DB.Reader(), tables.ScanValue[int], "SELECT COUNT(*) FROM "+
				table); err != nil || left != 0 {
				t.Errorf("%s has %d rows left, %v", table, left, err)
			}
		}
	})
}

func TestPromptSummaries(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, project := catalogtest.Seed(t, c, "o")
		scope := domain.OfProject(project.ID)
		for _, n := range []domain.Prompt{
			newTestPrompt("b", "1", "dev"), newTestPrompt("b", "2", "production"), newTestPrompt("a", "1", "dev"), newTestPrompt("c", "1"),
		} {
			if n.Name == "a" {
				n.Tags = []string{"t"}
			}
			createPrompt(t, c, scope, n)
		}
		list := func(f prompts.PromptFilter, page tables.Page) (names []string, versions [][]int, total int) {
			t.Helper()
			found, total, err := c.Prompts(t.Context(), scope, f, page)
			if err != nil {
				t.Fatal(err)
			}
			for summary, err := range found {
				if err != nil {
					t.Fatal(err)
				}
				names, versions = append(names, summary.Name), append(versions, summary.Versions)
			}
			return names, versions, total
		}
		tests := []struct {
			name     string
			filter   prompts.PromptFilter
			page     tables.Page
			names    []string
			versions [][]int
			total    int
		}{
			{"all", prompts.PromptFilter{}, tables.Page{Offset: 0, Limit: 10}, []string{"a", "b", "c"}, [][]int{{1}, {1, 2}, {1}}, 3},
			{"a page", prompts.PromptFilter{}, tables.Page{Offset: 1, Limit: 1}, []string{"b"}, [][]int{{1, 2}}, 3},
			{"behind the end", prompts.PromptFilter{}, tables.Page{Offset: 5, Limit: 1}, nil, nil, 3},
			{"by label", prompts.PromptFilter{Label: "dev"}, tables.Page{Offset: 0, Limit: 10}, []string{"a", "b"}, [][]int{{1}, {1}}, 2},
			{"by tag", prompts.PromptFilter{Tag: "t"}, tables.Page{Offset: 0, Limit: 10}, []string{"a"}, [][]int{{1}}, 1},
			{"by version", prompts.PromptFilter{Version: 2}, tables.Page{Offset: 0, Limit: 10}, []string{"b"}, [][]int{{2}}, 1},
			{
				"by everything",
				prompts.PromptFilter{Name: "b", Label: "production", Version: 2},
				tables.Page{Offset: 0, Limit: 10},
				[]string{"b"},
				[][]int{{2}},
				1,
			},
			{"impossible", prompts.PromptFilter{Tag: "\xff"}, tables.Page{Offset: 0, Limit: 10}, nil, nil, 0},
		}
		for _, test := range tests {
			names, versions, total := list(test.filter, test.page)
			if !slices.Equal(names, test.names) || total != test.total || !cmp.Equal(versions, test.versions) {
				t.Errorf("%s: %v %v of %d, want %v %v of %d", test.name, names, versions, total, test.names, test.versions, test.total)
			}
		}
	})
}
