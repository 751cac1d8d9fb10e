package people_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"almanac/internal/access/accounts"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/mail"
)

// newMailFixture returns a server that can send mail, and the channel that receives it.
func newMailFixture(t *testing.T) (*apitest.Fixture, chan mail.Message) {
	t.Helper()
	sent := make(chan mail.Message, 100)
	f := apitest.New(t, func(o *httpapi.Options) {
		o.Accounts = accounts.New(accounts.Options{Catalog: o.Catalog, Log: o.Log, CacheLife: 5 * time.Second, Mail: &accounts.Mail{
			Address: "https://almanac.example.org", Post: func(m mail.Message) bool { sent <- m; return true },
		}})
	})
	return f, sent
}

// runAccounts runs the background work of accounts until the returned function is called, which waits for all of it.
func runAccounts(t *testing.T, f *apitest.Fixture) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { f.Accounts.Run(ctx); close(ended) }()
	return func() { cancel(); <-ended }
}

func linkIn(t *testing.T, m mail.Message, path string) string {
	t.Helper()
	_, after, found := strings.Cut(m.Text, "\nhttps://almanac.example.org"+path)
	token, _, _ := strings.Cut(after, "\n")
	if !found || len(token) != 43 {
		t.Fatalf("the mail has no link: %s", m.Text)
	}
	return token
}

func TestUIForgotPasswordByMail(t *testing.T) {
	f, sent := newMailFixture(t)
	f.NewMember(t, "ada@example.org", domain.RoleMember)
	visitor := f.Browser()
	if got := visitor.Ask(t, "GET", "/api/ui/auth/session", "", 200); !strings.Contains(got, `"mail":true`) {
		t.Errorf("the session is %s", got)
	}
	stop := runAccounts(t, f)
	answers := map[string]bool{}
	for _, address := range []string{"ada@example.org", "nobody@example.org"} {
		// The Host header of a request must not end up in the link.
		r := visitor.Request("POST", "/api/ui/auth/forgot-password", `{"email":"`+address+`"}`)
		r.Host = "evil.test"
		r.Header.Set("X-Forwarded-Host", "evil.test")
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		w.Header().Del("X-Request-Id")
		w.Header().Del("Date")
		answers[strings.TrimSpace(w.Result().Status+w.Body.String())] = true
		if w.Code != 202 {
			t.Errorf("%s: %d %s", address, w.Code, w.Body)
		}
	}
	if len(answers) != 1 {
		t.Errorf("the answers differ: %v", answers)
	}
	visitor.Ask(t, "POST", "/api/ui/auth/forgot-password", `{"email":"ada@example.org\r\nBcc: eve@example.org"}`, 400)
	stop()
	if len(sent) != 1 {
		t.Fatalf("%d mails were sent", len(sent))
	}
	m := <-sent
	if m.To != "ada@example.org" || strings.Contains(m.Text, "evil") {
		t.Errorf("the mail is %+v", m)
	}
	token := linkIn(t, m, "/auth/reset-password?token=")
	visitor.Ask(t, "POST", "/api/ui/auth/reset-password", `{"token":"`+token+`","password":"another password"}`, 204)
	visitor.Ask(t, "POST", "/api/ui/auth/sign-in", signInBody("ada@example.org", "another password"), 200)
	if strings.Contains(f.Logged.String(), token) {
		t.Error("the log has the token")
	}
	recorded := 0
	for e, err := range f.Catalog.AuditLog(t.Context(), domain.OfOrganization("org-a"),
		catalog.AuditFilter{ResourceKind: "passwordReset"}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Actor.Kind != "anonymous" || e.Origin.Address != "192.0.2.1" {
			t.Errorf("the audit log has %+v", e)
		}
		recorded++
	}
	if recorded != 1 {
		t.Errorf("the audit log has %d entries about it", recorded)
	}
}

func TestUIInviteByMail(t *testing.T) {
	f, sent := newMailFixture(t)
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	owner.Ask(t, "PATCH", "/api/ui/account", `{"name":"Ada\r\nBcc: eve@example.org"}`, 200)
	owner.Ask(t, "PATCH", uiOrganization, `{"name":"Acme\r\nBcc: eve@example.org\r\n\r\n<b>日本"}`, 200)
	made := apitest.DecodeJSON[uiInvited](t,
		[]byte(owner.Ask(t, "POST", uiOrganization+"/invitations", `{"email":"New@example.org","role":"VIEWER"}`, 201)))
	if !made.Mailed || !strings.HasPrefix(made.Link, "https://almanac.test/invite/") {
		t.Fatalf("invited: %+v", made)
	}
	m := <-sent
	if m.To != "new@example.org" || m.Subject != "Invitation to Acme Bcc eve example org b 日本 on Almanac" ||
		!strings.HasPrefix(m.Text,
			`Ada Bcc eve example org invites you to join "Acme Bcc eve example org b 日本" on Almanac, with the role VIEWER.`+"\n") {
		t.Errorf("the mail is %+v", m)
	}
	f.Browser().Ask(t, "GET", "/api/ui/invitations/"+linkIn(t, m, "/invite/"), "", 200)

	// An address that cannot be put into a mail is still invited by link.
	odd := apitest.DecodeJSON[uiInvited](t,
		[]byte(owner.Ask(t, "POST", uiOrganization+"/invitations", `{"email":"ada<eve@example.org>","role":"VIEWER"}`, 201)))
	if odd.Mailed || odd.Link == "" || len(sent) != 0 {
		t.Errorf("invited: %+v, and %d mails", odd, len(sent))
	}
	owner.Ask(t, "POST", uiOrganization+"/invitations", `{"email":"a@example.org\r\nBcc: eve@example.org","role":"VIEWER"}`, 400)

	// An address gets only a few mails; the other links must be passed on by hand.
	mailed := 0
	for range 6 {
		again := apitest.DecodeJSON[uiInvited](t,
			[]byte(owner.Ask(t, "POST", uiOrganization+"/invitations", `{"email":"new@example.org","role":"VIEWER"}`, 201)))
		if again.Mailed {
			mailed++
		}
	}
	if mailed != 2 || len(sent) != 2 {
		t.Errorf("%d of 6 more invitations were mailed, %d sent", mailed, len(sent))
	}
}

func TestUIResetLinkByMail(t *testing.T) {
	f, sent := newMailFixture(t)
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	member := f.NewMember(t, "member@a.test", domain.RoleMember)
	answer := owner.Ask(t, "POST", uiOrganization+"/members/"+member.ID+"/reset-link", "", 201)
	if !strings.Contains(answer, `"link":null`) || !strings.Contains(answer, `"mailed":true`) {
		t.Error(answer)
	}
	m := <-sent
	if m.To != "member@a.test" ||
		!strings.HasPrefix(m.Text,
			"Name of owner a test made a link to a new password for your account at https://almanac.example.org (member@a.test).\n") {
		t.Errorf("the mail is %+v", m)
	}
	linkIn(t, m, "/auth/reset-password?token=")
}
