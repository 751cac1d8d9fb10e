package httpapi

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
)

const scimUserSchema = `"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"]`

// provision adds an address to organization b, which does not trust organization a, and returns the id.
func (f *fixture) provision(t *testing.T, email, role string) string {
	t.Helper()
	return send[struct{ ID string }](t, f, scenario{
		method: "POST", path: scimUsers, key: "foreignOrg", body: `{"userName":"` + email + `","displayName":"As B calls them","roles":["` + role + `"]}`,
	}).ID
}

// seesB reports whether a browser's user has a role in organization b.
func (b *browser) seesB(t *testing.T) bool {
	t.Helper()
	session := decodeJSON[uiSession](t, []byte(b.ask(t, "GET", "/api/ui/auth/session", "", 200)))
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
	inviter := f.as(t, f.newMember(t, "attacker@a.test", domain.RoleAdmin).ID)
	_, path := inviter.invite(t, `{"email":"ceo@b.test","role":"VIEWER"}`)
	<-sent
	squatter := f.browser()
	squatter.ask(t, "POST", path+"/accept", `{"name":"Squatter","password":"`+testPassword+`"}`, 200)
	id := f.provision(t, "ceo@b.test", "ADMIN")
	f.run(t, scenario{method: "PUT", path: memberships, key: "foreignOrg", body: `{"userId":"` + id + `","role":"OWNER"}`, status: 200})
	f.run(t, scenario{method: "PUT", path: "/api/public/projects/project-b/memberships", key: "foreignOrg", body: `{"userId":"` + id + `","role":"ADMIN"}`, status: 200})
	if squatter.seesB(t) {
		t.Fatal("whoever registered the address first has the role that B gave to its owner")
	}
	squatter.ask(t, "GET", "/api/ui/projects/project-b", "", 404)
	squatter.ask(t, "GET", "/api/ui/organizations/org-b/members", "", 404)
	if got := squatter.ask(t, "GET", "/api/ui/auth/session", "", 200); !strings.Contains(got, `"offers":[{"organizationId":"org-b","organizationName":"org-b","role":"OWNER","needsProof":true}]`) &&
		!strings.Contains(got, `"needsProof":true`) {
		t.Error(got)
	}
	// They cannot accept it either, nor does a link of the organization that they come from help.
	squatter.ask(t, "POST", "/api/ui/account/memberships/org-b/accept", "", 403)
	inviter.ask(t, "POST", uiOrganization+"/members/"+id+"/reset-link", "", 403)

	// The owner of the address gets the account by a mailed link, and is asked.
	stop := f.runAccounts(t)
	owner := f.browser()
	owner.ask(t, "POST", "/api/ui/auth/forgot-password", `{"email":"ceo@b.test"}`, 202)
	stop()
	token := linkIn(t, <-sent, "/auth/reset-password?token=")
	owner.ask(t, "POST", "/api/ui/auth/reset-password", `{"token":"`+token+`","password":"my own password"}`, 204)
	squatter.ask(t, "GET", "/api/ui/auth/sessions", "", 401)
	owner.ask(t, "POST", "/api/ui/auth/sign-in", signInBody("ceo@b.test", "my own password"), 200)
	if owner.seesB(t) {
		t.Error("nobody asked them")
	}
	owner.ask(t, "POST", "/api/ui/account/memberships/org-a2/accept", "", 404)
	owner.ask(t, "POST", "/api/ui/account/memberships/org-b/accept", "", 200)
	if !owner.seesB(t) {
		t.Error("they accepted it")
	}
	// They can leave again, and are asked again, except the last owner.
	owner.ask(t, "DELETE", "/api/ui/account/memberships/org-b", "", 409)
	f.run(t, scenario{method: "PUT", path: memberships, key: "foreignOrg", body: `{"userId":"` + f.newOwnerOfB(t) + `","role":"OWNER"}`, status: 200})
	owner.ask(t, "DELETE", "/api/ui/account/memberships/org-b", "", 204)
	owner.ask(t, "DELETE", "/api/ui/account/memberships/org-b", "", 404)
	f.provision(t, "ceo@b.test", "ADMIN")
	if owner.seesB(t) {
		t.Error("they left")
	}
	owner.ask(t, "DELETE", "/api/ui/account/memberships/org-b", "", 204) // declined
	owner.ask(t, "DELETE", "/api/ui/account/memberships/org-a", "", 204) // nor do they stay where the squatter was
}

// newOwnerOfB returns somebody who owns organization b.
func (f *fixture) newOwnerOfB(t *testing.T) string {
	t.Helper()
	user, err := f.Catalog.CreateAccount(t.Context(), "owner@b.test", "Owner", testPasswordHash, domain.Actor{Kind: "cli"})
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
	f := newFixture(t, nil)
	id := f.provision(t, "new@b.test", "MEMBER")
	signIn := func() *browser {
		started, err := f.Accounts.SignInAs(domain.WithOrigin(t.Context(), domain.Origin{Address: "192.0.2.1", RequestID: "test", Client: "test"}),
			people.Identity{ProviderID: "sso", Issuer: "https://sso.b.test", Subject: "1", Email: "new@b.test"}, "")
		if err != nil {
			t.Fatal(err)
		}
		b := f.browser()
		b.cookies[sessionCookie] = started.Token
		return b
	}
	b := signIn()
	if !b.seesB(t) {
		t.Error("the first sign-in has no role")
	}
	for _, active := range []bool{false, true} {
		state := map[bool]string{false: "false", true: "true"}[active]
		f.run(t, scenario{method: "PUT", path: scimUsers + "/" + id, key: "foreignOrg", body: `{` + scimUserSchema + `,"active":` + state + `,"roles":["MEMBER"]}`, status: 200, contains: []string{`"userName":"new@b.test"`}})
		if b.seesB(t) != active {
			t.Errorf("active is %v, but they have a role: %v", active, !active)
		}
	}
}

// TestStrangersAreNotSeen: adding somebody tells an organization nothing about them, and does nothing to them.
func TestStrangersAreNotSeen(t *testing.T) {
	f := newFixture(t, nil)
	victim := f.newMember(t, "victim@a.test", domain.RoleMember)
	b := f.as(t, victim.ID)
	b.address = "198.51.100.7:1"
	seen := func(email string) string {
		t.Helper()
		answer := f.ask(t, scenario{method: "POST", path: scimUsers, key: "foreignOrg", body: `{"userName":"` + email + `","displayName":"Guessed"}`, status: 201})
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
		f.run(t, scenario{method: "DELETE", path: scimUsers + "/" + victim.ID, key: "foreignOrg", status: 204})
		seen("victim@a.test")
	}
	b.ask(t, "GET", "/api/ui/auth/sessions", "", 200) // nobody is signed out
	before := log()
	f.as(t, victim.ID)
	b.ask(t, "PATCH", "/api/ui/account", `{"name":"Renamed"}`, 200)
	if after := log(); after != before {
		t.Errorf("a stranger's log has what the victim does: %s", after)
	}
	b.ask(t, "DELETE", "/api/ui/account/memberships/org-b", "", 204)
	if after := log(); strings.Contains(after, "198.51.100.7") {
		t.Errorf("declining tells where the victim is: %s", after)
	}
	for _, e := range []string{memberships, scimUsers} {
		f.run(t, scenario{path: e, key: "foreignOrg", status: 200, missing: []string{"Renamed", "Name of"}})
	}
	// Known by an id only: neither address nor name.
	f.run(t, scenario{method: "PUT", path: memberships, key: "foreignOrg", body: `{"userId":"` + f.newMember(t, "second@a.test", domain.RoleViewer).ID + `","role":"NONE"}`, status: 200, missing: []string{"second", "Name of"}})
	f.run(t, scenario{path: scimUsers + "?filter=userName+eq+%22second@a.test%22", key: "foreignOrg", status: 200, contains: []string{`"totalResults":0`}})
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
		change func(t *testing.T, f *fixture, member, maker string) error
		status int
	}{
		{"nothing", func(*testing.T, *fixture, string, string) error { return nil }, 204},
		{"the account gains a role", func(t *testing.T, f *fixture, member, _ string) error {
			_, err := f.Catalog.SetMember(t.Context(), a, member, domain.RoleOwner, cli)
			return err
		}, 404},
		{"the account loses a role", func(t *testing.T, f *fixture, member, _ string) error {
			_, err := f.Catalog.SetMember(t.Context(), a, member, domain.RoleViewer, cli)
			return err
		}, 404},
		{"the account gains a role in a project", func(t *testing.T, f *fixture, member, _ string) error {
			_, err := f.Catalog.SetProjectMember(t.Context(), a, "project-a", member, domain.RoleAdmin, cli)
			return err
		}, 404},
		{"another organization adds the account", func(t *testing.T, f *fixture, member, _ string) error {
			_, err := f.Catalog.SetMember(t.Context(), domain.OfOrganization("org-b"), member, domain.RoleNone, cli)
			return err
		}, 404},
		{"the owner of the address signs in", func(t *testing.T, f *fixture, _, _ string) error {
			_, _, err := f.Catalog.EnsureIdentity(t.Context(), people.Identity{ProviderID: "sso", Issuer: "https://sso.test", Subject: "1", Email: "member@a.test"})
			return err
		}, 404},
		{"another password", func(t *testing.T, f *fixture, member, _ string) error {
			return f.Catalog.SetPassword(t.Context(), member, "x", "", cli)
		}, 404},
		{"the account is disabled", func(t *testing.T, f *fixture, member, _ string) error {
			return f.Catalog.SetDisabled(t.Context(), member, true, cli)
		}, 404},
		{"the maker is demoted", func(t *testing.T, f *fixture, _, maker string) error {
			_, err := f.Catalog.SetMember(t.Context(), a, maker, domain.RoleMember, cli)
			return err
		}, 404},
		{"the maker is removed", func(t *testing.T, f *fixture, _, maker string) error {
			_, err := f.Catalog.RemoveMember(t.Context(), a, maker, cli)
			return err
		}, 404},
		{"the maker is disabled", func(t *testing.T, f *fixture, _, maker string) error {
			return f.Catalog.SetDisabled(t.Context(), maker, true, cli)
		}, 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, nil)
			maker := f.newMember(t, "admin@a.test", domain.RoleAdmin)
			asMaker := f.as(t, maker.ID)
			member := f.invited(t, asMaker, "member@a.test", domain.RoleMember)
			made := decodeJSON[struct{ Link string }](t, []byte(asMaker.ask(t, "POST", uiOrganization+"/members/"+member.ID+"/reset-link", "", 201)))
			_, token, _ := strings.Cut(made.Link, "token=")
			if err := c.change(t, f, member.ID, maker.ID); err != nil {
				t.Fatal(err)
			}
			f.browser().ask(t, "POST", "/api/ui/auth/reset-password", `{"token":"`+token+`","password":"another password"}`, c.status)
		})
	}
}

// TestUIResetLinkOfSingleSignOn: people who sign in through a provider get no password from others, and a membership
// without a role in another organization counts as well.
func TestUIResetLinkOfSingleSignOn(t *testing.T) {
	f, sent := newMailFixture(t)
	admin := f.as(t, f.newMember(t, "admin@a.test", domain.RoleAdmin).ID)
	user, _, err := f.Catalog.EnsureIdentity(t.Context(), people.Identity{
		ProviderID: "sso", Issuer: "https://sso.test", Subject: "1", Email: "sso@a.test", Create: true, First: &people.GrantedRole{OrganizationID: "org-a", Role: domain.RoleMember},
	})
	if err != nil {
		t.Fatal(err)
	}
	admin.ask(t, "POST", uiOrganization+"/members/"+user.ID+"/reset-link", "", 409)
	if len(sent) != 0 {
		t.Error("a link was mailed")
	}
	member := f.invited(t, admin, "member@a.test", domain.RoleMember)
	<-sent
	f.provision(t, "member@a.test", "NONE")
	admin.ask(t, "POST", uiOrganization+"/members/"+member.ID+"/reset-link", "", 403)
}

// TestUIInvitationsOfThoseWhoLeft: an invitation is worth what its maker may give when it is accepted.
func TestUIInvitationsOfThoseWhoLeft(t *testing.T) {
	f := newFixture(t, nil)
	owner := f.newMember(t, "owner@a.test", domain.RoleOwner)
	other := f.newMember(t, "other@a.test", domain.RoleOwner)
	asOwner, asOther := f.as(t, owner.ID), f.as(t, other.ID)
	_, strong := asOwner.invite(t, `{"email":"strong@x.test","role":"OWNER"}`)
	_, weak := asOwner.invite(t, `{"email":"weak@x.test","role":"VIEWER"}`)
	visitor := f.browser()
	asOther.ask(t, "PUT", uiOrganization+"/members/"+owner.ID, `{"role":"ADMIN"}`, 200)
	visitor.ask(t, "GET", strong, "", 404)
	visitor.ask(t, "POST", strong+"/accept", `{"name":"Eve","password":"`+testPassword+`"}`, 404)
	visitor.ask(t, "GET", weak, "", 200)
	if list := asOther.ask(t, "GET", uiOrganization+"/invitations", "", 200); strings.Contains(list, "strong@") || !strings.Contains(list, "weak@") {
		t.Error(list)
	}
	asOther.ask(t, "DELETE", uiOrganization+"/members/"+owner.ID, "", 204)
	visitor.ask(t, "POST", weak+"/accept", `{"name":"Eve","password":"`+testPassword+`"}`, 404)
	_, _, err := f.Catalog.EnsureIdentity(t.Context(), people.Identity{ProviderID: "sso", Issuer: "https://sso.test", Subject: "1", Email: "weak@x.test"})
	if err == nil {
		t.Error("an invitation that has ended lets a provider create an account")
	}
}

// TestUILastOwnerWhoCanAct: an owner who is disabled, or has not agreed to be one, does not count.
func TestUILastOwnerWhoCanAct(t *testing.T) {
	f := newFixture(t, nil)
	cli := domain.Actor{Kind: "cli"}
	owner, gone := f.newMember(t, "owner@a.test", domain.RoleOwner), f.newMember(t, "gone@a.test", domain.RoleOwner)
	if err := f.Catalog.SetDisabled(t.Context(), gone.ID, true, cli); err != nil {
		t.Fatal(err)
	}
	f.run(t, scenario{method: "POST", path: scimUsers, key: "organization", body: `{"userName":"offered@x.test","roles":["OWNER"]}`, status: 201})
	b := f.as(t, owner.ID)
	b.ask(t, "PUT", uiOrganization+"/members/"+owner.ID, `{"role":"ADMIN"}`, 409)
	b.ask(t, "DELETE", uiOrganization+"/members/"+owner.ID, "", 409)
	b.ask(t, "DELETE", "/api/ui/account/memberships/org-a", "", 409)
	f.run(t, scenario{method: "DELETE", path: scimUsers + "/" + owner.ID, key: "organization", status: 403})
	b.ask(t, "DELETE", uiOrganization+"/members/"+gone.ID, "", 204)
}

// TestUISingleSignOnIsThrottled: anybody can make the server call the provider, but not at any rate.
func TestUISingleSignOnIsThrottled(t *testing.T) {
	_, change := withSignOn(t)
	f := newFixture(t, change)
	b := f.browser()
	limited := 0
	for range 260 {
		if location, _ := b.follow(t, "/api/ui/auth/oidc/up/callback?state=x"); strings.Contains(location, "sso_too_often") {
			limited++
		}
	}
	if limited == 0 {
		t.Error("a network can start any number of sign-ins")
	}
	b.address = "198.51.100.1:1"
	if location, _ := b.follow(t, "/api/ui/auth/oidc/up/start"); strings.Contains(location, "error=") {
		t.Errorf("another network is sent to %s", location)
	}
}

// statusOf sends a request and returns the status of the response.
func (f *fixture) statusOf(s scenario) int {
	w := httptest.NewRecorder()
	f.ServeHTTP(w, s.request())
	return w.Code
}

// TestAccessEnds is a table of what gives access and of the events after which it must not: it says for each pair what
// happens. Keys belong to the project, not to the person who made them. Accounts are never deleted.
func TestAccessEnds(t *testing.T) {
	cli, a := domain.Actor{Kind: "cli"}, domain.OfOrganization("org-a")
	// Each thing is made by an admin whose events follow; use returns the status of its use.
	things := []struct {
		name string
		make func(t *testing.T, f *fixture, b *browser, id string) (use func() int)
	}{
		{"session", func(t *testing.T, _ *fixture, b *browser, _ string) func() int {
			return func() int { status, _ := b.try(t, "GET", "/api/ui/auth/sessions", ""); return status }
		}},
		{"role", func(t *testing.T, _ *fixture, b *browser, _ string) func() int {
			b.ask(t, "GET", uiProject+"/apiKeys", "", 200) // cached
			return func() int { status, _ := b.try(t, "POST", uiProject+"/apiKeys", `{}`); return status }
		}},
		{"reset link", func(t *testing.T, f *fixture, b *browser, _ string) func() int {
			member := f.invited(t, b, "member@a.test", domain.RoleViewer)
			made := decodeJSON[struct{ Link string }](t, []byte(b.ask(t, "POST", uiOrganization+"/members/"+member.ID+"/reset-link", "", 201)))
			_, token, _ := strings.Cut(made.Link, "token=")
			return func() int {
				status, _ := f.browser().try(t, "POST", "/api/ui/auth/reset-password", `{"token":"`+token+`","password":"another password"}`)
				return status
			}
		}},
		{"invitation", func(t *testing.T, f *fixture, b *browser, _ string) func() int {
			_, path := b.invite(t, `{"email":"new@x.test","role":"VIEWER"}`)
			return func() int { status, _ := f.browser().try(t, "GET", path, ""); return status }
		}},
		{"export URL", func(t *testing.T, f *fixture, b *browser, _ string) func() int {
			f.keep(t, "project-a", exportRows(), nil)
			id := decodeJSON[exported](t, []byte(b.ask(t, "POST", uiProject+"/exports", `{"table":"observations","format":"csv"}`, 201))).ID
			f.finishExport(t, id)
			done := decodeJSON[exported](t, []byte(b.ask(t, "GET", uiProject+"/exports/"+id, "", 200)))
			return func() int { answer, _ := f.content(t, *done.DownloadURL, nil); return answer.StatusCode }
		}},
		{"media URL", func(t *testing.T, f *fixture, b *browser, _ string) func() int {
			made := f.upload(t, "a picture")
			got := decodeJSON[fetched](t, []byte(b.ask(t, "GET", uiProject+"/media/"+made.MediaID, "", 200)))
			return func() int { answer, _ := f.content(t, got.URL, nil); return answer.StatusCode }
		}},
		{"upload URL", func(t *testing.T, f *fixture, b *browser, _ string) func() int {
			made := decodeJSON[announced](t, []byte(b.ask(t, "POST", uiProject+"/media", announcement("to be sent"), 201)))
			return func() int { return f.statusOf(send1(*made.UploadURL, "to be sent")) }
		}},
		{"API key", func(t *testing.T, f *fixture, b *browser, _ string) func() int {
			k := decodeJSON[struct{ PublicKey, SecretKey string }](t, []byte(b.ask(t, "POST", uiProject+"/apiKeys", `{}`, 201)))
			return func() int {
				return f.statusOf(scenario{path: "/api/public/v2/prompts", header: map[string]string{"Authorization": basicHeader(k.PublicKey, k.SecretKey)}})
			}
		}},
		{"set-up link", func(t *testing.T, f *fixture, _ *browser, _ string) func() int { // ends when somebody can sign in
			sum := sha256.Sum256([]byte("token"))
			if err := f.Catalog.AddSetupToken(t.Context(), hex.EncodeToString(sum[:])); err != nil {
				t.Fatal(err)
			}
			return func() int {
				status, _ := f.browser().try(t, "POST", "/api/ui/auth/setup", `{"token":"token","name":"Eve","email":"eve@x.test","password":"`+testPassword+`"}`)
				return status
			}
		}},
		{"single sign-on", func(t *testing.T, f *fixture, _ *browser, _ string) func() int {
			who := people.Identity{ProviderID: "sso", Issuer: "https://sso.test", Subject: "1", Email: "admin@a.test"}
			if _, _, err := f.Catalog.EnsureIdentity(t.Context(), who); err != nil {
				t.Fatal(err)
			}
			return func() int { // the browser returns from the provider
				if _, err := f.Accounts.SignInAs(domain.WithOrigin(t.Context(), domain.Origin{Address: "192.0.2.1", RequestID: "test", Client: "test"}), who, ""); err != nil {
					return 403
				}
				return 200
			}
		}},
	}
	events := []struct {
		name   string
		happen func(t *testing.T, f *fixture, id string) error
		// refused are the things that end; all others keep working.
		refused string
	}{
		{"role lowered", func(t *testing.T, f *fixture, id string) error {
			_, err := f.Catalog.SetMember(t.Context(), a, id, domain.RoleViewer, cli)
			return err
		}, "role, reset link, invitation, export URL, upload URL"},
		{"removed from the organization", func(t *testing.T, f *fixture, id string) error {
			_, err := f.Catalog.RemoveMember(t.Context(), a, id, cli)
			return err
		}, "role, reset link, invitation, export URL, media URL, upload URL"},
		{"removed by SCIM", func(t *testing.T, f *fixture, id string) error {
			f.run(t, scenario{method: "DELETE", path: scimUsers + "/" + id, key: "organization", status: 204, once: true})
			return nil
		}, "role, reset link, invitation, export URL, media URL, upload URL"},
		{"account disabled", func(t *testing.T, f *fixture, id string) error {
			return f.Catalog.SetDisabled(t.Context(), id, true, cli)
		}, "session, role, reset link, invitation, export URL, media URL, upload URL, single sign-on"},
		// Whoever knew the old password is signed out. What the person made themselves stays theirs.
		{"password changed", func(t *testing.T, f *fixture, id string) error {
			return f.Catalog.SetPassword(t.Context(), id, testPasswordHash, "", cli)
		}, "session, role"},
		{"project deleted", func(t *testing.T, f *fixture, _ string) error {
			return f.Catalog.DeleteProject(t.Context(), a, "project-a", cli)
		}, "role, export URL, media URL, upload URL, API key"},
		{"organization deleted", func(t *testing.T, f *fixture, _ string) error {
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
				f := newFixture(t, nil)
				f.newMember(t, "owner@a.test", domain.RoleOwner)
				admin := f.newMember(t, "admin@a.test", domain.RoleAdmin)
				use := thing.make(t, f, f.as(t, admin.ID), admin.ID)
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
