package httpapi

import (
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
)

const (
	uiOrganization = "/api/ui/organizations/org-a"
	uiProject      = "/api/ui/projects/project-a"
)

type uiInvited struct {
	Invitation struct{ ID, Email, Role string }
	Link       string
	Mailed     bool
}

// invite creates an invitation and returns the path of its token.
func (b *browser) invite(t *testing.T, body string) (token, path string) {
	t.Helper()
	invited := decodeJSON[uiInvited](t, []byte(b.ask(t, "POST", uiOrganization+"/invitations", body, 201)))
	token, ok := strings.CutPrefix(invited.Link, "https://almanac.test/invite/")
	if !ok || len(token) != 43 || invited.Mailed != b.f.Accounts.CanMail() {
		t.Fatalf("invited: %+v", invited)
	}
	return token, "/api/ui/invitations/" + token
}

func TestUIInvitations(t *testing.T) {
	f := newFixture(t, nil)
	admin := f.as(t, f.newMember(t, "admin@a.test", domain.RoleAdmin).ID)
	admin.ask(t, "POST", uiOrganization+"/invitations", `{"email":"new@example.org","role":"OWNER"}`, 403)
	admin.ask(t, "POST", uiOrganization+"/invitations", `{"email":"new@example.org","role":"VIEWER","projectId":"project-a","projectRole":"OWNER"}`, 403)
	admin.ask(t, "POST", uiOrganization+"/invitations", `{"email":"admin@a.test","role":"VIEWER"}`, 409)
	admin.ask(t, "POST", uiOrganization+"/invitations", `{"email":"no address","role":"VIEWER"}`, 400)
	admin.ask(t, "POST", uiOrganization+"/invitations", `{"email":"new@example.org","role":"VIEWER","projectId":"project-a"}`, 400)
	admin.ask(t, "POST", uiOrganization+"/invitations", `{"email":"new@example.org","role":"VIEWER","projectId":"project-b","projectRole":"VIEWER"}`, 404)
	first, _ := admin.invite(t, `{"email":"new@example.org","role":"VIEWER"}`)
	token, path := admin.invite(t, `{"email":"New@Example.org","role":"NONE","projectId":"project-a","projectRole":"ANNOTATOR"}`)
	if list := admin.ask(t, "GET", uiOrganization+"/invitations", "", 200); strings.Count(list, `"id"`) != 1 || strings.Contains(list, token) {
		t.Errorf("invitations: %s", list)
	}

	visitor := f.browser()
	visitor.ask(t, "GET", "/api/ui/invitations/"+first, "", 404) // replaced by the second one
	if got := visitor.ask(t, "GET", path, "", 200); !strings.Contains(got, `"email":"new@example.org"`) || !strings.Contains(got, `"accountExists":false`) {
		t.Errorf("the invitation: %s", got)
	}
	visitor.ask(t, "POST", path+"/accept", `{"name":"New"}`, 400)
	visitor.ask(t, "POST", path+"/accept", `{"name":"New","password":"short"}`, 400)
	session := decodeJSON[uiSession](t, []byte(visitor.ask(t, "POST", path+"/accept", `{"name":"New","password":"`+testPassword+`"}`, 200)))
	if session.User.Email != "new@example.org" || len(session.Organizations) != 1 || session.Organizations[0].Role != "NONE" ||
		len(session.Organizations[0].Projects) != 1 || session.Organizations[0].Projects[0].Role != "ANNOTATOR" {
		t.Errorf("the new member: %+v", session)
	}
	visitor.ask(t, "GET", path, "", 404) // used
	f.browser().ask(t, "POST", path+"/accept", `{"name":"New","password":"`+testPassword+`"}`, 404)

	// An annotator has access only to queues; TestAnnotators covers their contents.
	visitor.ask(t, "GET", uiProject+"/annotation-queues", "", 200)
	visitor.ask(t, "GET", uiProject+"/v2/observations", "", 403)
	visitor.ask(t, "POST", uiProject+"/scores", `{"traceId":"t","name":"good","value":1}`, 403)
	visitor.ask(t, "POST", uiProject+"/score-configs", `{"name":"x","dataType":"NUMERIC"}`, 403)
	visitor.ask(t, "GET", uiProject+"/v2/prompts", "", 403)

	// The public API neither returns nor accepts a role that its clients do not know.
	f.run(t, scenario{path: "/api/public/projects/project-a/memberships", key: "organization", status: 200, contains: []string{`"role":"VIEWER"`}, missing: []string{"ANNOTATOR"}})
	f.run(t, scenario{method: "PUT", path: "/api/public/organizations/memberships", key: "organization", body: `{"userId":"` + session.User.ID + `","role":"ANNOTATOR"}`, status: 400})

	_, open := admin.invite(t, `{"email":"other@example.org","role":"MEMBER"}`)
	list := decodeJSON[struct{ Invitations []struct{ ID string } }](t, []byte(admin.ask(t, "GET", uiOrganization+"/invitations", "", 200)))
	admin.ask(t, "DELETE", uiOrganization+"/invitations/"+list.Invitations[0].ID, "", 204)
	admin.ask(t, "DELETE", uiOrganization+"/invitations/"+list.Invitations[0].ID, "", 404)
	visitor.ask(t, "GET", open, "", 404)
}

// TestUIInvitationOfSomebodyKnown: a link alone gives no access to an existing account, since the inviter knows the
// link.
func TestUIInvitationOfSomebodyKnown(t *testing.T) {
	f := newFixture(t, nil)
	owner := f.as(t, f.newMember(t, "owner@a.test", domain.RoleOwner).ID)
	known, err := f.Catalog.CreateAccount(t.Context(), "known@example.org", "Known", "", domain.Actor{Kind: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	_, path := owner.invite(t, `{"email":"known@example.org","role":"MEMBER"}`)
	f.browser().ask(t, "POST", path+"/accept", `{"name":"Eve","password":"`+testPassword+`"}`, 401)
	owner.ask(t, "POST", path+"/accept", `{}`, 409)
	b := f.as(t, known.ID)
	if got := b.ask(t, "POST", path+"/accept", `{}`, 200); !strings.Contains(got, `"org-a"`) {
		t.Errorf("accepted: %s", got)
	}
	if account, err := f.Catalog.Account(t.Context(), known.Email); err != nil || account.PasswordHash != "" {
		t.Errorf("the account got a password: %v", err)
	}
}

// TestUIRoles: nobody can grant or revoke a role above their own, and the last owner cannot be removed.
func TestUIRoles(t *testing.T) {
	f := newFixture(t, nil)
	owner := f.newMember(t, "owner@a.test", domain.RoleOwner)
	admin := f.newMember(t, "admin@a.test", domain.RoleAdmin)
	member := f.newMember(t, "member@a.test", domain.RoleMember)
	asAdmin := f.as(t, admin.ID)
	members := uiOrganization + "/members/"
	asAdmin.ask(t, "PUT", members+owner.ID, `{"role":"MEMBER"}`, 403)
	asAdmin.ask(t, "DELETE", members+owner.ID, "", 403)
	asAdmin.ask(t, "PUT", members+member.ID, `{"role":"OWNER"}`, 403)
	asAdmin.ask(t, "PUT", members+admin.ID, `{"role":"OWNER"}`, 403)
	asAdmin.ask(t, "PUT", members+"nobody", `{"role":"VIEWER"}`, 404)
	asAdmin.ask(t, "PUT", members+member.ID, `{"role":"KING"}`, 400)
	asAdmin.ask(t, "PUT", members+member.ID, `{"role":"ANNOTATOR"}`, 200)
	asAdmin.ask(t, "PUT", uiProject+"/members/"+owner.ID, `{"role":"NONE"}`, 403)
	asAdmin.ask(t, "PUT", uiProject+"/members/"+member.ID, `{"role":"OWNER"}`, 403)
	asAdmin.ask(t, "PUT", uiProject+"/members/"+member.ID, `{"role":"ADMIN"}`, 200)
	if list := asAdmin.ask(t, "GET", uiProject+"/members", "", 200); !strings.Contains(list, `"role":"ADMIN","organizationRole":"ANNOTATOR","projectRole":"ADMIN"`) {
		t.Errorf("members of the project: %s", list)
	}
	asAdmin.ask(t, "DELETE", uiProject+"/members/"+member.ID, "", 204)
	asAdmin.ask(t, "DELETE", uiProject+"/members/"+member.ID, "", 404)
	asAdmin.ask(t, "DELETE", members+member.ID, "", 204)

	asOwner := f.as(t, owner.ID)
	asOwner.ask(t, "PUT", members+owner.ID, `{"role":"ADMIN"}`, 409)
	asOwner.ask(t, "DELETE", members+owner.ID, "", 409)
	entries := asOwner.ask(t, "GET", uiOrganization+"/audit-log?actorType=user&resourceType=membership", "", 200)
	if !strings.Contains(entries, `"actor":{"type":"user","id":"`+admin.ID+`","name":"Name of `+admin.Email+`"}`) || !strings.Contains(entries, `"before":{"role":"MEMBER"},"after":{"role":"ANNOTATOR"}`) {
		t.Errorf("the audit log: %s", entries)
	}
	asOwner.ask(t, "DELETE", members+admin.ID, "", 204)
	if again := asOwner.ask(t, "GET", uiOrganization+"/audit-log?actorId="+admin.ID, "", 200); !strings.Contains(again, `"name":"Name of `+admin.Email+`"`) {
		t.Errorf("the audit log does not name who left: %s", again)
	}
	signedIn := asOwner.ask(t, "GET", uiOrganization+"/audit-log?resourceType=session", "", 200)
	if !strings.Contains(signedIn, `"email":"owner@a.test"`) {
		t.Errorf("sign-ins in the audit log: %s", signedIn)
	}
}

// invited has somebody create an account with an invitation, which does not prove that the address is theirs.
func (f *fixture) invited(t *testing.T, by *browser, email string, role domain.Role) domain.User {
	t.Helper()
	_, path := by.invite(t, `{"email":"`+email+`","role":"`+string(role)+`"}`)
	f.browser().ask(t, "POST", path+"/accept", `{"name":"Invited","password":"`+testPassword+`"}`, 200)
	account, err := f.Catalog.Account(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	return account.User
}

// TestUIResetLink: a password reset link gives access to the account, so only people who have all of its access may
// create one.
func TestUIResetLink(t *testing.T) {
	f := newFixture(t, nil)
	cli := domain.Actor{Kind: "cli"}
	owner := f.newMember(t, "owner@a.test", domain.RoleOwner)
	admin := f.newMember(t, "admin@a.test", domain.RoleAdmin)
	member := f.invited(t, f.as(t, owner.ID), "member@a.test", domain.RoleMember)
	link := func(id string) string { return uiOrganization + "/members/" + id + "/reset-link" }
	proven := f.newMember(t, "proven@a.test", domain.RoleViewer)
	f.as(t, owner.ID).ask(t, "POST", link(proven.ID), "", 409) // it can only be mailed
	asAdmin := f.as(t, admin.ID)
	asAdmin.ask(t, "POST", link(owner.ID), "", 403)
	asAdmin.ask(t, "POST", link("nobody"), "", 404)
	made := decodeJSON[struct{ Link string }](t, []byte(asAdmin.ask(t, "POST", link(member.ID), "", 201)))
	token, ok := strings.CutPrefix(made.Link, "https://almanac.test/auth/reset-password?token=")
	if !ok {
		t.Fatal(made.Link)
	}
	open := f.as(t, member.ID)
	visitor := f.browser()
	body := func(token string) string { return `{"token":"` + token + `","password":"another password"}` }
	visitor.ask(t, "POST", "/api/ui/auth/reset-password", body("x"), 404)
	visitor.ask(t, "POST", "/api/ui/auth/reset-password", `{"token":"`+token+`","password":"short"}`, 400)
	visitor.ask(t, "POST", "/api/ui/auth/reset-password", body(token), 204)
	visitor.ask(t, "POST", "/api/ui/auth/reset-password", body(token), 404)
	open.ask(t, "GET", "/api/ui/auth/sessions", "", 401)
	visitor.ask(t, "POST", "/api/ui/auth/sign-in", signInBody("member@a.test", testPassword), 401)
	visitor.ask(t, "POST", "/api/ui/auth/sign-in", signInBody("member@a.test", "another password"), 200)

	// The member gets a role in another organization: now neither the admin nor the owner here may create a link.
	if _, err := f.Catalog.AppointMember(t.Context(), domain.OfOrganization("org-b"), member.ID, domain.RoleViewer, cli); err != nil {
		t.Fatal(err)
	}
	asAdmin.ask(t, "POST", link(member.ID), "", 403)
	f.as(t, owner.ID).ask(t, "POST", link(member.ID), "", 403)

	for _, address := range []string{"member@a.test", "nobody@example.org"} {
		if got := visitor.ask(t, "POST", "/api/ui/auth/forgot-password", `{"email":"`+address+`"}`, 202); got != "" {
			t.Errorf("forgot-password says %q", got)
		}
	}
}

func TestUIAccount(t *testing.T) {
	f := newFixture(t, nil)
	user := f.newMember(t, "ada@example.org", domain.RoleMember)
	b, other := f.as(t, user.ID), f.as(t, user.ID)
	if got := b.ask(t, "PATCH", "/api/ui/account", `{"name":" Ada Lovelace "}`, 200); !strings.Contains(got, `"name":"Ada Lovelace"`) {
		t.Error(got)
	}
	b.ask(t, "PATCH", "/api/ui/account", `{"name":" "}`, 400)
	change := func(current, next string) string { return `{"current":"` + current + `","new":"` + next + `"}` }
	if got := b.ask(t, "PUT", "/api/ui/account/password", change("wrong", "another password"), 400); !strings.Contains(got, `"path":["current"]`) {
		t.Error(got)
	}
	b.ask(t, "PUT", "/api/ui/account/password", change(testPassword, "short"), 400)
	b.ask(t, "PUT", "/api/ui/account/password", change(testPassword, "another password"), 204)
	b.ask(t, "GET", "/api/ui/auth/sessions", "", 200)
	other.ask(t, "GET", "/api/ui/auth/sessions", "", 401)
	guesses := map[int]int{}
	for range 7 {
		status, _ := b.try(t, "PUT", "/api/ui/account/password", change("wrong", "another password"))
		guesses[status]++
	}
	if guesses[429] != 2 {
		t.Errorf("seven guesses at the current password are answered %v", guesses)
	}
}

func TestUIOrganizationsAndProjects(t *testing.T) {
	f := newFixture(t, nil)
	owner := f.as(t, f.newMember(t, "owner@a.test", domain.RoleOwner).ID)
	viewer := f.as(t, f.newMember(t, "viewer@a.test", domain.RoleViewer).ID)
	viewer.ask(t, "POST", "/api/ui/organizations", `{"name":"Mine"}`, 403)
	o := decodeJSON[struct{ ID, Name, Role string }](t, []byte(owner.ask(t, "POST", "/api/ui/organizations", `{"name":"Mine"}`, 201)))
	path := "/api/ui/organizations/" + o.ID
	owner.ask(t, "PATCH", path, `{"name":"Ours"}`, 200)
	owner.ask(t, "PATCH", path, `{"name":""}`, 400)
	p := decodeJSON[struct{ ID string }](t, []byte(owner.ask(t, "POST", path+"/projects", `{"name":"P","retentionDays":7}`, 201)))
	owner.ask(t, "POST", path+"/projects", `{"name":"P"}`, 409)
	owner.ask(t, "POST", path+"/projects", `{"name":"Q","retentionDays":1}`, 400)
	if got := owner.ask(t, "GET", path+"/projects", "", 200); !strings.Contains(got, `"retentionDays":7`) {
		t.Error(got)
	}
	project := "/api/ui/projects/" + p.ID
	if got := owner.ask(t, "PATCH", project, `{"retentionDays":0}`, 200); !strings.Contains(got, `"name":"P"`) || !strings.Contains(got, `"retentionDays":0`) {
		t.Error(got)
	}
	owner.ask(t, "PATCH", project, `{"name":"Renamed"}`, 200)
	if got := owner.ask(t, "GET", project, "", 200); !strings.Contains(got, `"name":"Renamed"`) {
		t.Error(got)
	}
	owner.ask(t, "DELETE", path, `{"confirm":"Ours"}`, 409)
	owner.ask(t, "DELETE", project, `{"confirm":"P"}`, 400)
	owner.ask(t, "DELETE", project, `{"confirm":"Renamed"}`, 202)
	owner.ask(t, "GET", project, "", 404)
	owner.ask(t, "DELETE", path, `{}`, 400)
	owner.ask(t, "DELETE", path, `{"confirm":"Ours"}`, 204)
	owner.ask(t, "PATCH", path, `{"name":"Gone"}`, 404)
	viewer.ask(t, "GET", uiOrganization+"/projects", "", 200)
}

func TestUIKeysAndSettings(t *testing.T) {
	f := newFixture(t, nil)
	owner := f.as(t, f.newMember(t, "owner@a.test", domain.RoleOwner).ID)
	k := decodeJSON[struct{ ID, PublicKey, SecretKey string }](t, []byte(owner.ask(t, "POST", uiProject+"/apiKeys", `{"note":"mine","permissions":["traces:read"]}`, 201)))
	if got := owner.ask(t, "GET", uiProject+"/apiKeys", "", 200); !strings.Contains(got, k.PublicKey) || strings.Contains(got, k.SecretKey) {
		t.Error(got)
	}
	owner.ask(t, "POST", uiProject+"/apiKeys", `{"permissions":["members:write"]}`, 400) // for people only
	owner.ask(t, "DELETE", uiProject+"/apiKeys/"+k.ID, "", 200)
	owner.ask(t, "DELETE", uiProject+"/apiKeys/"+k.ID, "", 404)
	ok := decodeJSON[struct{ ID string }](t, []byte(owner.ask(t, "POST", uiOrganization+"/apiKeys", `{"note":"ours"}`, 201)))
	owner.ask(t, "GET", uiOrganization+"/apiKeys", "", 200)
	owner.ask(t, "DELETE", uiOrganization+"/apiKeys/"+ok.ID, "", 200)
	entries := owner.ask(t, "GET", uiProject+"/audit-log?limit=10", "", 200)
	if !strings.Contains(entries, `"type":"user"`) || strings.Contains(entries, k.SecretKey) || strings.Contains(entries, "project-a2") {
		t.Errorf("the audit log: %s", entries)
	}

	owner.ask(t, "GET", uiProject+"/blob-storage", "", 404)
	storage := `{"projectId":"project-a","type":"S3","bucketName":"b","region":"eu-west-1","exportFrequency":"hourly","enabled":false,"forcePathStyle":false,"fileType":"JSON","exportMode":"FULL_HISTORY"}`
	owner.ask(t, "PUT", uiProject+"/blob-storage", strings.Replace(storage, "project-a", "project-a2", 1), 400)
	owner.ask(t, "PUT", uiProject+"/blob-storage", storage, 200)
	owner.ask(t, "GET", uiProject+"/blob-storage", "", 200)
	owner.ask(t, "POST", uiProject+"/blob-storage/test", "", 200)
	owner.ask(t, "POST", uiProject+"/blob-storage/take-over", "", 200)
	owner.ask(t, "DELETE", uiProject+"/blob-storage", "", 200)
	owner.ask(t, "POST", uiProject+"/blob-storage/test", "", 404)
	owner.ask(t, "POST", uiProject+"/blob-storage/take-over", "", 404)

	// Changes that a person makes through a mirrored route are attributed to them as well.
	owner.ask(t, "POST", uiProject+"/v2/prompts", `{"name":"greeting","prompt":"hello"}`, 201)
	prompts := owner.ask(t, "GET", uiProject+"/audit-log?resourceType=prompt", "", 200)
	if !strings.Contains(prompts, `"type":"user"`) {
		t.Errorf("the audit log: %s", prompts)
	}
	// Errors have the format of that route.
	w := httptest.NewRecorder()
	f.ServeHTTP(w, owner.request("GET", uiProject+"/v2/prompts/nope", ""))
	if w.Code != 404 || !strings.Contains(w.Body.String(), `"LangfuseNotFoundError"`) {
		t.Errorf("a prompt that is not there: %d %s", w.Code, w.Body)
	}
	if strings.Contains(f.log.String(), k.SecretKey) || strings.Contains(f.log.String(), owner.cookies[sessionCookie]) {
		t.Error("the log has a secret")
	}
}

// TestUITokensAreNotLogged: the token of an invitation is part of its path, and paths are logged.
func TestUITokensAreNotLogged(t *testing.T) {
	f := newFixture(t, nil)
	owner := f.as(t, f.newMember(t, "owner@a.test", domain.RoleOwner).ID)
	token, path := owner.invite(t, `{"email":"new@example.org","role":"VIEWER"}`)
	f.browser().ask(t, "GET", path, "", 200)
	if log := f.log.String(); strings.Contains(log, token) || !strings.Contains(log, "/api/ui/invitations/…") {
		t.Errorf("the log: %s", log)
	}
}
