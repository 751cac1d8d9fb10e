package oidc

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnknownProvider means that no provider has the id.
var ErrUnknownProvider = errors.New("there is no such identity provider")

// Reason is why somebody was not signed in, in a word that the sign-in page has a sentence for. It never holds what came with a
// request: such a page could be made to say anything.
type Reason string

// The reasons.
const (
	// Unavailable: the provider does not answer, or not as it should.
	Unavailable Reason = "sso_unavailable"
	// Stale: the sign-in was not started in this browser, was finished already, or took too long.
	Stale Reason = "sso_stale"
	// Declined: the person, or the provider, said no.
	Declined Reason = "sso_declined"
	// Invalid: what the provider answered does not pass the checks.
	Invalid Reason = "sso_invalid"
	// Unverified: the provider does not say that the e-mail address is the person's.
	Unverified Reason = "sso_email_unverified"
	// Foreign: the address is of a domain that is not allowed.
	Foreign Reason = "sso_email_domain"
	// Incomplete: claims that decide on roles are not in the answer.
	Incomplete Reason = "sso_claims_missing"
)

// Refusal is the error of a sign-in that failed.
type Refusal struct {
	Reason Reason
	cause  error
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %v", r.Reason, r.cause) }

// Unwrap returns what went wrong. It is for the log, not for people who sign in.
func (r *Refusal) Unwrap() error { return r.cause }

func unavailable(err error) error { return &Refusal{Unavailable, err} }

func invalid(err error) error { return &Refusal{Invalid, err} }

// clip shortens a text of somebody else for the log.
func clip(text string) string {
	const longest = 200
	text = strings.ToValidUTF8(strings.TrimSpace(text), "")
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
