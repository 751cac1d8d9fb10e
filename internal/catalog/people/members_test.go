package people_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// provisioned creates a user who is a member of the organization.
func provisioned(t *testing.T, c *catalogtest.Catalog, scope domain.OrganizationScope, name string, role domain.Role) domain.User {
	t.Helper()
	u, err := c.ProvisionUser(t.Context(), scope, name+"@example.org", name, &role, catalogtest.Tester)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// roles returns members as "name role" strings.
func roles(members []domain.Member) []string {
	texts := []string{}
	for _, m := range members {
		texts = append(texts, m.Name+" "+string(m.Role))
	}
	return texts
}

// changesOf returns the entries about memberships as strings.
func changesOf(t *testing.T, c *catalogtest.Catalog, scope domain.OrganizationScope) []string {
	t.Helper()
	log, err := catalogtest.OldestFirst(t.Context(), c, scope)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{}
	for _, e := range log {
		if strings.HasSuffix(strings.ToLower(e.ResourceKind), "membership") {
			texts = append(texts, fmt.Sprintf("%s %s %s %s", e.Action, e.ResourceKind, e.Before, e.After))
		}
	}
	return texts
}

func TestMembers(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		catalogtest.Ticking(c)
		ctx := t.Context()
		mine, p := catalogtest.Seed(t, c, "mine")
		theirs, _ := catalogtest.Seed(t, c, "theirs")
		ada := provisioned(t, c, mine, "ada", domain.RoleOwner)
		bob := provisioned(t, c, theirs, "bob", domain.RoleViewer)

		set := func(user domain.User, role domain.Role, want error) {
			t.Helper()
			m, err := c.SetMember(ctx, mine, user.ID, role, catalogtest.Tester)
			catalogtest.WantError(t, user.Name+" becomes "+string(role), err, want)
			if want == nil && (m.ID != user.ID || m.Role != role || !m.Pending) {
				t.Errorf("SetMember = %+v", m)
			}
		}
		set(ada, domain.RoleAdmin, domain.ErrLastOwner)
		set(domain.User{ID: "nobody"}, domain.RoleAdmin, domain.ErrNotFound)
		set(bob, domain.RoleMember, nil)
		set(bob, domain.RoleMember, nil) // no change
		set(bob, domain.RoleOwner, nil)
		set(ada, domain.RoleNone, nil)
		set(bob, domain.RoleNone, domain.ErrLastOwner)
		// bob was named by his id, and has not agreed
		if all, err := c.Members(ctx, mine); err != nil || !cmp.Equal(roles(all), []string{"ada NONE", " OWNER"}) {
			t.Errorf("Members = %v, %v", roles(all), err)
		}
		if all, err := c.Members(ctx, theirs); err != nil || !cmp.Equal(roles(all), []string{"bob VIEWER"}) {
			t.Errorf("members of the other organization = %v, %v", roles(all), err)
		}
		if m, err := c.Member(ctx, mine, ada.ID); err != nil || m.Email != "ada@example.org" || m.Role != domain.RoleNone ||
			!m.CreatedAt.Equal(ada.CreatedAt) {
			t.Errorf("Member = %+v, %v", m, err)
		}
		_, err := c.Member(ctx, theirs, ada.ID)
		catalogtest.WantError(t, "a member of another organization", err, domain.ErrNotFound)

		if _, err := c.SetProjectMember(ctx, mine, p.ID, ada.ID, domain.RoleViewer, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		_, err = c.RemoveMember(ctx, mine, bob.ID, catalogtest.Tester)
		catalogtest.WantError(t, "removing the only owner", err, domain.ErrLastOwner)
		_, err = c.RemoveMember(ctx, theirs, ada.ID, catalogtest.Tester)
		catalogtest.WantError(t, "removing somebody else's member", err, domain.ErrNotFound)
		if removed, err := c.RemoveMember(ctx, mine, ada.ID, catalogtest.Tester); err != nil || removed.Role != domain.RoleNone ||
			removed.User != ada {
			t.Errorf("RemoveMember = %+v, %v", removed, err)
		}
		if left, err := c.ProjectMembers(ctx, mine, p.ID); err != nil || len(left) != 0 {
			t.Errorf("roles in projects that are left: %v, %v", roles(left), err)
		}
		if u, err := c.User(ctx, ada.ID); err != nil || u != ada {
			t.Errorf("the account after the end of the membership = %+v, %v", u, err)
		}

		// A former member comes back with no role; a current one keeps theirs.
		if m, err := c.EnsureMember(ctx, mine, ada.ID, catalogtest.Tester); err != nil || m.Role != domain.RoleNone {
			t.Errorf("EnsureMember = %+v, %v", m, err)
		}
		if m, err := c.EnsureMember(ctx, mine, bob.ID, catalogtest.Tester); err != nil || m.Role != domain.RoleOwner {
			t.Errorf("EnsureMember of a member = %+v, %v", m, err)
		}
		_, err = c.EnsureMember(ctx, mine, "nobody", catalogtest.Tester)
		catalogtest.WantError(t, "EnsureMember of nobody", err, domain.ErrNotFound)

		want := []string{
			`create membership  {"role":"OWNER"}`, // ada
			`create membership  {"role":"MEMBER"}`,
			`update membership {"role":"MEMBER"} {"role":"OWNER"}`,
			`update membership {"role":"OWNER"} {"role":"NONE"}`,
			`create projectMembership  {"role":"VIEWER"}`,
			`delete projectMembership {"role":"VIEWER"} `,
			`delete membership {"role":"NONE"} `,
			`create membership  {"role":"NONE"}`,
		}
		if diff := cmp.Diff(want, changesOf(t, c, mine)); diff != "" {
			t.Errorf("audit log (-want +got):\n%s", diff)
		}
		_, err = c.SetMember(ctx, domain.OfOrganization("nowhere"), ada.ID, domain.RoleOwner, catalogtest.Tester)
		catalogtest.WantError(t, "a member of no organization", err, domain.ErrNotFound)
	})
}

func TestMemberPage(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		catalogtest.Ticking(c)
		mine, _ := catalogtest.Seed(t, c, "mine")
		theirs, _ := catalogtest.Seed(t, c, "theirs")
		for _, name := range []string{"ada", "bob", "cyd"} {
			provisioned(t, c, mine, name, domain.RoleMember)
		}
		provisioned(t, c, theirs, "dan", domain.RoleMember)
		for _, want := range []struct {
			email *string
			page  tables.Page
			total int
			names []string
		}{
			{nil, tables.Page{Limit: 2}, 3, []string{"ada MEMBER", "bob MEMBER"}},
			{nil, tables.Page{Offset: 2, Limit: 2}, 3, []string{"cyd MEMBER"}},
			{nil, tables.Page{Offset: 3, Limit: 2}, 3, []string{}},
			{nil, tables.Page{}, 3, []string{}},
			{new(" BOB@Example.org"), tables.Page{Limit: 2}, 1, []string{"bob MEMBER"}},
			{new("dan@example.org"), tables.Page{Limit: 2}, 0, []string{}},
			{new("bob@example.org' OR 1=1 --"), tables.Page{Limit: 2}, 0, []string{}},
		} {
			got, total, err := c.MemberPage(t.Context(), mine, want.email, want.page)
			if err != nil || total != want.total || !cmp.Equal(roles(got), want.names) {
				t.Errorf("MemberPage(%v, %v) = %v of %d, %v; want %v of %d", want.email, want.page, roles(got), total, err, want.names,
					want.total)
			}
		}
	})
}

func TestProjectMembers(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		catalogtest.Ticking(c)
		ctx := t.Context()
		mine, p := catalogtest.Seed(t, c, "mine")
		theirs, foreign := catalogtest.Seed(t, c, "theirs")
		ada := provisioned(t, c, mine, "ada", domain.RoleOwner)
		dan := provisioned(t, c, theirs, "dan", domain.RoleOwner)

		for _, role := range []domain.Role{domain.RoleViewer, domain.RoleViewer, domain.RoleNone} {
			if m, err := c.SetProjectMember(ctx, mine, p.ID, ada.ID, role, catalogtest.Tester); err != nil || m.Role != role ||
				m.User != ada {
				t.Errorf("SetProjectMember = %+v, %v", m, err)
			}
		}
		_, err := c.SetProjectMember(ctx, mine, p.ID, dan.ID, domain.RoleOwner, catalogtest.Tester)
		catalogtest.WantError(t, "somebody who is no member of the organization", err, domain.ErrNoMember)
		catalogtest.WantError(t, "the same", err, domain.ErrNotFound)
		_, err = c.SetProjectMember(ctx, mine, foreign.ID, ada.ID, domain.RoleOwner, catalogtest.Tester)
		catalogtest.WantError(t, "a foreign project", err, domain.ErrNotFound)
		if errors.Is(err, domain.ErrNoMember) {
			t.Error("a foreign project is taken for a missing membership")
		}
		_, err = c.ProjectMembers(ctx, mine, foreign.ID)
		catalogtest.WantError(t, "members of a foreign project", err, domain.ErrNotFound)
		catalogtest.WantError(t, "removing from a foreign project",
			c.RemoveProjectMember(ctx, mine, foreign.ID, dan.ID, catalogtest.Tester), domain.ErrNotFound)
		catalogtest.WantError(t, "removing who has no role", c.RemoveProjectMember(ctx, mine, p.ID, dan.ID, catalogtest.Tester),
			domain.ErrNoMember)
		if all, err := c.ProjectMembers(ctx, mine, p.ID); err != nil || !cmp.Equal(roles(all), []string{"ada NONE"}) {
			t.Errorf("ProjectMembers = %v, %v", roles(all), err)
		}
		if err := c.RemoveProjectMember(ctx, mine, p.ID, ada.ID, catalogtest.Tester); err != nil {
			t.Error(err)
		}
		if m, err := c.Member(ctx, mine, ada.ID); err != nil || m.Role != domain.RoleOwner {
			t.Errorf("the role in the organization = %v, %v", m.Role, err)
		}
		want := []string{
			`create membership  {"role":"OWNER"}`,
			`create projectMembership  {"role":"VIEWER"}`,
			`update projectMembership {"role":"VIEWER"} {"role":"NONE"}`,
			`delete projectMembership {"role":"NONE"} `,
		}
		if diff := cmp.Diff(want, changesOf(t, c, mine)); diff != "" {
			t.Errorf("audit log (-want +got):\n%s", diff)
		}
	})
}

func TestProvisionUser(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		mine, _ := catalogtest.Seed(t, c, "mine")
		theirs, _ := catalogtest.Seed(t, c, "theirs")
		role := domain.RoleMember
		ada, err := c.ProvisionUser(ctx, mine, "Ada@Example.org", "Ada", &role, catalogtest.Tester)
		if err != nil || ada.Email != "ada@example.org" || ada.Name != "Ada" {
			t.Fatalf("ProvisionUser = %+v, %v", ada, err)
		}
		_, err = c.ProvisionUser(ctx, mine, "ADA@example.org", "Ada", &role, catalogtest.Tester)
		catalogtest.WantError(t, "a member already", err, domain.ErrConflict)
		// Another organization sees what it said, as if there had been no account.
		attached, err := c.ProvisionUser(ctx, theirs, "ada@example.org", "Somebody else", &role, catalogtest.Tester)
		if err != nil || attached.ID != ada.ID || attached.Email != ada.Email || attached.Name != "Somebody else" ||
			attached.CreatedAt != attached.UpdatedAt {
			t.Errorf("attached = %+v, %v; want %+v", attached, err, ada)
		}
		// Without a role there is an account but no membership.
		bob, err := c.ProvisionUser(ctx, mine, "bob@example.org", "", nil, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Member(ctx, mine, bob.ID)
		catalogtest.WantError(t, "no membership", err, domain.ErrNotFound)
		log, err := catalogtest.OldestFirst(ctx, c, mine)
		if err != nil {
			t.Fatal(err)
		}
		if got := catalogtest.Actions(log); got != "create organization, create project, create membership" {
			t.Errorf("audit log: %s", got)
		}
	})
}

// TestOwnersDoNotRemoveEachOther has two owners give up their role concurrently: one of them must stay.
func TestOwnersDoNotRemoveEachOther(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		for round := range 10 {
			scope, _ := catalogtest.Seed(t, c, fmt.Sprint("o", round))
			ada := provisioned(t, c, scope, fmt.Sprint("ada", round), domain.RoleOwner)
			bob := provisioned(t, c, scope, fmt.Sprint("bob", round), domain.RoleOwner)
			var wg sync.WaitGroup
			var first, second error
			wg.Go(func() { _, first = c.RemoveMember(context.Background(), scope, ada.ID, catalogtest.Tester) })
			wg.Go(func() {
				_, second = c.SetMember(context.Background(), scope, bob.ID, domain.RoleViewer, catalogtest.Tester)
			})
			wg.Wait()
			all, err := c.Members(t.Context(), scope)
			if err != nil {
				t.Fatal(err)
			}
			switch left := strings.Join(slices.Sorted(slices.Values(roles(all))), ", "); {
			case first == nil && errors.Is(second, domain.ErrLastOwner) && left == bob.Name+" OWNER":
			case errors.Is(first, domain.ErrLastOwner) && second == nil && left == ada.Name+" OWNER, "+bob.Name+" VIEWER":
			default:
				t.Errorf("errors %v and %v; members %s", first, second, left)
			}
		}
	})
}
