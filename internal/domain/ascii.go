package domain

import "strings"

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
