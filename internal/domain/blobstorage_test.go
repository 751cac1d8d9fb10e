package domain

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSyncStatus tests the table of the API contract: the first matching row wins.
func TestSyncStatus(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(d time.Duration) *time.Time { return new(now.Add(d)) }
	for _, test := range []struct {
		want        string
		integration BlobStorageIntegration
	}{
		{"disabled", BlobStorageIntegration{LastError: new("e"), RunStartedAt: at(0), NextSyncAt: at(0)}},
		{"error", BlobStorageIntegration{Enabled: true, LastError: new("e"), RunStartedAt: at(0), NextSyncAt: at(0)}},
		{"running", BlobStorageIntegration{Enabled: true, RunStartedAt: at(-2*time.Hour + 1), NextSyncAt: at(0)}},
		{"queued", BlobStorageIntegration{Enabled: true, RunStartedAt: at(-2 * time.Hour), NextSyncAt: at(0)}},
		{"queued", BlobStorageIntegration{Enabled: true, NextSyncAt: at(-time.Hour), LastSyncAt: at(-time.Hour)}},
		{"idle", BlobStorageIntegration{Enabled: true}},
		{"idle", BlobStorageIntegration{Enabled: true, NextSyncAt: at(1)}},
		{"up_to_date", BlobStorageIntegration{Enabled: true, NextSyncAt: at(1), LastSyncAt: at(-1)}},
		{"up_to_date", BlobStorageIntegration{Enabled: true, LastSyncAt: at(-1)}},
	} {
		if got := test.integration.SyncStatus(now); got != test.want {
			t.Errorf("%+v is %s, want %s", test.integration, got, test.want)
		}
	}
}

func TestBlobStorageReplaces(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	earlier := new(now.Add(-time.Hour))
	before := BlobStorageIntegration{
		AccessKeyID: new("id"), SealedSecret: new("old"), ExportMode: ExportFromToday, ExportStartDate: earlier,
		ExportSource: ExportObservations,
		FieldGroups:  []string{"core"}, Enabled: true, LastSyncAt: earlier, NextSyncAt: new(now.Add(time.Hour)),
	}
	failed := before
	failed.LastError, failed.LastErrorAt = new("no bucket"), earlier
	for _, test := range []struct {
		name   string
		before *BlobStorageIntegration
		n      BlobStorageIntegration
		want   BlobStorageIntegration
	}{
		{
			"the first", nil,
			BlobStorageIntegration{ExportMode: ExportFromToday},
			BlobStorageIntegration{ExportMode: ExportFromToday, ExportStartDate: &now, ExportSource: ExportObservations},
		},
		{
			"a date that the mode has no use for", nil,
			BlobStorageIntegration{ExportMode: ExportFullHistory, ExportStartDate: earlier},
			BlobStorageIntegration{ExportMode: ExportFullHistory, ExportSource: ExportObservations},
		},
		{
			"what is not given is kept", &before,
			BlobStorageIntegration{ExportMode: ExportFromToday, AccessKeyID: new("other"), Enabled: true},
			BlobStorageIntegration{
				ExportMode: ExportFromToday, ExportStartDate: earlier, AccessKeyID: new("other"), SealedSecret: new("old"),
				ExportSource: ExportObservations,
				FieldGroups:  []string{"core"}, Enabled: true, LastSyncAt: earlier, NextSyncAt: before.NextSyncAt,
			},
		},
		{
			"a source without groups stands for all of them; the host's credentials have no secret", &before,
			BlobStorageIntegration{ExportMode: ExportFromToday, ExportSource: ExportObservations},
			BlobStorageIntegration{
				ExportMode: ExportFromToday, ExportStartDate: earlier, ExportSource: ExportObservations, LastSyncAt: earlier,
				NextSyncAt: before.NextSyncAt,
			},
		},
		{
			"another mode begins anew", &before,
			BlobStorageIntegration{
				ExportMode: ExportFromCustomDate, ExportStartDate: earlier, AccessKeyID: new("id"), SealedSecret: new("new"), Enabled: true,
			},
			BlobStorageIntegration{
				ExportMode: ExportFromCustomDate, ExportStartDate: earlier, AccessKeyID: new("id"), SealedSecret: new("new"),
				ExportSource: ExportObservations,
				FieldGroups:  []string{"core"}, Enabled: true,
			},
		},
		{
			"saving what failed tries again at once", &failed,
			BlobStorageIntegration{ExportMode: ExportFromToday, AccessKeyID: new("id"), Enabled: true},
			BlobStorageIntegration{
				ExportMode: ExportFromToday, ExportStartDate: earlier, AccessKeyID: new("id"), SealedSecret: new("old"),
				ExportSource: ExportObservations,
				FieldGroups:  []string{"core"}, Enabled: true, LastSyncAt: earlier, NextSyncAt: &now,
			},
		},
		{
			"not if it is switched off", &failed,
			BlobStorageIntegration{ExportMode: ExportFromToday, AccessKeyID: new("id")},
			BlobStorageIntegration{
				ExportMode: ExportFromToday, ExportStartDate: earlier, AccessKeyID: new("id"), SealedSecret: new("old"),
				ExportSource: ExportObservations,
				FieldGroups:  []string{"core"}, LastSyncAt: earlier, NextSyncAt: before.NextSyncAt, LastError: failed.LastError,
				LastErrorAt: earlier,
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.n.Replaces(test.before, now)
			if diff := cmp.Diff(test.want, test.n); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
