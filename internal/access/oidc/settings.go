package oidc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/netguard"
)

// Settings is the operator's configuration of a provider.
type Settings struct {
	// ID is part of the redirect URL.
	ID string `json:"id"`
	// Name is shown on the sign-in button.
	Name     string `json:"name"`
	Issuer   string `json:"issuer"`
	ClientID string `json:"clientId"`
	// ClientSecret is empty for a public client, which relies on PKCE alone.
	ClientSecret     string   `json:"clientSecret"`
	ClientSecretFile string   `json:"clientSecretFile"`
	Scopes           []string `json:"scopes"`
	// EmailDomains are the allowed domains of e-mail addresses; empty allows all.
	EmailDomains []string `json:"emailDomains"`
	// EmailVerifiedClaim is the claim that the provider has verified the address.
	EmailVerifiedClaim string `json:"emailVerifiedClaim"`
	// CreateAccounts allows creating an account at the first sign-in.
	CreateAccounts bool `json:"createAccounts"`
	// DefaultOrganizationID and DefaultRole are the initial membership of such an account.
	DefaultOrganizationID string      `json:"defaultOrganizationId"`
	DefaultRole           domain.Role `json:"defaultRole"`
	// Roles are applied at every sign-in.
	Roles []Rule `json:"roles"`
}

// Rule gives a role in an organization or in a project to people with a value in a claim.
type Rule struct {
	// Claim is the name of a claim, or a path into one: "groups", "realm_access.roles".
	Claim          string      `json:"claim"`
	Value          string      `json:"value"`
	OrganizationID string      `json:"organizationId"`
	ProjectID      string      `json:"projectId"`
	Role           domain.Role `json:"role"`
}

// Load reads the settings of providers from a file; an empty path means that there are none.
func Load(path string) ([]Settings, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path) //nolint:gosec // the operator names it
	if err != nil {
		return nil, fmt.Errorf("cannot read the identity providers: %w", err)
	}
	var providers []Settings
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(&providers); err != nil {
		return nil, fmt.Errorf("the identity providers in %s: not a list such as "+
			`[{"id": "…", "issuer": "https://…", "clientId": "…", "clientSecretFile": "…"}]: %w`, path, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the identity providers in %s: unexpected data after the list", path)
	}
	return providers, nil
}

// plainID matches valid ids, which are part of URLs that operators register with providers.
var plainID = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// complete checks the settings, reads the secret from its file, and fills in defaults.
func (s Settings) complete() (Settings, error) {
	if !plainID.MatchString(s.ID) {
		return s, fmt.Errorf("identity provider %q: an id must consist of up to 64 lower-case letters, digits, - and _", s.ID)
	}
	wrong := func(format string, args ...any) (Settings, error) {
		return s, fmt.Errorf("identity provider %q: "+format, append([]any{s.ID}, args...)...)
	}
	if problem := issuerProblem(s.Issuer); problem != "" {
		return wrong("its issuer %q %s", s.Issuer, problem)
	}
	if s.ClientID == "" {
		return wrong("it has no clientId: the provider shows one where the application is registered")
	}
	if s.ClientSecret != "" && s.ClientSecretFile != "" {
		return wrong("it has a clientSecret and a clientSecretFile; one of them is enough")
	}
	if s.ClientSecretFile != "" {
		content, err := os.ReadFile(s.ClientSecretFile)
		if err != nil {
			return wrong("cannot read its clientSecretFile: %w", err)
		}
		if s.ClientSecret = strings.TrimRight(string(content), "\r\n"); s.ClientSecret == "" {
			return wrong("its clientSecretFile %s is empty", s.ClientSecretFile)
		}
	}
	if (s.DefaultOrganizationID == "") != (s.DefaultRole == "") {
		return wrong("defaultOrganizationId and defaultRole must be set together")
	}
	if s.DefaultRole != "" && !isRole(s.DefaultRole) {
		return wrong("unknown defaultRole %q; the roles are %s", s.DefaultRole, strings.Join(domain.AllRoleNames(), ", "))
	}
	s.EmailDomains = slices.Clone(s.EmailDomains)
	for n, text := range s.EmailDomains {
		s.EmailDomains[n] = domain.LowerASCII(strings.TrimSpace(text))
		if !strings.Contains(strings.Trim(text, "."), ".") || strings.ContainsAny(s.EmailDomains[n], "*/:") ||
			!domain.IsEmail("x@"+s.EmailDomains[n]) {
			return wrong("%q is not a domain such as example.org in emailDomains", text)
		}
	}
	for n, rule := range s.Roles {
		if problem := rule.problem(); problem != "" {
			return wrong("rule %d of its roles %s", n+1, problem)
		}
	}
	s.Name = cmp.Or(s.Name, s.ID)
	if len(s.Scopes) == 0 {
		s.Scopes = []string{"openid", "email", "profile"}
	}
	if !slices.Contains(s.Scopes, "openid") {
		s.Scopes = append([]string{"openid"}, s.Scopes...)
	}
	s.EmailVerifiedClaim = cmp.Or(s.EmailVerifiedClaim, "email_verified")
	return s, nil
}

func (r Rule) problem() string {
	switch {
	case r.Claim == "":
		return "has no claim"
	case r.Value == "":
		return "has no value"
	case (r.OrganizationID == "") == (r.ProjectID == ""):
		return "needs either an organizationId or a projectId"
	case !isRole(r.Role):
		return fmt.Sprintf("has the unknown role %q; the roles are %s", r.Role, strings.Join(domain.AllRoleNames(), ", "))
	}
	return ""
}

func isRole(role domain.Role) bool { return slices.Contains(domain.AllRoleNames(), string(role)) }

// issuerProblem describes what is wrong with an issuer, or returns an empty string. Without TLS, anyone on the network
// path could forge identities, so only a provider on this machine may use plain HTTP.
func issuerProblem(issuer string) string {
	u, err := url.Parse(issuer)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return "is not a URL such as https://sso.example.org"
	case u.RawQuery != "" || u.Fragment != "" || u.User != nil:
		return "must have only a scheme, a host and a path"
	case u.Scheme == "http" && !netguard.IsLoopback(u.Hostname()):
		return "must start with https://, unless the provider is on this machine"
	}
	return ""
}
