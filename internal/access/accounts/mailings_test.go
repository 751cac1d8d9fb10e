package accounts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/mail"
)

// withMail gives accounts an outbox, and returns a function that empties it.
func withMail(a *Accounts) (sent func() []mail.Message) {
	var messages []mail.Message
	a.Mail = &Mail{Address: "https://almanac.example.org/base", Post: func(m mail.Message) bool {
		messages = append(messages, m)
		return true
	}}
	return func() []mail.Message {
		taken := messages
		messages = nil
		return taken
	}
}

func forget(t *testing.T, a *Accounts, email, network string) {
	t.Helper()
	if err := a.Forgot(t.Context(), email, network); err != nil {
		t.Fatal(err)
	}
	a.remindAll(t.Context()) // as Run does
}

// resetToken returns the token from the link in a message.
func resetToken(t *testing.T, m mail.Message) string {
	t.Helper()
	_, after, found := strings.Cut(m.Text, "\nhttps://almanac.example.org/base/auth/reset-password?token=")
	token, _, ended := strings.Cut(after, "\n")
	if !found || !ended || len(token) != tokenLength {
		t.Fatalf("the message has no link: %s", m.Text)
	}
	return token
}

func TestForgotten(t *testing.T) {
	a, user, pass := newAccounts(t)
	sent := withMail(a)
	forget(t, a, " Ada@Example.org", "net")
	first := sent()
	if len(first) != 1 || first[0].To != email || first[0].ID != user.ID || first[0].Subject != "A new password for Almanac" {
		t.Fatalf("sent: %+v", first)
	}
	forget(t, a, email, "net")
	second := sent()
	if err := a.Reset(t.Context(), resetToken(t, first[0]), "another password", "net"); err == nil {
		t.Error("the earlier link works, though there is a newer one")
	}
	if err := a.Reset(t.Context(), resetToken(t, second[0]), "another password", "net"); err != nil {
		t.Error(err)
	}
	if err := a.Reset(t.Context(), resetToken(t, second[0]), "a third password", "net"); err == nil {
		t.Error("the link works twice")
	}
	pass(24 * time.Hour)
	forget(t, a, email, "net")
	if m := sent(); len(m) != 1 || !strings.Contains(m[0].Text, "until "+inWords(a.now().Add(time.Hour))) {
		t.Errorf("a day later: %+v", m)
	}
}

// TestForgottenByNobody checks that addresses without a usable account get no mail, and that nobody can tell.
func TestForgottenByNobody(t *testing.T) {
	a, user, pass := newAccounts(t)
	sent := withMail(a)
	without, err := a.Catalog.CreateAccount(t.Context(), "sso@example.org", "Grace", "", cli)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"nobody@example.org", "not an address", "a@b@c", "ada@example.org\r\nBcc: eve@example.org"} {
		forget(t, a, address, "net")
		if m := sent(); len(m) != 0 {
			t.Errorf("%q gets %+v", address, m)
		}
	}
	// Without identity providers a password is the only way to sign in; with them, they decide.
	forget(t, a, without.Email, "net")
	if m := sent(); len(m) != 1 {
		t.Errorf("an account without a password gets %+v", m)
	}
	a.SingleSignOn = true
	forget(t, a, without.Email, "net")
	if m := sent(); len(m) != 0 {
		t.Errorf("an account of an identity provider gets %+v", m)
	}
	forget(t, a, email, "net")
	if m := sent(); len(m) != 1 {
		t.Errorf("an account with a password gets %+v", m)
	}
	a.PasswordOff = true
	forget(t, a, email, "net")
	a.PasswordOff = false
	if m := sent(); len(m) != 0 {
		t.Errorf("where passwords are off, the account gets %+v", m)
	}
	if err := a.Catalog.SetDisabled(t.Context(), user.ID, true, cli); err != nil {
		t.Fatal(err)
	}
	pass(24 * time.Hour)
	forget(t, a, email, "net")
	if m := sent(); len(m) != 0 {
		t.Errorf("a disabled account gets %+v", m)
	}
	a.Mail = nil
	forget(t, a, email, "net")
}

// TestForgottenIsLookedUpLater checks that a request does the same work for every address, namely queueing it.
func TestForgottenIsLookedUpLater(t *testing.T) {
	a, _, _ := newAccounts(t)
	sent := withMail(a)
	if err := a.Catalog.Close(); err != nil { // any lookup would fail
		t.Fatal(err)
	}
	for n, address := range []string{email, "nobody@example.org"} {
		if err := a.Forgot(t.Context(), address, "net"); err != nil || len(a.resetRequests) != n+1 || len(sent()) != 0 {
			t.Errorf("%s: %v, %d are queued", address, err, len(a.resetRequests))
		}
	}
	// A full queue is not an error either.
	for n := range 2 * maxResetRequests {
		if err := a.Forgot(t.Context(), fmt.Sprintf("n%d@example.org", n), fmt.Sprint("net", n)); err != nil {
			t.Fatal(err)
		}
	}
	if len(a.resetRequests) != maxResetRequests {
		t.Errorf("%d are queued", len(a.resetRequests))
	}
}

// TestNobodyIsFlooded checks that an address gets only a few mails, wherever they are requested from.
func TestNobodyIsFlooded(t *testing.T) {
	a, user, pass := newAccounts(t)
	sent := withMail(a)
	for n := range 20 {
		forget(t, a, email, fmt.Sprint("net", n))
	}
	if m := sent(); len(m) != resetsAtOnce {
		t.Errorf("%d mails were sent for 20 requests", len(m))
	}
	if a.mails.reset(email, a.now()) {
		t.Error("an administrator can send more")
	}
	pass(resetEvery)
	for n := range 20 {
		forget(t, a, email, fmt.Sprint("other", n))
	}
	if m := sent(); len(m) != 1 {
		t.Errorf("%d mails were sent after %v", len(m), resetEvery)
	}
	if _, known := a.mails.resets.left["ada@example.org"]; !known || len(a.mails.resets.left) != 1 {
		t.Errorf("counted by %v", a.mails.resets.left)
	}

	to := func(n int) domain.Invitation {
		return domain.Invitation{
			Email: fmt.Sprintf("n%d@example.org", n), InvitedBy: user.ID, Role: domain.RoleMember, OrganizationName: "Acme",
		}
	}
	for range 10 {
		a.MailInvitation(to(0), "token")
	}
	if m := sent(); len(m) != invitationsAtOnce {
		t.Errorf("%d of 10 invitations to one address were sent", len(m))
	}
	for n := range 2 * invitedAtOnce {
		a.MailInvitation(to(n+1), "token")
	}
	if m := sent(); len(m) != invitedAtOnce-invitationsAtOnce {
		t.Errorf("%d more invitations of one person were sent", len(m))
	}
	pass(inviteEvery)
	if !a.MailInvitation(to(1000), "token") || a.MailInvitation(to(1001), "token") {
		t.Error("later one more can be sent")
	}
	// Neither can many people of one organization send more together.
	pass(24 * time.Hour)
	sent()
	for n := range 2 * mailedAtOnce {
		i := to(n + 2000)
		i.InvitedBy, i.OrganizationID = fmt.Sprint("member", n), "acme"
		a.MailInvitation(i, "token")
	}
	if m := sent(); len(m) != mailedAtOnce {
		t.Errorf("%d invitations of one organization were sent", len(m))
	}
}

// TestNamesInMails: the mail comes from the operator's domain, so nothing in a name may become a link or a story.
func TestNamesInMails(t *testing.T) {
	for name, want := range map[string]string{
		"Ada Lovelace": "Ada Lovelace", "Dr. J. R. Smith jr.": "Dr. J. R. Smith jr.", "Acme & Söhne": "Acme & Söhne",
		"https://evil.example/x": "https evil example x", "www.evil.example": "www evil example", "evil。example": "evil example",
		"write to a@evil.example.": "write to a evil example.", `\\evil\share <b>`: "evil share b",
		strings.Repeat("x", 41): strings.Repeat("x", 39) + "…",
	} {
		if got := cleanName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

func TestInvitationMail(t *testing.T) {
	a, _, _ := newAccounts(t)
	i := domain.Invitation{
		ID: "i1", Email: "grace@example.org", Role: domain.RoleViewer, InvitedBy: "u1", InvitedByName: "Ada",
		OrganizationName: "Acme & Söhne",
		ExpiresAt:        time.Date(2026, 11, 23, 17, 4, 0, 0, time.FixedZone("", 3600)),
	}
	if a.MailInvitation(i, "token") || a.CanMail() {
		t.Error("there is no mail server")
	}
	sent := withMail(a)
	if !a.MailInvitation(i, "token") || !a.CanMail() {
		t.Fatal("not sent")
	}
	got := sent()[0]
	want := mail.Message{To: "grace@example.org", Kind: "invitation", ID: "i1", Subject: "Invitation to Acme & Söhne on Almanac", Text: `Ada invites you to join "Acme & Söhne" on Almanac, with the role VIEWER.

Open this link to accept:

https://almanac.example.org/base/invite/token

It works once, until 23 November 2026, 16:04 UTC. If you did not expect it, ignore this message.
`}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	// Names are chosen by users and must stay on their line.
	i.InvitedByName, i.OrganizationName, i.Role = "", "Acme\r\nBcc: eve@example.org\r\n\r\nhello\u202e\u2028\x00 "+strings.Repeat("x", 200),
		domain.RoleNone
	a.MailInvitation(i, "token")
	got = sent()[0]
	if strings.ContainsFunc(got.Subject, func(r rune) bool {
		return slices.Contains([]rune("\r\n\x00\u202e\u2028"), r)
	}) || len([]rune(got.Subject)) > 120 {
		t.Errorf("the subject is %q", got.Subject)
	}
	first, _, _ := strings.Cut(got.Text, "\n")
	if !strings.HasPrefix(first, `Somebody invites you to join "Acme Bcc eve example org hello xxx`) ||
		!strings.HasSuffix(first, `…" on Almanac.`) {
		t.Errorf("the message begins with %q", first)
	}
	for _, address := range []string{"ada<eve@example.org>", "a,b@example.org", "a@example.org\nBcc: x@example.org"} {
		i.Email = address
		if a.MailInvitation(i, "token") || len(sent()) != 0 {
			t.Errorf("something was sent to %q", address)
		}
	}
}
