package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog/rows"
	"almanac/internal/domain"
)

func TestLLMConnections(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, _ string) {
		ctx := t.Context()
		organization, p := seed(t, c, "mine")
		_, other := seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		clock := time.Date(2090, 3, 1, 10, 0, 0, 0, time.UTC)
		c.db.Now = func() time.Time { return clock }
		put := func(n domain.LLMConnection, wantCreated bool) domain.LLMConnection {
			t.Helper()
			stored, created, err := c.PutLLMConnection(ctx, mine, n, tester)
			if err != nil || created != wantCreated {
				t.Fatalf("created %v, %v", created, err)
			}
			return stored
		}
		full := domain.LLMConnection{
			Provider: "Öpen'AI", Adapter: domain.AdapterOpenAI, SealedSecret: "sealed secret", DisplaySecret: "...wxyz", BaseURL: new("https://a.example/v1"),
			CustomModels: []string{"m1", "m2"}, WithDefaultModels: true, SealedHeaders: new("sealed headers"), HeaderNames: []string{"X-A"},
			Config: json.RawMessage(`{"useResponsesApi":true}`),
		}
		first := put(full, true)
		want := full
		want.ID, want.CreatedAt, want.UpdatedAt = first.ID, clock, clock
		if diff := cmp.Diff(want, first); diff != "" || first.ID == "" {
			t.Errorf("created differs (-want +got):\n%s", diff)
		}
		for scope, want := range map[domain.ProjectScope][]string{mine: {"nobody"}, theirs: {full.Provider, "nobody"}} {
			if missing, err := c.MissingLLMConnections(ctx, scope, []string{full.Provider, "nobody"}); err != nil || !slices.Equal(missing, want) {
				t.Errorf("no connections to %q, %v; want %q", missing, err, want)
			}
		}
		clock = clock.Add(time.Second)
		replaced := put(domain.LLMConnection{Provider: full.Provider, Adapter: domain.AdapterAzure, SealedSecret: "other", DisplaySecret: "..."}, false)
		want = domain.LLMConnection{
			ID: first.ID, Provider: full.Provider, Adapter: domain.AdapterAzure, SealedSecret: "other", DisplaySecret: "...",
			CustomModels: []string{}, HeaderNames: []string{}, CreatedAt: first.CreatedAt, UpdatedAt: clock,
		}
		if diff := cmp.Diff(want, replaced); diff != "" {
			t.Errorf("replaced differs (-want +got):\n%s", diff)
		}
		clock = clock.Add(time.Second)
		second := put(domain.LLMConnection{Provider: "second", Adapter: domain.AdapterAnthropic, CustomModels: []string{}, HeaderNames: []string{}}, true)

		got, total, err := c.LLMConnections(ctx, mine, rows.Page{Offset: 0, Limit: 50})
		if diff := cmp.Diff([]domain.LLMConnection{second, replaced}, got); diff != "" || total != 2 || err != nil {
			t.Errorf("the list: %d, %v (-want +got):\n%s", total, err, diff)
		}
		if got, err := c.LLMConnection(ctx, mine, "second"); err != nil || !cmp.Equal(second, got) {
			t.Errorf("by provider: %+v, %v", got, err)
		}
		if got, total, err := c.LLMConnections(ctx, theirs, rows.Page{Offset: 0, Limit: 50}); len(got) != 0 || total != 0 || err != nil {
			t.Errorf("foreign connections: %v, %d, %v", got, total, err)
		}
		_, err = c.LLMConnection(ctx, theirs, "second")
		wantError(t, "a foreign connection", err, domain.ErrNotFound)
		wantError(t, "deleting a foreign connection", c.DeleteLLMConnection(ctx, theirs, second.ID, tester), domain.ErrNotFound)
		wantError(t, "deleting an unknown connection", c.DeleteLLMConnection(ctx, mine, "nope", tester), domain.ErrNotFound)
		if err := c.DeleteLLMConnection(ctx, mine, second.ID, tester); err != nil {
			t.Fatal(err)
		}
		_, err = c.LLMConnection(ctx, mine, "second")
		wantError(t, "a deleted connection", err, domain.ErrNotFound)

		log, err := oldestFirst(ctx, c, organization)
		if err != nil {
			t.Fatal(err)
		}
		var actions []string
		for _, e := range log {
			if e.ResourceKind == "llmConnection" {
				actions = append(actions, e.Action+" "+e.ResourceID)
				if replaced := strings.Contains(string(e.After), `"secretReplaced":true`); replaced != (e.Action == "update") {
					t.Errorf("%s says that a secret was replaced: %v", e.Action, replaced)
				}
			}
			if all := string(e.Before) + string(e.After); strings.Contains(all, "sealed") || strings.Contains(all, "wxyz") {
				t.Errorf("the audit log holds a secret: %s", all)
			}
		}
		if diff := cmp.Diff([]string{"create " + first.ID, "update " + first.ID, "create " + second.ID, "delete " + second.ID}, actions); diff != "" {
			t.Errorf("audit log (-want +got):\n%s", diff)
		}
	})
}

// TestLLMConnectionsAtOnce puts one connection many times at once: it is created once, and never in conflict.
func TestLLMConnectionsAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, _ string) {
		_, p := seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		created := make(chan bool, 10)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				_, isNew, err := c.PutLLMConnection(t.Context(), scope, domain.LLMConnection{Provider: "p", Adapter: domain.AdapterOpenAI}, tester)
				if err != nil {
					t.Error(err)
				}
				created <- isNew
			})
		}
		wg.Wait()
		count := 0
		for range 10 {
			if <-created {
				count++
			}
		}
		if count != 1 {
			t.Errorf("created %d times", count)
		}
	})
}

func TestLLMConnectionsAreBounded(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, _ string) {
		_, p := seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		put := func(provider string) error {
			_, _, err := c.PutLLMConnection(t.Context(), scope, domain.LLMConnection{Provider: provider, Adapter: domain.AdapterOpenAI}, tester)
			return err
		}
		for n := range MaxLLMConnections {
			if err := put(fmt.Sprint("provider ", n)); err != nil {
				t.Fatal(err)
			}
		}
		wantError(t, "one too many", put("one more"), domain.ErrTooMany)
		if err := put("provider 0"); err != nil {
			t.Errorf("replacing one: %v", err)
		}
		if _, total, err := c.LLMConnections(t.Context(), scope, rows.Page{Offset: 0, Limit: 1}); total != MaxLLMConnections || err != nil {
			t.Errorf("%d connections, %v", total, err)
		}
	})
}

func TestBlobStorageIntegrations(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, _ string) {
		ctx := t.Context()
		mine, p := seed(t, c, "mine")
		theirs, _ := seed(t, c, "theirs")
		clock := time.Date(2090, 3, 1, 10, 0, 0, 0, time.UTC)
		c.db.Now = func() time.Time { return clock.Add(500 * time.Microsecond) } // more than is kept
		fine := func(domain.BlobStorageIntegration) error { return nil }
		full := domain.BlobStorageIntegration{
			ProjectID: p.ID, Type: domain.BlobS3Compatible, BucketName: "bücket", Endpoint: new("https://s3.example"), Region: "auto", AccessKeyID: new("id"),
			SealedSecret: new("sealed secret"), Prefix: "a/", ExportFrequency: "daily", Enabled: true, ForcePathStyle: true, FileType: "PARQUET",
			ExportMode: domain.ExportFromCustomDate, ExportStartDate: new(clock.AddDate(-1, 0, 0)), Compressed: true, ExportSource: domain.ExportObservations,
			FieldGroups: []string{"core", "io"},
		}
		stored, err := c.PutBlobStorageIntegration(ctx, mine, full, fine, tester)
		want := full
		want.CreatedAt, want.UpdatedAt = clock, clock
		if diff := cmp.Diff(want, stored); diff != "" || err != nil {
			t.Errorf("created: %v (-want +got):\n%s", err, diff)
		}
		if _, err := c.db.SQL.Write.ExecContext(ctx, "UPDATE blob_storage_integrations SET last_error = 'no bucket', last_error_at = 7, last_sync_at = 8, run_started_at = 9"); err != nil {
			t.Fatal(err)
		}
		clock = clock.Add(time.Second)
		change := domain.BlobStorageIntegration{
			ProjectID: p.ID, Type: domain.BlobAzure, BucketName: "other", AccessKeyID: new("id"), ExportFrequency: "weekly", Enabled: true, FileType: "CSV",
			ExportMode: domain.ExportFromCustomDate, ExportStartDate: full.ExportStartDate,
		}
		var checked domain.BlobStorageIntegration
		stored, err = c.PutBlobStorageIntegration(ctx, mine, change, func(b domain.BlobStorageIntegration) error { checked = b; return nil }, tester)
		want = change
		want.SealedSecret, want.ExportSource, want.FieldGroups = full.SealedSecret, full.ExportSource, full.FieldGroups
		want.LastSyncAt, want.RunStartedAt, want.NextSyncAt = new(time.UnixMilli(8).UTC()), new(time.UnixMilli(9).UTC()), &clock
		want.CreatedAt, want.UpdatedAt = clock.Add(-time.Second), clock
		if diff := cmp.Diff(want, stored); diff != "" || err != nil || !cmp.Equal(checked, stored) {
			t.Errorf("replaced: %v, checked %+v (-want +got):\n%s", err, checked, diff)
		}
		refusal := errors.New("no")
		_, err = c.PutBlobStorageIntegration(ctx, mine, full, func(domain.BlobStorageIntegration) error { return refusal }, tester)
		wantError(t, "a refused change", err, refusal)

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
		wantError(t, "a foreign integration", err, domain.ErrNotFound)
		_, err = c.PutBlobStorageIntegration(ctx, theirs, full, fine, tester)
		wantError(t, "putting a foreign integration", err, domain.ErrNotFound)
		wantError(t, "deleting a foreign integration", c.DeleteBlobStorageIntegration(ctx, theirs, p.ID, tester), domain.ErrNotFound)

		full.SealedSecret = new("another sealed secret")
		if _, err := c.PutBlobStorageIntegration(ctx, mine, full, fine, tester); err != nil {
			t.Fatal(err)
		}
		if err := c.DeleteBlobStorageIntegration(ctx, mine, p.ID, tester); err != nil {
			t.Fatal(err)
		}
		wantError(t, "deleting it twice", c.DeleteBlobStorageIntegration(ctx, mine, p.ID, tester), domain.ErrNotFound)
		log, err := oldestFirst(ctx, c, mine)
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
		if diff := cmp.Diff([]string{"create " + p.ID + " " + p.ID, "update " + p.ID + " " + p.ID, "update " + p.ID + " " + p.ID, "delete " + p.ID + " " + p.ID}, actions); diff != "" {
			t.Errorf("audit log (-want +got):\n%s", diff)
		}
		if !slices.Equal(replaced, []bool{false, false, true, false}) {
			t.Errorf("entries say that a secret was replaced: %v", replaced)
		}
	})
}
