package catalog_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestScoreConfigs(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		clock := time.Date(2090, 3, 1, 10, 0, 0, 0, time.UTC)
		c.DB.Now = func() time.Time { clock = clock.Add(time.Millisecond); return clock }

		full := domain.ScoreConfig{
			Name: "größe (x)", DataType: domain.ScoreNumeric, Description: new("a \"b\""), MinValue: new(-1.5), MaxValue: new(0.1 + 0.2),
		}
		categorical := domain.ScoreConfig{
			Name: "quality", DataType: domain.ScoreCategorical, Categories: []domain.ScoreCategory{
				{Label: "good", Value: 1}, {Label: "bad", Value: 1e-7},
			},
		}
		empty := domain.ScoreConfig{
			Name: "quality", DataType: domain.ScoreCategorical, Categories: []domain.ScoreCategory{}, Archived: true,
		}
		var all []domain.ScoreConfig
		for _, n := range []domain.ScoreConfig{full, categorical, empty} {
			created, err := c.ScoreConfigs.Create(ctx, mine, n, catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			n.ID, n.CreatedAt, n.UpdatedAt = created.ID, created.CreatedAt, created.CreatedAt
			if diff := cmp.Diff(n, created); diff != "" || created.ID == "" || created.CreatedAt.IsZero() {
				t.Errorf("created differs (-want +got):\n%s", diff)
			}
			got, err := c.ScoreConfigs.Get(ctx, mine, created.ID)
			if diff := cmp.Diff(n, got); diff != "" || err != nil {
				t.Errorf("read: %v (-want +got):\n%s", err, diff)
			}
			all = append([]domain.ScoreConfig{created}, all...)
		}

		for _, list := range []struct {
			page tables.Page
			want []domain.ScoreConfig
		}{
			{tables.Page{Offset: 0, Limit: 50}, all},
			{tables.Page{Offset: 0, Limit: 2}, all[:2]},
			{tables.Page{Offset: 2, Limit: 2}, all[2:]},
			{tables.Page{Offset: 3, Limit: 50}, nil},
			{tables.Page{Offset: 1 << 45, Limit: 100}, nil},
		} {
			got, total, err := c.ScoreConfigs.Page(ctx, mine, list.page)
			if diff := cmp.Diff(list.want, got); diff != "" || total != 3 || err != nil {
				t.Errorf("page %v: total %d, %v (-want +got):\n%s", list.page, total, err, diff)
			}
		}

		// Configs with the same time are ordered by id.
		c.DB.Now = func() time.Time { return clock }
		for range 5 {
			if _, err := c.ScoreConfigs.Create(ctx, mine, full, catalogtest.Tester); err != nil {
				t.Fatal(err)
			}
		}
		same, _, err := c.ScoreConfigs.Page(ctx, mine, tables.Page{Offset: 0, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		for n := range same[1:] {
			if same[n].ID >= same[n+1].ID {
				t.Errorf("ids of one millisecond are out of order: %s, %s", same[n].ID, same[n+1].ID)
			}
		}

		// Another project sees none of them.
		if got, total, err := c.ScoreConfigs.Page(ctx, theirs, tables.Page{Offset: 0, Limit: 50}); len(got) != 0 || total != 0 ||
			err != nil {
			t.Errorf("foreign configs %v, %d, %v", got, total, err)
		}
		_, err = c.ScoreConfigs.Get(ctx, theirs, all[0].ID)
		catalogtest.WantError(t, "a foreign config", err, domain.ErrNotFound)
		unchanged := func(config domain.ScoreConfig) (domain.ScoreConfig, error) { return config, nil }
		_, err = c.ScoreConfigs.Change(ctx, theirs, all[0].ID, unchanged, catalogtest.Tester)
		catalogtest.WantError(t, "updating a foreign config", err, domain.ErrNotFound)

		clock = clock.Add(time.Second)
		before := all[2]
		after, err := c.ScoreConfigs.Change(ctx, mine, before.ID, func(config domain.ScoreConfig) (domain.ScoreConfig, error) {
			config.Name, config.Archived, config.Description, config.MinValue, config.MaxValue = "renamed", true, nil, nil, new(7.0)
			config.DataType, config.CreatedAt = domain.ScoreText, clock // neither may change
			return config, nil
		}, catalogtest.Tester)
		want := before
		want.Name, want.Archived, want.Description, want.MinValue, want.MaxValue, want.UpdatedAt = "renamed", true, nil, nil,
			new(7.0), clock
		if diff := cmp.Diff(want, after); diff != "" || err != nil {
			t.Errorf("update: %v (-want +got):\n%s", err, diff)
		}
		refusal := errors.New("no")
		_, err = c.ScoreConfigs.Change(ctx, mine, before.ID, func(config domain.ScoreConfig) (domain.ScoreConfig, error) {
			return config,
				refusal
		}, catalogtest.Tester)
		catalogtest.WantError(t, "a refused change", err, refusal)
		if got, err := c.ScoreConfigs.Get(ctx, mine, before.ID); err != nil || !cmp.Equal(want, got) {
			t.Errorf("a refused change left %+v, %v", got, err)
		}

		log, err := catalogtest.OldestFirst(ctx, c, organization)
		if err != nil {
			t.Fatal(err)
		}
		last := log[len(log)-1]
		if last.Action != "update" || last.ResourceKind != "scoreConfig" || last.ResourceID != before.ID || last.ProjectID != p.ID ||
			last.Actor != catalogtest.Tester ||
			string(last.Before) == string(last.After) || len(last.Before) == 0 {
			t.Errorf("the last entry is %+v", last)
		}

		if err := c.DeleteProject(ctx, organization, p.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		_, err = c.ScoreConfigs.Get(ctx, mine, before.ID)
		catalogtest.WantError(t, "a config of a deleted project", err, domain.ErrNotFound)
	})
}

// TestScoreConfigsChangedAtOnce makes many concurrent read-modify-write changes: none may be lost.
func TestScoreConfigsChangedAtOnce(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		config, err := c.ScoreConfigs.Create(t.Context(), scope, domain.ScoreConfig{
			Name: "n", DataType: domain.ScoreNumeric, MinValue: new(0.0),
		}, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		const writers = 20
		var wg sync.WaitGroup
		for range writers {
			wg.Go(func() {
				if _, err := c.ScoreConfigs.Change(t.Context(), scope, config.ID,
					func(config domain.ScoreConfig) (domain.ScoreConfig, error) {
						config.MinValue = new(*config.MinValue + 1)
						return config, nil
					}, catalogtest.Tester); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got, err := c.ScoreConfigs.Get(t.Context(), scope, config.ID); err != nil || *got.MinValue != writers {
			t.Errorf("%v after %d changes, %v", *got.MinValue, writers, err)
		}
	})
}

// TestOddTexts stores and looks up strings that PostgreSQL refuses.
func TestOddTexts(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		for _, odd := range []string{"a\x00b", "a\xffb", "\xed\xa0\x80", "\x00"} {
			t.Run(fmt.Sprintf("%q", odd), func(t *testing.T) {
				created, err := c.ScoreConfigs.Create(t.Context(), scope, domain.ScoreConfig{
					Name: odd, DataType: domain.ScoreCategorical, Description: &odd, Categories: []domain.ScoreCategory{{Label: odd}},
				}, catalogtest.Tester)
				if err != nil {
					t.Fatal(err)
				}
				got, err := c.ScoreConfigs.Get(t.Context(), scope, created.ID)
				if err != nil || !cmp.Equal(created, got) || got.Name != *got.Description {
					t.Errorf("created %+v, read %+v, %v", created, got, err)
				}
				_, err = c.ScoreConfigs.Get(t.Context(), scope, odd)
				catalogtest.WantError(t, "an odd id", err, domain.ErrNotFound)
			})
		}
	})
}
