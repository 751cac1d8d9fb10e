package accounts

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/people"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

const (
	email    = "ada@example.org"
	password = "correct horse battery"
)

var (
	cli  = domain.Actor{Kind: "cli"}
	hash = auth.HashPassword(password)
)

// newAccounts returns accounts with one user, and a function that advances their clock.
func newAccounts(t *testing.T) (a *Accounts, user domain.User, pass func(time.Duration)) {
	t.Helper()
	c, err := catalog.Open(t.Context(), catalogtest.File(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if user, err = c.CreateAccount(t.Context(), email, "Ada", hash, cli); err != nil {
		t.Fatal(err)
	}
	a = New(Options{Catalog: c, Log: slog.New(slog.DiscardHandler), CacheLife: 5 * time.Second})
	c.Subscribe(func(tables.Change) { a.Invalidate() })
	now := time.Now()
	a.now = func() time.Time { return now }
	return a, user, func(d time.Duration) { now = now.Add(d) }
}

func isSignedOut(err error) bool {
	var denied *auth.Denied
	return errors.As(err, &denied) && denied.Status == 401
}

func TestSessionsExpire(t *testing.T) {
	a, user, pass := newAccounts(t)
	check := func(token string, want bool) {
		t.Helper()
		if _, err := a.Check(t.Context(), token); (err == nil) != want || err != nil && !isSignedOut(err) {
			t.Errorf("the session is valid: %v, want %v", err, want)
		}
		a.record(t.Context()) // as Run does once a minute
	}
	started, err := a.Start(t.Context(), user.ID, "test", "")
	if err != nil {
		t.Fatal(err)
	}
	check(started.Token, true)
	check(started.Token[1:]+"A", false)
	check("", false)
	pass(IdleLife - time.Minute)
	check(started.Token, true)
	pass(IdleLife - time.Minute) // it was used in between
	check(started.Token, true)
	pass(IdleLife)
	check(started.Token, false)

	if started, err = a.Start(t.Context(), user.ID, "test", ""); err != nil {
		t.Fatal(err)
	}
	for range int(Life/(IdleLife/2)) - 1 {
		pass(IdleLife / 2)
		check(started.Token, true)
	}
	pass(IdleLife / 2) // used all the time, but too old
	check(started.Token, false)
	if sessions, err := a.Catalog.Sessions(t.Context(), user.ID); err != nil || len(sessions) != 1 {
		t.Errorf("%d sessions are kept, %v: that which was idle is gone", len(sessions), err)
	}
}

// TestLastSeenIsWrittenSeldom checks that the requests of a session do not each write to the catalog.
func TestLastSeenIsWrittenSeldom(t *testing.T) {
	a, user, pass := newAccounts(t)
	started, err := a.Start(t.Context(), user.ID, "test", "")
	if err != nil {
		t.Fatal(err)
	}
	seen := func() time.Time {
		t.Helper()
		sessions, err := a.Catalog.Sessions(t.Context(), user.ID)
		if err != nil || len(sessions) != 1 {
			t.Fatalf("%v, %v", sessions, err)
		}
		return sessions[0].LastSeenAt
	}
	first := seen()
	pass(time.Hour)
	for range 100 {
		if _, err := a.Check(t.Context(), started.Token); err != nil {
			t.Fatal(err)
		}
	}
	if seen() != first {
		t.Error("a request wrote when the session was last used")
	}
	a.record(t.Context())
	if got := seen().Sub(first); got < time.Hour-time.Second || got > time.Hour+time.Second {
		t.Errorf("written down: %v later", got)
	}
}

// TestChecksTakeTheSameWork counts the work of a sign-in, whatever is wrong: the time it takes must not reveal which
// accounts exist.
func TestChecksTakeTheSameWork(t *testing.T) {
	a, user, _ := newAccounts(t)
	if _, err := a.Catalog.CreateAccount(t.Context(), "sso@example.org", "SSO", "", cli); err != nil {
		t.Fatal(err)
	}
	gone, err := a.Catalog.CreateAccount(t.Context(), "gone@example.org", "Gone", hash, cli)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Catalog.SetDisabled(t.Context(), gone.ID, true, cli); err != nil {
		t.Fatal(err)
	}
	hashes := 0
	a.matches = func(stored, sent string) bool {
		hashes++
		return auth.PasswordMatches(stored, sent)
	}
	for n, c := range []struct {
		email, password string
		want            error
	}{
		{email, password, nil},
		{email, "wrong", ErrWrong},
		{"nobody@example.org", password, ErrWrong},
		{"sso@example.org", password, ErrWrong},
		{"sso@example.org", "", ErrWrong},
		{"gone@example.org", password, ErrWrong},
	} {
		hashes = 0
		if _, err := a.SignIn(t.Context(), c.email, c.password, strconv.Itoa(n), ""); !errors.Is(err, c.want) || hashes != 1 {
			t.Errorf("%s with %q: %v after %d hashes, want %v after 1", c.email, c.password, err, hashes, c.want)
		}
	}
	entries := 0
	for e, err := range a.Catalog.AuditLogOfInstance(t.Context(), "", catalog.AuditFilter{ResourceKind: "failedSignIn"}) {
		t.Errorf("a failure was written before its answer: %v, %v", e, err)
	}
	for range 5 {
		_, _ = a.SignIn(t.Context(), email, "wrong", "elsewhere", "")
	}
	a.record(t.Context())
	for e, err := range a.Catalog.AuditLogOfInstance(t.Context(), "", catalog.AuditFilter{
		ResourceKind: "failedSignIn", ResourceID: user.ID,
	}) {
		if err != nil || e.Actor.Kind != "anonymous" {
			t.Errorf("%+v, %v", e, err)
		}
		entries++
	}
	if entries != 1 {
		t.Errorf("%d entries about six failures of one account in a minute", entries)
	}
}

func TestPasswordOff(t *testing.T) {
	a, _, _ := newAccounts(t)
	a.PasswordOff = true
	if _, err := a.SignIn(t.Context(), email, password, "", ""); !errors.Is(err, ErrPasswordOff) {
		t.Errorf("signing in: %v", err)
	}
}

// TestHashingIsBounded checks that a request waits while all slots are taken, and gives up when it is canceled.
func TestHashingIsBounded(t *testing.T) {
	a, _, _ := newAccounts(t)
	for range maxHashing {
		a.hashing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() { result <- a.hash(ctx, lookedUp{true}, func() { t.Error("it ran") }) }()
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestMadeUpTokensHashNothing checks that only known tokens get a hashing slot, and that networks that make tokens up are
// slowed down. Signing in does the same work for everybody, and has its own limits.
func TestMadeUpTokensHashNothing(t *testing.T) {
	a, _, pass := newAccounts(t)
	for range maxHashing {
		a.hashing <- struct{}{} // whoever needs a slot now waits for it
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	attempts := map[string]func(network string) error{
		"reset": func(network string) error { return a.Reset(ctx, "made up", "another password", network) },
		"set-up": func(network string) error {
			_, _, err := a.SetUp(ctx, "made up", "eve@example.org", "Eve", "another password", network, "")
			return err
		},
		"invitation": func(network string) error {
			_, err := a.AcceptAsNew(ctx, "made up", "Eve", "another password", network, "")
			return err
		},
	}
	for name, attempt := range attempts {
		for range networkTries {
			if err := attempt(name); !errors.Is(err, domain.ErrNotFound) {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if err := attempt(name); !errors.As(err, new(*RateLimitedError)) {
			t.Errorf("%s: a network makes up any number of tokens: %v", name, err)
		}
		if err := attempt("another network"); !errors.Is(err, domain.ErrNotFound) {
			t.Errorf("%s: another network is slowed down as well: %v", name, err)
		}
		pass(time.Hour)
	}
	<-a.hashing
	if _, err := a.SignIn(ctx, email, password, "home", ""); err != nil {
		t.Errorf("nobody can sign in: %v", err)
	}
}

func TestThrottle(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	th := newThrottle()
	tries := func(email, network string) (n int) {
		for th.take(email, network, now) == 0 {
			n++
		}
		return n
	}
	if n := tries(email, "evil"); n != freeTries {
		t.Errorf("%d tries at once", n)
	}
	if n := tries(" ADA@example.org ", "evil"); n != 0 {
		t.Errorf("%d more in another spelling", n)
	}
	if n := tries(email, "home"); n != freeTries {
		t.Errorf("%d tries from another network", n)
	}
	if wait := th.take(email, "evil", now); wait <= 0 || wait > tryEvery {
		t.Errorf("the wait is %v", wait)
	}
	now = now.Add(tryEvery)
	if n := tries(email, "evil"); n != 1 {
		t.Errorf("%d tries later", n)
	}
	now = now.Add(24 * time.Hour)
	if n := tries(email, "evil"); n != freeTries {
		t.Errorf("%d tries a day later: nothing is for ever", n)
	}
	// A network cannot try one password on each of many accounts.
	now = now.Add(24 * time.Hour)
	all := 0
	for n := range 1000 {
		if th.take(strconv.Itoa(n), "evil", now) == 0 {
			all++
		}
	}
	if all != networkTries {
		t.Errorf("%d tries for many accounts", all)
	}
	// A success resets the attempts before it.
	now = now.Add(24 * time.Hour)
	for range freeTries - 1 {
		th.take(email, "home", now)
	}
	th.succeeded(email, "home")
	if n := tries(email, "home"); n != freeTries {
		t.Errorf("%d tries after a success", n)
	}
	// Tables stay small, and the newest entries are let in.
	for n := range 3 * maxBuckets {
		if wait := th.take(email, fmt.Sprint("network ", n), now); wait != 0 {
			t.Fatalf("network %d waits %v", n, wait)
		}
	}
	if len(th.byAccount.left) > maxBuckets || len(th.byNetwork.left) > maxBuckets {
		t.Errorf("%d and %d entries", len(th.byAccount.left), len(th.byNetwork.left))
	}
}

// TestVerifiedAddress checks that a person who proves to own an address gets its account, and that nobody else keeps
// access to it.
func TestVerifiedAddress(t *testing.T) {
	a, ada, _ := newAccounts(t)
	ctx := t.Context()
	o, err := a.Catalog.CreateOrganization(ctx, "acme", "Acme", cli)
	if err != nil {
		t.Fatal(err)
	}
	scope := domain.OfOrganization(o.ID)
	if _, err := a.Catalog.AppointMember(ctx, scope, ada.ID, domain.RoleOwner, cli); err != nil {
		t.Fatal(err)
	}
	_, token, err := a.Invite(ctx, scope, domain.Invitation{Email: "victim@example.org", Role: domain.RoleViewer, InvitedBy: ada.ID}, cli)
	if err != nil {
		t.Fatal(err)
	}
	squatter, err := a.AcceptAsNew(ctx, token, "Eve", "password of Eve", "net", "")
	if err != nil {
		t.Fatal(err)
	}
	who := people.Identity{
		ProviderID: "google", Issuer: "https://issuer.test", Subject: "1", Email: "Victim@example.org", Name: "Victim",
		Roles: []people.GrantedRole{{OrganizationID: "acme", Role: domain.RoleAdmin}, {OrganizationID: "nope", Role: domain.RoleOwner}},
	}
	started, err := a.SignInAs(ctx, who, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Check(ctx, squatter.Token); !isSignedOut(err) {
		t.Errorf("the session of whoever took the address: %v", err)
	}
	if _, err := a.SignIn(ctx, "victim@example.org", "password of Eve", "", ""); !errors.Is(err, ErrWrong) {
		t.Errorf("their password: %v", err)
	}
	person, err := a.Check(ctx, started.Token)
	if err != nil || person.RoleIn("acme") != domain.RoleAdmin {
		t.Errorf("signed in as %+v, %v", person, err)
	}
	// Nothing is lost at the next sign-in.
	if _, err := a.SignInAs(ctx, who, ""); err != nil {
		t.Error(err)
	}
	if _, err := a.Check(ctx, started.Token); err != nil {
		t.Errorf("the session of the owner: %v", err)
	}
}
