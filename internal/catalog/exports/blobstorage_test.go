package exports_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestBlobStorageIntegrations(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		mine, p := catalogtest.Seed(t, c, "mine")
		theirs, _ := catalogtest.Seed(t, c, "theirs")
		clock := time.Date(2090, 3, 1, 10, 0, 0, 0, time.UTC)
		c.DB.Now = func() time.Time { return clock.Add(500 * time.Microsecond) } // more precise than what is stored
		fine := func(domain.BlobStorageIntegration) error { return nil }
		full := domain.BlobStorageIntegration{
			ProjectID: p.ID, Type: domain.BlobS3Compatible, BucketName: "bücket", Endpoint: new("https://s3.example"), Region: "auto",
			AccessKeyID:  new("id"),
			SealedSecret: new("sealed secret"), Prefix: "a/", ExportFrequency: "daily", Enabled: true, ForcePathStyle: true,
			FileType:   "PARQUET",
			ExportMode: domain.ExportFromCustomDate, ExportStartDate: new(clock.AddDate(-1, 0, 0)), Compressed: true,
			ExportSource: domain.ExportObservations,
			FieldGroups:  []string{"core", "io"},
		}
		stored, err := c.PutBlobStorageIntegration(ctx, mine, full, fine, catalogtest.Tester)
		want := full
		want.CreatedAt, want.UpdatedAt = clock, clock
		if diff := cmp.Diff(want, stored); diff != "" || err != nil {
			t.Errorf("created: %v (-want +got):\n%s", err, diff)
		}
		if _, err := c.DB.SQL.Write.ExecContext(ctx,
			"UPDATE blob_storage_integrations SET last_error = 'no bucket', last_error_at = 7, last_sync_at = 8, run_started_at = 9"); err != nil {
			t.Fatal(err)
		}
		clock = clock.Add(time.Second)
		change := domain.BlobStorageIntegration{
			ProjectID: p.ID, Type: domain.BlobAzure, BucketName: "other", AccessKeyID: new("id"), ExportFrequency: "weekly", Enabled: true,
			FileType:   "CSV",
			ExportMode: domain.ExportFromCustomDate, ExportStartDate: full.ExportStartDate,
		}
		var checked domain.BlobStorageIntegration
		stored, err = c.PutBlobStorageIntegration(ctx, mine, change,
			func(b domain.BlobStorageIntegration) error { checked = b; return nil }, catalogtest.Tester)
		want = change
		want.SealedSecret, want.ExportSource, want.FieldGroups = full.SealedSecret, full.ExportSource, full.FieldGroups
		want.LastSyncAt, want.NextSyncAt = new(time.UnixMilli(8).UTC()), &clock // a run to the bucket before is stopped
		want.CreatedAt, want.UpdatedAt = clock.Add(-time.Second), clock
		if diff := cmp.Diff(want, stored); diff != "" || err != nil || !cmp.Equal(checked, stored) {
			t.Errorf("replaced: %v, checked %+v (-want +got):\n%s", err, checked, diff)
		}
		refusal := errors.New("no")
		_, err = c.PutBlobStorageIntegration(ctx, mine, full, func(domain.BlobStorageIntegration) error { return refusal },
			catalogtest.Tester)
		catalogtest.WantError(t, "a refused change", err, refusal)

		if got, err := c.BlobStorageIntegration(ctx, mine, p.ID); err != nil || !cmp.Equal(stored, got) {
			t.Errorf("read %+v, %v", got, err)
		}
		if got, err := c.BlobStorageIntegrations(ctx, mine); err != nil || !cmp.Equal([]domain.BlobStorageIntegration{stored}, got) {
			t.Errorf("the list: %+v, %v", got, err)
		}
		if got, err := c.BlobStorageIntegrations(ctx, theirs); err != nil || len(got) != 0 {
			t.Errorf("the list of another organization: %+v, %v", got, err)
		}
		_, err = c.BlobStorageIntegration(ctx, theirs, p.ID)
		catalogtest.WantError(t, "a foreign integration", err, domain.ErrNotFound)
		_, err = c.PutBlobStorageIntegration(ctx, theirs, full, fine, catalogtest.Tester)
		catalogtest.WantError(t, "putting a foreign integration", err, domain.ErrNotFound)
		catalogtest.WantError(t, "deleting a foreign integration", c.DeleteBlobStorageIntegration(ctx, theirs, p.ID, catalogtest.Tester),
			domain.ErrNotFound)

		full.SealedSecret = new("another sealed secret")
		if _, err := c.PutBlobStorageIntegration(ctx, mine, full, fine, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if err := c.DeleteBlobStorageIntegration(ctx, mine, p.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		catalogtest.WantError(t, "deleting it twice", c.DeleteBlobStorageIntegration(ctx, mine, p.ID, catalogtest.Tester),
			domain.ErrNotFound)
		log, err := catalogtest.OldestFirst(ctx, c, mine)
		if err != nil {
			t.Fatal(err)
		}
		var actions []string
		var replaced []bool
		for _, e := range log {
			if e.ResourceKind == "blobStorageIntegration" {
				actions = append(actions, e.Action+" "+e.ResourceID+" "+e.ProjectID)
				replaced = append(replaced, strings.Contains(string(e.After), `"secretReplaced":true`))
			}
			if strings.Contains(string(e.Before)+string(e.After), "sealed") {
				t.Errorf("the audit log holds a secret: %s %s", e.Before, e.After)
			}
		}
		if diff := cmp.Diff([]string{
			"create " + p.ID + " " + p.ID, "update " + p.ID + " " + p.ID, "update " + p.ID + " " + p.ID, "delete " + p.ID + " " + p.ID,
		}, actions); diff != "" {
			t.Errorf("audit log (-want +got):\n%s", diff)
		}
		if !slices.Equal(replaced, []bool{false, false, true, false}) {
			t.Errorf("entries say that a secret was replaced: %v", replaced)
		}
	})
}
