package tenants_test

import (
	"errors"
	"testing"

	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestLimits(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx, by := t.Context(), domain.Actor{Kind: "test"}
		org, other := domain.OfOrganization("org"), domain.OfOrganization("other")
		for _, id := range []string{"org", "other"} {
			if _, err := c.CreateOrganization(ctx, id, id, by); err != nil {
				t.Fatal(err)
			}
		}
		project, err := c.CreateProject(ctx, org, tenants.NewProject{Name: "project"}, by)
		if err != nil {
			t.Fatal(err)
		}
		key, err := c.CreateKey(ctx, org, tenants.NewKey{ProjectID: project.ID, PublicKey: "pk", SecretHash: "h"}, by)
		if err != nil {
			t.Fatal(err)
		}
		heard := 0
		c.Subscribe(func(change tables.Change) {
			if change.Kind == tenants.KindLimits {
				heard++
			}
		})
		ofProject, ofKey := tenants.LimitOwner{ProjectID: project.ID}, tenants.LimitOwner{ProjectID: project.ID, KeyID: key.ID}
		for n, owner := range []tenants.LimitOwner{{}, ofProject, ofKey} {
			if _, err := c.SetLimits(ctx, org, owner, domain.Limits{int64(n + 1), 2, 3, 4, 5, 6}, by); err != nil {
				t.Fatal(err)
			}
		}
		for _, owner := range []tenants.LimitOwner{ofProject, ofKey, {ProjectID: "x"}} {
			if _, err := c.SetLimits(ctx, other, owner, domain.Limits{1}, by); !errors.Is(err, domain.ErrNotFound) {
				t.Errorf("another organization sets limits: %v", err)
			}
			if _, err := c.LimitSubject(ctx, other, owner); !errors.Is(err, domain.ErrNotFound) {
				t.Errorf("another organization reads limits: %v", err)
			}
		}
		if _, err := c.SetLimits(ctx, org, ofProject, domain.Limits{9}, by); err != nil {
			t.Fatal(err)
		}
		all, err := c.Limits(ctx)
		want := domain.LimitSubject{Level: domain.LevelProject, ID: project.ID}
		if err != nil || len(all) != 3 || all[want] != (domain.Limits{9}) || heard != 4 {
			t.Errorf("%v (%v), %d changes heard", all, err, heard)
		}
		if _, err := c.SetLimits(ctx, org, tenants.LimitOwner{}, domain.Limits{}, by); err != nil {
			t.Fatal(err)
		}
		if err := c.DeleteProject(ctx, org, project.ID, by); err != nil {
			t.Fatal(err)
		}
		if all, err = c.Limits(ctx); err != nil || len(all) != 0 {
			t.Errorf("limits of what is gone are kept: %v (%v)", all, err)
		}
	})
}

func TestUsage(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		subject := domain.LimitSubject{Level: domain.LevelKey, ID: "k"}
		add := func(u, want domain.Usage) {
			t.Helper()
			sums, err := c.AddUsage(ctx, 100_000, map[domain.LimitSubject]domain.Usage{subject: u})
			if err != nil || sums[subject] != want {
				t.Errorf("%+v (%v), want %+v", sums, err, want)
			}
		}
		one := domain.Amounts{1, 10, 100}
		add(domain.Usage{Minute: 5, Day: 1, InMinute: one, InDay: one}, domain.Usage{Minute: 5, Day: 1, InMinute: one, InDay: one})
		add(domain.Usage{Minute: 5, Day: 1, InMinute: one, InDay: one}, domain.Usage{
			Minute: 5, Day: 1, InMinute: domain.Amounts{2, 20, 200}, InDay: domain.Amounts{2, 20, 200},
		})
		add(domain.Usage{Minute: 6, Day: 1, InMinute: one, InDay: one}, domain.Usage{
			Minute: 6, Day: 1, InMinute: one, InDay: domain.Amounts{3, 30, 300},
		})
		// A server whose minute is over still adds to the day.
		add(domain.Usage{Minute: 5, Day: 1, InMinute: one, InDay: one}, domain.Usage{
			Minute: 6, Day: 1, InMinute: one, InDay: domain.Amounts{4, 40, 400},
		})
		found, err := c.UsageSince(ctx, 1)
		if err != nil || found[subject].InDay != (domain.Amounts{4, 40, 400}) {
			t.Errorf("%v (%v)", found, err)
		}
		add(domain.Usage{Minute: 9000, Day: 3, InMinute: one, InDay: one}, domain.Usage{Minute: 9000, Day: 3, InMinute: one, InDay: one})
		if found, err = c.UsageSince(ctx, 4); err != nil || len(found) != 0 {
			t.Errorf("%v (%v)", found, err)
		}
		old := domain.LimitSubject{Level: domain.LevelKey, ID: "old"}
		if _, err := c.AddUsage(ctx, 100_000, map[domain.LimitSubject]domain.Usage{old: {Minute: 1, Day: 3, InDay: one}}); err != nil {
			t.Fatal(err)
		}
		add(domain.Usage{Minute: 90000, Day: 5, InDay: one}, domain.Usage{Minute: 90000, Day: 5, InDay: one})
		if found, err = c.UsageSince(ctx, 0); err != nil || len(found) != 1 {
			t.Errorf("what is days old is kept: %v (%v)", found, err)
		}
		// A clock that was ahead is set back.
		sums, err := c.AddUsage(ctx, 7001, map[domain.LimitSubject]domain.Usage{old: {Minute: 7000, Day: 4, InDay: one}})
		if err != nil || sums[old].InDay != one {
			t.Errorf("%v (%v)", sums, err)
		}
		if found, err = c.UsageSince(ctx, 0); err != nil || len(found) != 1 || found[old].Day != 4 {
			t.Errorf("what a wrong clock wrote is kept: %v (%v)", found, err)
		}
	})
}
