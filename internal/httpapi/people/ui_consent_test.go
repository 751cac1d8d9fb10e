package people_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/catalog/people"
	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const scimUserSchema = `"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"]`

// provision adds an address to organization b, which does not trust organization a, and returns the id.
func provision(t *testing.T, f *apitest.Fixture, email, role string) string {
	t.Helper()
	return apitest.Send[struct{ ID string }](t, f, apitest.Scenario{
		Method: "POST", Path: scimUsers, Key: "foreignOrg", Body: `{"userName":"` + email + `","displayName":"As B calls them","roles":["` +
			role + `"]}`,
	}).ID
}

// seesB reports whether a browser's user has a role in organization b.
func seesB(t *testing.T, b *apitest.Browser) bool {
	t.Helper()
	session := apitest.DecodeJSON[uiSession](t, []byte(b.Ask(t, "GET", "/api/ui/auth/session", "", 200)))
	for _, o := range session.Organizations {
		if o.ID == "org-b" {
			return true
		}
	}
	return false
}

// TestUIRolesWaitForTheirOwner: a role that an organization gives to an existing account gives its holder nothing, since
// it may have been registered by somebody else than the owner of the address.
func TestUIRolesWaitForTheirOwner(t *testing.T) {
	f, sent := newMailFixture(t)
	inviter := f.As(t, f.NewMember(t, "attacker@a.test", domain.RoleAdmin).ID)
	_, path := invite(t, inviter, `{"email":"ceo@b.test","role":"VIEWER"}`)
	<-sent
	squatter := f.Browser()
	squatter.Ask(t, "POST", path+"/accept", `{"name":"Squatter","password":"`+apitest.TestPassword+`"}`, 200)
	id := provision(t, f, "ceo@b.test", "ADMIN")
	f.Run(t, apitest.Scenario{Method: "PUT", Path: memberships, Key: "foreignOrg", Body: `{"userId":"` + id + `","role":"OWNER"}`, Status: 200})
	f.Run(t, apitest.Scenario{
		Method: "PUT", Path: "/api/public/projects/project-b/memberships", Key: "foreignOrg",
		Body: `{"userId":"` + id + `","role":"ADMIN"}`, Status: 200,
	})
	if seesB(t, squatter) {
		t.Fatal("whoever registered the address first has the role that B gave to its owner")
	}
	squatter.Ask(t, "GET", "/api/ui/projects/project-b", "", 404)
	squatter.Ask(t, "GET", "/api/ui/organizations/org-b/members", "", 404)
	if got := squatter.Ask(t, "GET", "/api/ui/auth/session", "", 200); !strings.Contains(got,
		`"offers":[{"organizationId":"org-b","organizationName":"org-b","role":"OWNER","needsProof":true}]`) &&
		!strings.Contains(got, `"needsProof":true`) {
		t.Error(got)
	}
	// They cannot accept it either, nor does a link of the organization that they come from help.
	squatter.Ask(t, "POST", "/api/ui/account/memberships/org-b/accept", "", 403)
	inviter.Ask(t, "POST", uiOrganization+"/members/"+id+"/reset-link", "", 403)

	// The owner of the address gets the account by a mailed link, and is asked.
	stop := runAccounts(t, f)
	owner := f.Browser()
	owner.Ask(t, "POST", "/api/ui/auth/forgot-password", `{"email":"ceo@b.test"}`, 202)
	stop()
	token := linkIn(t, <-sent, "/auth/reset-password?token=")
	owner.Ask(t, "POST", "/api/ui/auth/reset-password", `{"token":"`+token+`","password":"my own password"}`, 204)
	squatter.Ask(t, "GET", "/api/ui/auth/sessions", "", 401)
	owner.Ask(t, "POST", "/api/ui/auth/sign-in", signInBody("ceo@b.test", "my own password"), 200)
	if seesB(t, owner) {
		t.Error("nobody asked them")
	}
	owner.Ask(t, "POST", "/api/ui/account/memberships/org-a2/accept", "", 404)
	owner.Ask(t, "POST", "/api/ui/account/memberships/org-b/accept", "", 200)
	if !seesB(t, owner) {
		t.Error("they accepted it")
	}
	// They can leave again, and are asked again, except the last owner.
	owner.Ask(t, "DELETE", "/api/ui/account/memberships/org-b", "", 409)
	f.Run(t, apitest.Scenario{
		Method: "PUT", Path: memberships, Key: "foreignOrg", Body: `{"userId":"` + newOwnerOfB(t, f) + `","role":"OWNER"}`, Status: 200,
	})
	owner.Ask(t, "DELETE", "/api/ui/account/memberships/org-b", "", 204)
	owner.Ask(t, "DELETE", "/api/ui/account/memberships/org-b", "", 404)
	provision(t, f, "ceo@b.test", "ADMIN")
	if seesB(t, owner) {
		t.Error("they left")
	}
	owner.Ask(t, "DELETE", "/api/ui/account/memberships/org-b", "", 204) // declined
	owner.Ask(t, "DELETE", "/api/ui/account/memberships/org-a", "", 204) // nor do they stay where the squatter was
}

// newOwnerOfB returns somebody who owns organization b.
func newOwnerOfB(t *testing.T, f *apitest.Fixture) string {
	t.Helper()
	user, err := f.Catalog.CreateAccount(t.Context(), "owner@b.test", "Owner", apitest.TestPasswordHash, domain.Actor{Kind: "cli"})
	if err == nil {
		_, err = f.Catalog.AppointMember(t.Context(), domain.OfOrganization("org-b"), user.ID, domain.RoleOwner, domain.Actor{Kind: "cli"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return user.ID
}

// TestUIProvisionedPeople: whom an identity provider creates in advance has the role at their first sign-in there, and
// keeps it when deactivated and activated again.
func TestUIProvisionedPeople(t *testing.T) {
	f := apitest.New(t, nil)
	id := provision(t, f, "new@b.test", "MEMBER")
	signIn := func() *apitest.Browser {
		started, err := f.Accounts.SignInAs(domain.WithOrigin(t.Context(), domain.Origin{
			Address: "192.0.2.1", RequestID: "test", Client: "test",
		}),
			people.Identity{ProviderID: "sso", Issuer: "https://sso.b.test", Subject: "1", Email: "new@b.test"}, "")
		if err != nil {
			t.Fatal(err)
		}
		b := f.Browser()
		b.Cookies[apitest.SessionCookie] = started.Token
		return b
	}
	b := signIn()
	if !seesB(t, b) {
		t.Error("the first sign-in has no role")
	}
	for _, active := range []bool{false, true} {
		state := map[bool]string{false: "false", true: "true"}[active]
		f.Run(t, apitest.Scenario{
			Method: "PUT", Path: scimUsers + "/" + id, Key: "foreignOrg", Body: `{` + scimUserSchema + `,"active":` + state +
				`,"roles":["MEMBER"]}`, Status: 200, Contains: []string{`"userName":"new@b.test"`},
		})
		if seesB(t, b) != active {
			t.Errorf("active is %v, but they have a role: %v", active, !active)
		}
	}
}

// TestStrangersAreNotSeen: adding somebody tells an organization nothing about them, and does nothing to them.
func TestStrangersAreNotSeen(t *testing.T) {
	f := apitest.New(t, nil)
	victim := f.NewMember(t, "victim@a.test", domain.RoleMember)
	b := f.As(t, victim.ID)
	b.Address = "198.51.100.7:1"
	seen := func(email string) string {
		t.Helper()
		answer := f.Ask(t, apitest.Scenario{
			Method: "POST", Path: scimUsers, Key: "foreignOrg", Body: `{"userName":"` + email + `","displayName":"Guessed"}`, Status: 201,
		})
		return strings.ReplaceAll(answer, email, "EMAIL")
	}
	if known, unknown := seen("victim@a.test"), seen("nobody@a.test"); len(known) != len(unknown) || strings.Contains(known, "Name of") {
		t.Errorf("an account that exists: %s\none that does not: %s", known, unknown)
	}
	log := func() string {
		t.Helper()
		var kinds []string
		for e, err := range f.Catalog.AuditLog(t.Context(), domain.OfOrganization("org-b"), catalog.AuditFilter{}) {
			if err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, e.ResourceKind+" "+e.Origin.Address)
		}
		return strings.Join(kinds, ", ")
	}
	for range 3 {
		f.Run(t, apitest.Scenario{Method: "DELETE", Path: scimUsers + "/" + victim.ID, Key: "foreignOrg", Status: 204})
		seen("victim@a.test")
	}
	b.Ask(t, "GET", "/api/ui/auth/sessions", "", 200) // nobody is signed out
	before := log()
	f.As(t, victim.ID)
	b.Ask(t, "PATCH", "/api/ui/account", `{"name":"Renamed"}`, 200)
	if after := log(); after != before {
		t.Errorf("a stranger's log has what the victim does: %s", after)
	}
	b.Ask(t, "DELETE", "/api/ui/account/memberships/org-b", "", 204)
	if after := log(); strings.Contains(after, "198.51.100.7") {
		t.Errorf("declining tells where the victim is: %s", after)
	}
	for _, e := range []string{memberships, scimUsers} {
		f.Run(t, apitest.Scenario{Path: e, Key: "foreignOrg", Status: 200, Missing: []string{"Renamed", "Name of"}})
	}
	// Known by an id only: neither address nor name.
	f.Run(t, apitest.Scenario{
		Method: "PUT", Path: memberships, Key: "foreignOrg", Body: `{"userId":"` + f.NewMember(t, "second@a.test", domain.RoleViewer).ID +
			`","role":"NONE"}`, Status: 200, Missing: []string{"second", "Name of"},
	})
	f.Run(t, apitest.Scenario{
		Path: scimUsers + "?filter=userName+eq+%22second@a.test%22", Key: "foreignOrg", Status: 200, Contains: []string{`"totalResults":0`},
	})
	// What the victim does shows where they have a role.
	found := false
	for e, err := range f.Catalog.AuditLog(t.Context(), domain.OfOrganization("org-a"), catalog.AuditFilter{ResourceKind: "session"}) {
		if err != nil {
			t.Fatal(err)
		}
		found = found || e.Origin.Address == "192.0.2.1"
	}
	if !found {
		t.Error("the log of their own organization has no sign-in")
	}
}

// TestUIResetLinksAreBound: a link ends with everything that it was made for.
func TestUIResetLinksAreBound(t *testing.T) {
	cli, a := domain.Actor{Kind: "cli"}, domain.OfOrganization("org-a")
	for _, c := range []struct {
		name   string
		change func(t *testing.T, f *apitest.Fixture, member, maker string) error
		status int
	}{
		{"nothing", func(*testing.T, *apitest.Fixture, string, string) error { return nil }, 204},
		{"the account gains a role", func(t *testing.T, f *apitest.Fixture, member, _ string) error {
			_, err := f.Catalog.SetMember(t.Context(), a, member, domain.RoleOwner, cli)
			return err
		}, 404},
		{"the account loses a role", func(t *testing.T, f *apitest.Fixture, member, _ string) error {
			_, err := f.Catalog.SetMember(t.Context(), a, member, domain.RoleViewer, cli)
			return err
		}, 404},
		{"the account gains a role in a project", func(t *testing.T, f *apitest.Fixture, member, _ string) error {
			_, err := f.Catalog.SetProjectMember(t.Context(), a, "project-a", member, domain.RoleAdmin, cli)
			return err
		}, 404},
		{"another organization adds the account", func(t *testing.T, f *apitest.Fixture, member, _ string) error {
			_, err := f.Catalog.SetMember(t.Context(), domain.OfOrganization("org-b"), member, domain.RoleNone, cli)
			return err
		}, 404},
		{"the owner of the address signs in", func(t *testing.T, f *apitest.Fixture, _, _ string) error {
			_, _, err := f.Catalog.EnsureIdentity(t.Context(), people.Identity{
				ProviderID: "sso", Issuer: "https://sso.test", Subject: "1", Email: "member@a.test",
			})
			return err
		}, 404},
		{"another password", func(t *testing.T, f *apitest.Fixture, member, _ string) error {
			return f.Catalog.SetPassword(t.Context(), member, "x", "", cli)
		}, 404},
		{"the account is disabled", func(t *testing.T, f *apitest.Fixture, member, _ string) error {
			return f.Catalog.SetDisabled(t.Context(), member, true, cli)
		}, 404},
		{"the maker is demoted", func(t *testing.T, f *apitest.Fixture, _, maker string) error {
			_, err := f.Catalog.SetMember(t.Context(), a, maker, domain.RoleMember, cli)
			return err
		}, 404},
		{"the maker is removed", func(t *testing.T, f *apitest.Fixture, _, maker string) error {
			_, err := f.Catalog.RemoveMember(t.Context(), a, maker, cli)
			return err
		}, 404},
		{"the maker is disabled", func(t *testing.T, f *apitest.Fixture, _, maker string) error {
			return f.Catalog.SetDisabled(t.Context(), maker, true, cli)
		}, 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := apitest.New(t, nil)
			maker := f.NewMember(t, "admin@a.test", domain.RoleAdmin)
			asMaker := f.As(t, maker.ID)
			member := invited(t, f, asMaker, "member@a.test", domain.RoleMember)
			made := apitest.DecodeJSON[struct{ Link string }](t,
				[]byte(asMaker.Ask(t, "POST", uiOrganization+"/members/"+member.ID+"/reset-link", "", 201)))
			_, token, _ := strings.Cut(made.Link, "token=")
			if err := c.change(t, f, member.ID, maker.ID); err != nil {
				t.Fatal(err)
			}
			f.Browser().Ask(t, "POST", "/api/ui/auth/reset-password", `{"token":"`+token+`","password":"another password"}`, c.status)
		})
	}
}

// TestUIResetLinkOfSingleSignOn: people who sign in through a provider get no password from others, and a membership
// without a role in another organization counts as well.
func TestUIResetLinkOfSingleSignOn(t *testing.T) {
	f, sent := newMailFixture(t)
	admin := f.As(t, f.NewMember(t, "admin@a.test", domain.RoleAdmin).ID)
	user, _, err := f.Catalog.EnsureIdentity(t.Context(), people.Identity{
		ProviderID: "sso", Issuer: "https://sso.test", Subject: "1", Email: "sso@a.test", Create: true,
		First: &people.GrantedRole{OrganizationID: "org-a", Role: domain.RoleMember},
	})
	if err != nil {
		t.Fatal(err)
	}
	admin.Ask(t, "POST", uiOrganization+"/members/"+user.ID+"/reset-link", "", 409)
	if len(sent) != 0 {
		t.Error("a link was mailed")
	}
	member := invited(t, f, admin, "member@a.test", domain.RoleMember)
	<-sent
	provision(t, f, "member@a.test", "NONE")
	admin.Ask(t, "POST", uiOrganization+"/members/"+member.ID+"/reset-link", "", 403)
}

// TestUIInvitationsOfThoseWhoLeft: an invitation is worth what its maker may give when it is accepted.
func TestUIInvitationsOfThoseWhoLeft(t *testing.T) {
	f := apitest.New(t, nil)
	owner := f.NewMember(t, "owner@a.test", domain.RoleOwner)
	other := f.NewMember(t, "other@a.test", domain.RoleOwner)
	asOwner, asOther := f.As(t, owner.ID), f.As(t, other.ID)
	_, strong := invite(t, asOwner, `{"email":"strong@x.test","role":"OWNER"}`)
	_, weak := invite(t, asOwner, `{"email":"weak@x.test","role":"VIEWER"}`)
	visitor := f.Browser()
	asOther.Ask(t, "PUT", uiOrganization+"/members/"+owner.ID, `{"role":"ADMIN"}`, 200)
	visitor.Ask(t, "GET", strong, "", 404)
	visitor.Ask(t, "POST", strong+"/accept", `{"name":"Eve","password":"`+apitest.TestPassword+`"}`, 404)
	visitor.Ask(t, "GET", weak, "", 200)
	if list := asOther.Ask(t, "GET", uiOrganization+"/invitations", "", 200); strings.Contains(list, "strong@") ||
		!strings.Contains(list, "weak@") {
		t.Error(list)
	}
	asOther.Ask(t, "DELETE", uiOrganization+"/members/"+owner.ID, "", 204)
	visitor.Ask(t, "POST", weak+"/accept", `{"name":"Eve","password":"`+apitest.TestPassword+`"}`, 404)
	_, _, err := f.Catalog.EnsureIdentity(t.Context(), people.Identity{
		ProviderID: "sso", Issuer: "https://sso.test", Subject: "1", Email: "weak@x.test",
	})
	if err == nil {
		t.Error("an invitation that has ended lets a provider create an account")
	}
}

// TestUILastOwnerWhoCanAct: an owner who is disabled, or has not agreed to be one, does not count.
func TestUILastOwnerWhoCanAct(t *testing.T) {
	f := apitest.New(t, nil)
	cli := domain.Actor{Kind: "cli"}
	owner, gone := f.NewMember(t, "owner@a.test", domain.RoleOwner), f.NewMember(t, "gone@a.test", domain.RoleOwner)
	if err := f.Catalog.SetDisabled(t.Context(), gone.ID, true, cli); err != nil {
		t.Fatal(err)
	}
	f.Run(t, apitest.Scenario{
		Method: "POST", Path: scimUsers, Key: "organization", Body: `{"userName":"offered@x.test","roles":["OWNER"]}`, Status: 201,
	})
	b := f.As(t, owner.ID)
	b.Ask(t, "PUT", uiOrganization+"/members/"+owner.ID, `{"role":"ADMIN"}`, 409)
	b.Ask(t, "DELETE", uiOrganization+"/members/"+owner.ID, "", 409)
	b.Ask(t, "DELETE", "/api/ui/account/memberships/org-a", "", 409)
	f.Run(t, apitest.Scenario{Method: "DELETE", Path: scimUsers + "/" + owner.ID, Key: "organization", Status: 403})
	b.Ask(t, "DELETE", uiOrganization+"/members/"+gone.ID, "", 204)
}

// TestUISingleSignOnIsThrottled: anybody can make the server call the provider, but not at any rate.
func TestUISingleSignOnIsThrottled(t *testing.T) {
	_, change := withSignOn(t)
	f := apitest.New(t, change)
	b := f.Browser()
	limited := 0
	for range 260 {
		if location, _ := follow(t, b, "/api/ui/auth/oidc/up/callback?state=x"); strings.Contains(location, "sso_too_often") {
			limited++
		}
	}
	if limited == 0 {
		t.Error("a network can start any number of sign-ins")
	}
	b.Address = "198.51.100.1:1"
	if location, _ := follow(t, b, "/api/ui/auth/oidc/up/start"); strings.Contains(location, "error=") {
		t.Errorf("another network is sent to %s", location)
	}
}

// statusOf sends a request and returns the status of the response.
func statusOf(f *apitest.Fixture, s apitest.Scenario) int {
	w := httptest.NewRecorder()
	f.ServeHTTP(w, s.Request())
	return w.Code
}

// TestAccessEnds is a table of what gives access and of the events after which it must not: it says for each pair what
// happens. Keys belong to the project, not to the person who made them. Accounts are never deleted.
func TestAccessEnds(t *testing.T) {
	cli, a := domain.Actor{Kind: "cli"}, domain.OfOrganization("org-a")
	// Each thing is made by an admin whose events follow; use returns the status of its use.
	things := []struct {
		name string
		make func(t *testing.T, f *apitest.Fixture, b *apitest.Browser, id string) (use func() int)
	}{
		{"session", func(t *testing.T, _ *apitest.Fixture, b *apitest.Browser, _ string) func() int {
			return func() int { status, _ := b.Try(t, "GET", "/api/ui/auth/sessions", ""); return status }
		}},
		{"role", func(t *testing.T, _ *apitest.Fixture, b *apitest.Browser, _ string) func() int {
			b.Ask(t, "GET", apitest.UIProject+"/apiKeys", "", 200) // cached
			return func() int { status, _ := b.Try(t, "POST", apitest.UIProject+"/apiKeys", `{}`); return status }
		}},
		{"reset link", func(t *testing.T, f *apitest.Fixture, b *apitest.Browser, _ string) func() int {
			member := invited(t, f, b, "member@a.test", domain.RoleViewer)
			made := apitest.DecodeJSON[struct{ Link string }](t,
				[]byte(b.Ask(t, "POST", uiOrganization+"/members/"+member.ID+"/reset-link", "", 201)))
			_, token, _ := strings.Cut(made.Link, "token=")
			return func() int {
				status, _ := f.Browser().Try(t, "POST", "/api/ui/auth/reset-password",
					`{"token":"`+token+`","password":"another password"}`)
				return status
			}
		}},
		{"invitation", func(t *testing.T, f *apitest.Fixture, b *apitest.Browser, _ string) func() int {
			_, path := invite(t, b, `{"email":"new@x.test","role":"VIEWER"}`)
			return func() int { status, _ := f.Browser().Try(t, "GET", path, ""); return status }
		}},
		{"export URL", func(t *testing.T, f *apitest.Fixture, b *apitest.Browser, _ string) func() int {
			f.Keep(t, "project-a", apitest.ExportRows(), nil)
			id := apitest.DecodeJSON[apitest.Exported](t, []byte(b.Ask(t, "POST", apitest.UIProject+"/exports", `{"table":"observations","format":"csv"}`, 201))).ID
			f.FinishExport(t, id)
			done := apitest.DecodeJSON[apitest.Exported](t, []byte(b.Ask(t, "GET", apitest.UIProject+"/exports/"+id, "", 200)))
			return func() int { answer, _ := f.Content(t, *done.DownloadURL, nil); return answer.StatusCode }
		}},
		{"media URL", func(t *testing.T, f *apitest.Fixture, b *apitest.Browser, _ string) func() int {
			made := f.Upload(t, "a picture")
			got := apitest.DecodeJSON[apitest.Fetched](t, []byte(b.Ask(t, "GET", apitest.UIProject+"/media/"+made.MediaID, "", 200)))
			return func() int { answer, _ := f.Content(t, got.URL, nil); return answer.StatusCode }
		}},
		{"upload URL", func(t *testing.T, f *apitest.Fixture, b *apitest.Browser, _ string) func() int {
			made := apitest.DecodeJSON[apitest.Announced](t, []byte(b.Ask(t, "POST", apitest.UIProject+"/media", apitest.Announcement("to be sent"), 201)))
			return func() int { return statusOf(f, apitest.Uploading(*made.UploadURL, "to be sent")) }
		}},
		{"API key", func(t *testing.T, f *apitest.Fixture, b *apitest.Browser, _ string) func() int {
			k := apitest.DecodeJSON[struct{ PublicKey, SecretKey string }](t, []byte(b.Ask(t, "POST", apitest.UIProject+"/apiKeys", `{}`, 201)))
			return func() int {
				return statusOf(f, apitest.Scenario{
					Path: "/api/public/v2/prompts", Header: map[string]string{"Authorization": apitest.BasicHeader(k.PublicKey, k.SecretKey)},
				})
			}
		}},
		{"set-up link", func(t *testing.T, f *apitest.Fixture, _ *apitest.Browser, _ string) func() int { // ends when somebody can sign in
			sum := sha256.Sum256([]byte("token"))
			if err := f.Catalog.AddSetupToken(t.Context(), hex.EncodeToString(sum[:])); err != nil {
				t.Fatal(err)
			}
			return func() int {
				status, _ := f.Browser().Try(t, "POST", "/api/ui/auth/setup",
					`{"token":"token","name":"Eve","email":"eve@x.test","password":"`+apitest.TestPassword+`"}`)
				return status
			}
		}},
		{"single sign-on", func(t *testing.T, f *apitest.Fixture, _ *apitest.Browser, _ string) func() int {
			who := people.Identity{ProviderID: "sso", Issuer: "https://sso.test", Subject: "1", Email: "admin@a.test"}
			if _, _, err := f.Catalog.EnsureIdentity(t.Context(), who); err != nil {
				t.Fatal(err)
			}
			return func() int { // the browser returns from the provider
				if _, err := f.Accounts.SignInAs(domain.WithOrigin(t.Context(), domain.Origin{
					Address: "192.0.2.1", RequestID: "test", Client: "test",
				}), who, ""); err != nil {
					return 403
				}
				return 200
			}
		}},
	}
	events := []struct {
		name   string
		happen func(t *testing.T, f *apitest.Fixture, id string) error
		// refused are the things that end; all others keep working.
		refused string
	}{
		{"role lowered", func(t *testing.T, f *apitest.Fixture, id string) error {
			_, err := f.Catalog.SetMember(t.Context(), a, id, domain.RoleViewer, cli)
			return err
		}, "role, reset link, invitation, export URL, upload URL"},
		{"removed from the organization", func(t *testing.T, f *apitest.Fixture, id string) error {
			_, err := f.Catalog.RemoveMember(t.Context(), a, id, cli)
			return err
		}, "role, reset link, invitation, export URL, media URL, upload URL"},
		{"removed by SCIM", func(t *testing.T, f *apitest.Fixture, id string) error {
			f.Run(t, apitest.Scenario{Method: "DELETE", Path: scimUsers + "/" + id, Key: "organization", Status: 204, Once: true})
			return nil
		}, "role, reset link, invitation, export URL, media URL, upload URL"},
		{"account disabled", func(t *testing.T, f *apitest.Fixture, id string) error {
			return f.Catalog.SetDisabled(t.Context(), id, true, cli)
		}, "session, role, reset link, invitation, export URL, media URL, upload URL, single sign-on"},
		// Whoever knew the old password is signed out. What the person made themselves stays theirs.
		{"password changed", func(t *testing.T, f *apitest.Fixture, id string) error {
			return f.Catalog.SetPassword(t.Context(), id, apitest.TestPasswordHash, "", cli)
		}, "session, role"},
		{"project deleted", func(t *testing.T, f *apitest.Fixture, _ string) error {
			return f.Catalog.DeleteProject(t.Context(), a, "project-a", cli)
		}, "role, export URL, media URL, upload URL, API key"},
		{"organization deleted", func(t *testing.T, f *apitest.Fixture, _ string) error {
			for _, project := range []string{"project-a", "project-a2"} {
				if err := f.Catalog.DeleteProject(t.Context(), a, project, cli); err != nil {
					return err
				}
			}
			return f.Catalog.DeleteOrganization(t.Context(), a, cli)
		}, "role, reset link, invitation, export URL, media URL, upload URL, API key"},
	}
	for _, event := range events {
		for _, thing := range things {
			refused := slices.Contains(strings.Split(event.refused, ", "), thing.name) || thing.name == "set-up link"
			t.Run(event.name+"/"+thing.name, func(t *testing.T) {
				t.Parallel()
				f := apitest.New(t, nil)
				f.NewMember(t, "owner@a.test", domain.RoleOwner)
				admin := f.NewMember(t, "admin@a.test", domain.RoleAdmin)
				use := thing.make(t, f, f.As(t, admin.ID), admin.ID)
				if err := event.happen(t, f, admin.ID); err != nil {
					t.Fatal(err)
				}
				if status := use(); (status >= 400) != refused || status >= 500 {
					t.Errorf("status %d", status)
				}
			})
		}
	}
}

const memberships = "/api/public/organizations/memberships"

const scimUsers = "/api/public/scim/Users"
