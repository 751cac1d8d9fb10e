// Package redact removes secrets from texts of others, such as the error messages of a provider that repeats the key it
// was sent.
package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

const (
	// mark takes the place of a secret.
	mark = "•••"
	// shortest is the length of the shortest secret that is removed: shorter ones occur in ordinary words.
	shortest = 4
)

// Secrets are the texts to remove, longest first.
type Secrets []string

// New returns secrets with the forms in which others may repeat them: escaped in URLs and in JSON, and in base64.
func New(secrets ...string) Secrets {
	var all Secrets
	for _, secret := range secrets {
		quoted, _ := json.Marshal(secret) // a string always has a form
		for _, form := range []string{
			secret, url.QueryEscape(secret), url.PathEscape(secret), strings.Trim(string(quoted), `"`),
			base64.RawStdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret)),
		} {
			if len(form) >= shortest {
				all = append(all, form)
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(all)
}

// From returns a text without the secrets.
func (s Secrets) From(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, mark)
	}
	return text
}

// FromStart returns a text without the secrets, if it is the beginning of a longer one: it may end within a secret.
func (s Secrets) FromStart(text string) string {
	text = s.From(text)
	for _, secret := range s {
		for n := min(len(secret)-1, len(text)); n >= shortest; n-- {
			if strings.HasSuffix(text, secret[:n]) {
				return text[:len(text)-n] + mark
			}
		}
	}
	return text
}

// Short returns the beginning of a text of at most the given number of bytes without the secrets, followed by an
// ellipsis if it is longer. The secrets are removed before it is cut, so none is cut in two.
func (s Secrets) Short(text string, most int) string {
	text = strings.TrimSpace(strings.ToValidUTF8(s.From(text), "\uFFFD"))
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
