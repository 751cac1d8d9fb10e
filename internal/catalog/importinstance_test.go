package catalog_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog"
	"almanac/internal/catalog/people"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// TestImportInstance imports the same records twice, then some that changed and some that are skipped.
func TestImportInstance(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		created, updated := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC), time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
		org := domain.Organization{ID: "o", Name: "Org", Metadata: json.RawMessage(`{"a":1}`), CreatedAt: created, UpdatedAt: updated}
		project := domain.Project{
			ID: "p", Name: "P", OrganizationID: "o", Metadata: json.RawMessage("{}"), RetentionDays: 30, CreatedAt: created,
			UpdatedAt: updated,
		}
		account := domain.Account{
			User:         domain.User{ID: "u", Email: "Ada@Example.org", Name: "Ada", CreatedAt: created, UpdatedAt: updated},
			PasswordHash: "never", EmailVerified: true,
		}
		key := domain.StoredKey{
			APIKey: domain.APIKey{
				ID: "k", OrganizationID: "o", ProjectID: "p", PublicKey: "pk", DisplaySecret: "sk-...", Note: new("old"),
				Permissions: domain.AllPermissions(), CreatedAt: created, ExpiresAt: new(updated), LastUsedAt: new(updated),
			},
			SecretHash: domain.ImportedKeyPrefix + "1",
		}
		bucket := domain.BlobStorageIntegration{
			ProjectID: "p", Type: domain.BlobS3, BucketName: "b", Region: "auto", ExportFrequency: "daily", FileType: "CSV",
			ExportMode: domain.ExportFullHistory, ExportSource: domain.ExportObservations, SealedSecret: new("sealed"), CreatedAt: created,
			UpdatedAt: updated,
		}
		entry := domain.AuditEntry{
			ID: "a", At: created, OrganizationID: "o", ProjectID: "p", Actor: domain.Actor{Kind: "user", ID: "u"}, Action: "create",
			ResourceKind: "prompt", ResourceID: "x", After: json.RawMessage(`{"b":2}`),
		}
		records := []any{
			org, project, account,
			people.ImportedMember{
				OrganizationID: "o", Email: "ada@example.org", Role: domain.RoleOwner, CreatedAt: created, UpdatedAt: updated,
			},
			people.ImportedMember{
				OrganizationID: "o", ProjectID: "p", Email: "ada@example.org", Role: domain.RoleViewer, CreatedAt: created,
				UpdatedAt: updated,
			},
			key, bucket, entry,
		}
		put := func(records ...any) (all []tables.ImportOutcome) {
			t.Helper()
			if err := c.ImportInstance(ctx, records, func(outcomes []tables.ImportOutcome) (catalog.ImportState, error) {
				all = slices.Clone(outcomes)
				return catalog.ImportState{Source: "s", Table: "t", Cursor: "c", Report: json.RawMessage("{}")}, nil
			}, catalogtest.Tester); err != nil {
				t.Fatal(err)
			}
			return all
		}
		entries := func() (count int) {
			for _, err := range c.AuditLogOfInstance(ctx, "", catalog.AuditFilter{}) {
				if err != nil {
					t.Fatal(err)
				}
				count++
			}
			return count
		}
		if diff := cmp.Diff(slices.Repeat([]tables.ImportOutcome{{}}, len(records)), put(records...)); diff != "" {
			t.Errorf("at first:\n%s", diff)
		}
		before := entries()
		if before != len(records) { // each record is audited; the last one is an audit entry itself
			t.Errorf("%d entries in the audit log", before)
		}
		if diff := cmp.Diff(slices.Repeat([]tables.ImportOutcome{{Unchanged: true}}, len(records)), put(records...)); diff != "" ||
			entries() != before {
			t.Errorf("again, with %d entries:\n%s", entries(), diff)
		}
		if states, err := c.ImportStates(ctx, "s"); err != nil || states["t"].Cursor != "c" {
			t.Errorf("the import is at %+v, %v", states, err)
		}
		stored, err := c.KeyByPublic(ctx, "pk")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(key, stored); diff != "" {
			t.Errorf("the key:\n%s", diff)
		}
		kept, err := c.Project(ctx, domain.OfProject("p"))
		project.OrganizationName = "Org"
		if diff := cmp.Diff(project, kept); diff != "" || err != nil {
			t.Errorf("the project, %v:\n%s", err, diff)
		}
		ada, err := people.ReadUser(ctx, c.DB.Reader(), "email", "ada@example.org")
		if err != nil || ada.ID != "u" || !ada.CreatedAt.Equal(created) {
			t.Errorf("the user %+v, %v", ada, err)
		}
		if members, err := c.Members(ctx, domain.OfOrganization("o")); err != nil || len(members) != 1 ||
			members[0].Role != domain.RoleOwner {
			t.Errorf("the members %+v, %v", members, err)
		}

		// An imported hash, perhaps made with another salt, is replaced until the key is used; after that ours is kept.
		key.SecretHash = domain.ImportedKeyPrefix + "2"
		put(key)
		if stored, err := c.KeyByPublic(ctx, "pk"); err != nil || stored.SecretHash != key.SecretHash {
			t.Errorf("the hash %q, %v", stored.SecretHash, err)
		}
		if _, err := c.ReplaceKeyHash(ctx, "k", key.SecretHash, "ours"); err != nil {
			t.Fatal(err)
		}
		put(key)
		if stored, err := c.KeyByPublic(ctx, "pk"); err != nil || stored.SecretHash != "ours" {
			t.Errorf("a key that is in use has the hash %q, %v", stored.SecretHash, err)
		}

		later := updated.Add(time.Hour)
		org.Name, org.UpdatedAt, project.Name, project.UpdatedAt = "Renamed", later, "Q", later
		moved, taken, other, samePublic, lost := project, project, account, key, key
		moved.OrganizationID, taken.ID = "elsewhere", "p2"
		other.ID, samePublic.ID = "u2", "k2"
		lost.ID, lost.PublicKey, lost.ProjectID = "k3", "pk3", "gone"
		elsewhere := key
		elsewhere.ProjectID = ""
		want := []tables.ImportOutcome{
			{},
			{},
			{Skipped: tables.SkippedOrganization},
			{Skipped: tables.SkippedNameTaken},
			{Skipped: people.SkippedAddress},
			{Skipped: tenants.SkippedPublicKey},
			{Skipped: tables.SkippedProject},
			{Skipped: tables.SkippedElsewhere},
			{Skipped: people.SkippedMember},
			{Skipped: people.SkippedUser},
			{Skipped: tables.SkippedOrganization},
			{Skipped: "its annotation queue does not exist"},
		}
		got := put(
			org, project, moved, taken, other, samePublic, lost, elsewhere,
			people.ImportedMember{OrganizationID: "o", Email: "ada@example.org", Role: domain.RoleViewer},
			people.ImportedMember{OrganizationID: "o", Email: "nobody@example.org", Role: domain.RoleViewer},
			people.ImportedMember{OrganizationID: "gone", Email: "ada@example.org", Role: domain.RoleViewer},
			catalog.ImportedAssignment{QueueID: "gone", Email: "ada@example.org"},
		)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("what changed, and what does not fit:\n%s", diff)
		}
		if kept, err := c.Project(ctx, domain.OfProject("p")); err != nil || kept.Name != "Q" || kept.OrganizationName != "Renamed" {
			t.Errorf("the project %+v, %v", kept, err)
		}
	})
}
