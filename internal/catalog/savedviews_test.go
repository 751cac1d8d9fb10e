package catalog_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestSavedViews(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		user := func(email string) string {
			t.Helper()
			u, err := c.CreateAccount(ctx, email, email, "", catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			return u.ID
		}
		ann, bob := user("ann@a.test"), user("bob@a.test")
		keep := func(owner *string, name string) domain.SavedView {
			t.Helper()
			v, err := c.CreateSavedView(ctx, scope, ann, domain.SavedView{
				OwnerID: owner, Table: "traces", Name: name, State: domain.ViewState{Search: name, Environment: []string{"a"}},
			}, catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		sees := func(userID, what string, want ...string) {
			t.Helper()
			views, err := c.SavedViews(ctx, scope, userID)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range views {
				name := v.Name
				if v.IsMine {
					name += "!"
				}
				if v.IsDefault {
					name += "#"
				}
				got = append(got, name)
			}
			if !cmp.Equal(want, got) {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		own, first, second := keep(&ann, "own"), keep(nil, "first"), keep(nil, "second")
		if own.State.Search != "own" || own.UpdatedAt.IsZero() {
			t.Errorf("what was kept: %+v", own)
		}
		for _, id := range []string{first.ID, second.ID} {
			if err := c.SetDefaultView(ctx, scope, ann, "traces", id, catalogtest.Tester); err != nil {
				t.Fatal(err)
			}
			if err := c.SetOwnDefaultView(ctx, scope, bob, "traces", id); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.SetOwnDefaultView(ctx, scope, ann, "traces", own.ID); err != nil {
			t.Fatal(err)
		}
		sees(ann, "ann", "first", "own!", "second#")
		sees(bob, "bob", "first", "second!#")
		for _, id := range []string{own.ID, "", "\x00"} {
			if _, err := c.SavedView(ctx, scope, bob, id); !errors.Is(err, domain.ErrNotFound) {
				t.Errorf("%q for somebody else: %v", id, err)
			}
		}
		if _, err := c.ChangeSavedView(ctx, scope, ann, second.ID, func(v domain.SavedView) (domain.SavedView, error) {
			v.OwnerID = &ann
			return v, nil
		}, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		sees(ann, "after one was taken", "first", "own!", "second")
		sees(bob, "after one was taken", "first")
		if err := c.DeleteSavedView(ctx, scope, ann, own.ID, func(domain.SavedView) error { return nil }, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		sees(ann, "after one was deleted", "first", "second")
		if err := c.DeleteProject(ctx, organization, p.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		sees(ann, "after the project was deleted")
	})
}
