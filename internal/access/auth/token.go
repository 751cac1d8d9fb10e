package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"strings"
)

// Token is a configured secret that clients send as a Bearer token. Only its hash is kept: hashes have a fixed length,
// so comparing them does not reveal the length of the secret. The zero value is unset and matches nothing.
type Token struct {
	set bool
	sum [sha256.Size]byte
}

// NewToken returns a token for the given text; an empty text leaves it unset.
func NewToken(text string) Token {
	return Token{set: text != "", sum: sha256.Sum256([]byte(text))}
}

// Set reports whether the token is set.
func (t Token) Set() bool { return t.set }

// Matches reports whether an Authorization header contains the token. It compares in constant time.
func (t Token) Matches(authorization string) bool {
	text, bearer := strings.CutPrefix(authorization, "Bearer ")
	sum := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(sum[:], t.sum[:]) == 1 && bearer && t.set
}
