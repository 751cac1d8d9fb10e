package cli

import (
	"errors"
	"strings"
	"testing"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/people"
	"almanac/internal/datadir"
)

// TestUsers walks through the life of a user as an operator sees it.
func TestUsers(t *testing.T) {
	data := newInstallation(t, false)
	ok := func(args ...string) string {
		t.Helper()
		stdout, stderr, code := runHere(append(args, "--data", data)...)
		if code != 0 {
			t.Fatalf("almanac %v: %s", args, stderr)
		}
		return strings.TrimSpace(stdout)
	}
	refused := func(part string, args ...string) {
		t.Helper()
		if stdout, stderr, code := runHere(append(args, "--data", data)...); code == 0 || !strings.Contains(stderr, part) {
			t.Errorf("almanac %v: exit code %d, %s%s, want a refusal with %q", args, code, stdout, stderr, part)
		}
	}
	hash := func() string {
		t.Helper()
		c, err := catalog.OpenCurrent(t.Context(), datadir.CatalogFile(data))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		account, err := c.Account(t.Context(), "ada@example.org")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.StartSession(t.Context(), people.NewSession{
			UserID: account.ID, TokenHash: t.Name() + account.PasswordHash, At: account.CreatedAt,
			ExpiresAt: account.CreatedAt.AddDate(1, 0, 0),
		}); (err != nil) != (account.DisabledAt != nil) {
			t.Errorf("starting a session: %v", err)
		}
		return account.PasswordHash
	}

	password := ok("users", "create", "Ada@example.org", "--name", "Ada", "--role", "OWNER")
	if !auth.PasswordMatches(hash(), password) {
		t.Errorf("the printed password %q does not match", password)
	}
	list := func() string { return strings.Join(strings.Fields(ok("users", "list")), " ") }
	if text := list(); !strings.Contains(text, "ada@example.org Ada active acme:OWNER 1 ") {
		t.Errorf("the list is %s", text)
	}
	another := ok("users", "set-password", "ada@example.org")
	if text := list(); !strings.Contains(text, " acme:OWNER 0 ") {
		t.Errorf("sessions outlive the password: %s", text)
	}
	if stored := hash(); another == password || auth.PasswordMatches(stored, password) || !auth.PasswordMatches(stored, another) {
		t.Error("the password is not the new one")
	}
	if text := ok("users", "sign-out", "ada@example.org"); text != "Ended 1 sessions of ada@example.org." {
		t.Error(text)
	}
	link := func(subject string) error {
		c, err := catalog.OpenCurrent(t.Context(), datadir.CatalogFile(data))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _, err = c.EnsureIdentity(t.Context(), people.Identity{
			Issuer: "https://sso.example.org", Subject: subject, Email: "ada@example.org",
		})
		return err
	}
	if first, other := link("first"), link("other"); first != nil || !errors.Is(other, people.ErrOtherSubject) {
		t.Errorf("before unlinking: %v, %v", first, other)
	}
	hash() // starts a session
	if text := ok("users", "unlink", "ada@example.org"); text != "Unlinked ada@example.org from 1 identity providers." {
		t.Error(text)
	}
	if text := list(); !strings.Contains(text, " acme:OWNER 0 ") {
		t.Errorf("sessions outlive the link: %s", text)
	}
	if err := link("other"); err != nil {
		t.Error(err)
	}
	ok("users", "disable", "ada@example.org")
	hash() // no session can be started
	if text := list(); !strings.Contains(text, "Ada disabled ") {
		t.Errorf("the list is %s", text)
	}
	ok("users", "enable", "ada@example.org")
	if text := list(); !strings.Contains(text, "Ada active ") {
		t.Errorf("the list is %s", text)
	}

	refused("already", "users", "create", "ada@example.org")
	refused("not an email address", "users", "create", "ada")
	refused("must be one of", "users", "create", "eve@example.org", "--role", "KING")
	refused("not found", "users", "create", "eve@example.org", "--organization", "nope")
	refused("almanac users list", "users", "disable", "eve@example.org")
}

func TestPasswordFromStandardInput(t *testing.T) {
	from := newPassword{PasswordStdin: true}
	for _, text := range []string{"correct horse\n", "correct horse\r\nmore", "correct horse"} {
		if password, generated, err := from.read(strings.NewReader(text)); password != "correct horse" || generated || err != nil {
			t.Errorf("%q is read as %q, %v, %v", text, password, generated, err)
		}
	}
	for _, text := range []string{"", "short\n", strings.Repeat("x", 1001)} {
		if password, _, err := from.read(strings.NewReader(text)); err == nil {
			t.Errorf("%.20q is accepted as %.20q", text, password)
		}
	}
}
