package people_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog/people"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestIdentities(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		catalogtest.Ticking(c)
		ctx := t.Context()
		acme, project := catalogtest.Seed(t, c, "acme")
		labs, _ := catalogtest.Seed(t, c, "labs")
		ensure := func(who people.Identity, want error) domain.User {
			t.Helper()
			who.ProviderID, who.Issuer = "sso", "https://sso.example.org"
			user, _, err := c.EnsureIdentity(ctx, who)
			catalogtest.WantError(t, who.Subject, err, want)
			return user
		}
		access := func(user domain.User) map[string]domain.Role {
			t.Helper()
			organizations, err := c.AccessOf(ctx, user.ID)
			if err != nil {
				t.Fatal(err)
			}
			roles := map[string]domain.Role{}
			for _, o := range organizations {
				roles[o.ID] = o.Role
				for _, p := range o.Projects {
					roles[p.ID] = p.Role
				}
			}
			return roles
		}
		has := func(user domain.User, want map[string]domain.Role) {
			t.Helper()
			if diff := cmp.Diff(want, access(user)); diff != "" {
				t.Errorf("roles of %s (-want +got):\n%s", user.Email, diff)
			}
		}

		// People who are not to get an account do not, unless they are invited.
		ensure(people.Identity{Subject: "ada", Email: "ada@example.org"}, domain.ErrNotFound)
		host, err := c.CreateAccount(ctx, "host@example.org", "Host", "hash", catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.AppointMember(ctx, acme, host.ID, domain.RoleAdmin, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Invite(ctx, acme, domain.Invitation{
			Email: "eve@example.org", Role: domain.RoleMember, InvitedBy: host.ID, ExpiresAt: c.DB.Now().Add(time.Hour),
		}, "hash", catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		has(ensure(people.Identity{Subject: "eve", Email: "eve@example.org", Name: "Eve"}, nil), map[string]domain.Role{})

		// A new account gets its first role once.
		first := &people.GrantedRole{OrganizationID: "acme", Role: domain.RoleViewer}
		ada := ensure(people.Identity{Subject: "ada", Email: "Ada@example.org", Name: "Ada", Create: true, First: first}, nil)
		has(ada, map[string]domain.Role{"acme": domain.RoleViewer, project.ID: domain.RoleViewer})
		if _, err := c.RemoveMember(ctx, acme, ada.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		// From then on the subject identifies the account, not the address.
		if again := ensure(people.Identity{Subject: "ada", Email: "lovelace@example.org", Create: true, First: first},
			nil); again.ID != ada.ID || again.Email != "ada@example.org" {
			t.Errorf("the second time ada is %+v", again)
		}
		has(ada, map[string]domain.Role{})
		// And nobody else gets her account by her address.
		ensure(people.Identity{Subject: "mallory", Email: "ada@example.org", Create: true}, people.ErrOtherSubject)

		// Rules set roles, even weaker ones, and remove them. Roles that they do not name are left alone.
		if _, err := c.AppointMember(ctx, labs, ada.ID, domain.RoleMember, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		rules := func(organization, inProject domain.Role) []people.GrantedRole {
			return []people.GrantedRole{{ProjectID: project.ID, Role: inProject}, {OrganizationID: "acme", Role: organization}}
		}
		signIn := func(roles []people.GrantedRole, want map[string]domain.Role) {
			t.Helper()
			for range 2 { // the second sign-in changes nothing
				ensure(people.Identity{Subject: "ada", Email: "ada@example.org", Roles: roles}, nil)
				organizations := access(ada)
				for _, o := range []string{"labs"} {
					if organizations[o] != domain.RoleMember {
						t.Errorf("in %s ada is %q", o, organizations[o])
					}
				}
				for id, role := range want {
					if organizations[id] != role {
						t.Errorf("in %s ada is %q, want %q", id, organizations[id], role)
					}
				}
			}
		}
		signIn(rules("", domain.RoleMember), map[string]domain.Role{"acme": domain.RoleNone, project.ID: domain.RoleMember})
		signIn(rules(domain.RoleAdmin, ""), map[string]domain.Role{"acme": domain.RoleAdmin, project.ID: domain.RoleAdmin})
		signIn(rules(domain.RoleOwner, domain.RoleViewer), map[string]domain.Role{"acme": domain.RoleOwner, project.ID: domain.RoleViewer})
		signIn(rules("", ""), map[string]domain.Role{"acme": domain.RoleOwner}) // the last owner
		if _, err := c.AppointMember(ctx, acme, host.ID, domain.RoleOwner, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		signIn(rules("", ""), map[string]domain.Role{"acme": "", project.ID: ""})

		// Rules for organizations and projects that do not exist are ignored and reported.
		_, missing, err := c.EnsureIdentity(ctx, people.Identity{
			Issuer: "https://sso.example.org", Subject: "ada", Email: "ada@example.org",
			Roles: []people.GrantedRole{
				{OrganizationID: "gone", Role: domain.RoleOwner},
				{ProjectID: "lost", Role: domain.RoleOwner},
				{OrganizationID: "acme", Role: domain.RoleViewer},
			},
		})
		if diff := cmp.Diff([]string{"lost", "gone"}, missing); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if got := access(ada)["acme"]; got != domain.RoleViewer {
			t.Errorf("in acme ada is %q", got)
		}

		// A disabled user stays out, linked or not.
		if err := c.SetDisabled(ctx, ada.ID, true, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		ensure(people.Identity{Subject: "ada", Email: "ada@example.org", Roles: rules(domain.RoleOwner, "")}, people.ErrDisabled)
		if _, err := c.Unlink(ctx, ada.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		ensure(people.Identity{Subject: "ada", Email: "ada@example.org"}, people.ErrDisabled)
		if err := c.SetDisabled(ctx, ada.ID, false, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if mallory := ensure(people.Identity{Subject: "mallory", Email: "ada@example.org"}, nil); mallory.ID != ada.ID {
			t.Errorf("after unlinking it is %+v", mallory)
		}
	})
}

// TestAddressThatWasNotProved checks that someone who set a password without proving ownership of the address cannot
// use it once the owner of the address signs in.
func TestAddressThatWasNotProved(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		catalogtest.Ticking(c)
		ctx := t.Context()
		acme, _ := catalogtest.Seed(t, c, "acme")
		for _, verified := range []bool{false, true} {
			name := map[bool]string{false: "planted", true: "proved"}[verified]
			user := provisioned(t, c, acme, name, domain.RoleMember)
			if verified {
				var err error
				if user, err = c.CreateAccount(ctx, "own@example.org", name, "hash", catalogtest.Tester); err != nil {
					t.Fatal(err)
				}
			} else if err := c.SetPassword(ctx, user.ID, "hash", "", catalogtest.Tester); err != nil {
				t.Fatal(err)
			}
			if _, err := c.StartSession(ctx, people.NewSession{
				UserID: user.ID, TokenHash: name, At: c.DB.Now(), ExpiresAt: c.DB.Now().Add(time.Hour),
			}); err != nil {
				t.Fatal(err)
			}
			got, _, err := c.EnsureIdentity(ctx, people.Identity{Issuer: "https://sso.example.org", Subject: name, Email: user.Email})
			if err != nil || got.ID != user.ID {
				t.Fatalf("%+v, %v", got, err)
			}
			account, err := c.Account(ctx, user.Email)
			if err != nil || !account.EmailVerified || (account.PasswordHash != "") != verified {
				t.Errorf("%s: %+v, %v", name, account, err)
			}
			if _, _, err := c.SessionByToken(ctx, name); errors.Is(err, domain.ErrNotFound) == verified {
				t.Errorf("%s: the session: %v", name, err)
			}
		}
	})
}
