package domain

import (
	"strings"
	"unicode"
)

// NormalEmail returns an email address in the form in which it is stored, compared and counted.
func NormalEmail(email string) string { return LowerASCII(strings.TrimSpace(email)) }

// IsEmail reports whether a text in normal form has the form of an email address. Domains are in ASCII: internationalized
// ones are written as they are in DNS (xn--), since letters that look alike are different domains.
func IsEmail(email string) bool {
	user, host, found := strings.Cut(email, "@")
	return found && user != "" && host != "" && !strings.ContainsFunc(user, isOdd) &&
		!strings.ContainsFunc(host, func(r rune) bool { return r > '~' || r == '@' || isOdd(r) })
}

// isOdd reports whether an address cannot contain a character.
func isOdd(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar
}
