package tenants_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestChangeOrganization(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		o, err := c.AddOrganization(ctx, tenants.NewOrganization{Name: "Acme", Metadata: json.RawMessage(`{"a":1}`)}, catalogtest.Tester)
		if err != nil || o.ID == "" {
			t.Fatalf("AddOrganization = %+v, %v", o, err)
		}
		scope := domain.OfOrganization(o.ID)
		for _, change := range []struct {
			change tenants.OrganizationChange
			want   string
		}{
			{tenants.OrganizationChange{Name: "Renamed"}, `Renamed {"a":1}`},
			{tenants.OrganizationChange{Name: "Renamed", Metadata: json.RawMessage(`{}`)}, `Renamed {}`},
		} {
			got, err := c.UpdateOrganization(ctx, scope, change.change, catalogtest.Tester)
			if err != nil || got.Name+" "+string(got.Metadata) != change.want || !got.CreatedAt.Equal(o.CreatedAt) {
				t.Errorf("UpdateOrganization = %+v, %v; want %s", got, err, change.want)
			}
		}
		project, err := c.CreateProject(ctx, scope, tenants.NewProject{Name: "Project"}, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		catalogtest.WantError(t, "deleting one with a project", c.DeleteOrganization(ctx, scope, catalogtest.Tester), domain.ErrConflict)
		if err := c.DeleteProject(ctx, scope, project.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if _, err := c.CreateKey(ctx, scope, tenants.NewKey{PublicKey: "pk-o"}, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		user, err := c.ProvisionUser(ctx, scope, "ada@example.org", "ada", new(domain.RoleOwner), catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.DeleteOrganization(ctx, scope, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		_, err = c.Organization(ctx, scope)
		catalogtest.WantError(t, "a deleted organization", err, domain.ErrNotFound)
		_, err = c.KeyByPublic(ctx, "pk-o")
		catalogtest.WantError(t, "a key of a deleted organization", err, domain.ErrNotFound)
		if _, err := c.User(ctx, user.ID); err != nil {
			t.Errorf("the account of a member of a deleted organization: %v", err)
		}
		catalogtest.WantError(t, "deleting twice", c.DeleteOrganization(ctx, scope, catalogtest.Tester), domain.ErrNotFound)
		_, err = c.UpdateOrganization(ctx, scope, tenants.OrganizationChange{Name: "Gone"}, catalogtest.Tester)
		catalogtest.WantError(t, "changing a deleted one", err, domain.ErrNotFound)
		_, err = c.CreateProject(ctx, scope, tenants.NewProject{Name: "Project"}, catalogtest.Tester)
		catalogtest.WantError(t, "a project of a deleted one", err, domain.ErrNotFound)
		_, err = c.CreateKey(ctx, scope, tenants.NewKey{PublicKey: "pk-o"}, catalogtest.Tester)
		catalogtest.WantError(t, "a key of a deleted one", err, domain.ErrNotFound)

		log, err := catalogtest.OldestFirst(ctx, c, scope)
		if err != nil {
			t.Fatal(err)
		}
		// That an account was created is nothing an organization is told.
		want := "create organization, update organization, update organization, create project, delete project, create apiKey, " +
			"create membership, delete organization"
		if got := catalogtest.Actions(log); got != want {
			t.Errorf("audit log: %s\nwant %s", got, want)
		}
		if last := log[len(log)-1]; !strings.Contains(string(last.Before), `"name":"Renamed"`) || last.After != nil {
			t.Errorf("the deletion is recorded as %+v", last)
		}
	})
}

// TestDeleteOrganizationLosesNoProject creates a project while its organization is deleted: afterwards both exist, or
// neither.
func TestDeleteOrganizationLosesNoProject(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		for round := range 10 {
			scope := domain.OfOrganization(fmt.Sprint("o", round))
			if _, err := c.CreateOrganization(t.Context(), scope.OrganizationID(), "Organization", catalogtest.Tester); err != nil {
				t.Fatal(err)
			}
			var created, deleted error
			var wg sync.WaitGroup
			wg.Go(func() {
				_, created = c.CreateProject(context.Background(), scope, tenants.NewProject{Name: "Project"}, catalogtest.Tester)
			})
			wg.Go(func() { deleted = c.DeleteOrganization(context.Background(), scope, catalogtest.Tester) })
			wg.Wait()
			projects, err := c.Projects(t.Context(), scope)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case created == nil && errors.Is(deleted, domain.ErrConflict) && len(projects) == 1:
			case errors.Is(created, domain.ErrNotFound) && deleted == nil && len(projects) == 0:
			default:
				t.Errorf("created %v, deleted %v, %d projects are left", created, deleted, len(projects))
			}
		}
	})
}

func TestOrganizationKeys(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		catalogtest.Ticking(c)
		ctx := t.Context()
		mine, p := catalogtest.Seed(t, c, "mine")
		theirs, foreign := catalogtest.Seed(t, c, "theirs")
		keys := make(map[string]domain.APIKey)
		for _, k := range []struct {
			scope           domain.OrganizationScope
			project, public string
		}{
			{mine, "", "pk-1"},
			{mine, "", "pk-2"},
			{mine, p.ID, "pk-p1"},
			{mine, p.ID, "pk-p2"},
			{theirs, "", "pk-t"},
			{theirs, foreign.ID, "pk-tp"},
		} {
			key, err := c.CreateKey(ctx, k.scope, tenants.NewKey{
				ProjectID: k.project, PublicKey: k.public, Permissions: domain.AllPermissions(),
			}, catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			keys[k.public] = key
		}
		publics := func() []string {
			t.Helper()
			list, err := c.OrganizationKeys(ctx, mine)
			if err != nil {
				t.Fatal(err)
			}
			texts := []string{}
			for _, k := range list {
				texts = append(texts, k.PublicKey)
			}
			return texts
		}
		if got := publics(); !cmp.Equal(got, []string{"pk-1", "pk-2"}) {
			t.Errorf("OrganizationKeys = %v", got)
		}
		for what, id := range map[string]string{
			"of another organization": keys["pk-t"].ID, "of a project": keys["pk-p1"].ID, "of nobody": "x",
		} {
			_, err := c.DeleteOrganizationKey(ctx, mine, id, catalogtest.Tester)
			catalogtest.WantError(t, "deleting a key "+what, err, domain.ErrNotFound)
		}
		if deleted, err := c.DeleteOrganizationKey(ctx, mine, keys["pk-1"].ID, catalogtest.Tester); err != nil ||
			deleted.PublicKey != "pk-1" {
			t.Errorf("DeleteOrganizationKey = %+v, %v", deleted, err)
		}
		if got := publics(); !cmp.Equal(got, []string{"pk-2"}) {
			t.Errorf("OrganizationKeys = %v", got)
		}

		deleted, unknown, err := c.DeleteKeysOf(ctx, []string{p.ID, "nowhere", p.ID, "mine"}, catalogtest.Tester)
		if err != nil || deleted != 2 || !cmp.Equal(unknown, []string{"nowhere", "mine"}) {
			t.Errorf("DeleteKeysOf = %d, %v, %v", deleted, unknown, err)
		}
		for public, found := range map[string]bool{"pk-2": true, "pk-p1": false, "pk-p2": false, "pk-t": true, "pk-tp": true} {
			if _, err := c.KeyByPublic(ctx, public); (err == nil) != found {
				t.Errorf("KeyByPublic(%s): %v", public, err)
			}
		}
		log, err := catalogtest.OldestFirst(ctx, c, mine)
		if err != nil {
			t.Fatal(err)
		}
		if got := catalogtest.Actions(log); !strings.HasSuffix(got,
			"create apiKey, create apiKey, create apiKey, create apiKey, delete apiKey, delete apiKey, delete apiKey") {
			t.Errorf("audit log: %s", got)
		}
		if all, err := c.AllProjects(ctx); err != nil || len(all) != 2 || all[0].ID != p.ID || all[1].ID != foreign.ID {
			t.Errorf("AllProjects = %+v, %v", all, err)
		}
	})
}

func TestOrganizations(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		created, err := c.CreateOrganization(ctx, "o1", "Acme", catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Organization(ctx, domain.OfOrganization("o1"))
		if err != nil || got.Name != "Acme" || string(got.Metadata) != "{}" || !got.CreatedAt.Equal(created.CreatedAt) {
			t.Errorf("Organization = %+v, %v", got, err)
		}
		_, err = c.CreateOrganization(ctx, "o1", "Again", catalogtest.Tester)
		catalogtest.WantError(t, "the same id", err, domain.ErrConflict)
		_, err = c.Organization(ctx, domain.OfOrganization("o2"))
		catalogtest.WantError(t, "an unknown id", err, domain.ErrNotFound)
		all, err := c.Organizations(ctx)
		if err != nil || len(all) != 1 {
			t.Errorf("Organizations = %v, %v", all, err)
		}
	})
}
