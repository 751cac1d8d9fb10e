package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"strings"
)

// Token is a secret of the configuration that clients send as a Bearer token. Only its hash is kept: hashes have one length, so
// comparing them tells nothing of the secret's. The zero value is no token and matches nothing.
type Token struct {
	set bool
	sum [sha256.Size]byte
}

// NewToken returns the token with this text; an empty text is no token.
func NewToken(text string) Token {
	return Token{set: text != "", sum: sha256.Sum256([]byte(text))}
}

// Set reports whether there is a token.
func (t Token) Set() bool { return t.set }

// Matches reports whether an Authorization header holds the token. It compares in constant time.
func (t Token) Matches(authorization string) bool {
	text, bearer := strings.CutPrefix(authorization, "Bearer ")
	sum := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(sum[:], t.sum[:]) == 1 && bearer && t.set
}
