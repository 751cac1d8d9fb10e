package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/crypto/bcrypt"

	"almanac/internal/domain"
)

// A key that was imported from Langfuse comes with the hashes that Langfuse made of its secret. It is checked against one of them
// until it is used for the first time; then we have the secret for a moment, hash it our way and forget the old hash.

// The hash is sealed, since it is worth more to whoever reads the database than ours is: one salt, which others may know, is in all of
// them.

// ImportedHash is what Langfuse keeps of a secret.
type ImportedHash struct {
	// Fast is hex(SHA-256(secret + hex(SHA-256(salt)))) with the salt of the installation; empty for keys of its early versions.
	Fast string
	// Bcrypt is used if there is no fast hash, or no salt.
	Bcrypt string
	// Shown is the part of the secret that Langfuse shows: its first 6 and last 4 characters with dots between them.
	Shown string
}

// maxBcryptCost is the highest cost of hashes that are taken over. Langfuse's is 11; each step doubles the time of a check.
const maxBcryptCost = 14

// ErrNoSalt means that only a salt would make a key work.
var ErrNoSalt = errors.New("the key has no hash that can be checked without the salt")

// ErrHash means that a hash is none of those that Langfuse makes.
var ErrHash = errors.New("the hash of the secret has no form that is known")

// sealedHash is what is sealed of an imported hash: either Sum and Salt, or Bcrypt and Shown.
type sealedHash struct {
	Sum    string `json:"sum,omitempty"`  // hexadecimal
	Salt   string `json:"salt,omitempty"` // hex(SHA-256(salt)): what the salt itself is nobody needs to know
	Bcrypt string `json:"bcrypt,omitempty"`
	Shown  string `json:"shown,omitempty"`
}

// Stored returns the stored form of the secret of an imported key. Without a salt, which is empty then, it is that of the slower hash.
func (h ImportedHash) Stored(publicKey, salt string, seal func(secret, place string) string) (string, error) {
	var kept sealedHash
	switch {
	case h.Fast != "" && salt != "":
		if sum, err := hex.DecodeString(h.Fast); err != nil || len(sum) != sha256.Size {
			return "", ErrHash
		}
		salted := sha256.Sum256([]byte(salt))
		kept = sealedHash{Sum: h.Fast, Salt: hex.EncodeToString(salted[:])}
	case h.Bcrypt == "":
		return "", ErrNoSalt
	default:
		if cost, err := bcrypt.Cost([]byte(h.Bcrypt)); err != nil || cost > maxBcryptCost {
			return "", ErrHash
		}
		kept = sealedHash{Bcrypt: h.Bcrypt, Shown: h.Shown}
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return "", err
	}
	return domain.ImportedKeyPrefix + seal(string(text), importedPlace(publicKey)), nil
}

// IsImported reports whether a stored form is that of an imported key that has not been used yet.
func IsImported(stored string) bool { return strings.HasPrefix(stored, domain.ImportedKeyPrefix) }

func importedPlace(publicKey string) string {
	return fmt.Sprintf("hash of the imported key %q", publicKey)
}

// importedHash is an opened stored form.
type importedHash struct {
	stored string
	sum    []byte
	salt   string
	bcrypt string // empty if there is a sum
	shown  string
}

// openImported opens a stored form.
func openImported(stored, publicKey string, open func(sealed, place string) (string, error)) (*importedHash, error) {
	if open == nil {
		return nil, errors.New("the secrets of imported keys cannot be decrypted here")
	}
	text, err := open(strings.TrimPrefix(stored, domain.ImportedKeyPrefix), importedPlace(publicKey))
	if err != nil {
		return nil, err
	}
	var kept sealedHash
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return nil, errSecretHash // the error may quote what is sealed
	}
	h := &importedHash{stored: stored, salt: kept.Salt, bcrypt: kept.Bcrypt, shown: kept.Shown}
	if h.bcrypt == "" {
		if h.sum, err = hex.DecodeString(kept.Sum); err != nil || len(h.sum) != sha256.Size {
			return nil, errSecretHash
		}
	}
	return h, nil
}

// matches compares with the fast hash, in constant time.
func (h *importedHash) matches(secret string) bool {
	made := sha256.Sum256([]byte(secret + h.salt))
	return subtle.ConstantTimeCompare(made[:], h.sum) == 1
}

// looksRight reports whether a secret can be the right one, by the part of it that is shown anyway. It keeps whoever guesses from
// making us compute slow hashes.
func (h *importedHash) looksRight(secret string) bool {
	const first, last, longest = 6, 4, 72 // bcrypt takes no more
	if len(secret) > longest {
		return false
	}
	if !strings.Contains(h.shown, "...") {
		return true
	}
	shown := secret[:min(first, len(secret))] + "..." + secret[max(0, len(secret)-last):]
	return subtle.ConstantTimeCompare([]byte(shown), []byte(h.shown)) == 1
}

const (
	// slowFailures is how many secrets may turn out to be wrong in a minute after a slow hash of them was computed. It bounds what
	// somebody can make us compute who knows a public key and what is shown of its secret.
	slowFailures = 20
	slowWindow   = time.Minute
)

// slowly lets slow hashes be computed one at a time, and not too many in vain. Its fields belong to whoever holds the turn.
type slowly struct {
	compare func(hash, secret []byte) error // bcrypt's; tests count its calls
	turn    chan struct{}
	since   time.Time
	failed  int
}

// adopt checks a secret against the hash that its key was imported with. If it is the right one, the key has a hash of ours from now
// on. The error, if any, is a *Denied.
func (k *Keys) adopt(ctx context.Context, public string, found cachedKey, secret string) (bool, error) {
	if found.imported.bcrypt != "" {
		return k.adoptSlowly(ctx, public, found, secret)
	}
	if !found.imported.matches(secret) {
		return false, nil
	}
	k.rehash(ctx, public, found, secret)
	return true, nil
}

func (k *Keys) adoptSlowly(ctx context.Context, public string, found cachedKey, secret string) (bool, error) {
	if !found.imported.looksRight(secret) {
		return false, nil
	}
	select {
	case k.slow.turn <- struct{}{}:
		defer func() { <-k.slow.turn }()
	case <-ctx.Done():
		return false, Unavailable(context.Cause(ctx))
	}
	// Of requests that come together the first one has adopted the key by now.
	found, err := k.lookUp(ctx, public)
	switch {
	case err != nil:
		return false, Unavailable(err)
	case !found.found || found.key.Expired(k.now()):
		return false, nil
	case found.imported == nil:
		return k.matches(found.hash, secret), nil
	}
	if now := k.now(); now.Sub(k.slow.since) >= slowWindow {
		k.slow.since, k.slow.failed = now, 0
	}
	if k.slow.failed >= slowFailures {
		denied := &Denied{Status: http.StatusTooManyRequests, Message: "Too many wrong credentials. Try again later.", RetryAfter: int(slowWindow / time.Second)}
		return false, denied.wrong("wrong secret", shownKey(public, true))
	}
	if err := k.slow.compare([]byte(found.imported.bcrypt), []byte(secret)); err != nil {
		k.slow.failed++
		return false, nil
	}
	k.rehash(ctx, public, found, secret)
	return true, nil
}

// rehash stores a hash of ours in place of the imported one, and remembers it. If it cannot be stored, the key works all the same,
// and the next one who looks it up tries again.
func (k *Keys) rehash(ctx context.Context, public string, found cachedKey, secret string) {
	stored := HashSecret(secret)
	ours, err := parseSecretHash(stored)
	if err != nil {
		panic("BUG: a fresh hash does not parse: " + err.Error())
	}
	k.mu.Lock()
	// Others may have read the same key at the same time.
	if entry, ok := k.cached[public]; ok && entry.imported != nil && entry.imported.stored == found.imported.stored {
		entry.hash, entry.imported = ours, nil
		k.cached[public] = entry
		k.epoch++ // whoever is reading it now may find the old hash, which is not remembered then
	}
	k.mu.Unlock()
	replaced, err := k.store.ReplaceKeyHash(ctx, found.key.ID, found.imported.stored, stored)
	switch {
	case err != nil:
		k.log.Warn("cannot replace the hash that an API key was imported with: it is tried again when the key is used", "key", public, "error", err)
	case replaced:
		k.log.Info("an imported API key was used for the first time: its old hash is replaced", "key", public)
	}
}
