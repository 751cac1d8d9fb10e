package catalog_test

import (
	"encoding/json"
	"errors"
	"fmt"
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

// by returns an edit that replaces a model.
func by(n domain.Model) func(domain.Model) (domain.Model, error) {
	return func(domain.Model) (domain.Model, error) { return n, nil }
}

func TestModels(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		clock := time.Date(2090, 3, 1, 10, 0, 0, 0, time.UTC)
		c.DB.Now = func() time.Time { return clock }
		full := domain.Model{
			Name: "größe 'x'", MatchPattern: `(?i)^a\d"$`, StartDate: clock.AddDate(-1, 0, 0), Unit: domain.UnitTokens,
			TokenizerID:     "openai",
			TokenizerConfig: json.RawMessage(`{"tokenizerModel":"gpt-4"}`),
			Tiers: []domain.PricingTier{
				{
					Name: "Standard", Default: true, Prices: []domain.Price{
						{Kind: "input", PerUnit: 1e-7}, {Kind: "output", PerUnit: 0.1 + 0.2},
					},
				},
				{Name: "Large", Priority: 3, Conditions: []domain.TierCondition{
					{Usage: &domain.UsageCondition{KindPattern: "^input", Operator: "gt", Value: 200_000, CaseSensitive: true}},
					{Attribute: &domain.AttributeCondition{Source: "metadata", Key: "k", Values: []string{"a", ""}}},
				}, Prices: []domain.Price{{Kind: "input", PerUnit: 0}, {Kind: "output", PerUnit: 5e-324}}},
			},
		}
		created, err := c.ModelDefinitions.Create(ctx, mine, full, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		want := full
		want.ID, want.ProjectID, want.CreatedAt, want.UpdatedAt = created.ID, p.ID, clock, clock
		want.Tiers = []domain.PricingTier{full.Tiers[0], full.Tiers[1]}
		want.Tiers[0].ID, want.Tiers[1].ID = created.ID+"_tier_default", created.Tiers[1].ID
		if diff := cmp.Diff(want, created); diff != "" || created.ID == "" || !strings.HasPrefix(created.Tiers[1].ID, created.ID+"_tier_") {
			t.Errorf("created differs (-want +got):\n%s", diff)
		}
		plain, err := c.ModelDefinitions.Create(ctx, mine, domain.Model{Name: "plain", MatchPattern: "x", Unit: domain.UnitImages},
			catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Models(ctx, mine); err != nil || !cmp.Equal([]domain.Model{created, plain}, got) {
			t.Errorf("the models are %+v, %v", got, err)
		}
		if got, err := c.ModelDefinitions.Get(ctx, mine, plain.ID); err != nil || !cmp.Equal(plain, got) || !got.StartDate.IsZero() ||
			got.TokenizerConfig != nil {
			t.Errorf("read %+v, %v", got, err)
		}

		_, err = c.ModelDefinitions.Create(ctx, mine, domain.Model{Name: "plain", MatchPattern: "y", Unit: domain.UnitImages},
			catalogtest.Tester)
		catalogtest.WantError(t, "a name twice", err, domain.ErrConflict)
		if _, err := c.ModelDefinitions.Create(ctx, theirs, domain.Model{Name: "plain", MatchPattern: "y", Unit: domain.UnitImages},
			catalogtest.Tester); err != nil {
			t.Errorf("the name of another project's model: %v", err)
		}

		// Tiers keep their ids by name.
		clock = clock.Add(time.Second)
		changed := full
		changed.Name, changed.Tiers = "renamed", []domain.PricingTier{
			full.Tiers[1], full.Tiers[0], {Name: "New", Priority: 9, Prices: full.Tiers[0].Prices},
		}
		after, err := c.ModelDefinitions.Change(ctx, mine, created.ID, by(changed), catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		if after.Name != "renamed" || after.ID != created.ID || !after.CreatedAt.Equal(created.CreatedAt) ||
			!after.UpdatedAt.Equal(clock) ||
			after.Tiers[0].ID != created.Tiers[1].ID || after.Tiers[1].ID != created.ID+"_tier_default" || after.Tiers[2].ID == "" ||
			after.Tiers[2].ID == after.Tiers[0].ID {
			t.Errorf("replaced: %+v", after)
		}
		_, err = c.ModelDefinitions.Change(ctx, mine, plain.ID, by(changed), catalogtest.Tester)
		catalogtest.WantError(t, "a name that another model has", err, domain.ErrConflict)

		for name, change := range map[string]func(scope domain.ProjectScope, id string) error{
			"read": func(scope domain.ProjectScope, id string) error {
				_, err := c.ModelDefinitions.Get(ctx, scope, id)
				return err
			},
			"replace": func(scope domain.ProjectScope, id string) error {
				_, err := c.ModelDefinitions.Change(ctx, scope, id, by(full), catalogtest.Tester)
				return err
			},
			"delete": func(scope domain.ProjectScope, id string) error {
				return c.ModelDefinitions.Delete(ctx, scope, id, catalogtest.Tester)
			},
		} {
			catalogtest.WantError(t, name+" a foreign model", change(theirs, created.ID), domain.ErrNotFound)
			catalogtest.WantError(t, name+" an unknown model", change(mine, "nope"), domain.ErrNotFound)
		}
		if err := c.ModelDefinitions.Delete(ctx, mine, created.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		_, err = c.ModelDefinitions.Get(ctx, mine, created.ID)
		catalogtest.WantError(t, "a deleted model", err, domain.ErrNotFound)

		log, err := catalogtest.OldestFirst(ctx, c, organization)
		if err != nil {
			t.Fatal(err)
		}
		var actions []string
		for _, e := range log {
			if e.ResourceKind == "model" {
				actions = append(actions, fmt.Sprint(e.Action, " ", e.ResourceID, " ", e.Before != nil, e.After != nil))
			}
		}
		if diff := cmp.Diff([]string{
			"create " + created.ID + " false true", "create " + plain.ID + " false true", "update " + created.ID + " true true",
			"delete " + created.ID + " true false",
		}, actions); diff != "" {
			t.Errorf("audit log (-want +got):\n%s", diff)
		}

		if err := c.DeleteProject(ctx, organization, p.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Models(ctx, mine); len(got) != 0 || err != nil {
			t.Errorf("models of a deleted project: %v, %v", got, err)
		}
		_, err = c.ModelDefinitions.Create(ctx, mine, full, catalogtest.Tester)
		catalogtest.WantError(t, "a model of a deleted project", err, domain.ErrNotFound)
	})
}

func TestModelsAreBounded(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		if err := c.DB.Update(t.Context(), func(s tables.Session) error {
			for n := range catalog.MaxModels - 5 {
				if _, err := s.Exec(t.Context(),
					`INSERT INTO models (project_id, id, name, match_pattern, start_date, unit, tokenizer_id, tokenizer_config, tiers, created_at, updated_at)
					VALUES (?, ?, ?, 'x', NULL, '', '', NULL, '[]', 0, 0)`,
					p.ID, fmt.Sprint("id ", n), fmt.Sprint("name ", n)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		failures := make(chan error, 10)
		for n := range 10 {
			wg.Go(func() {
				_, err := c.ModelDefinitions.Create(t.Context(), scope, domain.Model{Name: fmt.Sprint("new ", n), MatchPattern: "x"},
					catalogtest.Tester)
				failures <- err
			})
		}
		wg.Wait()
		refused := 0
		for range 10 {
			if err := <-failures; errors.Is(err, domain.ErrTooMany) {
				refused++
			} else if err != nil {
				t.Error(err)
			}
		}
		if refused != 5 {
			t.Errorf("%d of 10 were refused, want 5", refused)
		}
	})
}
