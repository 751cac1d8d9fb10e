package oidc

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnknownProvider means that there is no provider with the given id.
var ErrUnknownProvider = errors.New("there is no such identity provider")

// Reason is a code for why a sign-in failed, for which the sign-in page has a message. It never contains data from a
// request, which could make the page say anything.
type Reason string

// The reasons.
const (
	// Unavailable means that the provider does not respond, or not properly.
	Unavailable Reason = "sso_unavailable"
	// Stale means that the sign-in was not started in this browser, is already finished, or took too long.
	Stale Reason = "sso_stale"
	// Declined means that the person or the provider declined.
	Declined Reason = "sso_declined"
	// Invalid means that the provider's response does not pass the checks.
	Invalid Reason = "sso_invalid"
	// Unverified means that the provider does not confirm that the e-mail address belongs to the person.
	Unverified Reason = "sso_email_unverified"
	// Foreign means that the address is in a domain that is not allowed.
	Foreign Reason = "sso_email_domain"
	// Incomplete means that claims needed to determine roles are not in the response.
	Incomplete Reason = "sso_claims_missing"
)

// Refusal is returned for a failed sign-in.
type Refusal struct {
	Reason Reason
	cause  error
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %v", r.Reason, r.cause) }

// Unwrap returns the cause. It is for the log, not for the people who sign in.
func (r *Refusal) Unwrap() error { return r.cause }

func unavailable(err error) error { return &Refusal{Unavailable, err} }

func invalid(err error) error { return &Refusal{Invalid, err} }

// clip shortens foreign text for the log.
func clip(text string) string {
	const longest = 200
	text = strings.ToValidUTF8(strings.TrimSpace(text), "")
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
