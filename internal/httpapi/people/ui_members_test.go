package people_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const (
	uiOrganization = "/api/ui/organizations/org-a"
)

type uiInvited struct {
	Invitation struct{ ID, Email, Role string }
	Link       string
	Mailed     bool
}

// invite creates an invitation and returns the path of its token.
func invite(t *testing.T, b *apitest.Browser, body string) (token, path string) {
	t.Helper()
	invited := apitest.DecodeJSON[uiInvited](t, []byte(b.Ask(t, "POST", uiOrganization+"/invitations", body, 201)))
	token, ok := strings.CutPrefix(invited.Link, "https://almanac.test/invite/")
	if !ok || len(token) != 43 || invited.Mailed != b.F.Accounts.CanMail() {
		t.Fatalf("invited: %+v", invited)
	}
	return token, "/api/ui/invitations/" + token
}

func TestUIInvitations(t *testing.T) {
	f := apitest.New(t, nil)
	admin := f.As(t, f.NewMember(t, "admin@a.test", domain.RoleAdmin).ID)
	admin.Ask(t, "POST", uiOrganization+"/invitations", `{"email":"new@example.org","role":"OWNER"}`, 403)
	admin.Ask(t, "POST", uiOrganization+"/invitations",
		`{"email":"new@example.org","role":"VIEWER","projectId":"project-a","projectRole":"OWNER"}`, 403)
	admin.Ask(t, "POST", uiOrganization+"/invitations", `{"email":"admin@a.test","role":"VIEWER"}`, 409)
	admin.Ask(t, "POST", uiOrganization+"/invitations", `{"email":"no address","role":"VIEWER"}`, 400)
	admin.Ask(t, "POST", uiOrganization+"/invitations", `{"email":"new@example.org","role":"VIEWER","projectId":"project-a"}`, 400)
	admin.Ask(t, "POST", uiOrganization+"/invitations",
		`{"email":"new@example.org","role":"VIEWER","projectId":"project-b","projectRole":"VIEWER"}`, 404)
	first, _ := invite(t, admin, `{"email":"new@example.org","role":"VIEWER"}`)
	token, path := invite(t, admin, `{"email":"New@Example.org","role":"NONE","projectId":"project-a","projectRole":"ANNOTATOR"}`)
	if list := admin.Ask(t, "GET", uiOrganization+"/invitations", "", 200); strings.Count(list, `"id"`) != 1 ||
		strings.Contains(list, token) {
		t.Errorf("invitations: %s", list)
	}

	visitor := f.Browser()
	visitor.Ask(t, "GET", "/api/ui/invitations/"+first, "", 404) // replaced by the second one
	if got := visitor.Ask(t, "GET", path, "", 200); !strings.Contains(got, `"email":"new@example.org"`) ||
		!strings.Contains(got, `"accountExists":false`) {
		t.Errorf("the invitation: %s", got)
	}
	visitor.Ask(t, "POST", path+"/accept", `{"name":"New"}`, 400)
	visitor.Ask(t, "POST", path+"/accept", `{"name":"New","password":"short"}`, 400)
	session := apitest.DecodeJSON[uiSession](t, []byte(visitor.Ask(t, "POST", path+"/accept", `{"name":"New","password":"`+apitest.TestPassword+`"}`, 200)))
	if session.User.Email != "new@example.org" || len(session.Organizations) != 1 || session.Organizations[0].Role != "NONE" ||
		len(session.Organizations[0].Projects) != 1 || session.Organizations[0].Projects[0].Role != "ANNOTATOR" {
		t.Errorf("the new member: %+v", session)
	}
	visitor.Ask(t, "GET", path, "", 404) // used
	f.Browser().Ask(t, "POST", path+"/accept", `{"name":"New","password":"`+apitest.TestPassword+`"}`, 404)

	// An annotator has access only to queues; TestAnnotators covers their contents.
	visitor.Ask(t, "GET", apitest.UIProject+"/annotation-queues", "", 200)
	visitor.Ask(t, "GET", apitest.UIProject+"/v2/observations", "", 403)
	visitor.Ask(t, "POST", apitest.UIProject+"/scores", `{"traceId":"t","name":"good","value":1}`, 403)
	visitor.Ask(t, "POST", apitest.UIProject+"/score-configs", `{"name":"x","dataType":"NUMERIC"}`, 403)
	visitor.Ask(t, "GET", apitest.UIProject+"/v2/prompts", "", 403)

	// The public API neither returns nor accepts a role that its clients do not know.
	f.Run(t, apitest.Scenario{
		Path: "/api/public/projects/project-a/memberships", Key: "organization", Status: 200, Contains: []string{`"role":"VIEWER"`},
		Missing: []string{"ANNOTATOR"},
	})
	f.Run(t, apitest.Scenario{
		Method: "PUT", Path: "/api/public/organizations/memberships", Key: "organization",
		Body: `{"userId":"` + session.User.ID + `","role":"ANNOTATOR"}`, Status: 400,
	})

	_, open := invite(t, admin, `{"email":"other@example.org","role":"MEMBER"}`)
	list := apitest.DecodeJSON[struct{ Invitations []struct{ ID string } }](t, []byte(admin.Ask(t, "GET", uiOrganization+"/invitations", "", 200)))
	admin.Ask(t, "DELETE", uiOrganization+"/invitations/"+list.Invitations[0].ID, "", 204)
	admin.Ask(t, "DELETE", uiOrganization+"/invitations/"+list.Invitations[0].ID, "", 404)
	visitor.Ask(t, "GET", open, "", 404)
}

// TestUIInvitationOfSomebodyKnown: a link alone gives no access to an existing account, since the inviter knows the
// link.
func TestUIInvitationOfSomebodyKnown(t *testing.T) {
	f := apitest.New(t, nil)
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	known, err := f.Catalog.CreateAccount(t.Context(), "known@example.org", "Known", "", domain.Actor{Kind: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	_, path := invite(t, owner, `{"email":"known@example.org","role":"MEMBER"}`)
	f.Browser().Ask(t, "POST", path+"/accept", `{"name":"Eve","password":"`+apitest.TestPassword+`"}`, 401)
	owner.Ask(t, "POST", path+"/accept", `{}`, 409)
	b := f.As(t, known.ID)
	if got := b.Ask(t, "POST", path+"/accept", `{}`, 200); !strings.Contains(got, `"org-a"`) {
		t.Errorf("accepted: %s", got)
	}
	if account, err := f.Catalog.Account(t.Context(), known.Email); err != nil || account.PasswordHash != "" {
		t.Errorf("the account got a password: %v", err)
	}
}

// TestUIRoles: nobody can grant or revoke a role above their own, and the last owner cannot be removed.
func TestUIRoles(t *testing.T) {
	f := apitest.New(t, nil)
	owner := f.NewMember(t, "owner@a.test", domain.RoleOwner)
	admin := f.NewMember(t, "admin@a.test", domain.RoleAdmin)
	member := f.NewMember(t, "member@a.test", domain.RoleMember)
	asAdmin := f.As(t, admin.ID)
	members := uiOrganization + "/members/"
	asAdmin.Ask(t, "PUT", members+owner.ID, `{"role":"MEMBER"}`, 403)
	asAdmin.Ask(t, "DELETE", members+owner.ID, "", 403)
	asAdmin.Ask(t, "PUT", members+member.ID, `{"role":"OWNER"}`, 403)
	asAdmin.Ask(t, "PUT", members+admin.ID, `{"role":"OWNER"}`, 403)
	asAdmin.Ask(t, "PUT", members+"nobody", `{"role":"VIEWER"}`, 404)
	asAdmin.Ask(t, "PUT", members+member.ID, `{"role":"KING"}`, 400)
	asAdmin.Ask(t, "PUT", members+member.ID, `{"role":"ANNOTATOR"}`, 200)
	asAdmin.Ask(t, "PUT", apitest.UIProject+"/members/"+owner.ID, `{"role":"NONE"}`, 403)
	asAdmin.Ask(t, "PUT", apitest.UIProject+"/members/"+member.ID, `{"role":"OWNER"}`, 403)
	asAdmin.Ask(t, "PUT", apitest.UIProject+"/members/"+member.ID, `{"role":"ADMIN"}`, 200)
	if list := asAdmin.Ask(t, "GET", apitest.UIProject+"/members", "", 200); !strings.Contains(list,
		`"role":"ADMIN","organizationRole":"ANNOTATOR","projectRole":"ADMIN"`) {
		t.Errorf("members of the project: %s", list)
	}
	asAdmin.Ask(t, "DELETE", apitest.UIProject+"/members/"+member.ID, "", 204)
	asAdmin.Ask(t, "DELETE", apitest.UIProject+"/members/"+member.ID, "", 404)
	asAdmin.Ask(t, "DELETE", members+member.ID, "", 204)

	asOwner := f.As(t, owner.ID)
	asOwner.Ask(t, "PUT", members+owner.ID, `{"role":"ADMIN"}`, 409)
	asOwner.Ask(t, "DELETE", members+owner.ID, "", 409)
	entries := asOwner.Ask(t, "GET", uiOrganization+"/audit-log?actorType=user&resourceType=membership", "", 200)
	if !strings.Contains(entries, `"actor":{"type":"user","id":"`+admin.ID+`","name":"Name of `+admin.Email+`"}`) ||
		!strings.Contains(entries, `"before":{"role":"MEMBER"},"after":{"role":"ANNOTATOR"}`) {
		t.Errorf("the audit log: %s", entries)
	}
	asOwner.Ask(t, "DELETE", members+admin.ID, "", 204)
	if again := asOwner.Ask(t, "GET", uiOrganization+"/audit-log?actorId="+admin.ID, "", 200); !strings.Contains(again,
		`"name":"Name of `+admin.Email+`"`) {
		t.Errorf("the audit log does not name who left: %s", again)
	}
	signedIn := asOwner.Ask(t, "GET", uiOrganization+"/audit-log?resourceType=session", "", 200)
	if !strings.Contains(signedIn, `"email":"owner@a.test"`) {
		t.Errorf("sign-ins in the audit log: %s", signedIn)
	}
}

// invited has somebody create an account with an invitation, which does not prove that the address is theirs.
func invited(t *testing.T, f *apitest.Fixture, by *apitest.Browser, email string, role domain.Role) domain.User {
	t.Helper()
	_, path := invite(t, by, `{"email":"`+email+`","role":"`+string(role)+`"}`)
	f.Browser().Ask(t, "POST", path+"/accept", `{"name":"Invited","password":"`+apitest.TestPassword+`"}`, 200)
	account, err := f.Catalog.Account(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	return account.User
}

// TestUIResetLink: a password reset link gives access to the account, so only people who have all of its access may
// create one.
func TestUIResetLink(t *testing.T) {
	f := apitest.New(t, nil)
	cli := domain.Actor{Kind: "cli"}
	owner := f.NewMember(t, "owner@a.test", domain.RoleOwner)
	admin := f.NewMember(t, "admin@a.test", domain.RoleAdmin)
	member := invited(t, f, f.As(t, owner.ID), "member@a.test", domain.RoleMember)
	link := func(id string) string { return uiOrganization + "/members/" + id + "/reset-link" }
	proven := f.NewMember(t, "proven@a.test", domain.RoleViewer)
	f.As(t, owner.ID).Ask(t, "POST", link(proven.ID), "", 409) // it can only be mailed
	asAdmin := f.As(t, admin.ID)
	asAdmin.Ask(t, "POST", link(owner.ID), "", 403)
	asAdmin.Ask(t, "POST", link("nobody"), "", 404)
	made := apitest.DecodeJSON[struct{ Link string }](t, []byte(asAdmin.Ask(t, "POST", link(member.ID), "", 201)))
	token, ok := strings.CutPrefix(made.Link, "https://almanac.test/auth/reset-password?token=")
	if !ok {
		t.Fatal(made.Link)
	}
	open := f.As(t, member.ID)
	visitor := f.Browser()
	body := func(token string) string { return `{"token":"` + token + `","password":"another password"}` }
	visitor.Ask(t, "POST", "/api/ui/auth/reset-password", body("x"), 404)
	visitor.Ask(t, "POST", "/api/ui/auth/reset-password", `{"token":"`+token+`","password":"short"}`, 400)
	visitor.Ask(t, "POST", "/api/ui/auth/reset-password", body(token), 204)
	visitor.Ask(t, "POST", "/api/ui/auth/reset-password", body(token), 404)
	open.Ask(t, "GET", "/api/ui/auth/sessions", "", 401)
	visitor.Ask(t, "POST", "/api/ui/auth/sign-in", signInBody("member@a.test", apitest.TestPassword), 401)
	visitor.Ask(t, "POST", "/api/ui/auth/sign-in", signInBody("member@a.test", "another password"), 200)

	// The member gets a role in another organization: now neither the admin nor the owner here may create a link.
	if _, err := f.Catalog.AppointMember(t.Context(), domain.OfOrganization("org-b"), member.ID, domain.RoleViewer, cli); err != nil {
		t.Fatal(err)
	}
	asAdmin.Ask(t, "POST", link(member.ID), "", 403)
	f.As(t, owner.ID).Ask(t, "POST", link(member.ID), "", 403)

	for _, address := range []string{"member@a.test", "nobody@example.org"} {
		if got := visitor.Ask(t, "POST", "/api/ui/auth/forgot-password", `{"email":"`+address+`"}`, 202); got != "" {
			t.Errorf("forgot-password says %q", got)
		}
	}
}

func TestUIAccount(t *testing.T) {
	f := apitest.New(t, nil)
	user := f.NewMember(t, "ada@example.org", domain.RoleMember)
	b, other := f.As(t, user.ID), f.As(t, user.ID)
	if got := b.Ask(t, "PATCH", "/api/ui/account", `{"name":" Ada Lovelace "}`, 200); !strings.Contains(got, `"name":"Ada Lovelace"`) {
		t.Error(got)
	}
	b.Ask(t, "PATCH", "/api/ui/account", `{"name":" "}`, 400)
	change := func(current, next string) string { return `{"current":"` + current + `","new":"` + next + `"}` }
	if got := b.Ask(t, "PUT", "/api/ui/account/password", change("wrong", "another password"), 400); !strings.Contains(got,
		`"path":["current"]`) {
		t.Error(got)
	}
	b.Ask(t, "PUT", "/api/ui/account/password", change(apitest.TestPassword, "short"), 400)
	b.Ask(t, "PUT", "/api/ui/account/password", change(apitest.TestPassword, "another password"), 204)
	b.Ask(t, "GET", "/api/ui/auth/sessions", "", 200)
	other.Ask(t, "GET", "/api/ui/auth/sessions", "", 401)
	guesses := map[int]int{}
	for range 7 {
		status, _ := b.Try(t, "PUT", "/api/ui/account/password", change("wrong", "another password"))
		guesses[status]++
	}
	if guesses[429] != 2 {
		t.Errorf("seven guesses at the current password are answered %v", guesses)
	}
}

func TestUIOrganizationsAndProjects(t *testing.T) {
	f := apitest.New(t, nil)
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	viewer.Ask(t, "POST", "/api/ui/organizations", `{"name":"Mine"}`, 403)
	o := apitest.DecodeJSON[struct{ ID, Name, Role string }](t, []byte(owner.Ask(t, "POST", "/api/ui/organizations", `{"name":"Mine"}`, 201)))
	path := "/api/ui/organizations/" + o.ID
	owner.Ask(t, "PATCH", path, `{"name":"Ours"}`, 200)
	owner.Ask(t, "PATCH", path, `{"name":""}`, 400)
	p := apitest.DecodeJSON[struct{ ID string }](t, []byte(owner.Ask(t, "POST", path+"/projects", `{"name":"P","retentionDays":7}`, 201)))
	owner.Ask(t, "POST", path+"/projects", `{"name":"P"}`, 409)
	owner.Ask(t, "POST", path+"/projects", `{"name":"Q","retentionDays":1}`, 400)
	if got := owner.Ask(t, "GET", path+"/projects", "", 200); !strings.Contains(got, `"retentionDays":7`) {
		t.Error(got)
	}
	project := "/api/ui/projects/" + p.ID
	if got := owner.Ask(t, "PATCH", project, `{"retentionDays":0}`, 200); !strings.Contains(got, `"name":"P"`) ||
		!strings.Contains(got, `"retentionDays":0`) {
		t.Error(got)
	}
	owner.Ask(t, "PATCH", project, `{"name":"Renamed"}`, 200)
	if got := owner.Ask(t, "GET", project, "", 200); !strings.Contains(got, `"name":"Renamed"`) {
		t.Error(got)
	}
	owner.Ask(t, "DELETE", path, `{"confirm":"Ours"}`, 409)
	owner.Ask(t, "DELETE", project, `{"confirm":"P"}`, 400)
	owner.Ask(t, "DELETE", project, `{"confirm":"Renamed"}`, 202)
	owner.Ask(t, "GET", project, "", 404)
	owner.Ask(t, "DELETE", path, `{}`, 400)
	owner.Ask(t, "DELETE", path, `{"confirm":"Ours"}`, 204)
	owner.Ask(t, "PATCH", path, `{"name":"Gone"}`, 404)
	viewer.Ask(t, "GET", uiOrganization+"/projects", "", 200)
}

func TestUIKeysAndSettings(t *testing.T) {
	f := apitest.New(t, nil)
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	k := apitest.DecodeJSON[struct{ ID, PublicKey, SecretKey string }](t,
		[]byte(owner.Ask(t, "POST", apitest.UIProject+"/apiKeys", `{"note":"mine","permissions":["traces:read"]}`, 201)))
	if got := owner.Ask(t, "GET", apitest.UIProject+"/apiKeys", "", 200); !strings.Contains(got, k.PublicKey) ||
		strings.Contains(got, k.SecretKey) {
		t.Error(got)
	}
	owner.Ask(t, "POST", apitest.UIProject+"/apiKeys", `{"permissions":["members:write"]}`, 400) // for people only
	owner.Ask(t, "DELETE", apitest.UIProject+"/apiKeys/"+k.ID, "", 200)
	owner.Ask(t, "DELETE", apitest.UIProject+"/apiKeys/"+k.ID, "", 404)
	ok := apitest.DecodeJSON[struct{ ID string }](t, []byte(owner.Ask(t, "POST", uiOrganization+"/apiKeys", `{"note":"ours"}`, 201)))
	owner.Ask(t, "GET", uiOrganization+"/apiKeys", "", 200)
	owner.Ask(t, "DELETE", uiOrganization+"/apiKeys/"+ok.ID, "", 200)
	entries := owner.Ask(t, "GET", apitest.UIProject+"/audit-log?limit=10", "", 200)
	if !strings.Contains(entries, `"type":"user"`) || strings.Contains(entries, k.SecretKey) || strings.Contains(entries, "project-a2") {
		t.Errorf("the audit log: %s", entries)
	}

	owner.Ask(t, "GET", apitest.UIProject+"/blob-storage", "", 404)
	storage := `{"projectId":"project-a","type":"S3","bucketName":"b","region":"eu-west-1","exportFrequency":"hourly","enabled":false,"forcePathStyle":false,"fileType":"JSON","exportMode":"FULL_HISTORY"}`
	owner.Ask(t, "PUT", apitest.UIProject+"/blob-storage", strings.Replace(storage, "project-a", "project-a2", 1), 400)
	owner.Ask(t, "PUT", apitest.UIProject+"/blob-storage", storage, 200)
	owner.Ask(t, "GET", apitest.UIProject+"/blob-storage", "", 200)
	owner.Ask(t, "POST", apitest.UIProject+"/blob-storage/test", "", 200)
	owner.Ask(t, "POST", apitest.UIProject+"/blob-storage/take-over", "", 200)
	owner.Ask(t, "DELETE", apitest.UIProject+"/blob-storage", "", 200)
	owner.Ask(t, "POST", apitest.UIProject+"/blob-storage/test", "", 404)
	owner.Ask(t, "POST", apitest.UIProject+"/blob-storage/take-over", "", 404)

	// Changes that a person makes through a mirrored route are attributed to them as well.
	owner.Ask(t, "POST", apitest.UIProject+"/v2/prompts", `{"name":"greeting","prompt":"hello"}`, 201)
	prompts := owner.Ask(t, "GET", apitest.UIProject+"/audit-log?resourceType=prompt", "", 200)
	if !strings.Contains(prompts, `"type":"user"`) {
		t.Errorf("the audit log: %s", prompts)
	}
	// Errors have the format of that route.
	w := httptest.NewRecorder()
	f.ServeHTTP(w, owner.Request("GET", apitest.UIProject+"/v2/prompts/nope", ""))
	if w.Code != 404 || !strings.Contains(w.Body.String(), `"LangfuseNotFoundError"`) {
		t.Errorf("a prompt that is not there: %d %s", w.Code, w.Body)
	}
	if strings.Contains(f.Logged.String(), k.SecretKey) || strings.Contains(f.Logged.String(), owner.Cookies[apitest.SessionCookie]) {
		t.Error("the log has a secret")
	}
}

// TestUITokensAreNotLogged: the token of an invitation is part of its path, and paths are logged.
func TestUITokensAreNotLogged(t *testing.T) {
	f := apitest.New(t, nil)
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	token, path := invite(t, owner, `{"email":"new@example.org","role":"VIEWER"}`)
	f.Browser().Ask(t, "GET", path, "", 200)
	if log := f.Logged.String(); strings.Contains(log, token) || !strings.Contains(log, "/api/ui/invitations/…") {
		t.Errorf("the log: %s", log)
	}
}
