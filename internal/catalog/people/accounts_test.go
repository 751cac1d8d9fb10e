package people_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"almanac/internal/catalog/people"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// TestSessions covers sessions on both databases.
func TestSessions(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		user, err := c.CreateAccount(ctx, "Ada@example.org", "Ada", "hash", catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.CreateAccount(ctx, "ada@example.org", "Ada", "hash", catalogtest.Tester); !errors.Is(err, domain.ErrConflict) {
			t.Errorf("the same address again: %v", err)
		}
		now := time.Now()
		start := func(token, replaces string) domain.Session {
			t.Helper()
			s, err := c.StartSession(ctx, people.NewSession{
				UserID: user.ID, TokenHash: token, Replaces: replaces, At: now, ExpiresAt: now.Add(time.Hour),
				IdleBefore: now.Add(-time.Minute),
			})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		count := func() int {
			t.Helper()
			sessions, err := c.Sessions(ctx, user.ID)
			if err != nil {
				t.Fatal(err)
			}
			return len(sessions)
		}
		a, b := start("a", ""), start("b", "")
		if found, account, err := c.SessionByToken(ctx, "a"); err != nil || found != a || account.ID != user.ID || !account.EmailVerified {
			t.Errorf("%+v, %+v, %v", found, account, err)
		}
		start("c", "a")
		if _, _, err := c.SessionByToken(ctx, "a"); !errors.Is(err, domain.ErrNotFound) {
			t.Errorf("the session that was replaced: %v", err)
		}
		if err := c.EndSession(ctx, "somebody else", b.ID, catalogtest.Tester); !errors.Is(err, domain.ErrNotFound) {
			t.Errorf("somebody else ends it: %v", err)
		}
		if ended, err := c.EndSessions(ctx, user.ID, b.ID, catalogtest.Tester); err != nil || ended != 1 || count() != 1 {
			t.Errorf("%d ended, %d left, %v", ended, count(), err)
		}
		if err := c.RecordSeen(ctx, map[string]time.Time{b.ID: now.Add(time.Second), "gone": now}); err != nil {
			t.Fatal(err)
		}
		now = now.Add(2 * time.Minute) // not used since
		start("d", "")
		if count() != 1 {
			t.Errorf("%d sessions: the idle one is still there", count())
		}
		for n := range 105 {
			start(fmt.Sprint("many ", n), "")
		}
		if count() != 100 {
			t.Errorf("%d sessions", count())
		}
		if err := c.SetPassword(ctx, user.ID, "other", "", catalogtest.Tester); err != nil || count() != 0 {
			t.Errorf("%d sessions after a new password, %v", count(), err)
		}
		if err := c.SetDisabled(ctx, user.ID, true, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if _, err := c.StartSession(ctx, people.NewSession{UserID: user.ID, TokenHash: "e", At: now, ExpiresAt: now}); !errors.Is(err,
			domain.ErrNotFound) {
			t.Errorf("a session of a disabled user: %v", err)
		}
		if someone, err := c.AnyoneHasPassword(ctx); err != nil || someone {
			t.Errorf("somebody can sign in: %v, %v", someone, err)
		}
	})
}

// TestSingleUse checks that of many concurrent uses of a token, one succeeds.
func TestSingleUse(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		scope, _ := catalogtest.Seed(t, c, "acme")
		atOnce := func(use func() error) (succeeded int) {
			var (
				all sync.WaitGroup
				mu  sync.Mutex
			)
			for range 8 {
				all.Go(func() {
					if use() == nil {
						mu.Lock()
						succeeded++
						mu.Unlock()
					}
				})
			}
			all.Wait()
			return succeeded
		}
		if err := c.AddSetupToken(ctx, "first"); err != nil {
			t.Fatal(err)
		}
		if n := atOnce(func() error { _, err := c.SetUp(ctx, "first", "ada@example.org", "Ada", "hash"); return err }); n != 1 {
			t.Errorf("%d set-ups with one token", n)
		}
		owner, err := c.Account(ctx, "ada@example.org")
		if err != nil {
			t.Fatal(err)
		}
		if m, err := c.Member(ctx, scope, owner.ID); err != nil || m.Role != domain.RoleOwner {
			t.Errorf("the first owner is %+v, %v", m, err)
		}
		if err := c.AddReset(ctx, people.NewReset{UserID: owner.ID, TokenHash: "reset", ExpiresAt: time.Now().Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
		if n := atOnce(func() error { return c.UseReset(ctx, "reset", "other") }); n != 1 {
			t.Errorf("%d passwords set with one link", n)
		}
		if err := c.AddReset(ctx, people.NewReset{
			UserID: owner.ID, TokenHash: "late", ExpiresAt: time.Now().Add(-time.Second),
		}); err != nil {
			t.Fatal(err)
		}
		if err := c.UseReset(ctx, "late", "other"); !errors.Is(err, domain.ErrNotFound) {
			t.Errorf("an expired link: %v", err)
		}
		invite := func(token string, expires time.Duration) {
			t.Helper()
			i := domain.Invitation{
				Email: "new@example.org", Role: domain.RoleMember, InvitedBy: owner.ID, ExpiresAt: c.DB.Now().Add(expires),
			}
			if _, err := c.Invite(ctx, scope, i, token, catalogtest.Tester); err != nil {
				t.Fatal(err)
			}
		}
		invite("old", time.Hour)
		c.DB.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
		if _, err := c.AcceptAsNew(ctx, "old", "New", "hash"); !errors.Is(err, domain.ErrNotFound) {
			t.Errorf("an expired invitation: %v", err)
		}
		invite("invited", time.Hour)
		if n := atOnce(func() error { _, err := c.AcceptAsNew(ctx, "invited", "New", "hash"); return err }); n != 1 {
			t.Errorf("%d accepted one invitation", n)
		}
		if members, err := c.Members(ctx, scope); err != nil || len(members) != 2 {
			t.Errorf("members: %+v, %v", members, err)
		}
	})
}

// TestResetLinksOfMembers: whoever makes a link and is shown it has all the access of the account, in every project, and
// the account is no more than what organizations gave when the link is stored.
func TestResetLinksOfMembers(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		scope, project := catalogtest.Seed(t, c, "acme")
		person := func(name string, role domain.Role) domain.User {
			t.Helper()
			u, err := c.CreateAccount(ctx, name+"@example.org", name, "hash", catalogtest.Tester)
			if err == nil {
				_, err = c.AppointMember(ctx, scope, u.ID, role, catalogtest.Tester)
			}
			if err != nil {
				t.Fatal(err)
			}
			return u
		}
		admin, verified := person("admin", domain.RoleAdmin), person("verified", domain.RoleMember)
		bob := provisioned(t, c, scope, "bob", domain.RoleMember)
		link := func(of domain.User) error {
			return c.AddReset(ctx, people.NewReset{
				UserID: of.ID, TokenHash: "link", ExpiresAt: time.Now().Add(time.Hour), MadeBy: admin.ID,
				OrganizationID: scope.OrganizationID(),
			})
		}
		if err := link(verified); !errors.Is(err, people.ErrBeyondRole) {
			t.Errorf("a shown link to an account whose address is proven: %v", err)
		}
		if err := link(bob); err != nil {
			t.Errorf("a link to a member: %v", err)
		}
		give := func(to domain.User, role domain.Role) {
			t.Helper()
			if _, err := c.SetProjectMember(ctx, scope, project.ID, to.ID, role, catalogtest.Tester); err != nil {
				t.Fatal(err)
			}
		}
		give(admin, domain.RoleNone)
		if err := c.CheckReset(ctx, "link"); !errors.Is(err, domain.ErrNotFound) {
			t.Errorf("a link whose maker no longer sees a project of the account: %v", err)
		}
		if err := link(bob); !errors.Is(err, people.ErrBeyondRole) {
			t.Errorf("a link to an account that sees a project that its maker does not: %v", err)
		}
		give(bob, domain.RoleNone)
		if err := link(bob); err != nil {
			t.Errorf("a link to an account that does not see the project either: %v", err)
		}
	})
}
