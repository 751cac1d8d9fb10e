package oidc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
)

func TestSettings(t *testing.T) {
	directory := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(directory, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	secret, err := json.Marshal(write("secret", "s3cret\n"))
	if err != nil {
		t.Fatal(err)
	}
	empty, err := json.Marshal(write("empty", "\n"))
	if err != nil {
		t.Fatal(err)
	}
	good := `"id": "a", "issuer": "https://sso.example.org/x", "clientId": "c"`
	for _, c := range []struct{ name, file, problem string }{
		{"the least", `[{` + good + `}]`, ""},
		{"everything", `[{` + good + `, "name": "A", "clientSecretFile": ` + string(secret) +
			`, "scopes": ["groups"], "emailDomains": ["Example.org"],
			"emailVerifiedClaim": "xms_edov", "createAccounts": true, "defaultOrganizationId": "o", "defaultRole": "VIEWER",
			"roles": [{"claim": "groups", "value": "g", "organizationId": "o", "role": "ADMIN"}]}]`, ""},
		{"none", `[]`, ""},
		{"a provider on this machine", `[{"id": "a", "issuer": "http://127.0.0.1:5556/dex", "clientId": "c"}]`, ""},
		{"no list", `{}`, "not a list"},
		{"an unknown field", `[{` + good + `, "secret": "x"}]`, `unknown field "secret"`},
		{"two lists", `[] []`, "unexpected data after the list"},
		{"no id", `[{}]`, `identity provider "": an id must consist`},
		{"an id with a slash", `[{"id": "a/b"}]`, "an id must consist"},
		{"two of one id", `[{` + good + `}, {` + good + `}]`, `two identity providers with the id "a"`},
		{"no issuer", `[{"id": "a", "clientId": "c"}]`, "is not a URL"},
		{"an issuer without TLS", `[{"id": "a", "issuer": "http://sso.example.org", "clientId": "c"}]`, "must start with https://"},
		{"an issuer with a query", `[{"id": "a", "issuer": "https://sso.example.org?x", "clientId": "c"}]`, "must have only"},
		{"no client", `[{"id": "a", "issuer": "https://sso.example.org"}]`, "no clientId"},
		{"two secrets", `[{` + good + `, "clientSecret": "planted", "clientSecretFile": "x"}]`, "one of them is enough"},
		{"a secret that is missing", `[{` + good + `, "clientSecretFile": "/none/x"}]`, "clientSecretFile"},
		{"a secret that is empty", `[{` + good + `, "clientSecretFile": ` + string(empty) + `}]`, "is empty"},
		{"an organization without a role", `[{` + good + `, "defaultOrganizationId": "o"}]`, "must be set together"},
		{
			"no such default role", `[{` + good + `, "defaultOrganizationId": "o", "defaultRole": "admin"}]`,
			`unknown defaultRole "admin"; the roles are OWNER`,
		},
		{"no domain", `[{` + good + `, "emailDomains": ["@example.org"]}]`, "is not a domain"},
		{
			"a rule without a claim", `[{` + good + `, "roles": [{"value": "g", "organizationId": "o", "role": "ADMIN"}]}]`,
			"rule 1 of its roles has no claim",
		},
		{"a rule without a value", `[{` + good + `, "roles": [{"claim": "g", "organizationId": "o", "role": "ADMIN"}]}]`, "has no value"},
		{
			"a rule for nothing", `[{` + good + `, "roles": [{"claim": "g", "value": "g", "role": "ADMIN"}]}]`,
			"either an organizationId or a projectId",
		},
		{
			"a rule for both",
			`[{` + good + `, "roles": [{"claim": "g", "value": "g", "organizationId": "o", "projectId": "p", "role": "ADMIN"}]}]`,
			"either an organizationId or a projectId",
		},
		{
			"a rule without a role", `[{` + good + `, "roles": [{"claim": "g", "value": "g", "projectId": "p"}]}]`,
			`the unknown role ""; the roles are OWNER`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			settings, err := Load(write("providers.json", c.file))
			var signOn *SignOn
			if err == nil {
				signOn, err = New(settings, Options{Secrets: newBox(t)})
			}
			switch {
			case c.problem == "" && (err != nil || len(signOn.providers) != len(settings)):
				t.Error(err)
			case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)):
				t.Errorf("error %v, want %q", err, c.problem)
			case err != nil && strings.Contains(err.Error(), "planted"):
				t.Errorf("the secret shows: %v", err)
			}
		})
	}
	if settings, err := Load(""); settings != nil || err != nil {
		t.Errorf("no file: %v, %v", settings, err)
	}
	if _, err := Load(filepath.Join(directory, "none")); err == nil {
		t.Error("a file that is missing is no error")
	}
}

func TestDefaults(t *testing.T) {
	got, err := Settings{ID: "a", Issuer: "https://sso.example.org", ClientID: "c"}.complete()
	want := Settings{
		ID: "a", Name: "a", Issuer: "https://sso.example.org", ClientID: "c", Scopes: []string{"openid", "email", "profile"},
		EmailVerifiedClaim: "email_verified",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	got, err = Settings{ID: "a", Issuer: "https://sso.example.org", ClientID: "c", Scopes: []string{"email"}}.complete()
	if diff := cmp.Diff([]string{"openid", "email"}, got.Scopes); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestRoles(t *testing.T) {
	rules := []Rule{
		{Claim: "groups", Value: "staff", OrganizationID: "acme", Role: domain.RoleViewer},
		{Claim: "groups", Value: "admins", OrganizationID: "acme", Role: domain.RoleAdmin},
		{Claim: "resource_access.almanac.roles", Value: "reviewer", ProjectID: "p1", Role: domain.RoleMember},
		{Claim: "https://example.org/level", Value: "7", OrganizationID: "labs", Role: domain.RoleMember},
	}
	for _, c := range []struct {
		name         string
		claims       map[string]any
		acme, p1, in domain.Role
	}{
		{"none", nil, "", "", ""},
		{"one of a list", map[string]any{"groups": []string{"x", "staff"}}, domain.RoleViewer, "", ""},
		{"a single value", map[string]any{"groups": "staff"}, domain.RoleViewer, "", ""},
		{"the strongest of two", map[string]any{"groups": []string{"admins", "staff"}}, domain.RoleAdmin, "", ""},
		{"a part of a value", map[string]any{"groups": "staff admins"}, "", "", ""},
		{"another case", map[string]any{"groups": "Staff"}, "", "", ""},
		{"lists in lists", map[string]any{"groups": []any{[]string{"staff"}}}, "", "", ""},
		{
			"within objects",
			map[string]any{"resource_access": map[string]any{"almanac": map[string]any{"roles": []string{"reviewer"}}}},
			"", domain.RoleMember, "",
		},
		{"something else there", map[string]any{"resource_access": "almanac"}, "", "", ""},
		{"a number, in a claim whose name has dots", map[string]any{"https://example.org/level": 7}, "", "", domain.RoleMember},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOne(t, func(s *Settings) { s.Roles = rules })
			o.claims, o.info = c.claims, map[string]any{"sub": "u-1"}
			done, err := o.signIn(t)
			want := []Grant{{OrganizationID: "acme", Role: c.acme}, {ProjectID: "p1", Role: c.p1}, {OrganizationID: "labs", Role: c.in}}
			if diff := cmp.Diff(want, done.Identity.Roles); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestDefaultRole(t *testing.T) {
	o := newOne(t, func(s *Settings) {
		s.CreateAccounts, s.DefaultOrganizationID, s.DefaultRole = true, "acme", domain.RoleViewer
		s.Roles = []Rule{
			{Claim: "groups", Value: "admins", OrganizationID: "acme", Role: domain.RoleAdmin},
			{Claim: "groups", Value: "admins", OrganizationID: "labs", Role: domain.RoleAdmin},
		}
	})
	o.claims = map[string]any{"groups": []string{}}
	done, err := o.signIn(t)
	if err != nil {
		t.Fatal(err)
	}
	want := Identity{
		ProviderID: "one", Issuer: o.issuer(), Subject: "u-1", Email: "ada@example.org", Name: "Ada Lovelace", CreateAccount: true,
		First: &Grant{OrganizationID: "acme", Role: domain.RoleViewer},
		Roles: []Grant{{OrganizationID: "acme", Role: domain.RoleViewer}, {OrganizationID: "labs"}},
	}
	if diff := cmp.Diff(want, done.Identity); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestClaimsElsewhere: Entra leaves out the groups of people who are in many of them. Treating that as "no groups"
// would remove their roles.
func TestClaimsElsewhere(t *testing.T) {
	o := newOne(t, func(s *Settings) {
		s.Roles = []Rule{{Claim: "groups", Value: "admins", OrganizationID: "acme", Role: domain.RoleAdmin}}
	})
	o.claims = map[string]any{
		"_claim_names": map[string]any{"groups": "src1"}, "_claim_sources": map[string]any{
			"src1": map[string]any{"endpoint": "https://graph.example.org/groups"},
		},
	}
	_, err := o.signIn(t)
	refused(t, err, Incomplete, "groups")
}

func TestVerifiedByAnotherClaim(t *testing.T) {
	for value, ok := range map[any]bool{true: true, "1": true, 1: true, "true": true, false: false, 0: false, "0": false, "": false} {
		o := newOne(t, func(s *Settings) { s.EmailVerifiedClaim = "xms_edov" })
		o.claims = map[string]any{"email_verified": nil, "xms_edov": value}
		_, err := o.signIn(t)
		if (err == nil) != ok {
			t.Errorf("%v: %v", value, err)
		}
	}
}

// TestClientAuthentication checks that the secret is sent where the provider expects it.
func TestClientAuthentication(t *testing.T) {
	o := newOne(t)
	o.metadata["token_endpoint_auth_methods_supported"] = []string{"client_secret_post"}
	_, err := o.signIn(t)
	refused(t, err, Invalid, "invalid_grant") // the fake only reads the header
	if o.posted.Get("client_secret") != "s3cret" || o.posted.Get("client_id") != "almanac" {
		t.Errorf("posted %v", o.posted)
	}
	public := newOne(t, func(s *Settings) { s.ClientSecret = "" })
	_, err = public.signIn(t)
	refused(t, err, Invalid, "invalid_grant")
	if public.posted.Has("client_secret") || public.posted.Get("client_id") != "almanac" || public.posted.Get("code_verifier") == "" {
		t.Errorf("posted %v", public.posted)
	}
}
