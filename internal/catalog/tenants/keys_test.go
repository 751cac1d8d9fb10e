package tenants_test

import (
	"testing"
	"time"

	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestKeys(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		mine, p := catalogtest.Seed(t, c, "mine")
		theirs, _ := catalogtest.Seed(t, c, "theirs")
		expires := time.Date(2030, 1, 2, 3, 4, 5, 6e6, time.UTC)

		key, err := c.CreateKey(ctx, mine, tenants.NewKey{
			ProjectID: p.ID, PublicKey: "pk-1", SecretHash: "hash", DisplaySecret: "sk-...1", Note: new("for ci"),
			Permissions: domain.PermissionsOf(domain.TracesRead), ExpiresAt: &expires,
		}, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := c.KeyByPublic(ctx, "pk-1")
		if err != nil {
			t.Fatal(err)
		}
		if stored.ID != key.ID || stored.SecretHash != "hash" || stored.ProjectID != p.ID || stored.OrganizationID != "mine" ||
			*stored.Note != "for ci" || stored.Permissions.String() != "traces:read" || !stored.ExpiresAt.Equal(expires) ||
			stored.LastUsedAt != nil {
			t.Errorf("stored = %+v", stored)
		}
		_, err = c.CreateKey(ctx, theirs, tenants.NewKey{PublicKey: "pk-1"}, catalogtest.Tester)
		catalogtest.WantError(t, "a public key that is taken", err, domain.ErrConflict)

		organizationKey, err := c.CreateKey(ctx, mine, tenants.NewKey{PublicKey: "pk-org", Permissions: domain.AllPermissions()},
			catalogtest.Tester)
		if err != nil || organizationKey.ProjectID != "" {
			t.Errorf("organization key = %+v, %v", organizationKey, err)
		}
		if ofProject, err := c.ProjectKeys(ctx, mine, p.ID); err != nil || len(ofProject) != 1 || ofProject[0].PublicKey != "pk-1" {
			t.Errorf("ProjectKeys = %+v, %v", ofProject, err)
		}
		if all, err := c.Keys(ctx, mine); err != nil || len(all) != 2 {
			t.Errorf("Keys = %+v, %v", all, err)
		}

		used := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
		c.DB.Now = func() time.Time { return used }
		ahead := used.Add(10 * 365 * 24 * time.Hour)
		if err := c.RecordKeyUse(ctx, map[string]time.Time{key.ID: ahead}); err != nil { // by a clock that is ahead
			t.Fatal(err)
		}
		if err := c.RecordKeyUse(ctx, map[string]time.Time{key.ID: used, "gone": used}); err != nil {
			t.Fatal(err)
		}
		if err := c.RecordKeyUse(ctx, map[string]time.Time{key.ID: used.Add(-time.Hour)}); err != nil {
			t.Fatal(err)
		}
		if stored, err := c.KeyByPublic(ctx, "pk-1"); err != nil || stored.LastUsedAt == nil || !stored.LastUsedAt.Equal(used) {
			t.Errorf("last used = %v, %v; want %v", stored.LastUsedAt, err, used)
		}
		c.DB.Now = time.Now

		for _, replace := range []struct {
			id, before string
			want       bool
		}{{key.ID, "another hash", false}, {"gone", "hash", false}, {key.ID, "hash", true}, {key.ID, "hash", false}} {
			if replaced, err := c.ReplaceKeyHash(ctx, replace.id, replace.before, "new"); err != nil || replaced != replace.want {
				t.Errorf("ReplaceKeyHash(%+v) = %v, %v", replace, replaced, err)
			}
		}
		if stored, err := c.KeyByPublic(ctx, "pk-1"); err != nil || stored.SecretHash != "new" {
			t.Errorf("the hash is %q, %v", stored.SecretHash, err)
		}

		_, err = c.DeleteProjectKey(ctx, theirs, p.ID, key.ID, catalogtest.Tester)
		catalogtest.WantError(t, "deleting another organization's key", err, domain.ErrNotFound)
		_, err = c.DeleteProjectKey(ctx, mine, p.ID, organizationKey.ID, catalogtest.Tester)
		catalogtest.WantError(t, "deleting an organization key as a project key", err, domain.ErrNotFound)
		if deleted, err := c.DeleteProjectKey(ctx, mine, p.ID, key.ID, catalogtest.Tester); err != nil || deleted.PublicKey != "pk-1" {
			t.Errorf("DeleteProjectKey = %+v, %v", deleted, err)
		}
		_, err = c.KeyByPublic(ctx, "pk-1")
		catalogtest.WantError(t, "a deleted key", err, domain.ErrNotFound)
		if _, err := c.RevokeKey(ctx, "pk-org", catalogtest.Tester); err != nil {
			t.Error(err)
		}
		_, err = c.RevokeKey(ctx, "pk-org", catalogtest.Tester)
		catalogtest.WantError(t, "revoking twice", err, domain.ErrNotFound)
	})
}
