package tenants_test

import (
	"encoding/json"
	"testing"

	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestProjects(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		mine, p := catalogtest.Seed(t, c, "mine")
		theirs, foreign := catalogtest.Seed(t, c, "theirs")

		if p.Name != "Project of mine" || p.OrganizationID != "mine" || p.OrganizationName != "Organization mine" ||
			string(p.Metadata) != "{}" || p.RetentionDays != 0 {
			t.Errorf("created %+v", p)
		}
		got, err := c.Project(ctx, domain.OfProject(p.ID))
		if err != nil || got.ID != p.ID || got.Name != p.Name {
			t.Errorf("Project = %+v, %v", got, err)
		}

		_, err = c.CreateProject(ctx, mine, tenants.NewProject{Name: p.Name}, catalogtest.Tester)
		catalogtest.WantError(t, "a name that is taken", err, domain.ErrConflict)
		_, err = c.CreateProject(ctx, theirs, tenants.NewProject{Name: p.Name}, catalogtest.Tester)
		if err != nil {
			t.Errorf("the same name in another organization: %v", err)
		}
		second, err := c.CreateProject(ctx, mine, tenants.NewProject{
			Name: "Second", Metadata: json.RawMessage(`{"a":1}`), RetentionDays: 30,
		}, catalogtest.Tester)
		if err != nil || second.RetentionDays != 30 || string(second.Metadata) != `{"a":1}` {
			t.Errorf("second = %+v, %v", second, err)
		}

		kept, err := c.UpdateProject(ctx, mine, second.ID, tenants.ProjectChange{Name: "Renamed"}, catalogtest.Tester)
		if err != nil || kept.Name != "Renamed" || kept.RetentionDays != 30 || string(kept.Metadata) != `{"a":1}` {
			t.Errorf("an update of the name alone gave %+v, %v", kept, err)
		}
		changed, err := c.UpdateProject(ctx, mine, second.ID, tenants.ProjectChange{
			Name: "Renamed", Metadata: json.RawMessage(`{}`), RetentionDays: new(0),
		}, catalogtest.Tester)
		if err != nil || changed.RetentionDays != 0 || string(changed.Metadata) != `{}` {
			t.Errorf("an update of everything gave %+v, %v", changed, err)
		}
		_, err = c.UpdateProject(ctx, mine, second.ID, tenants.ProjectChange{Name: p.Name}, catalogtest.Tester)
		catalogtest.WantError(t, "renaming to a name that is taken", err, domain.ErrConflict)

		all, err := c.Projects(ctx, mine)
		if err != nil || len(all) != 2 {
			t.Errorf("Projects = %v, %v", all, err)
		}

		// Another organization's project does not exist for this one.
		_, err = c.UpdateProject(ctx, mine, foreign.ID, tenants.ProjectChange{Name: "Taken over"}, catalogtest.Tester)
		catalogtest.WantError(t, "updating a foreign project", err, domain.ErrNotFound)
		catalogtest.WantError(t, "deleting a foreign project", c.DeleteProject(ctx, mine, foreign.ID, catalogtest.Tester),
			domain.ErrNotFound)
		_, err = c.ProjectKeys(ctx, mine, foreign.ID)
		catalogtest.WantError(t, "keys of a foreign project", err, domain.ErrNotFound)
		_, err = c.CreateKey(ctx, mine, tenants.NewKey{ProjectID: foreign.ID, PublicKey: "pk-x", Permissions: domain.AllPermissions()},
			catalogtest.Tester)
		catalogtest.WantError(t, "a key for a foreign project", err, domain.ErrNotFound)
		if got, err := c.Project(ctx, domain.OfProject(foreign.ID)); err != nil || got.Name != foreign.Name {
			t.Errorf("the foreign project is now %+v, %v", got, err)
		}

		if _, err := c.CreateKey(ctx, mine, tenants.NewKey{ProjectID: second.ID, PublicKey: "pk-second"}, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if err := c.DeleteProject(ctx, mine, second.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		_, err = c.Project(ctx, domain.OfProject(second.ID))
		catalogtest.WantError(t, "a deleted project", err, domain.ErrNotFound)
		_, err = c.KeyByPublic(ctx, "pk-second")
		catalogtest.WantError(t, "a key of a deleted project", err, domain.ErrNotFound)
		catalogtest.WantError(t, "deleting twice", c.DeleteProject(ctx, mine, second.ID, catalogtest.Tester), domain.ErrNotFound)
	})
}
