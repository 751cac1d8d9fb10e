package oidc

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"unicode"

	gooidc "github.com/coreos/go-oidc/v3/oidc"

	"almanac/internal/domain"
)

// Identity is a person as identified by a provider, after all checks.
type Identity struct {
	ProviderID string
	// Issuer and Subject together identify the person permanently. The address may change.
	Issuer, Subject string
	Email           string // in lower case
	Name            string // empty if unknown
	// Roles has one entry for each organization and project named by the provider's rules, with the strongest role that
	// the rules give the person there; the role is empty if they give none.
	Roles []Grant
	// CreateAccount allows creating an account, with the role First if that is set.
	CreateAccount bool
	First         *Grant
}

// Grant is a role in an organization or in a project; one of the ids is empty.
type Grant struct {
	OrganizationID, ProjectID string
	Role                      domain.Role
}

// claims are a provider's claims about a person.
type claims map[string]any

func readClaims(from interface{ Claims(any) error }) (claims, error) {
	var raw json.RawMessage
	if err := from.Claims(&raw); err != nil {
		return nil, err
	}
	var c claims
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // ids may have more digits than a float64
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("the claims are not a JSON object: %w", err)
	}
	return c, nil
}

// with returns the claims together with more, which has lower precedence because only the ID token is signed. The
// address and whether it is verified, the claim with the given name, come from the same source: one does not vouch for
// the address of the other.
func (c claims) with(more claims, verified string) claims {
	all := maps.Clone(more)
	maps.Copy(all, c)
	if _, whole := c[verified]; !whole || c["email"] == nil {
		for _, name := range []string{"email", verified} {
			delete(all, name)
			if value, ok := more[name]; ok {
				all[name] = value
			}
		}
	}
	return all
}

// checkFor does the checks that the verifier leaves to the caller.
func (c claims) checkFor(clientID, nonce string, token *gooidc.IDToken) error {
	party, named := c["azp"]
	switch {
	case token.Subject == "" || len(token.Subject) > 255:
		return errors.New("the subject of the ID token is empty or longer than 255 characters")
	case subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(nonce)) != 1:
		return errors.New("the nonce of the ID token does not match this browser")
	case named && party != clientID, !named && len(token.Audience) > 1:
		return fmt.Errorf("the ID token was issued to %q, not to %q", clip(fmt.Sprint(party)), clientID)
	}
	return nil
}

// needsMore reports whether claims that sign-in depends on are missing.
func (p *provider) needsMore(c claims) bool {
	for _, name := range []string{"email", p.EmailVerifiedClaim} {
		if _, ok := c[name]; !ok {
			return true
		}
	}
	return slices.ContainsFunc(p.Roles, func(r Rule) bool { return c.at(r.Claim) == nil && c.elsewhere(r.Claim) == "" })
}

// identify returns the identity for the claims, or a *Refusal.
func (p *provider) identify(c claims) (Identity, error) {
	who := Identity{ProviderID: p.ID, Issuer: p.Issuer, Name: c.name(), CreateAccount: p.CreateAccounts}
	who.Subject, _ = c["sub"].(string)
	email, _ := c["email"].(string)
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != email || len(email) > maxEmail {
		return who, &Refusal{Unverified, errors.New("the claim email has no e-mail address: is the scope email allowed?")}
	}
	if !isTrue(c[p.EmailVerifiedClaim]) {
		return who, &Refusal{Unverified, fmt.Errorf("the claim %s is not true", p.EmailVerifiedClaim)}
	}
	if who.Email = domain.NormalEmail(email); !domain.IsEmail(who.Email) {
		return who, &Refusal{Unverified, errors.New("the domain of the e-mail address is not in ASCII")}
	}
	_, host, _ := strings.Cut(who.Email[strings.LastIndexByte(who.Email, '@'):], "@")
	if len(p.EmailDomains) > 0 && !slices.Contains(p.EmailDomains, host) {
		return who, &Refusal{Foreign, fmt.Errorf("the domain %q is not allowed", clip(host))}
	}
	if p.DefaultRole != "" {
		who.First = &Grant{OrganizationID: p.DefaultOrganizationID, Role: p.DefaultRole}
	}
	who.Roles, err = p.grants(c)
	return who, err
}

// maxEmail is the maximum length of an address that mail can be sent to.
const maxEmail = 254

// grants applies the rules. In the default organization, the default role is used if no rule gives one.
func (p *provider) grants(c claims) ([]Grant, error) {
	var grants []Grant
	for _, rule := range p.Roles {
		if source := c.elsewhere(rule.Claim); source != "" {
			return nil, &Refusal{Incomplete, fmt.Errorf("the claim %s is not in the response but at %q: "+
				"for people with many groups, use rules by application roles", rule.Claim, clip(source))}
		}
		n := slices.IndexFunc(grants, func(g Grant) bool {
			return g.OrganizationID == rule.OrganizationID && g.ProjectID == rule.ProjectID
		})
		if n < 0 {
			n = len(grants)
			grants = append(grants, Grant{OrganizationID: rule.OrganizationID, ProjectID: rule.ProjectID})
		}
		if holds(c.at(rule.Claim), rule.Value) && grants[n].Role.Weaker(rule.Role) {
			grants[n].Role = rule.Role
		}
	}
	for n, g := range grants {
		if g.Role == "" && p.DefaultRole != "" && g.OrganizationID == p.DefaultOrganizationID {
			grants[n].Role = p.DefaultRole
		}
	}
	return grants, nil
}

// at returns the value at a path: that of the claim with this exact name, including dots, or of a nested one.
func (c claims) at(path string) any {
	if value, ok := c[path]; ok {
		return value
	}
	var value any = map[string]any(c)
	for name := range strings.SplitSeq(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[name]
	}
	return value
}

// elsewhere returns the source of a distributed claim, which is not part of the response; empty if the claim is not
// distributed.
func (c claims) elsewhere(path string) string {
	if c.at(path) != nil {
		return ""
	}
	top, _, _ := strings.Cut(path, ".")
	names, _ := c["_claim_names"].(map[string]any)
	source, _ := names[top].(string)
	return source
}

// holds reports whether a claim equals a value, or is a list that contains it.
func holds(claim any, value string) bool {
	switch claim := claim.(type) {
	case string:
		return claim == value
	case json.Number:
		return claim.String() == value
	case bool:
		return strconv.FormatBool(claim) == value
	case []any:
		return slices.ContainsFunc(claim, func(one any) bool {
			_, list := one.([]any)
			return !list && holds(one, value)
		})
	}
	return false
}

// isTrue reports whether a claim is true. Some providers write booleans as strings or numbers.
func isTrue(claim any) bool {
	_, list := claim.([]any)
	return !list && (holds(claim, "true") || holds(claim, "1"))
}

// name returns the display name of the person.
func (c claims) name() string {
	text := func(claim string) string {
		s, _ := c[claim].(string)
		return cleanName(s)
	}
	for _, name := range []string{text("name"), cleanName(text("given_name") + " " + text("family_name")), text("preferred_username")} {
		if name != "" {
			return name
		}
	}
	return ""
}

// maxName is the maximum length of a name, in characters.
const maxName = 200

func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	if runes := []rune(strings.TrimSpace(name)); len(runes) > maxName {
		return strings.TrimSpace(string(runes[:maxName]))
	}
	return strings.TrimSpace(name)
}
