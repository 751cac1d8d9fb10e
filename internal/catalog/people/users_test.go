package people_test

import (
	"testing"

	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestEnsureOwner(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		scope, _ := catalogtest.Seed(t, c, "o")
		if exists, err := c.UserExists(ctx, "ada@example.org"); err != nil || exists {
			t.Errorf("UserExists before = %v, %v", exists, err)
		}
		for n, want := range []bool{true, false, false} {
			created, err := c.EnsureOwner(ctx, scope, "ada@example.org", "Ada", "hash", catalogtest.Tester)
			if err != nil || created != want {
				t.Errorf("call %d: created = %v, %v; want %v", n, created, err, want)
			}
		}
		if exists, err := c.UserExists(ctx, "ada@example.org"); err != nil || !exists {
			t.Errorf("UserExists after = %v, %v", exists, err)
		}
		log, err := catalogtest.OldestFirst(ctx, c, scope)
		if err != nil {
			t.Fatal(err)
		}
		if got := catalogtest.Actions(log); got != "create organization, create project, create membership" {
			t.Errorf("audit log: %s", got)
		}
		if _, err := c.ProvisionUser(ctx, scope, "bob@example.org", "Bob", new(domain.RoleViewer), catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if _, err := c.EnsureOwner(ctx, scope, "bob@example.org", "Bob", "hash", catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		changes := changesOf(t, c, scope)
		if last := changes[len(changes)-1]; last != `update membership {"role":"VIEWER"} {"role":"OWNER"}` {
			t.Errorf("a member who becomes an owner is recorded as %s", last)
		}
	})
}
