package catalog_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestLLMConnections(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		clock := time.Date(2090, 3, 1, 10, 0, 0, 0, time.UTC)
		c.DB.Now = func() time.Time { return clock }
		put := func(n domain.LLMConnection, wantCreated bool) domain.LLMConnection {
			t.Helper()
			stored, created, err := c.PutLLMConnection(ctx, mine, n, catalogtest.Tester)
			if err != nil || created != wantCreated {
				t.Fatalf("created %v, %v", created, err)
			}
			return stored
		}
		full := domain.LLMConnection{
			Provider: "Öpen'AI", Adapter: domain.AdapterOpenAI, SealedSecret: "sealed secret", DisplaySecret: "...wxyz",
			BaseURL:      new("https://a.example/v1"),
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
			if missing, err := c.MissingLLMConnections(ctx, scope, []string{full.Provider, "nobody"}); err != nil ||
				!slices.Equal(missing, want) {
				t.Errorf("no connections to %q, %v; want %q", missing, err, want)
			}
		}
		clock = clock.Add(time.Second)
		replaced := put(domain.LLMConnection{
			Provider: full.Provider, Adapter: domain.AdapterAzure, SealedSecret: "other", DisplaySecret: "...",
		}, false)
		want = domain.LLMConnection{
			ID: first.ID, Provider: full.Provider, Adapter: domain.AdapterAzure, SealedSecret: "other", DisplaySecret: "...",
			CustomModels: []string{}, HeaderNames: []string{}, CreatedAt: first.CreatedAt, UpdatedAt: clock,
		}
		if diff := cmp.Diff(want, replaced); diff != "" {
			t.Errorf("replaced differs (-want +got):\n%s", diff)
		}
		clock = clock.Add(time.Second)
		second := put(domain.LLMConnection{
			Provider: "second", Adapter: domain.AdapterAnthropic, CustomModels: []string{}, HeaderNames: []string{},
		}, true)

		got, total, err := c.LLMConnections.Page(ctx, mine, tables.Page{Offset: 0, Limit: 50})
		if diff := cmp.Diff([]domain.LLMConnection{second, replaced}, got); diff != "" || total != 2 || err != nil {
			t.Errorf("the list: %d, %v (-want +got):\n%s", total, err, diff)
		}
		if got, err := c.LLMConnection(ctx, mine, "second"); err != nil || !cmp.Equal(second, got) {
			t.Errorf("by provider: %+v, %v", got, err)
		}
		if got, total, err := c.LLMConnections.Page(ctx, theirs, tables.Page{Offset: 0, Limit: 50}); len(got) != 0 || total != 0 ||
			err != nil {
			t.Errorf("foreign connections: %v, %d, %v", got, total, err)
		}
		_, err = c.LLMConnection(ctx, theirs, "second")
		catalogtest.WantError(t, "a foreign connection", err, domain.ErrNotFound)
		catalogtest.WantError(t, "deleting a foreign connection", c.LLMConnections.Delete(ctx, theirs, second.ID, catalogtest.Tester),
			domain.ErrNotFound)
		catalogtest.WantError(t, "deleting an unknown connection", c.LLMConnections.Delete(ctx, mine, "nope", catalogtest.Tester),
			domain.ErrNotFound)
		if err := c.LLMConnections.Delete(ctx, mine, second.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		_, err = c.LLMConnection(ctx, mine, "second")
		catalogtest.WantError(t, "a deleted connection", err, domain.ErrNotFound)

		log, err := catalogtest.OldestFirst(ctx, c, organization)
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
		if diff := cmp.Diff([]string{"create " + first.ID, "update " + first.ID, "create " + second.ID, "delete " + second.ID},
			actions); diff != "" {
			t.Errorf("audit log (-want +got):\n%s", diff)
		}
	})
}

// TestLLMConnectionsAtOnce puts one connection many times concurrently: it is created once, and never conflicts.
func TestLLMConnectionsAtOnce(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		created := make(chan bool, 10)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				_, isNew, err := c.PutLLMConnection(t.Context(), scope, domain.LLMConnection{Provider: "p", Adapter: domain.AdapterOpenAI},
					catalogtest.Tester)
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
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		put := func(provider string) error {
			_, _, err := c.PutLLMConnection(t.Context(), scope, domain.LLMConnection{Provider: provider, Adapter: domain.AdapterOpenAI},
				catalogtest.Tester)
			return err
		}
		for n := range catalog.MaxLLMConnections {
			if err := put(fmt.Sprint("provider ", n)); err != nil {
				t.Fatal(err)
			}
		}
		catalogtest.WantError(t, "one too many", put("one more"), domain.ErrTooMany)
		if err := put("provider 0"); err != nil {
			t.Errorf("replacing one: %v", err)
		}
		if _, total, err := c.LLMConnections.Page(t.Context(), scope,
			tables.Page{Offset: 0, Limit: 1}); total != catalog.MaxLLMConnections || err != nil {
			t.Errorf("%d connections, %v", total, err)
		}
	})
}
