package domain

import (
	"strings"
	"unicode"
)

// LowerASCII returns a text with A to Z in lower case. Other letters stay: some of them, such as the Kelvin sign, have an
// ASCII letter as their lower case, and would make two addresses or hosts the same.
func LowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}

// EqualFoldASCII reports whether two texts are the same but for the case of A to Z.
func EqualFoldASCII(a, b string) bool { return LowerASCII(a) == LowerASCII(b) }

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
